package kernel

import (
	"fmt"
	"testing"
)

// trainingLayer is a convolution with batch normalisation, its gradients and the
// state of its optimizer.
type trainingLayer struct {
	conv                                               *Conv
	w, dw, m, v                                        []float32
	gamma, beta, mean, invStd, variance, dgamma, dbeta []float32
	z, y                                               []float32 // before and after normalisation
}

// trainingTrunk is a trunk in training, with everything that the gradient needs.
type trainingTrunk struct {
	s         Shape
	n, c      int
	ws        *Workspace
	in        []float32
	layers    []*trainingLayer
	grad, dz  []float32 // by the output of a block, and by a convolution's output
	residual  []float32 // what passes a block's shortcut
	steps     int
	gradient0 []float32 // by the trunk's output
}

func newTrainingTrunk(b *testing.B, s Shape, channels, blocks, n, workers int) *trainingTrunk {
	rng := newRand(1)
	t := &trainingTrunk{s: s, n: n, c: channels, ws: NewWorkspace(s, channels, workers), in: randomBoards(rng, s, n, 16)}
	size := s.Len(n, channels)
	t.grad, t.dz, t.residual, t.gradient0 = Alloc(size), Alloc(size), Alloc(size), randomBoards(rng, s, n, channels)
	for i := range 1 + 2*blocks {
		cin := channels
		if i == 0 {
			cin = 16
		}
		l := &trainingLayer{w: normals(rng, 9*cin*channels), z: Alloc(size), y: Alloc(size)}
		l.conv = newConv(b, s, cin, channels, l.w)
		l.dw, l.m, l.v = Alloc(len(l.w)), Alloc(len(l.w)), Alloc(len(l.w))
		for _, p := range []*[]float32{&l.gamma, &l.beta, &l.mean, &l.invStd, &l.variance, &l.dgamma, &l.dbeta} {
			*p = normals(rng, channels)
		}
		t.layers = append(t.layers, l)
	}
	return t
}

func (t *trainingTrunk) step() {
	t.forward()
	t.backward()
	t.steps++
	for _, l := range t.layers {
		AdamW(l.w, l.dw, l.m, l.v, 1e-3, 0.9, 0.999, 1e-8, 1e-2, t.steps)
		l.conv.Pack(l.w)
		l.conv.PackBackward(l.w)
	}
}

func (t *trainingTrunk) forward() {
	t.forwardLayer(t.layers[0], t.in, nil)
	for i := 1; i < len(t.layers); i += 2 {
		x := t.layers[i-1].y
		t.forwardLayer(t.layers[i], x, nil)
		t.forwardLayer(t.layers[i+1], t.layers[i].y, x)
	}
}

func (t *trainingTrunk) forwardLayer(l *trainingLayer, x, residual []float32) {
	l.conv.Forward(t.ws, l.z, x, t.n, Epilogue{})
	BNForward(t.ws, t.s, t.n, t.c, l.y, l.z, l.gamma, l.beta, residual, true, l.mean, l.invStd, l.variance, 1e-5)
}

func (t *trainingTrunk) backward() {
	copy(t.grad, t.gradient0)
	for i := len(t.layers) - 2; i > 0; i -= 2 {
		first, second := t.layers[i], t.layers[i+1]
		t.backwardLayer(second, first.y, t.residual, t.grad)
		second.conv.BackwardData(t.ws, t.grad, t.dz, t.n)
		t.backwardLayer(first, t.layers[i-1].y, nil, t.grad)
		first.conv.BackwardData(t.ws, t.grad, t.dz, t.n)
		current.addTo(t.grad, t.residual)
	}
	t.backwardLayer(t.layers[0], t.in, nil, t.grad)
}

func (t *trainingTrunk) backwardLayer(l *trainingLayer, x, dres, dy []float32) {
	BNBackward(t.ws, t.s, t.n, t.c, t.dz, dres, l.dgamma, l.dbeta, dy, l.y, l.z, l.gamma, l.mean, l.invStd, true)
	l.conv.BackwardWeights(t.ws, l.dw, x, t.dz, t.n)
}

// BenchmarkTraining measures whole steps of a trunk: forward, backward and
// update.
func BenchmarkTraining(b *testing.B) {
	nets := []struct {
		s                Shape
		channels, blocks int
	}{{Shape{9, 9}, 64, 6}, {Shape{5, 5}, 32, 4}}
	benchmarkEach(b, func(b *testing.B) {
		for _, net := range nets {
			for _, workers := range []int{1, 2} {
				b.Run(fmt.Sprintf("%dx%d/%dx%d/workers=%d", net.s.W, net.s.H, net.channels, net.blocks, workers), func(b *testing.B) {
					const n = 64
					t := newTrainingTrunk(b, net.s, net.channels, net.blocks, n, workers)
					b.ReportMetric(n/fastest(b, t.step), "samples/s")
				})
			}
		}
	})
}
