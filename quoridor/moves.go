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
	return b.explainIllegal(p, m) == ""
}

// explainIllegal returns why the move may not be played, or "" if it may.
func (b *Board) explainIllegal(p *Position, m Move) string {
	switch {
	case b.Winner(p) >= 0:
		return "the game is over"
	case m.IsPawn():
		var to [5]Move
		for _, legal := range to[:b.pawnMoves(&to, p)] {
			if legal == m {
				return ""
			}
		}
		return "the pawn cannot go there"
	case !m.IsWall() || b.anchors>>m.anchorIndex()&1 == 0:
		return "not a move on this board"
	case p.left[p.side] == 0:
		return "no walls left"
	}
	return b.explainIllegalWall(p, m)
}

func (b *Board) explainIllegalWall(p *Position, m Move) string {
	fitH, fitV := b.fittingWalls(p)
	i := m.anchorIndex()
	fits, opposite := fitH, p.v
	if !m.IsHorizontal() {
		fits, opposite = fitV, p.h
	}
	if opposite>>i&1 != 0 {
		return "the wall crosses another"
	}
	if fits>>i&1 == 0 {
		return "the wall overlaps another"
	}
	after := b.Play(*p, m)
	e := b.edges(after.h, after.v)
	for player := range 2 {
		if !e.connects(p.pawn[player], b.goal[player]) {
			return "the wall would cut off player " + string(rune('0'+player))
		}
	}
	return ""
}
