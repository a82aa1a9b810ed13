package quoridor

import "math/bits"

const (
	firstColumn uint64 = 0x0101010101010101
	lastColumn  uint64 = firstColumn << 7
)

// right and left move a set of anchors by one column; anchors that leave the 8x8 anchor grid are dropped.
func right(a uint64) uint64 { return a &^ lastColumn << 1 }
func left(a uint64) uint64  { return a &^ firstColumn >> 1 }

// LegalWalls returns the walls that the side to move may place, as anchor bits y*8 + x; both are empty if he has none left or
// the game is over.
//
// A wall must fit (no overlap, no crossing) and leave both pawns a path. Walls and border form a planar graph whose vertices
// are the anchor points; a wall can only enclose something if it joins two vertices of one connected part of that graph, so
// all others are legal without a search. Of the rest, only walls that cut a known path of a pawn are searched.
func (b *Board) LegalWalls(p *Position) (h, v uint64) {
	if p.left[p.side] == 0 || b.Winner(p) >= 0 {
		return 0, 0
	}
	return b.legalWalls(p)
}

func (b *Board) legalWalls(p *Position) (h, v uint64) {
	h, v = b.fittingWalls(p)
	h2, v2 := b.enclosingWalls(p)
	h2 &= h
	v2 &= v
	if h2|v2 == 0 {
		return h, v
	}
	e := b.edges(p.h, p.v)
	for player := range 2 {
		onPathH, onPathV := b.pathCuts(&e, p.pawn[player], b.goal[player])
		for w := h2 & h & onPathH; w != 0; w &= w - 1 {
			i := bits.TrailingZeros64(w)
			if after := e.withH(b, i); !after.connects(p.pawn[player], b.goal[player]) {
				h &^= 1 << i
			}
		}
		for w := v2 & v & onPathV; w != 0; w &= w - 1 {
			i := bits.TrailingZeros64(w)
			if after := e.withV(b, i); !after.connects(p.pawn[player], b.goal[player]) {
				v &^= 1 << i
			}
		}
	}
	return h, v
}

// fittingWalls returns the walls that neither overlap nor cross one that is there.
func (b *Board) fittingWalls(p *Position) (h, v uint64) {
	h = b.anchors &^ (p.h | right(p.h) | left(p.h) | p.v)
	v = b.anchors &^ (p.v | p.v<<anchorStride | p.v>>anchorStride | p.h)
	return h, v
}

// enclosingWalls returns a superset of the walls that would close a curve with walls and border: those with two of their three
// points (ends and middle) in the part of the wall graph that hangs together with the border, or two in the other parts.
func (b *Board) enclosingWalls(p *Position) (h, v uint64) {
	bound := b.borderPoints(p)
	loose := hPoints(p.h) | vPoints(p.v)
	loose &^= bound
	h = twoOf(b.leftAnchors|right(bound), bound, b.rightAnchors|left(bound)) | twoOf(right(loose), loose, left(loose))
	v = twoOf(b.lowAnchors|bound<<anchorStride, bound, b.highAnchors|bound>>anchorStride) |
		twoOf(loose<<anchorStride, loose, loose>>anchorStride)
	return h, v
}

func twoOf(x, y, z uint64) uint64 { return x&y | (x|y)&z }

// hPoints and vPoints return the anchor points that the walls cover: their middle and both ends.
func hPoints(h uint64) uint64 { return h | right(h) | left(h) }
func vPoints(v uint64) uint64 { return v | v<<anchorStride | v>>anchorStride }

// borderPoints returns the anchor points covered by walls that are joined to the border, directly or through other walls.
func (b *Board) borderPoints(p *Position) uint64 {
	var points uint64
	h := p.h & (b.leftAnchors | b.rightAnchors)
	v := p.v & (b.lowAnchors | b.highAnchors)
	for {
		next := hPoints(h) | vPoints(v)
		if next == points {
			return points
		}
		points = next
		h = p.h & (h | hPoints(points))
		v = p.v & (v | vPoints(points))
	}
}

// pathCuts finds a shortest path from the cell to the goal, which must exist, and returns the walls that would cut it.
func (b *Board) pathCuts(e *edges, from Cell, goal set) (h, v uint64) {
	start := cellSet(from)
	f := start
	var byN, byE, byS set // cells first reached by a step north, east, south
	for !f.meets(goal) {
		n := set{f.lo << cellStride & e.enterN.lo, (f.hi<<cellStride | f.lo>>(loCells-cellStride)) & e.enterN.hi}.without(f)
		s := set{(f.lo>>cellStride | f.hi<<(loCells-cellStride)) & e.enterS.lo, f.hi >> cellStride & e.enterS.hi}.without(f)
		r := set{f.lo << 1 & e.enterE.lo, f.hi << 1 & e.enterE.hi}.without(f)
		l := set{f.lo >> 1 & e.enterW.lo, f.hi >> 1 & e.enterW.hi}
		byN, byE, byS = byN.union(n), byE.union(r), byS.union(s)
		f = f.union(n).union(s).union(r).union(l)
	}
	for c := f.intersect(goal).first(); c != from; {
		switch {
		case byN.has(c):
			h |= b.cut[c][south]
			c -= cellStride
		case byS.has(c):
			h |= b.cut[c][north]
			c += cellStride
		case byE.has(c):
			v |= b.cut[c][west]
			c--
		default:
			v |= b.cut[c][east]
			c++
		}
	}
	return h, v
}
