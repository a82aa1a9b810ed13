package quoridor

// Cell is the index of a square: y*9 + x on every board, so that a1 is 0 and i9 is 80.
type Cell uint8

// NumCells is the number of cell indices, used and unused, on every board.
const NumCells = 81

const (
	cellStride   = 9
	anchorStride = 8
)

// CellAt returns the cell in column x and row y, both counted from 0.
func CellAt(x, y int) Cell { return Cell(y*cellStride + x) }

// X returns the column, counted from 0.
func (c Cell) X() int { return int(c) % cellStride }

// Y returns the row, counted from 0.
func (c Cell) Y() int { return int(c) / cellStride }

// String returns the square's name, e.g. "e2".
func (c Cell) String() string { return string([]byte{'a' + byte(c.X()), '1' + byte(c.Y())}) }

// Move is a pawn move, named by the square that it ends on, or a wall. The same byte means the same move on every board and
// for both players: 0-80 is a pawn move to that [Cell], 96-159 a horizontal wall and 160-223 a vertical wall, each plus the
// anchor index y*8 + x.
type Move uint8

const (
	firstHWall Move = 96
	firstVWall Move = 160
	endOfWalls Move = 224

	// NoMove is not a move; it marks the absence of one.
	NoMove Move = 255

	// MaxMoves is an upper bound of the number of legal moves of a position: five pawn moves and 128 walls.
	MaxMoves = 5 + 128
)

// PawnMove returns the move of a pawn to the cell.
func PawnMove(to Cell) Move { return Move(to) }

// HWall returns the horizontal wall whose lower left square is in column x and row y, counted from 0.
func HWall(x, y int) Move { return firstHWall + Move(y*anchorStride+x) }

// VWall returns the vertical wall whose lower left square is in column x and row y, counted from 0.
func VWall(x, y int) Move { return firstVWall + Move(y*anchorStride+x) }

// IsPawn tells whether the move is a pawn move.
func (m Move) IsPawn() bool { return m < NumCells }

// IsWall tells whether the move places a wall.
func (m Move) IsWall() bool { return m >= firstHWall && m < endOfWalls }

// IsHorizontal tells whether the move places a horizontal wall.
func (m Move) IsHorizontal() bool { return m >= firstHWall && m < firstVWall }

// Cell returns the square that a pawn move ends on. It has no meaning for walls.
func (m Move) Cell() Cell { return Cell(m) }

// Anchor returns the column and row (from 0) of a wall's lower left square, and whether it is horizontal. It has no meaning
// for pawn moves.
func (m Move) Anchor() (x, y int, horizontal bool) {
	i := m.anchorIndex()
	return i % anchorStride, i / anchorStride, m < firstVWall
}

func (m Move) anchorIndex() int {
	if m < firstVWall {
		return int(m - firstHWall)
	}
	return int(m - firstVWall)
}

// String returns the move's notation: "e2" for a pawn move, "e3h" or "e3v" for a wall, "-" for anything else.
func (m Move) String() string {
	if m.IsPawn() {
		return m.Cell().String()
	}
	if !m.IsWall() {
		return "-"
	}
	x, y, horizontal := m.Anchor()
	kind := byte('v')
	if horizontal {
		kind = 'h'
	}
	return string([]byte{'a' + byte(x), '1' + byte(y), kind})
}
