package kernel

import (
	"fmt"
	"math"
)

// Conv is a 3x3 convolution with stride 1 and zero padding that keeps the size
// of the board.
type Conv struct {
	shape             Shape
	cin, cout         int
	in, out           *tiling
	forward, backward []float32 // transformed weights, see pack.go
	block             weightBlock
}

// Epilogue is what Forward does to the convolution's result, in this order: add
// Bias (one value for each output channel; nil adds nothing), add Residual (a
// buffer with the destination's layout, and it may be the destination; nil adds
// nothing), and replace negative values by 0 if ReLU is set.
type Epilogue struct {
	Bias, Residual []float32
	ReLU           bool
}

// NewConv returns a convolution from cin to cout channels over boards of shape
// s. Its weights must be packed before use. Errors wrap [ErrShape],
// [ErrChannels], or [ErrImplementation] if RAMPART_KERNEL has a bad value.
func NewConv(s Shape, cin, cout int) (*Conv, error) {
	if errEnvironment != nil {
		return nil, errEnvironment
	}
	if err := s.Validate(); err != nil {
		return nil, err
	}
	for _, c := range [...]int{cin, cout} {
		if c <= 0 || c%16 != 0 {
			return nil, fmt.Errorf("%w: %d, want a positive multiple of 16", ErrChannels, c)
		}
	}
	return &Conv{shape: s, cin: cin, cout: cout, in: newTiling(s, cin), out: newTiling(s, cout)}, nil
}

// Forward computes n boards of dst [n][H+2][W+2][cout] from src
// [n][H+2][W+2][cin]. dst must not overlap src. Pack must have been called.
func (c *Conv) Forward(ws *Workspace, dst, src []float32, n int, ep Epilogue) {
	floor := float32(math.Inf(-1))
	if ep.ReLU {
		floor = 0
	}
	if ep.Residual != nil {
		ep.Residual = ep.Residual[:c.shape.Len(n, c.cout)]
	}
	ws.convolve(convolution{
		in: c.in, out: c.out, weights: c.forward, n: n,
		dst: dst[:c.shape.Len(n, c.cout)], src: src[:c.shape.Len(n, c.cin)],
		bias: ep.Bias, residual: ep.Residual, floor: floor,
	})
}

// BackwardData computes dx, the gradient by the convolution's input, from dy,
// the gradient by its output before bias, residual and ReLU. It overwrites dx,
// which must not overlap dy. PackBackward must have been called.
func (c *Conv) BackwardData(ws *Workspace, dx, dy []float32, n int) {
	ws.convolve(convolution{
		in: c.out, out: c.in, weights: c.backward, n: n,
		dst: dx[:c.shape.Len(n, c.cin)], src: dy[:c.shape.Len(n, c.cout)],
		floor: float32(math.Inf(-1)),
	})
}

// AddBackwardData is BackwardData, but adds to what dx holds.
func (c *Conv) AddBackwardData(ws *Workspace, dx, dy []float32, n int) {
	dx = dx[:c.shape.Len(n, c.cin)]
	ws.convolve(convolution{
		in: c.out, out: c.in, weights: c.backward, n: n,
		dst: dx, src: dy[:c.shape.Len(n, c.cout)], residual: dx,
		floor: float32(math.Inf(-1)),
	})
}

// MultiplyAdds returns the number of multiplications, each with an addition, in
// the matrix products of Forward or BackwardData for n boards. What the
// transforms add to that is not counted, and the definition of the convolution
// needs about three times as many.
func (c *Conv) MultiplyAdds(n int) int { return n * planes * c.in.tiles() * c.cin * c.cout }

// chunkTiles is the number of tiles that go through the transformed domain
// together: enough rows for the products to be efficient, and few enough that the
// 25 planes stay in the second-level cache beside the weights.
const chunkTiles = 36

// chunkBoards returns the number of boards that go through the transformed domain
// together.
func chunkBoards(tiles int) int { return max(1, chunkTiles/tiles) }

// planeLen returns the distance between planes of the given number of rows. One
// cache line more than needed keeps the planes from competing for the same cache
// sets.
func planeLen(rows, channels int) int { return rows*channels + lineFloats }

// domainLen returns the length of the transformed domain of a chunk.
func domainLen(s Shape, channels int) int {
	tiles := s.tileCount()
	return planes * planeLen(chunkBoards(tiles)*tiles, channels)
}

// convolution is a forward or backward convolution in progress. Its tasks are
// chunks of boards.
type convolution struct {
	in, out   *tiling
	weights   []float32
	dst, src  []float32
	n         int
	bias      []float32
	residual  []float32
	floor     float32
	chunk     int
	kernels   *implementation
	domainLen int
}

func (ws *Workspace) convolve(c convolution) {
	if c.weights == nil {
		panic("kernel: convolution without packed weights")
	}
	if c.bias == nil {
		ws.zeros = grown(ws.zeros, c.out.channels)
		c.bias = ws.zeros
	}
	c.bias = c.bias[:c.out.channels]
	tiles := c.in.tiles()
	c.chunk = chunkBoards(tiles)
	c.domainLen = planes * planeLen(c.chunk*tiles, max(c.in.channels, c.out.channels))
	c.kernels = current
	ws.convolution = c
	ws.run(&ws.convolution, (c.n+c.chunk-1)/c.chunk)
	ws.convolution = convolution{}
}

func (c *convolution) do(task int, w *worker) {
	w.v, w.m = grown(w.v, c.domainLen), grown(w.m, c.domainLen)
	first := task * c.chunk
	boards := min(c.chunk, c.n-first)
	rows := boards * c.in.tiles()
	cin, cout := c.in.channels, c.out.channels
	vPlane, mPlane := planeLen(rows, cin), planeLen(rows, cout)

	c.in.transformInputs(c.kernels, w.v, c.src, first, boards, vPlane)
	c.kernels.multiplyPlanes(w.m, w.v, c.weights, rows, cin, cout)
	for b := range boards {
		at := (first + b) * c.out.board
		c.kernels.outputTransform(c.dst[at:], w.m[b*c.out.tiles()*cout:], c.bias, from(c.residual, at), c.out.outputs, mPlane, cout, c.floor)
	}
}

// transformInputs transforms the patches of all tiles of some boards of src into
// v, a row for each tile.
func (t *tiling) transformInputs(k *implementation, v, src []float32, first, boards, plane int) {
	for b := range boards {
		k.inputTransform(v[b*t.tiles()*t.channels:], src[(first+b)*t.board:], t.patches, plane, t.channels)
	}
}
