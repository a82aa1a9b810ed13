package kernel

import "math"

// BNForward normalises each of the c channels of x over the cells of n boards
// (Ioffe and Szegedy 2015):
//
//	y = gamma*(x-mean)*invStd + beta [+ residual], then ReLU if relu is set
//
// It fills mean, invStd = 1/sqrt(variance+eps) and the biased variance, c values
// each. residual may be nil; y may be x or residual.
func BNForward(ws *Workspace, s Shape, n, c int, y, x, gamma, beta, residual []float32, relu bool, mean, invStd, variance []float32, eps float32) {
	count := float64(n * s.Cells())
	for ch := range c {
		var sum, sq float64
		s.eachCell(n, c, func(i int) { sum += float64(x[i+ch]) })
		mu := sum / count
		s.eachCell(n, c, func(i int) { d := float64(x[i+ch]) - mu; sq += d * d })
		mean[ch], variance[ch] = float32(mu), float32(sq/count)
		invStd[ch] = float32(1 / math.Sqrt(sq/count+float64(eps)))
		s.eachCell(n, c, func(i int) {
			v := gamma[ch]*invStd[ch]*(x[i+ch]-mean[ch]) + beta[ch]
			if residual != nil {
				v += residual[i+ch]
			}
			if relu && v < 0 {
				v = 0
			}
			y[i+ch] = v
		})
	}
}

// BNBackward is the gradient of BNForward: from dy, the gradient by y, it
// computes dx, dgamma and dbeta, and dres, the gradient by the residual, which
// may be nil. If relu is set, dy counts only where y > 0. x, gamma, mean and
// invStd are those of BNForward. Either dx or dres may be dy.
func BNBackward(ws *Workspace, s Shape, n, c int, dx, dres, dgamma, dbeta, dy, y, x, gamma, mean, invStd []float32, relu bool) {
	count := float64(n * s.Cells())
	masked := func(i int) float32 {
		if relu && !(y[i] > 0) {
			return 0
		}
		return dy[i]
	}
	for ch := range c {
		var sum, dot float64
		s.eachCell(n, c, func(i int) {
			d := masked(i + ch)
			sum += float64(d)
			dot += float64(d) * float64(x[i+ch]-mean[ch]) * float64(invStd[ch])
		})
		dgamma[ch], dbeta[ch] = float32(dot), float32(sum)
		a := float64(gamma[ch]) * float64(invStd[ch])
		s.eachCell(n, c, func(i int) {
			d := masked(i + ch)
			if dres != nil {
				dres[i+ch] = d
			}
			xhat := float64(x[i+ch]-mean[ch]) * float64(invStd[ch])
			dx[i+ch] = float32(a * (float64(d) - sum/count - xhat*dot/count))
		})
	}
}

// eachCell calls f with the offset of every cell of n boards.
func (s Shape) eachCell(n, c int, f func(i int)) {
	for b := range n {
		for y := range s.H {
			for x := range s.W {
				f(s.Offset(b, y, x, c))
			}
		}
	}
}
