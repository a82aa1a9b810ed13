package kernel

// Panel is a packed k x n matrix, with an optional bias of n values, that rows
// are multiplied by: the dense layers and 1x1 convolutions of inference. The
// result for a row does not depend on the number of rows.
type Panel struct {
	k, n, stride int
	weights      []float32
	bias         []float32
}

// NewPanel returns a panel for a matrix of k rows and n columns, all zero.
func NewPanel(k, n int) *Panel {
	stride := (n + 15) / 16 * 16
	return &Panel{k: k, n: n, stride: stride, weights: Alloc(k * stride), bias: Alloc(stride)}
}

// Stride returns n rounded up to a multiple of 16: the number of floats that
// Mul writes for each row.
func (p *Panel) Stride() int { return p.stride }

// Pack takes the matrix b[k][n], row-major, and the bias (n values, or nil for
// none). It keeps no reference to them.
func (p *Panel) Pack(b, bias []float32) {
	for i := range p.k {
		copy(p.weights[i*p.stride:][:p.n], b[i*p.n:][:p.n])
	}
	clear(p.bias)
	if bias != nil {
		copy(p.bias, bias[:p.n])
	}
}

// Mul computes rows rows of dst = a * b + bias, with negative values replaced by
// 0 if relu is set. Row r of a starts at a[r*lda] and has k values; row r of dst
// starts at dst[r*ldd] and gets Stride values, of which those from n on are 0.
// dst and a must not overlap.
func (p *Panel) Mul(dst []float32, ldd int, a []float32, lda, rows int, relu bool) {
	for r := range rows {
		out := dst[r*ldd:][:p.stride]
		clear(out)
		for i, v := range a[r*lda:][:p.k] {
			for j, w := range p.weights[i*p.stride:][:p.stride] {
				out[j] += v * w
			}
		}
		for j, b := range p.bias {
			v := out[j] + b
			if relu && v < 0 {
				v = 0
			}
			out[j] = v
		}
	}
}
