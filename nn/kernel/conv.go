package kernel

import "fmt"

// Conv is a 3x3 convolution with stride 1 and zero padding that keeps the size
// of the board.
type Conv struct {
	shape             Shape
	cin, cout         int
	forward, backward []float32
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
// s. Its weights must be packed before use. Errors wrap ErrShape or ErrChannels.
func NewConv(s Shape, cin, cout int) (*Conv, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	for _, c := range [...]int{cin, cout} {
		if c <= 0 || c%16 != 0 {
			return nil, fmt.Errorf("%w: %d, want a positive multiple of 16", ErrChannels, c)
		}
	}
	return &Conv{shape: s, cin: cin, cout: cout}, nil
}

// Pack prepares Forward for the weights w, in ONNX order [cout][cin][3][3]. It
// keeps no reference to w.
func (c *Conv) Pack(w []float32) {
	if c.forward == nil {
		c.forward = Alloc(9 * c.cin * c.cout)
	}
	for o := range c.cout {
		for i := range c.cin {
			for t := range 9 {
				c.forward[(t*c.cin+i)*c.cout+o] = w[(o*c.cin+i)*9+t]
			}
		}
	}
}

// PackBackward prepares BackwardData for the weights w, in ONNX order.
func (c *Conv) PackBackward(w []float32) {
	if c.backward == nil {
		c.backward = Alloc(9 * c.cin * c.cout)
	}
	for o := range c.cout {
		for i := range c.cin {
			for t := range 9 {
				c.backward[((8-t)*c.cout+o)*c.cin+i] = w[(o*c.cin+i)*9+t]
			}
		}
	}
}

// Forward computes n boards of dst [n][H+2][W+2][cout] from src
// [n][H+2][W+2][cin]. dst and src must not overlap.
func (c *Conv) Forward(ws *Workspace, dst, src []float32, n int, ep Epilogue) {
	c.shape.convolve(dst, src, c.forward, n, c.cin, c.cout, ep)
}

// BackwardData computes dx, the gradient by the convolution's input, from dy,
// the gradient by its output before bias, residual and ReLU. It overwrites dx.
func (c *Conv) BackwardData(ws *Workspace, dx, dy []float32, n int) {
	c.shape.convolve(dx, dy, c.backward, n, c.cout, c.cin, Epilogue{})
}

// BackwardWeights computes dw, the gradient by the weights in ONNX order, from
// the convolution's input x and the gradient dy by its output. It overwrites dw.
func (c *Conv) BackwardWeights(ws *Workspace, dw, x, dy []float32, n int) {
	clear(dw[:9*c.cin*c.cout])
	s := c.shape
	for b := range n {
		for y := range s.H {
			for col := range s.W {
				d := dy[s.Offset(b, y, col, c.cout):][:c.cout]
				for t := range 9 {
					in := x[s.Offset(b, y+t/3-1, col+t%3-1, c.cin):][:c.cin]
					for o, dv := range d {
						for i, v := range in {
							dw[(o*c.cin+i)*9+t] += dv * v
						}
					}
				}
			}
		}
	}
}

func (s Shape) convolve(dst, src, w []float32, n, cin, cout int, ep Epilogue) {
	for b := range n {
		for y := range s.H {
			for x := range s.W {
				out := dst[s.Offset(b, y, x, cout):][:cout]
				var res []float32
				if ep.Residual != nil {
					res = ep.Residual[s.Offset(b, y, x, cout):][:cout]
				}
				var sum [512]float32
				acc := sum[:cout]
				for t := range 9 {
					in := src[s.Offset(b, y+t/3-1, x+t%3-1, cin):][:cin]
					for i, v := range in {
						for o, wv := range w[(t*cin+i)*cout:][:cout] {
							acc[o] += v * wv
						}
					}
				}
				for o, v := range acc {
					if ep.Bias != nil {
						v += ep.Bias[o]
					}
					if res != nil {
						v += res[o]
					}
					if ep.ReLU && v < 0 {
						v = 0
					}
					out[o] = v
				}
			}
		}
	}
}
