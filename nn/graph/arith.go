package graph

import "rampart/nn/kernel"

// arithmetic is what the heavy operations compute with. Buffers are those of
// nn/kernel: NHWC with a halo of zeros.
type arithmetic[T Float] interface {
	alloc(n int) []T
	newConv(cin, cout int) (convolution[T], error)
	normForward(n, c int, y, x, scale, bias, residual []T, s *normState[T])
	// normBackward: one of dx and dres may be dy.
	normBackward(n, c int, dx, dres, dscale, dbias, dy, y, x, scale []T, s *normState[T])
	// matMul is dst[m][n] = a[m][k] * b[k][n], the others with a or b transposed.
	matMul(dst, a, b []T, m, k, n int)
	matMulTA(dst, a, b []T, m, k, n int)
	matMulTB(dst, a, b []T, m, k, n int)
}

// convolution is a 3x3 convolution with weights w in ONNX order.
type convolution[T Float] interface {
	pack(w []T)
	// forward is dst = conv(src) [+ bias] [+ residual], then ReLU if relu.
	forward(dst, src []T, n int, bias, residual []T, relu bool)
	packBackward(w []T)
	// backwardData adds to dx if add is set.
	backwardData(dx, dy []T, n int, add bool)
	// addBackwardWeights adds the gradient by the weights to dw.
	addBackwardWeights(dw, x, dy []T, n int)
}

// fast is the float32 arithmetic: the kernels.
type fast struct {
	shape kernel.Shape
	space *kernel.Workspace
}

func newFast(a Arch, workers int) *fast {
	return &fast{a.shape(), kernel.NewWorkspace(a.shape(), max(Planes, a.Channels), workers)}
}

func (f *fast) alloc(n int) []float32 { return kernel.Alloc(n) }

func (f *fast) newConv(cin, cout int) (convolution[float32], error) {
	c, err := kernel.NewConv(f.shape, cin, cout)
	if err != nil {
		return nil, err
	}
	return &fastConv{c, f.space}, nil
}

func (f *fast) normForward(n, c int, y, x, scale, bias, residual []float32, s *normState[float32]) {
	kernel.BNForward(f.space, f.shape, n, c, y, x, scale, bias, residual, true, s.mean, s.invStd, s.variance, Epsilon)
}

func (f *fast) normBackward(n, c int, dx, dres, dscale, dbias, dy, y, x, scale []float32, s *normState[float32]) {
	kernel.BNBackward(f.space, f.shape, n, c, dx, dres, dscale, dbias, dy, y, x, scale, s.mean, s.invStd, true)
}

func (f *fast) matMul(dst, a, b []float32, m, k, n int) { kernel.MatMul(f.space, dst, a, b, m, k, n) }

func (f *fast) matMulTA(dst, a, b []float32, m, k, n int) {
	kernel.MatMulTA(f.space, dst, a, b, m, k, n)
}

func (f *fast) matMulTB(dst, a, b []float32, m, k, n int) {
	kernel.MatMulTB(f.space, dst, a, b, m, k, n)
}

type fastConv struct {
	conv  *kernel.Conv
	space *kernel.Workspace
}

func (c *fastConv) pack(w []float32)         { c.conv.Pack(w) }
func (c *fastConv) packBackward(w []float32) { c.conv.PackBackward(w) }

func (c *fastConv) forward(dst, src []float32, n int, bias, residual []float32, relu bool) {
	c.conv.Forward(c.space, dst, src, n, kernel.Epilogue{Bias: bias, Residual: residual, ReLU: relu})
}

func (c *fastConv) backwardData(dx, dy []float32, n int, add bool) {
	if add {
		c.conv.AddBackwardData(c.space, dx, dy, n)
		return
	}
	c.conv.BackwardData(c.space, dx, dy, n)
}

func (c *fastConv) addBackwardWeights(dw, x, dy []float32, n int) {
	c.conv.AddBackwardWeights(c.space, dw, x, dy, n)
}
