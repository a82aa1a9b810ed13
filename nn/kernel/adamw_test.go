package kernel

import (
	"math"
	"testing"
)

func TestAdamWEqualsDefinition(t *testing.T) {
	settings := []float32{3e-3, 0.9, 0.999, 1e-8, 0.05}
	exact := double(settings)
	lr, beta1, beta2, eps, decay := exact[0], exact[1], exact[2], exact[3], exact[4]
	eachImplementation(t, func(t *testing.T) {
		for _, n := range []int{1, 15, 16, 17, 1000, 70001} {
			rng := newRand(uint64(n))
			w, m, v := normals(rng, n), guarded(n), guarded(n)
			w64, m64, v64 := double(w), make([]float64, n), make([]float64, n)
			for step := 1; step <= 20; step++ {
				g := normals(rng, n)
				AdamW(w, g, m, v, settings[0], settings[1], settings[2], settings[3], settings[4], step)
				for i, d := range double(g) {
					m64[i] = beta1*m64[i] + (1-beta1)*d
					v64[i] = beta2*v64[i] + (1-beta2)*d*d
					mhat, vhat := m64[i]/(1-math.Pow(beta1, float64(step))), v64[i]/(1-math.Pow(beta2, float64(step)))
					w64[i] -= lr * (mhat/(math.Sqrt(vhat)+eps) + decay*w64[i])
				}
			}
			for _, x := range [][]float32{w, m, v} {
				checkGuard(t, x)
			}
			checkClose(t, "w", w, w64)
			checkClose(t, "m", m, m64)
			checkClose(t, "v", v, v64)
		}
	})
}

func TestAdamWLeavesWeightsWithoutGradient(t *testing.T) {
	eachImplementation(t, func(t *testing.T) {
		w := []float32{1, -2, 3}
		AdamW(w, make([]float32, 3), make([]float32, 3), make([]float32, 3), 1e-3, 0.9, 0.999, 1e-8, 0, 1)
		checkSame(t, "w", w, []float32{1, -2, 3})
	})
}

func TestSumSquares(t *testing.T) {
	for _, n := range []int{0, 1, 7, 8, 9, 1000} {
		x := normals(newRand(5), n)
		want := 0.0
		for _, v := range double(x) {
			want += v * v
		}
		if got := SumSquares(x); math.Abs(got-want) > 1e-12*(1+want) {
			t.Errorf("%d values: %v, want %v", n, got, want)
		}
	}
}

func TestAdd(t *testing.T) {
	eachImplementation(t, func(t *testing.T) {
		rng := newRand(19)
		for _, n := range []int{0, 1, 15, 16, 17, 100, 4096} {
			x, y := normals(rng, n), normals(rng, n)
			want := make([]float32, n)
			for i := range want {
				want[i] = x[i] + y[i]
			}
			Add(x, y)
			checkSame(t, "sum", x, want)
			checkGuard(t, x)
		}
	})
}
