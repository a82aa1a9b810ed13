package quoridor

import "math/bits"

// Perft counts the move sequences of exactly the given length from the position. A finished game has no continuation.
func (b *Board) Perft(p Position, depth int) uint64 {
	if depth == 0 {
		return 1
	}
	if depth == 1 {
		return uint64(b.CountMoves(&p))
	}
	var buffer [MaxMoves]Move
	var n uint64
	for _, m := range b.Moves(buffer[:0], &p) {
		n += b.Perft(b.Play(p, m), depth-1)
	}
	return n
}

// PerftTable remembers counts for [PerftTable.Perft]. One goroutine uses it at a time, for one board.
type PerftTable struct {
	board   *Board
	entries []perftEntry
	shift   int
}

// perftEntry holds the whole position, so that a collision of hashes cannot change a count.
type perftEntry struct {
	pos   Position
	depth int
	nodes uint64
}

// NewPerftTable returns a table that takes at most the given number of bytes.
func (b *Board) NewPerftTable(bytes int) *PerftTable {
	const entrySize = 40
	n := bits.Len(uint(max(1, bytes/entrySize))) - 1
	return &PerftTable{board: b, entries: make([]perftEntry, 1<<n), shift: 64 - n}
}

// Perft counts like [Board.Perft], but looks positions up that were counted before, mirror images included.
func (t *PerftTable) Perft(p Position, depth int) uint64 {
	if depth < 2 {
		return t.board.Perft(p, depth)
	}
	if mirrored := t.board.Mirror(p); mirrored.Compare(p) < 0 {
		p = mirrored
	}
	e := &t.entries[p.Hash()>>t.shift]
	if e.depth == depth && e.pos == p {
		return e.nodes
	}
	var buffer [MaxMoves]Move
	var n uint64
	for _, m := range t.board.Moves(buffer[:0], &p) {
		n += t.Perft(t.board.Play(p, m), depth-1)
	}
	*e = perftEntry{pos: p, depth: depth, nodes: n}
	return n
}
