package quoridor

import (
	"context"
	"math/bits"
)

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

// promptDepth is the depth up to which a count takes so little time that nobody waits for its end.
const promptDepth = 3

// PerftContext counts like [Board.Perft] until the context ends, whose error it then returns.
func (b *Board) PerftContext(ctx context.Context, p Position, depth int) (n uint64, err error) {
	if depth <= promptDepth {
		return b.Perft(p, depth), ctx.Err()
	}
	var buffer [MaxMoves]Move
	for _, m := range b.Moves(buffer[:0], &p) {
		below, err := b.PerftContext(ctx, b.Play(p, m), depth-1)
		if err != nil {
			return 0, err
		}
		n += below
	}
	return n, nil
}

// PerftTable remembers counts for [PerftTable.PerftContext]. One goroutine uses it at a time, for one board.
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

// PerftContext counts like [Board.PerftContext], but looks positions up that were counted before, mirror images included.
func (t *PerftTable) PerftContext(ctx context.Context, p Position, depth int) (n uint64, err error) {
	if depth < 2 {
		return t.board.Perft(p, depth), nil
	}
	if mirrored := t.board.Mirror(p); mirrored.Compare(p) < 0 {
		p = mirrored
	}
	e := &t.entries[p.Hash()>>t.shift]
	if e.depth == depth && e.pos == p {
		return e.nodes, nil
	}
	if depth >= promptDepth && ctx.Err() != nil {
		return 0, ctx.Err()
	}
	var buffer [MaxMoves]Move
	for _, m := range t.board.Moves(buffer[:0], &p) {
		below, err := t.PerftContext(ctx, t.board.Play(p, m), depth-1)
		if err != nil {
			return 0, err
		}
		n += below
	}
	*e = perftEntry{pos: p, depth: depth, nodes: n}
	return n, nil
}
