package arena

import (
	"math/bits"

	"rampart/quoridor"
)

// Directions index the neighbours of a cell: up, right, down, left as player 0 sees them.
const (
	north = iota
	east
	south
	west
	directions
)

const noCell = 255

// grid holds what the players need to know about paths on a board: for each cell its neighbours and the walls that cut the
// way there, horizontal walls for north and south, vertical ones for east and west, as anchor bits y*8 + x.
type grid struct {
	board   *quoridor.Board
	anchors uint64
	next    [quoridor.NumCells][directions]uint8 // noCell beyond the edge
	cut     [quoridor.NumCells][directions]uint64
}

func newGrid(b *quoridor.Board) *grid {
	g := &grid{board: b}
	for y := range b.H {
		for x := range b.W {
			if x < b.W-1 && y < b.H-1 {
				g.anchors |= anchorBit(x, y)
			}
			c := quoridor.CellAt(x, y)
			for d, step := range [directions][2]int{{0, 1}, {1, 0}, {0, -1}, {-1, 0}} {
				g.next[c][d], g.cut[c][d] = g.edge(x, y, step[0], step[1])
			}
		}
	}
	return g
}

func (g *grid) edge(x, y, dx, dy int) (next uint8, cut uint64) {
	nx, ny := x+dx, y+dy
	if nx < 0 || nx >= g.board.W || ny < 0 || ny >= g.board.H {
		return noCell, 0
	}
	for back := range 2 {
		ax, ay := min(x, nx), min(y, ny)
		if dx == 0 {
			ax -= back
		} else {
			ay -= back
		}
		if ax >= 0 && ax < g.board.W-1 && ay >= 0 && ay < g.board.H-1 {
			cut |= anchorBit(ax, ay)
		}
	}
	return uint8(quoridor.CellAt(nx, ny)), cut
}

func anchorBit(x, y int) uint64 { return 1 << (y*8 + x) }

// open tells whether no wall of (h, v) cuts the way from the cell in the direction. There must be a neighbour.
func (g *grid) open(h, v uint64, c uint8, d int) bool {
	if d&1 == 0 {
		return g.cut[c][d]&h == 0
	}
	return g.cut[c][d]&v == 0
}

// pathCuts follows a shortest path down the distance field and returns the walls that would cut it. A wall that lengthens
// the shortest path is always among them.
func (g *grid) pathCuts(h, v uint64, from quoridor.Cell, field *[quoridor.NumCells]uint8) (cutH, cutV uint64) {
	for c := uint8(from); field[c] != 0; {
		for d := range directions {
			n := g.next[c][d]
			if n == noCell || field[n] >= field[c] || !g.open(h, v, c, d) {
				continue
			}
			if d&1 == 0 {
				cutH |= g.cut[c][d]
			} else {
				cutV |= g.cut[c][d]
			}
			c = n
			break
		}
	}
	return cutH, cutV
}

// walls appends the walls of two anchor sets to dst, horizontal ones first.
func walls(dst []quoridor.Move, h, v uint64) []quoridor.Move {
	for ; h != 0; h &= h - 1 {
		i := bits.TrailingZeros64(h)
		dst = append(dst, quoridor.HWall(i&7, i>>3))
	}
	for ; v != 0; v &= v - 1 {
		i := bits.TrailingZeros64(v)
		dst = append(dst, quoridor.VWall(i&7, i>>3))
	}
	return dst
}

// advances appends the pawn moves of the side to move that bring its pawn nearest to its goal, and returns that distance.
// field is the side's distance field.
func advances(dst []quoridor.Move, b *quoridor.Board, p *quoridor.Position, field *[quoridor.NumCells]uint8) ([]quoridor.Move, int) {
	var buffer [8]quoridor.Move
	best := quoridor.Unreachable + 1
	for _, m := range b.PawnMoves(buffer[:0], p) {
		d := int(field[m.Cell()])
		if d < best {
			best, dst = d, dst[:0]
		}
		if d == best {
			dst = append(dst, m)
		}
	}
	return dst, best
}
