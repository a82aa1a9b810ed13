package kernel

import "math"

// The functions of this file are the definitions, in float64 and without any
// cleverness. They are what the package is measured against.

// referenceConv returns board b of the convolution of src with w, as cells
// without a halo, [H][W][cout].
func referenceConv(s Shape, src, w []float64, b, cin, cout int) []float64 {
	out := make([]float64, s.Cells()*cout)
	for y := range s.H {
		for x := range s.W {
			to := out[(y*s.W+x)*cout:][:cout]
			for t := range 9 {
				in := src[s.Offset(b, y+t/3-1, x+t%3-1, cin):][:cin]
				for o := range to {
					sum := 0.0
					for i, v := range in {
						sum += v * w[(o*cin+i)*9+t]
					}
					to[o] += sum
				}
			}
		}
	}
	return out
}

// referenceEpilogue applies bias, residual and ReLU to board b.
func referenceEpilogue(s Shape, out []float64, b, c int, ep Epilogue) {
	for y := range s.H {
		for x := range s.W {
			for i := range c {
				v := &out[(y*s.W+x)*c+i]
				if ep.Bias != nil {
					*v += float64(ep.Bias[i])
				}
				if ep.Residual != nil {
					*v += float64(ep.Residual[s.Offset(b, y, x, c)+i])
				}
				if ep.ReLU {
					*v = math.Max(*v, 0)
				}
			}
		}
	}
}

// referenceWeightGradient returns the gradient by the nine weights from input
// channel i to output channel o.
func referenceWeightGradient(s Shape, x, dy []float64, n, cin, cout, i, o int) []float64 {
	dw := make([]float64, 9)
	for b := range n {
		for y := range s.H {
			for col := range s.W {
				d := dy[s.Offset(b, y, col, cout)+o]
				for t := range dw {
					dw[t] += d * x[s.Offset(b, y+t/3-1, col+t%3-1, cin)+i]
				}
			}
		}
	}
	return dw
}

// turned returns the weights [cin][cout][3][3] of the convolution that carries
// gradients back through the one with the weights w.
func turned(w []float64, cin, cout int) []float64 {
	r := make([]float64, len(w))
	for o := range cout {
		for i := range cin {
			for t := range 9 {
				r[(i*cout+o)*9+8-t] = w[(o*cin+i)*9+t]
			}
		}
	}
	return r
}

// cellsOfBoard returns the cells of board b without their halo.
func cellsOfBoard(s Shape, x []float32, b, c int) []float32 {
	cells := make([]float32, 0, s.Cells()*c)
	for y := range s.H {
		for col := range s.W {
			cells = append(cells, x[s.Offset(b, y, col, c):][:c]...)
		}
	}
	return cells
}

// referenceNorm is batch normalisation in training, of n boards with halo.
type referenceNorm struct {
	y                      []float64
	mean, invStd, variance []float64
}

func newReferenceNorm(s Shape, n, c int, x, gamma, beta, residual []float64, relu bool, eps float64) referenceNorm {
	r := referenceNorm{make([]float64, len(x)), make([]float64, c), make([]float64, c), make([]float64, c)}
	count := float64(n * s.Cells())
	for i := range c {
		s.forCells(n, c, func(at int) { r.mean[i] += x[at+i] / count })
		s.forCells(n, c, func(at int) { r.variance[i] += (x[at+i] - r.mean[i]) * (x[at+i] - r.mean[i]) / count })
		r.invStd[i] = 1 / math.Sqrt(r.variance[i]+eps)
		s.forCells(n, c, func(at int) {
			v := gamma[i]*(x[at+i]-r.mean[i])*r.invStd[i] + beta[i]
			if residual != nil {
				v += residual[at+i]
			}
			if relu {
				v = math.Max(v, 0)
			}
			r.y[at+i] = v
		})
	}
	return r
}

// referenceProduct returns a[m][k] * b[k][n].
func referenceProduct(a, b []float64, m, k, n int) []float64 {
	c := make([]float64, m*n)
	for i := range m {
		for p := range k {
			for j := range n {
				c[i*n+j] += a[i*k+p] * b[p*n+j]
			}
		}
	}
	return c
}

// transpose returns the transpose of x[rows][columns].
func transpose[T any](x []T, rows, columns int) []T {
	r := make([]T, len(x))
	for i := range rows {
		for j := range columns {
			r[j*rows+i] = x[i*columns+j]
		}
	}
	return r
}
