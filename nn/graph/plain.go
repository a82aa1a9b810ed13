package graph

import "math"

// plain is the float64 arithmetic: slow, obvious loops. Whole networks are
// checked against finite differences with it.
type plain struct{ arch Arch }

func (p plain) alloc(n int) []float64 { return make([]float64, n) }

func (p plain) newConv(cin, cout int) (convolution[float64], error) {
	return &plainConv{arch: p.arch, cin: cin, cout: cout}, nil
}

func (p plain) normForward(n, c int, y, x, scale, bias, residual []float64, s *normState[float64]) {
	count := float64(n * p.arch.H * p.arch.W)
	clear(s.mean)
	clear(s.variance)
	p.arch.eachCell(n, c, func(i int) {
		for ch := range c {
			s.mean[ch] += x[i+ch] / count
		}
	})
	p.arch.eachCell(n, c, func(i int) {
		for ch := range c {
			d := x[i+ch] - s.mean[ch]
			s.variance[ch] += d * d / count
		}
	})
	for ch, v := range s.variance {
		s.invStd[ch] = 1 / math.Sqrt(v+Epsilon)
	}
	normApply(p.arch, n, c, y, x, scale, bias, residual, s.mean, s.invStd)
}

func (p plain) normBackward(n, c int, dx, dres, dscale, dbias, dy, y, x, scale []float64, s *normState[float64]) {
	count := float64(n * p.arch.H * p.arch.W)
	clear(dscale)
	clear(dbias)
	masked := func(i int) float64 {
		if y[i] > 0 {
			return dy[i]
		}
		return 0
	}
	normed := func(i, ch int) float64 { return (x[i+ch] - s.mean[ch]) * s.invStd[ch] }
	p.arch.eachCell(n, c, func(i int) {
		for ch := range c {
			dbias[ch] += masked(i + ch)
			dscale[ch] += masked(i+ch) * normed(i, ch)
		}
	})
	p.arch.eachCell(n, c, func(i int) {
		for ch := range c {
			d := masked(i + ch) // read before dx or dres, which may be dy, are written
			if dres != nil {
				dres[i+ch] = d
			}
			dx[i+ch] = scale[ch] * s.invStd[ch] * (d - dbias[ch]/count - normed(i, ch)*dscale[ch]/count)
		}
	})
}

func (p plain) matMul(dst, a, b []float64, m, k, n int) {
	product(dst, m, k, n, func(i, l, j int) float64 { return a[i*k+l] * b[l*n+j] })
}

func (p plain) matMulTA(dst, a, b []float64, m, k, n int) {
	product(dst, m, k, n, func(i, l, j int) float64 { return a[l*m+i] * b[l*n+j] })
}

func (p plain) matMulTB(dst, a, b []float64, m, k, n int) {
	product(dst, m, k, n, func(i, l, j int) float64 { return a[i*k+l] * b[j*k+l] })
}

func product(dst []float64, m, k, n int, term func(i, l, j int) float64) {
	for i := range m {
		for j := range n {
			sum := 0.0
			for l := range k {
				sum += term(i, l, j)
			}
			dst[i*n+j] = sum
		}
	}
}

type plainConv struct {
	arch      Arch
	cin, cout int
	w         []float64
}

func (c *plainConv) pack(w []float64)         { c.w = w }
func (c *plainConv) packBackward(w []float64) { c.w = w }

func (c *plainConv) forward(dst, src []float64, n int, bias, residual []float64, relu bool) {
	c.arch.eachCell(n, 1, func(cell int) {
		for o := range c.cout {
			sum := 0.0
			c.eachTap(cell, o, func(in, w int) { sum += c.w[w] * src[in] })
			if bias != nil {
				sum += bias[o]
			}
			if residual != nil {
				sum += residual[cell*c.cout+o]
			}
			if relu {
				sum = max(sum, 0)
			}
			dst[cell*c.cout+o] = sum
		}
	})
}

func (c *plainConv) backwardData(dx, dy []float64, n int, add bool) {
	// Taps reach into the halo, which must stay zero: sum beside it, copy the cells.
	sum := make([]float64, len(dx))
	if add {
		copy(sum, dx)
	}
	c.arch.eachCell(n, 1, func(cell int) {
		for o := range c.cout {
			c.eachTap(cell, o, func(in, w int) { sum[in] += c.w[w] * dy[cell*c.cout+o] })
		}
	})
	c.arch.eachCell(n, c.cin, func(i int) { copy(dx[i:i+c.cin], sum[i:]) })
}

func (c *plainConv) addBackwardWeights(dw, x, dy []float64, n int) {
	c.arch.eachCell(n, 1, func(cell int) {
		for o := range c.cout {
			c.eachTap(cell, o, func(in, w int) { dw[w] += x[in] * dy[cell*c.cout+o] })
		}
	})
}

// eachTap calls f for every product that output channel o of a cell sums: with
// the offsets of the input and of the weight.
func (c *plainConv) eachTap(cell, o int, f func(in, w int)) {
	for i := range c.cin {
		for t := range 9 {
			near := cell + (t/3-1)*(c.arch.W+2) + t%3 - 1
			f(near*c.cin+i, (o*c.cin+i)*9+t)
		}
	}
}
