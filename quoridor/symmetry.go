package quoridor

import "math/bits"

// Turn returns the position as the other player sees it: the board turned by 180 degrees and the players' names exchanged, the
// side to move included. Its value for the side to move is the same. Turning twice gives the position back.
func (b *Board) Turn(p Position) Position {
	return Position{
		h: b.turnAnchors(p.h), v: b.turnAnchors(p.v),
		pawn: [2]Cell{b.turnCell(p.pawn[1]), b.turnCell(p.pawn[0])},
		left: [2]uint8{p.left[1], p.left[0]},
		side: p.side ^ 1,
	}
}

// TurnMove returns the move on the board turned by 180 degrees.
func (b *Board) TurnMove(m Move) Move {
	return b.mapMove(m, b.turnCell, b.turnAnchors)
}

// Mirror returns the position with left and right exchanged (column x becomes W-1-x). Its value for the side to move is the
// same. Mirroring twice gives the position back.
func (b *Board) Mirror(p Position) Position {
	p.h, p.v = b.mirrorAnchors(p.h), b.mirrorAnchors(p.v)
	p.pawn[0], p.pawn[1] = b.mirrorCell(p.pawn[0]), b.mirrorCell(p.pawn[1])
	return p
}

// MirrorMove returns the move on the mirrored board.
func (b *Board) MirrorMove(m Move) Move {
	return b.mapMove(m, b.mirrorCell, b.mirrorAnchors)
}

// Compare orders positions: -1 if p comes before q, 1 if after, 0 if they are equal. The order has no meaning of its own; it
// picks one of several equivalent positions.
func (p Position) Compare(q Position) int {
	for _, d := range [...][2]uint64{{p.h, q.h}, {p.v, q.v}, {p.rest(), q.rest()}} {
		if d[0] != d[1] {
			if d[0] < d[1] {
				return -1
			}
			return 1
		}
	}
	return 0
}

func (b *Board) mapMove(m Move, cell func(Cell) Cell, anchors func(uint64) uint64) Move {
	if m.IsPawn() {
		return PawnMove(cell(m.Cell()))
	}
	if !m.IsWall() {
		return m
	}
	first := firstVWall
	if m.IsHorizontal() {
		first = firstHWall
	}
	return first + Move(bits.TrailingZeros64(anchors(1<<m.anchorIndex())))
}

func (b *Board) turnCell(c Cell) Cell   { return CellAt(b.W-1-c.X(), b.H-1-c.Y()) }
func (b *Board) mirrorCell(c Cell) Cell { return CellAt(b.W-1-c.X(), c.Y()) }

// turnAnchors maps bit y*8 + x to (H-2-y)*8 + W-2-x.
func (b *Board) turnAnchors(a uint64) uint64 {
	return bits.Reverse64(a) >> ((MaxSize-b.H)*anchorStride + MaxSize - b.W)
}

// mirrorAnchors maps bit y*8 + x to y*8 + W-2-x.
func (b *Board) mirrorAnchors(a uint64) uint64 {
	return bits.Reverse64(bits.ReverseBytes64(a)) >> (MaxSize - b.W)
}
