package race

import (
	"math/bits"

	"rampart/quoridor"
)

// Directions, so that d and d^2 are opposite.
const (
	north = iota
	east
	south
	west
	directions
)

const (
	stride  = quoridor.MaxSize // from a square to the one above it
	loCells = 7 * stride       // squares of the first seven rows are in the low word
	loMask  = 1<<loCells - 1
	nowhere = quoridor.NumCells // the row of a pairSet that stays empty
)

// set is a set of squares.
type set struct{ lo, hi uint64 }

// squares holds each square as a set; nowhere is the empty one.
var squares = func() (list [quoridor.NumCells + 1]set) {
	for c := range quoridor.NumCells {
		if c < loCells {
			list[c] = set{lo: 1 << c}
		} else {
			list[c] = set{hi: 1 << (c - loCells)}
		}
	}
	return list
}()

func (s set) empty() bool       { return s.lo|s.hi == 0 }
func (s set) and(t set) set     { return set{s.lo & t.lo, s.hi & t.hi} }
func (s set) or(t set) set      { return set{s.lo | t.lo, s.hi | t.hi} }
func (s set) without(t set) set { return set{s.lo &^ t.lo, s.hi &^ t.hi} }
func (s set) has(c int) bool    { return !s.and(squares[c]).empty() }
func (s set) shiftNorth() set {
	return set{s.lo << stride & loMask, s.hi<<stride | s.lo>>(loCells-stride)}
}

func (s set) shiftSouth() set {
	return set{s.lo>>stride | s.hi<<(loCells-stride)&loMask, s.hi >> stride}
}

func (s set) each(visit func(int)) {
	for x := s.lo; x != 0; x &= x - 1 {
		visit(bits.TrailingZeros64(x))
	}
	for x := s.hi; x != 0; x &= x - 1 {
		visit(loCells + bits.TrailingZeros64(x))
	}
}

// field is what walls leave of the board.
type field struct {
	openN, openE set    // squares with an open edge to the north (east)
	goal         [2]set // goal rows
}

// newField returns the field under the position's walls.
func newField(b *quoridor.Board, p *quoridor.Position) field {
	f := field{goal: [2]set{row(b, b.H-1), row(b, 0)}}
	h, v := p.HWalls(), p.VWalls()
	var below uint64 // vertical walls of the row below
	for y := range b.H {
		hRow, vRow := h>>(8*y)&0xFF, v>>(8*y)&0xFF
		if y == 8 {
			hRow, vRow = 0, 0
		}
		squares := uint64(1)<<b.W - 1
		if y < b.H-1 {
			f.openN = f.openN.or(at(squares&^(hRow|hRow<<1), y))
		}
		f.openE = f.openE.or(at(squares>>1&^(vRow|below), y))
		below = vRow
	}
	return f
}

// row returns all squares of a row.
func row(b *quoridor.Board, y int) set { return at(1<<b.W-1, y) }

// at puts the columns into a row.
func at(columns uint64, y int) set {
	if y < 7 {
		return set{lo: columns << (stride * y)}
	}
	return set{hi: columns << (stride * (y - 7))}
}

// steps returns the squares one step away from squares of the set.
func (f *field) steps(x set) set {
	n, s := x.and(f.openN).shiftNorth(), x.shiftSouth().and(f.openN)
	e := set{x.lo & f.openE.lo << 1, x.hi & f.openE.hi << 1}
	w := set{x.lo >> 1 & f.openE.lo, x.hi >> 1 & f.openE.hi}
	return set{n.lo | s.lo | e.lo | w.lo, n.hi | s.hi | e.hi | w.hi}
}

// reach returns the squares that hang together with the set.
func (f *field) reach(x set) set {
	for {
		next := x.or(f.steps(x))
		if next == x {
			return x
		}
		x = next
	}
}

// neighbour returns the square one open step from c in a direction, or -1.
func (f *field) neighbour(c, d int) int {
	switch {
	case d == north && f.openN.has(c):
		return c + stride
	case d == east && f.openE.has(c):
		return c + 1
	case d == south && c >= stride && f.openN.has(c-stride):
		return c - stride
	case d == west && c > 0 && f.openE.has(c-1):
		return c - 1
	}
	return -1
}
