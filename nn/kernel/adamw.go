package kernel

import "math"

// adamCoefficients are, in this order: beta1, 1-beta1, beta2, 1-beta2,
// 1/sqrt(1-beta2^t), epsilon, lr/(1-beta1^t) and 1-lr*decay.
type adamCoefficients [8]float32

// AdamW updates the weights w in place from their gradient g and the running
// moments m and v (Loshchilov and Hutter 2019, decoupled weight decay):
//
//	m = beta1*m + (1-beta1)*g
//	v = beta2*v + (1-beta2)*g*g
//	w = w - lr*(mhat/(sqrt(vhat)+eps) + decay*w)
//
// where mhat = m/(1-beta1^step) and vhat = v/(1-beta2^step). step is the number
// of this update and counts from 1. All four slices have the length of w.
func AdamW(w, g, m, v []float32, lr, beta1, beta2, eps, decay float32, step int) {
	t := float64(step)
	correction1 := 1 - math.Pow(float64(beta1), t)
	correction2 := 1 - math.Pow(float64(beta2), t)
	c := adamCoefficients{
		beta1, float32(1 - float64(beta1)), beta2, float32(1 - float64(beta2)),
		float32(1 / math.Sqrt(correction2)), eps,
		float32(float64(lr) / correction1), float32(1 - float64(lr)*float64(decay)),
	}
	g, m, v = g[:len(w)], m[:len(w)], v[:len(w)]
	const span = 1 << 15 // weights a call, to keep calls of assembly short
	for len(w) >= lineFloats {
		n := min(span, len(w)/lineFloats*lineFloats)
		current.adamW(w[:n], g[:n], m[:n], v[:n], &c)
		w, g, m, v = w[n:], g[n:], m[n:], v[n:]
	}
	adamWGo(w, g, m, v, &c)
}

func adamWGo(w, g, m, v []float32, c *adamCoefficients) {
	g, m, v = g[:len(w)], m[:len(w)], v[:len(w)]
	for i, d := range g {
		m[i] = c[0]*m[i] + c[1]*d
		v[i] = c[2]*v[i] + c[3]*(d*d)
		root := float32(math.Sqrt(float64(v[i])))
		w[i] = c[7]*w[i] - c[6]*m[i]/(c[4]*root+c[5])
	}
}

// Add adds src, which is as long as dst, to dst.
func Add(dst, src []float32) {
	whole := len(dst) / lineFloats * lineFloats
	src = src[:len(dst)]
	if whole > 0 {
		current.addTo(dst[:whole], src[:whole])
	}
	for i, v := range src[whole:] {
		dst[whole+i] += v
	}
}

// SumSquares returns the sum of the squares of x in float64. The order of the
// additions, eight sums of every eighth element and then their sum, does not
// depend on the implementation.
func SumSquares(x []float32) float64 {
	var s [8]float64
	for ; len(x) >= 8; x = x[8:] {
		for i, v := range (*[8]float32)(x) {
			s[i] += float64(v) * float64(v)
		}
	}
	for i, v := range x {
		s[i] += float64(v) * float64(v)
	}
	return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]))
}
