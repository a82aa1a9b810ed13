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
	around  [quoridor.NumCells]uint64 // anchors of the walls at most two cells from the cell
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
			g.around[c] = g.anchorsAround(x, y)
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

// anchorsAround returns the anchors of the 4x4 block whose middle is the cell: two columns (rows) to each side.
func (g *grid) anchorsAround(x, y int) uint64 {
	var a uint64
	for ay := max(0, y-2); ay <= min(g.board.H-2, y+1); ay++ {
		for ax := max(0, x-2); ax <= min(g.board.W-2, x+1); ax++ {
			a |= anchorBit(ax, ay)
		}
	}
	return a
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

// nearWalls returns the wall anchors close to where something happens: those around a pawn, and those that touch a wall which
// is there, at its ends or its middle.
func (g *grid) nearWalls(p *quoridor.Position) (h, v uint64) {
	around := g.around[p.Pawn(0)] | g.around[p.Pawn(1)]
	touchH, touchV := touching(p.HWalls(), p.VWalls())
	return around | touchH&g.anchors, around | touchV&g.anchors
}

// fittingWalls returns the walls that neither overlap nor cross one that is there. They may still cut a pawn off.
func (g *grid) fittingWalls(h, v uint64) (fitH, fitV uint64) {
	fitH = g.anchors &^ (h | right(h) | left(h) | v)
	fitV = g.anchors &^ (v | up(v) | down(v) | h)
	return fitH, fitV
}

// touching returns the anchors of walls that have an end or the middle in common with a wall of (h, v), overlapping ones not
// counted. A wall reaches from its anchor one column (row) to each side, so walls of one direction meet end to end at distance
// 2, and those of different directions at distance 1, or with their ends at the diagonals.
func touching(h, v uint64) (touchH, touchV uint64) {
	sideH, sideV := right(h)|left(h), right(v)|left(v)
	touchH = right(right(h)) | left(left(h)) | sideV | up(v|sideV) | down(v|sideV)
	touchV = up(up(v)) | down(down(v)) | sideH | up(h|sideH) | down(h|sideH)
	return touchH, touchV
}

const (
	firstColumn uint64 = 0x0101010101010101
	lastColumn         = firstColumn << 7
)

// These move a set of anchors by one column or row; anchors that leave the 8x8 grid are dropped.
func right(a uint64) uint64 { return a &^ lastColumn << 1 }
func left(a uint64) uint64  { return a &^ firstColumn >> 1 }
func up(a uint64) uint64    { return a << 8 }
func down(a uint64) uint64  { return a >> 8 }
