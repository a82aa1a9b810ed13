package solver

import (
	"math/bits"

	"rampart/quoridor"
)

// walls is a set of walls: anchor bits y*8 + x, horizontal and vertical, as in [quoridor.Position].
type walls struct{ h, v uint64 }

func (a walls) less(b walls) bool { return a.h < b.h || a.h == b.h && a.v < b.v }
func (a walls) count() int        { return bits.OnesCount64(a.h) + bits.OnesCount64(a.v) }

// contains tells whether all walls of b are in a.
func (a walls) contains(b walls) bool { return b.h&^a.h == 0 && b.v&^a.v == 0 }

func wallsOf(p *quoridor.Position) walls { return walls{p.HWalls(), p.VWalls()} }

const (
	firstColumn uint64 = 0x0101010101010101
	lastColumn  uint64 = firstColumn << 7
)

// fits returns the walls that neither overlap nor cross one of the set.
func (s *shape) fits(a walls) walls {
	return walls{
		h: s.anchors &^ (a.h | a.h&^lastColumn<<1 | a.h&^firstColumn>>1 | a.v),
		v: s.anchors &^ (a.v | a.v<<8 | a.v>>8 | a.h),
	}
}

// A symmetry maps positions to positions of equal value: bit 0 mirrors left and right, bit 1 turns the board by 180 degrees and
// exchanges the players.
type symmetry uint8

const (
	mirror     symmetry = 1
	turn       symmetry = 2
	symmetries          = 4
)

// apply returns the image of the walls.
func (s *shape) apply(g symmetry, a walls) walls {
	if g&mirror != 0 {
		a.h = bits.Reverse64(bits.ReverseBytes64(a.h)) >> s.mirrorShift
		a.v = bits.Reverse64(bits.ReverseBytes64(a.v)) >> s.mirrorShift
	}
	if g&turn != 0 {
		a.h = bits.Reverse64(a.h) >> s.turnShift
		a.v = bits.Reverse64(a.v) >> s.turnShift
	}
	return a
}

// group is a set of symmetries that contains the identity and is closed under composition: bit g for symmetry g.
type group uint8

// canonical returns the least image of the walls under the group, and a symmetry that leads to it.
func (s *shape) canonical(gr group, a walls) (walls, symmetry) {
	best, by := a, symmetry(0)
	for g := symmetry(1); g < symmetries; g++ {
		if gr>>g&1 == 0 {
			continue
		}
		if image := s.apply(g, a); image.less(best) {
			best, by = image, g
		}
	}
	return best, by
}

// groupOf returns the symmetries under which the positions below a root are closed: those that keep the root's walls and, for
// the turn, both players having the same number of walls left.
func (s *shape) groupOf(root walls, left [2]int) group {
	gr := group(1)
	for g := symmetry(1); g < symmetries; g++ {
		if s.apply(g, root) == root && (g&turn == 0 || left[0] == left[1]) {
			gr |= 1 << g
		}
	}
	return gr
}
