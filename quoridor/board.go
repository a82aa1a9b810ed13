package quoridor

import (
	"fmt"
	"sync"
)

// Limits of the board.
const (
	MinWidth  = 2 // fewest columns
	MinHeight = 3 // fewest rows; with two, a player could be left without a move
	MaxSize   = 9 // most columns and rows
)

// Directions index the neighbours of a cell: up, right, down, left as player 0 sees them.
const (
	north = iota
	east
	south
	west
	directions
)

const noCell Cell = 255

// Board is the shape of the playing field with its lookup tables. It is immutable, made by [NewBoard], and shared: two boards
// of equal shape are the same pointer.
type Board struct {
	W, H  int // columns and rows
	Walls int // walls that each player has at the start

	cells   set    // the cells of the board
	anchors uint64 // the wall anchors of the board
	goal    [2]set // goal row of each player

	neighbour [NumCells][directions]Cell   // noCell beyond the edge
	cut       [NumCells][directions]uint64 // walls that cut the edge: horizontal ones for north and south, vertical ones for east and west

	leftAnchors, rightAnchors uint64  // anchors of the outermost columns
	lowAnchors, highAnchors   uint64  // anchors of the outermost rows
	hCells, vCells            [64]set // cells whose north (east) edge the horizontal (vertical) wall with that anchor cuts
	openNorth, openEast       set     // cells whose north (east) edge exists
}

// boards caches every shape that was asked for. There are at most 56 sizes with up to 65 wall counts.
var boards struct {
	sync.Mutex
	made map[[3]int]*Board
}

// NewBoard returns the board with w columns (2 to 9) and h rows (3 to 9) and the number of walls that each player has at the start
// (0 to (w-1)*(h-1)). Other values give an error that wraps [ErrBoard].
func NewBoard(w, h, walls int) (*Board, error) {
	if w < MinWidth || w > MaxSize || h < MinHeight || h > MaxSize {
		return nil, fmt.Errorf("%w: size %dx%d: columns must be %d to %d, rows %d to %d", ErrBoard, w, h, MinWidth, MaxSize, MinHeight, MaxSize)
	}
	if most := (w - 1) * (h - 1); walls < 0 || walls > most {
		return nil, fmt.Errorf("%w: %d walls for each player on %dx%d: must be 0 to %d", ErrBoard, walls, w, h, most)
	}
	boards.Lock()
	defer boards.Unlock()
	key := [3]int{w, h, walls}
	if b := boards.made[key]; b != nil {
		return b, nil
	}
	if boards.made == nil {
		boards.made = make(map[[3]int]*Board)
	}
	b := makeBoard(w, h, walls)
	boards.made[key] = b
	return b, nil
}

// MustBoard is [NewBoard] for arguments that are known to be good; it panics on an error.
func MustBoard(w, h, walls int) *Board {
	b, err := NewBoard(w, h, walls)
	if err != nil {
		panic(err)
	}
	return b
}

func makeBoard(w, h, walls int) *Board {
	b := &Board{W: w, H: h, Walls: walls}
	for y := range h {
		for x := range w {
			b.addCell(x, y)
		}
	}
	for y := range h - 1 {
		for x := range w - 1 {
			b.addAnchor(x, y)
		}
	}
	return b
}

func (b *Board) addCell(x, y int) {
	c := CellAt(x, y)
	b.cells = b.cells.union(cellSet(c))
	if y == b.H-1 {
		b.goal[0] = b.goal[0].union(cellSet(c))
	} else {
		b.openNorth = b.openNorth.union(cellSet(c))
	}
	if y == 0 {
		b.goal[1] = b.goal[1].union(cellSet(c))
	}
	if x < b.W-1 {
		b.openEast = b.openEast.union(cellSet(c))
	}
	for d, step := range steps {
		nx, ny := x+step.dx, y+step.dy
		b.neighbour[c][d] = noCell
		if nx < 0 || nx >= b.W || ny < 0 || ny >= b.H {
			continue
		}
		b.neighbour[c][d] = CellAt(nx, ny)
		b.cut[c][d] = b.cuttingWalls(min(x, nx), min(y, ny), step.dx == 0)
	}
}

var steps = [directions]struct{ dx, dy int }{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}

// cuttingWalls returns the horizontal walls that cut the edge above cell (x,y), or the vertical ones right of it.
func (b *Board) cuttingWalls(x, y int, horizontal bool) uint64 {
	var walls uint64
	for back := range 2 {
		ax, ay := x, y
		if horizontal {
			ax -= back
		} else {
			ay -= back
		}
		if ax >= 0 && ax < b.W-1 && ay >= 0 && ay < b.H-1 {
			walls |= anchorBit(ax, ay)
		}
	}
	return walls
}

func (b *Board) addAnchor(x, y int) {
	bit := anchorBit(x, y)
	b.anchors |= bit
	if x == 0 {
		b.leftAnchors |= bit
	}
	if x == b.W-2 {
		b.rightAnchors |= bit
	}
	if y == 0 {
		b.lowAnchors |= bit
	}
	if y == b.H-2 {
		b.highAnchors |= bit
	}
	i := y*anchorStride + x
	b.hCells[i] = cellSet(CellAt(x, y)).union(cellSet(CellAt(x+1, y)))
	b.vCells[i] = cellSet(CellAt(x, y)).union(cellSet(CellAt(x, y+1)))
}

func anchorBit(x, y int) uint64 { return 1 << (y*anchorStride + x) }

// Cells returns the number of squares, W*H.
func (b *Board) Cells() int { return b.W * b.H }

// Anchors returns the number of wall anchors of each orientation, (W-1)*(H-1).
func (b *Board) Anchors() int { return (b.W - 1) * (b.H - 1) }

// String returns the shape as "5x5 with 2 walls".
func (b *Board) String() string {
	if b.Walls == 1 {
		return fmt.Sprintf("%dx%d with 1 wall", b.W, b.H)
	}
	return fmt.Sprintf("%dx%d with %d walls", b.W, b.H, b.Walls)
}

// Start returns the position in which every game begins.
func (b *Board) Start() Position {
	n := uint8(b.Walls)
	return Position{pawn: [2]Cell{CellAt(b.W/2, 0), CellAt(b.W/2, b.H-1)}, left: [2]uint8{n, n}}
}
