package kernel

import "math"

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
	c1 := float32(1 - math.Pow(float64(beta1), float64(step)))
	c2 := float32(1 - math.Pow(float64(beta2), float64(step)))
	g, m, v = g[:len(w)], m[:len(w)], v[:len(w)]
	for i, d := range g {
		m[i] = beta1*m[i] + (1-beta1)*d
		v[i] = beta2*v[i] + (1-beta2)*d*d
		w[i] -= lr * ((m[i]/c1)/(float32(math.Sqrt(float64(v[i]/c2)))+eps) + decay*w[i])
	}
}

// SumSquares returns the sum of the squares of x, added in a fixed order.
func SumSquares(x []float32) float64 {
	var s float64
	for _, v := range x {
		s += float64(v) * float64(v)
	}
	return s
}
