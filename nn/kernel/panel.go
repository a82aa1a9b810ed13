package kernel

import "math"

// Panel is a packed k x n matrix, with a bias of n values, that rows are
// multiplied by: the dense layers and 1x1 convolutions of inference. The result
// for a row does not depend on the number of rows.
type Panel struct {
	k, n, stride int
	weights      []float32 // packed as in pack.go
	bias         []float32
	biased       bool
}

// NewPanel returns a panel for a matrix of k rows and n columns, all zero.
func NewPanel(k, n int) *Panel {
	stride := roundUp(n, 16)
	return &Panel{k: k, n: n, stride: stride, weights: Alloc(packedLen(k, stride)), bias: Alloc(stride)}
}

// Stride returns n rounded up to a multiple of 16: the number of floats that
// Mul writes for each row.
func (p *Panel) Stride() int { return p.stride }

// Pack takes the matrix b[k][n], row-major, and the bias (n values, or nil for
// none). It keeps no reference to them, and must not run while Mul does.
func (p *Panel) Pack(b, bias []float32) {
	packMatrix(p.weights, b, p.k, p.n)
	clear(p.bias)
	p.biased = bias != nil
	if p.biased {
		copy(p.bias, bias[:p.n])
	}
}

// Mul computes rows rows of dst = a * b + bias, with negative values replaced by
// 0 if relu is set. Row r of a starts at a[r*lda] and has k values; row r of dst
// starts at dst[r*ldd] and gets Stride values, of which those from n on are 0.
// dst and a must not overlap.
func (p *Panel) Mul(dst []float32, ldd int, a []float32, lda, rows int, relu bool) {
	current.multiplyRows(dst, ldd, a, lda, p.weights, p.k, p.stride, rows)
	if p.biased || relu {
		p.finish(dst, ldd, rows, relu)
	}
}

// finish adds the bias to rows of dst and applies ReLU.
func (p *Panel) finish(dst []float32, ldd, rows int, relu bool) {
	floor := float32(math.Inf(-1))
	if relu {
		floor = 0
	}
	for r := range rows {
		row := dst[r*ldd:][:len(p.bias)]
		for j, b := range p.bias {
			v := row[j] + b
			if v < floor {
				v = floor
			}
			row[j] = v
		}
	}
}
