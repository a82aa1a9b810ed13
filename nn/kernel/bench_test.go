package kernel

import (
	"fmt"
	"testing"
	"time"
)

// The rates that the benchmarks report are those of the fastest iteration, so
// that other processes disturb them little; ns/op is the average as usual. A rate
// in GFLOP/s counts what is computed, that is, the products of Winograd's
// algorithm; %peak compares it with PeakGFLOPS.

// fastest runs f until the benchmark ends and returns the seconds of the fastest
// run.
func fastest(b *testing.B, f func()) float64 {
	f()
	b.ReportAllocs()
	best := time.Duration(1 << 62)
	for b.Loop() {
		start := time.Now()
		f()
		best = min(best, time.Since(start))
	}
	return best.Seconds()
}

// reportRate reports how many multiply-adds a second took, absolutely and as a
// share of the peak.
func reportRate(b *testing.B, multiplyAdds int, seconds float64) {
	rate := 2 * float64(multiplyAdds) / seconds * 1e-9
	b.ReportMetric(rate, "GFLOP/s")
	b.ReportMetric(100*rate/PeakGFLOPS(), "%peak")
}

func benchmarkEach(b *testing.B, f func(b *testing.B)) {
	for _, name := range Implementations() {
		b.Run(name, func(b *testing.B) {
			useImplementation(b, name)
			f(b)
		})
	}
}

func BenchmarkProduct(b *testing.B) {
	benchmarkEach(b, func(b *testing.B) {
		for _, size := range [][2]int{{4, 64}, {9, 64}, {36, 64}, {36, 32}, {36, 128}} {
			rows, k := size[0], size[1]
			b.Run(fmt.Sprintf("rows=%d/k=%d", rows, k), func(b *testing.B) {
				rng := newRand(1)
				x, w, c := normals(rng, rows*k), normals(rng, k*32), Alloc(rows*32)
				const calls = 100
				seconds := fastest(b, func() {
					for range calls {
						current.product32(c, x, w, productSize{k: k, lda: k, ldc: 32, rows: rows, steps: 1, matrices: 1})
					}
				})
				reportRate(b, calls*rows*k*32, seconds)
			})
		}
	})
}

// benchmarkNet is a trunk whose layers have weights of their own, so that the
// weights travel through the caches as they do in a network.
type benchmarkNet struct {
	s            Shape
	channels     int
	layers       []*Conv
	bias         []float32
	in, x, y     []float32
	ws           *Workspace
	multiplyAdds int // a board
}

func newBenchmarkNet(b *testing.B, s Shape, channels, blocks, n, workers int) *benchmarkNet {
	rng := newRand(1)
	t := &benchmarkNet{s: s, channels: channels, bias: normals(rng, channels), ws: NewWorkspace(s, channels, workers)}
	t.in = randomBoards(rng, s, n, 16)
	t.x, t.y = Alloc(s.Len(n, channels)), Alloc(s.Len(n, channels))
	for i := range 1 + 2*blocks {
		cin := channels
		if i == 0 {
			cin = 16
		}
		w := normals(rng, 9*cin*channels)
		for i := range w {
			w[i] *= 0.05
		}
		conv := newConv(b, s, cin, channels, w)
		t.layers = append(t.layers, conv)
		t.multiplyAdds += conv.MultiplyAdds(1)
	}
	return t
}

func (t *benchmarkNet) forward(n int) {
	t.layers[0].Forward(t.ws, t.x, t.in, n, Epilogue{Bias: t.bias, ReLU: true})
	for i := 1; i < len(t.layers); i += 2 {
		t.layers[i].Forward(t.ws, t.y, t.x, n, Epilogue{Bias: t.bias, ReLU: true})
		t.layers[i+1].Forward(t.ws, t.x, t.y, n, Epilogue{Bias: t.bias, Residual: t.x, ReLU: true})
	}
}

func BenchmarkTrunk(b *testing.B) {
	nets := []struct {
		s                Shape
		channels, blocks int
	}{{Shape{9, 9}, 64, 6}, {Shape{9, 9}, 32, 4}, {Shape{5, 5}, 32, 4}, {Shape{5, 5}, 64, 6}}
	benchmarkEach(b, func(b *testing.B) {
		for _, net := range nets {
			for _, n := range []int{1, 4, 64} {
				b.Run(fmt.Sprintf("%dx%d/%dx%d/n=%d", net.s.W, net.s.H, net.channels, net.blocks, n), func(b *testing.B) {
					t := newBenchmarkNet(b, net.s, net.channels, net.blocks, n, 1)
					seconds := fastest(b, func() { t.forward(n) })
					b.ReportMetric(float64(n)/seconds, "evaluations/s")
					reportRate(b, n*t.multiplyAdds, seconds)
				})
			}
		}
	})
}

// BenchmarkLayer measures the passes of one layer of 64 channels on 9x9 in
// training, 32 boards at a time on one core.
func BenchmarkLayer(b *testing.B) {
	const n, c = 32, 64
	s := Shape{H: 9, W: 9}
	benchmarkEach(b, func(b *testing.B) {
		rng := newRand(1)
		w, dw := normals(rng, 9*c*c), Alloc(9*c*c)
		conv, ws := newConv(b, s, c, c, w), NewWorkspace(s, c, 1)
		x, y, dx, dy := randomBoards(rng, s, n, c), Alloc(s.Len(n, c)), Alloc(s.Len(n, c)), randomBoards(rng, s, n, c)
		channel := func() []float32 { return normals(rng, c) }
		gamma, beta, mean, invStd, variance, dgamma, dbeta := channel(), channel(), channel(), channel(), channel(), channel(), channel()
		products := conv.MultiplyAdds(n)
		passes := []struct {
			name     string
			products int
			run      func()
		}{
			{"Forward", products, func() { conv.Forward(ws, y, x, n, Epilogue{}) }},
			{"BackwardData", products, func() { conv.BackwardData(ws, dx, dy, n) }},
			{"BackwardWeights", products, func() { conv.BackwardWeights(ws, dw, x, dy, n) }},
			{"BNForward", 0, func() { BNForward(ws, s, n, c, y, x, gamma, beta, nil, true, mean, invStd, variance, 1e-5) }},
			{"BNBackward", 0, func() { BNBackward(ws, s, n, c, dx, nil, dgamma, dbeta, dy, y, x, gamma, mean, invStd, true) }},
			{"Pack", 0, func() { conv.Pack(w) }},
			{"PackBackward", 0, func() { conv.PackBackward(w) }},
		}
		for _, p := range passes {
			b.Run(p.name, func(b *testing.B) {
				seconds := fastest(b, p.run)
				b.ReportMetric(seconds*1e6/n, "us/board")
				if p.products > 0 {
					reportRate(b, p.products, seconds)
				}
			})
		}
	})
}

func BenchmarkAdamW(b *testing.B) {
	benchmarkEach(b, func(b *testing.B) {
		const n = 1 << 18
		rng := newRand(1)
		w, g, m, v := normals(rng, n), normals(rng, n), Alloc(n), Alloc(n)
		seconds := fastest(b, func() { AdamW(w, g, m, v, 1e-3, 0.9, 0.999, 1e-8, 0.01, 1) })
		b.ReportMetric(n/seconds*1e-6, "Mweights/s")
	})
}
