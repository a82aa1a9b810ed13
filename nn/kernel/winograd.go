package kernel

// Convolutions use Winograd's minimal filtering F(3x3,3x3) (Lavin and Gray 2016,
// "Fast Algorithms for Convolutional Neural Networks"). The board is cut into
// tiles of 3x3 outputs, each of which depends on a patch d of 5x5 inputs:
//
//	Y = A^T [ (G w G^T) . (B^T d B) ] A
//
// where . multiplies element by element and adds over the input channels: 25
// products of matrices [tiles][cin] x [cin][cout] instead of the 81 that the
// definition needs. A 9x9 board is exactly 3x3 tiles. The points of interpolation
// are 0, 1, -1, 2 and infinity:
//
//	      |  2 -1 -2  1  0 |       |  1/2   0    0  |
//	      |  0 -2 -1  1  0 |       | -1/2 -1/2 -1/2 |         | 1  1  1  1  0 |
//	B^T = |  0  2 -3  1  0 |   G = | -1/6  1/6 -1/6 |   A^T = | 0  1 -1  2  0 |
//	      |  0 -1  0  1  0 |       |  1/6  1/3  2/3 |         | 0  1  1  4  1 |
//	      |  0  2 -1 -2  1 |       |   0    0    1  |
//
// The transformed domain has 25 planes; plane 5*x+y holds the element in row y
// and column x for every tile and channel.
const planes = 25

// tileSide is the side of a tile of outputs, in cells.
const tileSide = 3

// weightBlock holds the 3x3 weights (row-major) of 16 channels.
type weightBlock [9][16]float32

// The following say where the cells of a tile lie in memory, in floats: the
// offset of the first cell from the start of the board, and the offsets from there
// of each row and each column. A tile that overhangs the board reads zeros there:
// the offsets stop at the halo. The assembly reads these structs, so the order of
// the fields matters.
type (
	// patch is the 5x5 cells that a tile of outputs depends on.
	patch struct {
		at            int
		rows, columns [5]int
	}
	// tileCells is the 3x3 cells of a tile of outputs, for reading.
	tileCells struct {
		at            int
		rows, columns [3]int
	}
	// tileOutput is the same for writing. The columns beyond the board have the
	// offset of the last one on it, and are written before it. height is the number
	// of rows on the board; the rows beyond are not written.
	tileOutput struct {
		at            int
		rows, columns [3]int
		height        int
	}
)

// tiling is the geometry of all tiles of a board in buffers of the given number
// of channels.
type tiling struct {
	channels int
	board    int // floats of a board
	patches  []patch
	cells    []tileCells
	outputs  []tileOutput
}

func newTiling(s Shape, c int) *tiling {
	t := &tiling{channels: c, board: s.Len(1, c)}
	row := (s.W + 2) * c
	for y0 := 0; y0 < s.H; y0 += tileSide {
		for x0 := 0; x0 < s.W; x0 += tileSide {
			p := patch{at: y0*row + x0*c}
			for i := range 5 {
				p.rows[i] = min(i, s.H+1-y0) * row
				p.columns[i] = min(i, s.W+1-x0) * c
			}
			cells := tileCells{at: s.Offset(0, y0, x0, c)}
			output := tileOutput{at: cells.at, height: min(tileSide, s.H-y0)}
			for i := range tileSide {
				cells.rows[i] = min(i, s.H-y0) * row
				cells.columns[i] = min(i, s.W-x0) * c
				output.rows[i] = i * row
				output.columns[i] = min(i, s.W-1-x0) * c
			}
			t.patches, t.cells, t.outputs = append(t.patches, p), append(t.cells, cells), append(t.outputs, output)
		}
	}
	return t
}

// tiles returns the number of tiles of a board.
func (t *tiling) tiles() int { return len(t.patches) }

// tileCount returns the number of tiles of a board.
func (s Shape) tileCount() int {
	return (s.H + tileSide - 1) / tileSide * ((s.W + tileSide - 1) / tileSide)
}
