package quoridor

// edges are the open edges of a position: for each direction the cells that a pawn can be entered from in the sense of the
// flood fill: enterN holds the cells that can be entered by a step north, and so on.
type edges struct{ enterN, enterE, enterS, enterW set }

// edges returns the open edges under the walls.
func (b *Board) edges(h, v uint64) edges {
	hCells, vCells := spread(h), spread(v)
	n := b.openNorth.without(hCells).without(hCells.east()) // cells open to the north
	e := b.openEast.without(vCells).without(vCells.north()) // cells open to the east
	return edges{enterN: n.north(), enterE: e.east(), enterS: n, enterW: e}
}

// withH returns the edges after the horizontal wall with the anchor index is placed.
func (e *edges) withH(b *Board, anchor int) edges {
	cells := b.hCells[anchor]
	r := *e
	r.enterS = r.enterS.without(cells)
	r.enterN = r.enterN.without(cells.north())
	return r
}

// withV returns the edges after the vertical wall with the anchor index is placed.
func (e *edges) withV(b *Board, anchor int) edges {
	cells := b.vCells[anchor]
	r := *e
	r.enterW = r.enterW.without(cells)
	r.enterE = r.enterE.without(cells.east())
	return r
}

// grow adds to the set every cell one step away.
func (e *edges) grow(f set) set {
	return set{
		f.lo | f.lo<<cellStride&e.enterN.lo | (f.lo>>cellStride|f.hi<<(loCells-cellStride))&e.enterS.lo |
			f.lo<<1&e.enterE.lo | f.lo>>1&e.enterW.lo,
		f.hi | (f.hi<<cellStride|f.lo>>(loCells-cellStride))&e.enterN.hi | f.hi>>cellStride&e.enterS.hi |
			f.hi<<1&e.enterE.hi | f.hi>>1&e.enterW.hi,
	}
}

// connects tells whether a pawn on the cell can walk to the target.
func (e *edges) connects(from Cell, target set) bool {
	f := cellSet(from)
	for {
		next := e.grow(e.grow(f))
		if next.meets(target) {
			return true
		}
		if next == f {
			return f.meets(target)
		}
		f = next
	}
}
