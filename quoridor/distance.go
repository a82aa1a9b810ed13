package quoridor

import "math/bits"

// Unreachable is the distance of a cell from which a goal row cannot be reached.
const Unreachable = 255

// Distances fills dst with the number of steps from every cell (index y*9 + x) to the player's goal row when only walls block;
// [Unreachable] for cells without a path and for indices that are not on the board.
func (b *Board) Distances(p *Position, player int, dst *[NumCells]uint8) {
	e := b.edges(p.h, p.v)
	for i := range dst {
		dst[i] = Unreachable
	}
	f, front := set{}, b.goal[player]
	for d := uint8(0); !front.empty(); d++ {
		for w := front.lo; w != 0; w &= w - 1 {
			dst[bits.TrailingZeros64(w)] = d
		}
		for w := front.hi; w != 0; w &= w - 1 {
			dst[loCells+bits.TrailingZeros64(w)] = d
		}
		f = f.union(front)
		front = e.grow(f).without(f)
	}
}

// Distance returns the length of the shortest path of the player's pawn to his goal row when only walls block, or
// [Unreachable].
func (b *Board) Distance(p *Position, player int) int {
	e := b.edges(p.h, p.v)
	f := cellSet(p.pawn[player])
	for d := 0; ; d++ {
		if f.meets(b.goal[player]) {
			return d
		}
		next := e.grow(f)
		if next == f {
			return Unreachable
		}
		f = next
	}
}
