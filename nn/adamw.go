package nn

import (
	"fmt"
	"math"

	"gorgonia.org/gorgonia"

	"rampart/nn/graph"
	"rampart/nn/kernel"
)

// adamW is a Gorgonia solver: AdamW (Loshchilov and Hutter 2019) with clipping
// by the global norm of the gradient. Biases and the scales of batch norms do
// not decay.
type adamW struct {
	options    TrainerOptions
	params     []Tensor // the learned ones, in the order of the model
	m, v, grad [][]float32

	rate    float64 // learning rate of the next step
	steps   int     // taken so far
	norm    float64 // of the last gradient
	clipped bool
}

var _ gorgonia.Solver = (*adamW)(nil)

func newAdamW(w *Weights, o TrainerOptions) *adamW {
	a := &adamW{options: o}
	for _, t := range w.tensors {
		if t.Kind != graph.Statistic {
			a.params = append(a.params, t)
			a.m = append(a.m, kernel.Alloc(t.Len()))
			a.v = append(a.v, kernel.Alloc(t.Len()))
			a.grad = append(a.grad, kernel.Alloc(t.Len()))
		}
	}
	return a
}

// Step is part of gorgonia.Solver: it updates the weights from the gradients and
// zeroes those. If the gradient is not finite it returns an error that wraps
// [ErrDiverged], and nothing but the gradients is changed.
func (a *adamW) Step(model []gorgonia.ValueGrad) error {
	if err := a.take(model); err != nil {
		return err
	}
	sum := 0.0
	for _, g := range a.grad {
		sum += kernel.SumSquares(g)
	}
	a.norm = math.Sqrt(sum)
	if !finite(a.norm) {
		return fmt.Errorf("%w: the gradient at step %d is not finite", ErrDiverged, a.steps+1)
	}
	o := a.options
	if a.clipped = o.ClipNorm > 0 && a.norm > o.ClipNorm; a.clipped {
		scale := float32(o.ClipNorm / a.norm)
		for _, g := range a.grad {
			for i := range g {
				g[i] *= scale
			}
		}
	}
	a.steps++
	for i, p := range a.params {
		decay := 0.0
		if p.Kind == graph.Weight {
			decay = o.Decay
		}
		kernel.AdamW(p.Data, a.grad[i], a.m[i], a.v[i], float32(a.rate),
			float32(o.Beta1), float32(o.Beta2), float32(o.Epsilon), float32(decay), a.steps)
	}
	return nil
}

// take moves the gradients, which Gorgonia adds up until they are zeroed, to
// aligned buffers.
func (a *adamW) take(model []gorgonia.ValueGrad) error {
	if len(model) != len(a.params) {
		return fmt.Errorf("%w: %d parameters, want %d", ErrIncompatible, len(model), len(a.params))
	}
	for i, p := range model {
		v, err := p.Grad()
		if err != nil {
			return fmt.Errorf("%s: %w", a.params[i].Name, err)
		}
		g, ok := v.Data().([]float32)
		if !ok || len(g) != len(a.grad[i]) {
			return fmt.Errorf("%w: gradient of %s", ErrIncompatible, a.params[i].Name)
		}
		copy(a.grad[i], g)
		clear(g)
	}
	return nil
}
