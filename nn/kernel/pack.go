package kernel

// Transformed weights have 25 planes, weightPlaneLen apart. A plane is a matrix
// [cin][cout] that is packed in panels: panel p holds columns 32*p to 32*p+31, or
// 16 columns if no more are left, as [cin][columns].

// weightPlaneLen returns the distance between the planes, which is one cache line
// more than the plane so that the planes do not compete for the same cache sets.
func weightPlaneLen(cin, cout int) int { return cin*cout + lineFloats }

// panelWidth returns the number of columns of the panel with column j, of n.
func panelWidth(j, n int) int {
	if n-j/32*32 >= 32 {
		return 32
	}
	return 16
}

// panelOffset returns the index of column j in row i of a matrix of the given
// depth with n columns that is packed in panels.
func panelOffset(i, j, depth, n int) int {
	return j/32*32*depth + i*panelWidth(j, n) + j%32
}

// Pack prepares Forward for the weights w, in ONNX order [cout][cin][3][3]. It
// keeps no reference to w, and must not run while Forward does.
func (c *Conv) Pack(w []float32) {
	if c.forward == nil {
		c.forward = Alloc(planes * weightPlaneLen(c.cin, c.cout))
	}
	w = w[:9*c.cin*c.cout]
	block := &c.block
	for o := 0; o < c.cout; o += 16 {
		for i := range c.cin {
			for lane := range 16 {
				taps := (*[9]float32)(w[((o+lane)*c.cin+i)*9:])
				for t, v := range taps {
					block[t][lane] = v
				}
			}
			current.weightTransform(c.forward[panelOffset(i, o, c.cin, c.cout):], block, weightPlaneLen(c.cin, c.cout))
		}
	}
}

// PackBackward prepares BackwardData for the weights w, in ONNX order. It keeps
// no reference to w, and must not run while BackwardData does.
//
// The gradient by the input is the convolution of the gradient by the output with
// the weights turned by 180 degrees, from output to input channels.
func (c *Conv) PackBackward(w []float32) {
	if c.backward == nil {
		c.backward = Alloc(planes * weightPlaneLen(c.cin, c.cout))
	}
	w = w[:9*c.cin*c.cout]
	block := &c.block
	for o := range c.cout {
		for i := 0; i < c.cin; i += 16 {
			for lane := range 16 {
				taps := (*[9]float32)(w[(o*c.cin+i+lane)*9:])
				for t, v := range taps {
					block[8-t][lane] = v
				}
			}
			current.weightTransform(c.backward[panelOffset(o, i, c.cout, c.cin):], block, weightPlaneLen(c.cin, c.cout))
		}
	}
}
