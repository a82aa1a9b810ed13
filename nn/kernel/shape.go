package kernel

import "fmt"

// MinSide and MaxSide bound the height and the width of a board, in cells.
const (
	MinSide = 3
	MaxSide = 9
)

// Shape is the size of a board in cells: H rows of W columns.
type Shape struct{ H, W int }

// Validate returns an error that wraps [ErrShape] unless both sides are between
// [MinSide] and [MaxSide].
func (s Shape) Validate() error {
	if s.H < MinSide || s.H > MaxSide || s.W < MinSide || s.W > MaxSide {
		return fmt.Errorf("%w: %d rows of %d cells, want %d to %d of each", ErrShape, s.H, s.W, MinSide, MaxSide)
	}
	return nil
}

// Cells returns the number of cells of a board, without its halo.
func (s Shape) Cells() int { return s.H * s.W }

// Len returns the length of a buffer of n boards of c channels, halos included.
func (s Shape) Len(n, c int) int { return n * (s.H + 2) * (s.W + 2) * c }

// Offset returns the index of channel 0 of the cell in row y and column x of the
// given board, in a buffer of c channels. Rows and columns count from 0 and skip
// the halo; -1 and H (or W) are the halo.
func (s Shape) Offset(board, y, x, c int) int {
	return ((board*(s.H+2)+y+1)*(s.W+2) + x + 1) * c
}
