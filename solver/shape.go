package solver

import "rampart/quoridor"

// Directions, as in a pair of opposite ones d and d^2.
const (
	north = iota
	east
	south
	west
	directions
)

// shape is a board's geometry as the solver needs it. Squares are numbered y*W + x without gaps.
//
// A table holds the undecided pawn pairs only. Player 0's pawn is never on the last row and player 1's never on the first, so
// each has slots = W*(H-1) squares: slot i of player 0 is square i, slot j of player 1 is square j + W. The pair's index is
// j*slots + i.
type shape struct {
	board *quoridor.Board
	w, h  int
	cells int
	slots int
	pairs int // slots * slots

	anchors                uint64
	mirrorShift, turnShift int

	pawns []([2]uint8)         // squares of the two pawns of a pair
	image [symmetries][]uint16 // image[g][index] is the index of the pair's image under g
}

func newShape(b *quoridor.Board) *shape {
	s := &shape{
		board: b, w: b.W, h: b.H, cells: b.W * b.H, slots: b.W * (b.H - 1),
		mirrorShift: quoridor.MaxSize - b.W,
		turnShift:   (quoridor.MaxSize-b.H)*8 + quoridor.MaxSize - b.W,
	}
	s.pairs = s.slots * s.slots
	for y := range b.H - 1 {
		s.anchors |= (1<<(b.W-1) - 1) << (8 * y)
	}
	for j := range s.slots {
		for i := range s.slots {
			s.pawns = append(s.pawns, [2]uint8{uint8(i), uint8(j + s.w)})
		}
	}
	for g := range symmetry(symmetries) {
		s.image[g] = make([]uint16, s.pairs)
		for j := range s.slots {
			for i := range s.slots {
				s.image[g][j*s.slots+i] = uint16(s.imageOf(g, i, j))
			}
		}
	}
	return s
}

func (s *shape) imageOf(g symmetry, i, j int) int {
	if g&mirror != 0 {
		i, j = i+s.w-1-2*(i%s.w), j+s.w-1-2*(j%s.w)
	}
	if g&turn != 0 {
		i, j = s.slots-1-j, s.slots-1-i
	}
	return j*s.slots + i
}

// square returns our number of a cell.
func (s *shape) square(c quoridor.Cell) int { return c.Y()*s.w + c.X() }

// index returns the index of the position's pawn pair, which must be undecided.
func (s *shape) index(p *quoridor.Position) int {
	return (s.square(p.Pawn(1))-s.w)*s.slots + s.square(p.Pawn(0))
}

// neighbour returns the square next to c in direction d, or -1 beyond the edge.
func (s *shape) neighbour(c, d int) int {
	x, y := c%s.w, c/s.w
	switch {
	case d == north && y < s.h-1:
		return c + s.w
	case d == east && x < s.w-1:
		return c + 1
	case d == south && y > 0:
		return c - s.w
	case d == west && x > 0:
		return c - 1
	}
	return -1
}

// open tells whether a pawn can step from square c in direction d.
func (s *shape) open(a walls, c, d int) bool {
	if s.neighbour(c, d) < 0 {
		return false
	}
	if d == south || d == west {
		c = s.neighbour(c, d)
	}
	x, y := c%s.w, c/s.w
	if d&1 == 0 { // the edge above c
		return !has(a.h, x, y) && !has(a.h, x-1, y)
	}
	return !has(a.v, x, y) && !has(a.v, x, y-1)
}

func has(set uint64, x, y int) bool {
	return x >= 0 && y >= 0 && x < 8 && y < 8 && set>>(8*y+x)&1 != 0
}
