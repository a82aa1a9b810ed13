package kernel

// implementation is the table of inner loops of one instruction set. They check
// nothing: the code that calls them has checked the lengths of the buffers that
// callers of the package hand in. Strides (lda, plane, row, ...) are in floats.
// Numbers of channels are multiples of 16.
type implementation struct {
	name string

	// product32 and product16 compute c[rows][w] = a[rows][k] * b[k][w] for a
	// batch of matrices, where w is a number of steps of 32 or 16 columns, and b is
	// packed in panels: see pack.go. Every element adds its products in the order
	// of k, one at a time, so that a row's result does not depend on the number of
	// rows.
	product32, product16 func(c, a, b []float32, size productSize)
	// transposed32 and transposed16 compute c[m][w] = a[k][m]^T * b[k][w], or add
	// that to c. Columns 16 to 31 of c lie panel floats behind the first 16. m is a
	// multiple of 8.
	transposed32 func(c, a, b []float32, k, m, lda, ldb, ldc, panel int, add bool)
	transposed16 func(c, a, b []float32, k, m, lda, ldb, ldc int, add bool)

	// The transforms of Winograd's algorithm for the tiles of a board: see
	// winograd.go. Each tile has a row of `channels` in each plane. outputTransform
	// adds bias and residual (nil: none), and takes floor as the least value. It
	// overwrites src, and so does weightGradient.
	inputTransform    func(dst, src []float32, patches []patch, plane, channels int)
	gradientTransform func(dst, src []float32, tiles []tileCells, plane, channels int)
	outputTransform   func(dst, src, bias, residual []float32, tiles []tileOutput, plane, channels int, floor float32)
	weightTransform   func(dst []float32, src *weightBlock, plane int)
	weightGradient    func(dst *weightBlock, src []float32, plane int)
	// loadTaps gathers the weights of 16 pairs of channels, 9 in a row and the rows
	// stride apart, into a block; storeTaps is the way back, or adds to what w holds.
	loadTaps  func(block *weightBlock, w []float32, stride int)
	storeTaps func(w []float32, block *weightBlock, stride int, add bool)

	// The passes of batch normalisation over the cells of one board: see
	// batchnorm.go.
	channelSums       func(sums, x []float32, b boardLoop)
	channelDeviations func(sums, x, mean []float32, b boardLoop)
	normalise         func(y, x, coefficients, residual []float32, b boardLoop, floor float32)
	normGradientSums  func(sums, dy, y, x, mean []float32, b boardLoop, floor float32)
	normGradient      func(dx, dres, dy, y, x, coefficients []float32, b boardLoop, floor float32)

	// adamW updates len(w) weights, a multiple of 16; addTo adds src to dst, whose
	// length is a multiple of 16.
	adamW func(w, g, m, v []float32, c *adamCoefficients)
	addTo func(dst, src []float32)

	// convolveBytes computes a row of cells of a [ConvBytes]; the buffers begin at
	// the row's first cell, and src at the cell to its upper left. quantise writes
	// src times inverse as bytes. All implementations agree bit for bit.
	convolveBytes func(c *ConvBytes, bytes []uint8, floats, residual []float32, src []uint8, inverse float32)
	quantise      func(dst []uint8, src []float32, inverse float32)

	// multiplyAdd does at least n multiply-adds as fast as the instruction set can,
	// and returns how many.
	multiplyAdd func(n int) int
}

// productSize is the size of a batch of products. Consecutive rows of a are lda
// apart and of c ldc, and consecutive matrices aPlane, bPlane and cPlane.
type productSize struct {
	k, lda, ldc, rows      int
	steps                  int
	matrices               int
	aPlane, bPlane, cPlane int
}

// current is the implementation in use.
var current = &portable
