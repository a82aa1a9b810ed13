package graph

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"rampart/nn/kernel"
)

var small = Arch{H: 4, W: 5, Channels: 16, Blocks: 2, Hidden: 16}

// full is small with all auxiliary heads.
var full = withHeads(Heads{Reply: true, Margin: true, Plies: true})

func withHeads(h Heads) Arch {
	a := small
	a.Heads = h
	return a
}

// options are those of most tests: all losses count, differently.
var options = Options{Workers: 1, PolicyLoss: 1, ValueLoss: 0.7, ReplyLoss: 0.4, MarginLoss: 0.3, PliesLoss: 0.2}

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

// randomValues returns parameters of a sane size, no two alike.
func randomValues[T Float](a Arch, seed uint64) [][]T {
	r := random(seed)
	var values [][]T
	for _, p := range a.Params() {
		v := allocate[T](p.Len())
		center, spread := 0.0, 0.1
		switch {
		case p.Kind == Weight:
			spread = math.Sqrt(2 / float64(p.Len()/p.Shape[0]))
			if len(p.Shape) == 2 {
				spread = math.Sqrt(2 / float64(p.Shape[0]))
			}
		case p.Name[len(p.Name)-1] == 'e': // scale, variance
			center = 1
		}
		for i := range v {
			v[i] = T(center + spread*r.NormFloat64())
		}
		values = append(values, v)
	}
	return values
}

// allocate returns aligned memory for float32.
func allocate[T Float](n int) []T {
	if s, ok := any(kernel.Alloc(n)).([]T); ok {
		return s
	}
	return make([]T, n)
}

// randomInputs returns a batch: one-hot pawn planes, other planes normal,
// policies with illegal actions, weights of which one is 0.
func randomInputs[T Float](a Arch, n int, seed uint64) Inputs[T] {
	r := random(seed)
	in := Inputs[T]{
		Planes: allocate[T](a.shape().Len(n, Planes)),
		Policy: allocate[T](n * a.Actions()), WDL: allocate[T](n * Outcomes),
		PolicyWeight: allocate[T](n), ValueWeight: allocate[T](n),
		Reply: allocate[T](n * a.Actions()), ReplyWeight: allocate[T](n), Margin: allocate[T](n), Plies: allocate[T](n),
	}
	for board := range n {
		for p := range 2 {
			in.Planes[a.shape().Offset(board, r.IntN(a.H), r.IntN(a.W), Planes)+p] = 1
		}
		in.PolicyWeight[board], in.ValueWeight[board] = T(0.5+r.Float64()), T(0.5+r.Float64())
		randomTarget(r, row(in.Policy, board, a.Actions()), 0.3)
		randomTarget(r, row(in.WDL, board, Outcomes), 0)
	}
	a.eachCell(n, Planes, func(i int) {
		for p := 2; p < Planes; p++ {
			in.Planes[i+p] = T(r.NormFloat64())
		}
	})
	if n > 2 {
		in.PolicyWeight[1], in.ValueWeight[2] = 0, 0
	}
	for board := range n {
		randomTarget(r, row(in.Reply, board, a.Actions()), 0)
		in.ReplyWeight[board] = T(board%2) * T(0.5+r.Float64())
		in.Margin[board], in.Plies[board] = T(r.NormFloat64()), T(3*r.Float64())
	}
	return in
}

func randomTarget[T Float](r *rand.Rand, target []T, illegal float64) {
	sum := T(0)
	for i := range target {
		target[i] = T(r.ExpFloat64())
		if i > 0 && r.Float64() < illegal {
			target[i] = -1
			continue
		}
		sum += target[i]
	}
	for i := range target {
		if target[i] > 0 {
			target[i] /= sum
		}
	}
}

// gradients runs a training graph once and returns its loss and all gradients.
func gradients[T Float](t *testing.T, a Arch, n int, values [][]T, in Inputs[T], o Options) (loss float64, policy, wdl []T, grads [][]T) {
	t.Helper()
	net, err := NewTraining(a, n, values, o)
	if err != nil {
		t.Fatal(err)
	}
	defer net.Close()
	if err := net.Run(in); err != nil {
		t.Fatal(err)
	}
	for _, p := range net.Learned() {
		g, err := p.Grad()
		if err != nil {
			t.Fatal(err)
		}
		grads = append(grads, append([]T(nil), g.Data().([]T)...))
	}
	return net.Loss(), net.Policy(), net.WDL(), grads
}

// learnedNames lists the learned parameters.
func learnedNames(a Arch) (names []string) {
	for _, p := range a.Params() {
		if p.Kind != Statistic {
			names = append(names, p.Name)
		}
	}
	return names
}

// difference returns the largest difference between two slices, relative to the
// largest magnitude in the first.
func difference[T Float](a, b []T) float64 {
	if len(a) != len(b) {
		panic(fmt.Sprintf("lengths %d and %d", len(a), len(b)))
	}
	largest, diff := 0.0, 0.0
	for i := range a {
		largest = math.Max(largest, math.Abs(float64(a[i])))
		diff = math.Max(diff, math.Abs(float64(a[i])-float64(b[i])))
	}
	if largest == 0 {
		return diff
	}
	return diff / largest
}
