package quoridor

import "math/bits"

// Detours holds for each wall, by anchor index y*8 + x, the steps by which it lengthens a player's way.
type Detours struct{ H, V [64]uint8 }

// Detours fills dst with the steps by which each wall that fits would lengthen the shortest path of the player's pawn to his goal row when only
// walls block: 0 for most, [Unreachable] for a wall that would leave no path. A wall that does not fit has 0, and so has every wall if there
// is no path. Nobody needs to have the wall, or the move.
func (b *Board) Detours(p *Position, player int, dst *Detours) {
	*dst = Detours{}
	e := b.edges(p.h, p.v)
	fl := flood{goal: b.goal[player]}
	if !fl.run(&e, p.pawn[player]) {
		return
	}
	// A wall that costs steps cuts every shortest path, so it cuts this one.
	onPathH, onPathV := fl.pathCuts(b, &e)
	h, v := b.fittingWalls(p)
	for w := h & onPathH; w != 0; w &= w - 1 {
		i := bits.TrailingZeros64(w)
		after, cells := e.withH(b, i), b.hCells[i]
		dst.H[i] = fl.detour(&after, cells.union(cells.north()))
	}
	for w := v & onPathV; w != 0; w &= w - 1 {
		i := bits.TrailingZeros64(w)
		after, cells := e.withV(b, i), b.vCells[i]
		dst.V[i] = fl.detour(&after, cells.union(cells.east()))
	}
}

// flood is how a pawn's reach grows until it meets the goal.
type flood struct {
	goal   set
	length int           // steps to the goal
	within [NumCells]set // the cells that can be reached in at most so many steps
}

// run fills the flood and tells whether it meets the goal.
func (fl *flood) run(e *edges, pawn Cell) bool {
	f := cellSet(pawn)
	for fl.length = 0; ; fl.length++ {
		fl.within[fl.length] = f
		if f.meets(fl.goal) {
			return true
		}
		next := e.grow(f)
		if next == f {
			return false
		}
		f = next
	}
}

// pathCuts follows a shortest path back from the goal and returns the walls that would cut it.
func (fl *flood) pathCuts(b *Board, e *edges) (h, v uint64) {
	c := fl.within[fl.length].intersect(fl.goal).first()
	for k := fl.length - 1; k >= 0; k-- {
		before := e.grow(cellSet(c)).intersect(fl.within[k]).first()
		switch before {
		case c + cellStride:
			h |= b.cut[c][north]
		case c - cellStride:
			h |= b.cut[c][south]
		case c + 1:
			v |= b.cut[c][east]
		default:
			v |= b.cut[c][west]
		}
		c = before
	}
	return h, v
}

// detour returns the steps that a wall costs: after are the edges with it, cells those on both sides of it. Until the flood comes to one of
// them it grows as it did without the wall, and so it does again once it has them all and nothing is missing.
func (fl *flood) detour(after *edges, cells set) uint8 {
	k := 0
	for !fl.within[k].meets(cells) {
		k++
	}
	for f := fl.within[k]; ; k++ {
		switch {
		case f.meets(fl.goal):
			return uint8(k - fl.length)
		case k < fl.length && f == fl.within[k] && cells.without(f).empty():
			return 0
		}
		next := after.grow(f)
		if next == f {
			return Unreachable
		}
		f = next
	}
}
