package quoridor

import "math/bits"

// Moves appends all legal moves of the position to dst: pawn moves first, then horizontal and vertical walls by anchor. A
// finished game has none; any other position has at least one. With room for [MaxMoves] in dst nothing is allocated.
func (b *Board) Moves(dst []Move, p *Position) []Move {
	if b.Winner(p) >= 0 {
		return dst
	}
	var to [5]Move
	dst = append(dst, to[:b.pawnMoves(&to, p)]...)
	if p.left[p.side] == 0 {
		return dst
	}
	h, v := b.legalWalls(p)
	n := len(dst)
	if total := n + bits.OnesCount64(h) + bits.OnesCount64(v); total > cap(dst) {
		dst = append(make([]Move, 0, n+MaxMoves), dst...)
	}
	dst = dst[:cap(dst)]
	for ; h != 0; h &= h - 1 {
		dst[n] = firstHWall + Move(bits.TrailingZeros64(h))
		n++
	}
	for ; v != 0; v &= v - 1 {
		dst[n] = firstVWall + Move(bits.TrailingZeros64(v))
		n++
	}
	return dst[:n]
}

// CountMoves returns the number of legal moves.
func (b *Board) CountMoves(p *Position) int {
	if b.Winner(p) >= 0 {
		return 0
	}
	var to [5]Move
	n := b.pawnMoves(&to, p)
	if p.left[p.side] > 0 {
		h, v := b.legalWalls(p)
		n += bits.OnesCount64(h) + bits.OnesCount64(v)
	}
	return n
}

// IsLegal tells whether the side to move may play the move. Any byte may be asked for.
func (b *Board) IsLegal(p *Position, m Move) bool {
	return b.WhyIllegal(p, m) == Legal
}
