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
	return e.distance(p.pawn[player], b.goal[player])
}

// distance returns the number of steps from the cell to the target, or [Unreachable].
func (e *edges) distance(from Cell, target set) int {
	f := cellSet(from)
	for d := 0; ; d++ {
		if f.meets(target) {
			return d
		}
		next := e.grow(f)
		if next == f {
			return Unreachable
		}
		f = next
	}
}

// Path returns a shortest path of the player's pawn to his goal row when only walls block, the pawn's cell first; nil if there is none. Of
// several it is always the same one.
func (b *Board) Path(p *Position, player int) []Cell {
	var distance [NumCells]uint8
	b.Distances(p, player, &distance)
	at := p.pawn[player]
	if distance[at] == Unreachable {
		return nil
	}
	walls := [2]uint64{p.h, p.v}
	path := []Cell{at}
	for distance[at] > 0 {
		for d := range directions {
			c := b.neighbour[at][d]
			if c != noCell && walls[d&1]&b.cut[at][d] == 0 && distance[c] == distance[at]-1 {
				at = c
				break
			}
		}
		path = append(path, at)
	}
	return path
}

// Reachable returns the cells that the player's pawn can walk to when only walls block, its own included, in ascending order.
func (b *Board) Reachable(p *Position, player int) []Cell {
	e := b.edges(p.h, p.v)
	f := cellSet(p.pawn[player])
	for {
		next := e.grow(f)
		if next == f {
			break
		}
		f = next
	}
	var cells []Cell
	for c := range Cell(NumCells) {
		if f.has(c) {
			cells = append(cells, c)
		}
	}
	return cells
}
