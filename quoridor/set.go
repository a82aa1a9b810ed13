package quoridor

import "math/bits"

// set is a set of cells: bit c of lo for the cells 0-62 (rows 1 to 7), bit c-63 of hi for the cells 63-80 (rows 8 and 9).
// Bit 63 of lo is never set.
type set struct{ lo, hi uint64 }

const (
	loCells = 63
	loMask  = 1<<loCells - 1
)

func cellSet(c Cell) set {
	if c < loCells {
		return set{lo: 1 << c}
	}
	return set{hi: 1 << (c - loCells)}
}

func (s set) has(c Cell) bool {
	if c < loCells {
		return s.lo>>c&1 != 0
	}
	return s.hi>>(c-loCells)&1 != 0
}

func (s set) meets(t set) bool    { return s.lo&t.lo|s.hi&t.hi != 0 }
func (s set) union(t set) set     { return set{s.lo | t.lo, s.hi | t.hi} }
func (s set) without(t set) set   { return set{s.lo &^ t.lo, s.hi &^ t.hi} }
func (s set) intersect(t set) set { return set{s.lo & t.lo, s.hi & t.hi} }
func (s set) empty() bool         { return s.lo|s.hi == 0 }

// first returns a member of a set that is not empty.
func (s set) first() Cell {
	if s.lo != 0 {
		return Cell(bits.TrailingZeros64(s.lo))
	}
	return loCells + Cell(bits.TrailingZeros64(s.hi))
}

// north moves every cell up one row; cells of row 9 leave the set.
func (s set) north() set {
	return set{s.lo << cellStride & loMask, (s.hi<<cellStride | s.lo>>(loCells-cellStride)) & (1<<18 - 1)}
}

// east moves every cell one column to the right. Cells of column i must not be in the set.
func (s set) east() set { return set{s.lo << 1 & loMask, s.hi << 1} }

// spread turns a wall set (anchor bit y*8 + x) into the set of the anchors' lower left cells: row y moves up by y bits.
func spread(walls uint64) set {
	const (
		rows4to7 = 0xFFFF_FFFF << 32
		rows2367 = 0xFFFF<<16 | 0xFF<<52         // after the first step
		rows1357 = 0xFF<<8 | 0xFF<<26 | 0xFF<<44 // after the second
	)
	x := walls & (1<<56 - 1)
	x = x&^rows4to7 | x&rows4to7<<4
	x = x&^rows2367 | x&rows2367<<2
	x = x&^rows1357 | x&rows1357<<1
	return set{x, walls >> 56}
}
