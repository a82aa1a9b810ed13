package kernel

import "slices"

// Matrices [k][n] that rows are multiplied by are packed in panels of 16 columns:
// panel p holds columns 16*p to 16*p+15, as [k][16], and the panels follow each
// other. Transformed weights are 25 such matrices [cin][cout], weightPlaneLen
// apart.

// packedLen returns the length of a packed matrix. A line behind it lets portable
// code take any four columns of a panel as a slice of the panel's length.
func packedLen(k, n int) int { return k*n + panelWidth }

// panelWidth is the number of columns of a panel.
const panelWidth = 16

// panelOffset returns the index of column j in row i of a packed matrix of k rows.
func panelOffset(i, j, k int) int { return j/panelWidth*panelWidth*k + i*panelWidth + j%panelWidth }

// weightPlaneLen returns the distance between the planes, which is one cache line
// more than the plane so that the planes do not compete for the same cache sets.
func weightPlaneLen(cin, cout int) int { return cin*cout + lineFloats }

// Pack prepares Forward for the weights w, in ONNX order [cout][cin][3][3]. It
// keeps no reference to w, and must not run while Forward does.
func (c *Conv) Pack(w []float32) {
	if c.forward == nil {
		c.forward = Alloc(planes * weightPlaneLen(c.cin, c.cout))
	}
	w = w[:9*c.cin*c.cout]
	block := &c.block
	for o := 0; o < c.cout; o += panelWidth {
		for i := range c.cin {
			current.loadTaps(block, w[(o*c.cin+i)*9:], 9*c.cin)
			current.weightTransform(c.forward[panelOffset(i, o, c.cin):], block, weightPlaneLen(c.cin, c.cout))
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
		for i := 0; i < c.cin; i += panelWidth {
			current.loadTaps(block, w[(o*c.cin+i)*9:], 9)
			slices.Reverse(block[:])
			current.weightTransform(c.backward[panelOffset(o, i, c.cout):], block, weightPlaneLen(c.cin, c.cout))
		}
	}
}
