package nn

import (
	"errors"
	"math"
	"testing"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"rampart/nn/graph"
)

// dual is a parameter with its gradient, as Gorgonia hands it to a solver.
type dual struct{ value, grad *tensor.Dense }

func (d dual) Value() gorgonia.Value         { return d.value }
func (d dual) Grad() (gorgonia.Value, error) { return d.grad, nil }

func model(w *Weights) (params []gorgonia.ValueGrad, grads [][]float32) {
	for _, t := range w.Tensors() {
		if t.Kind != graph.Statistic {
			g := make([]float32, t.Len())
			grads = append(grads, g)
			params = append(params, dual{
				tensor.New(tensor.WithShape(t.Shape...), tensor.WithBacking(t.Data)),
				tensor.New(tensor.WithShape(t.Shape...), tensor.WithBacking(g)),
			})
		}
	}
	return params, grads
}

// Several steps against the formulas in float64, with clipping in some.
func TestAdamW(t *testing.T) {
	w := trained(t, Config{Channels: 16, Blocks: 1, Hidden: 16}, 1)
	o := DefaultTrainerOptions()
	o.Decay, o.ClipNorm = 0.01, 50
	a := newAdamW(w, o)
	params, grads := model(w)

	var x, m, v [][]float64 // the reference
	for _, p := range a.params {
		x, m, v = append(x, widen(p.Data)), append(m, make([]float64, p.Len())), append(v, make([]float64, p.Len()))
	}
	r, worst := random(2), 0.0
	for step := 1; step <= 6; step++ {
		square := 0.0
		for _, g := range grads {
			for i := range g {
				g[i] = float32(r.NormFloat64() * float64(step) / 4)
				square += float64(g[i]) * float64(g[i])
			}
		}
		factor := min(1, o.ClipNorm/math.Sqrt(square))
		for i, p := range a.params {
			for j, g := range grads[i] {
				g := factor * float64(g)
				m[i][j] = o.Beta1*m[i][j] + (1-o.Beta1)*g
				v[i][j] = o.Beta2*v[i][j] + (1-o.Beta2)*g*g
				update := m[i][j] / (1 - math.Pow(o.Beta1, float64(step))) / (math.Sqrt(v[i][j]/(1-math.Pow(o.Beta2, float64(step)))) + o.Epsilon)
				if p.Kind == graph.Weight {
					update += o.Decay * x[i][j]
				}
				x[i][j] -= 0.01 * update
			}
		}
		a.rate = 0.01
		if err := a.Step(params); err != nil {
			t.Fatal(err)
		}
		if math.Abs(a.norm-math.Sqrt(square)) > 1e-6*a.norm || a.clipped != (factor < 1) {
			t.Errorf("step %d: norm %v, clipped %v; want %v, %v", step, a.norm, a.clipped, math.Sqrt(square), factor < 1)
		}
		for i, p := range a.params {
			for j, got := range p.Data {
				worst = max(worst, math.Abs(float64(got)-x[i][j]))
				if grads[i][j] != 0 {
					t.Fatal("the gradient was not zeroed")
				}
			}
		}
	}
	if worst > 1e-5 {
		t.Errorf("weights differ by %v", worst)
	}
}

func widen(x []float32) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = float64(v)
	}
	return y
}

func TestAdamWErrors(t *testing.T) {
	w := newWeights(t, tiny, 1)
	a := newAdamW(w, DefaultTrainerOptions())
	params, grads := model(w)
	if err := a.Step(params[1:]); !errors.Is(err, ErrIncompatible) {
		t.Errorf("missing parameter: %v", err)
	}
	params[0], params[1] = params[1], params[0]
	if err := a.Step(params); !errors.Is(err, ErrIncompatible) {
		t.Errorf("parameters exchanged: %v", err)
	}
	params[0], params[1] = params[1], params[0]
	grads[4][0] = float32(math.NaN())
	if err := a.Step(params); !errors.Is(err, ErrDiverged) || a.steps != 0 {
		t.Errorf("NaN: %v after %d steps", err, a.steps)
	}
}

func TestTrainerOptionsValidate(t *testing.T) {
	if err := DefaultTrainerOptions().Validate(); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(o *TrainerOptions){
		"policy":   func(o *TrainerOptions) { o.PolicyLoss = -1 },
		"value":    func(o *TrainerOptions) { o.ValueLoss = math.NaN() },
		"clip":     func(o *TrainerOptions) { o.ClipNorm = math.Inf(1) },
		"beta1":    func(o *TrainerOptions) { o.Beta1 = 1 },
		"beta2":    func(o *TrainerOptions) { o.Beta2 = 1 },
		"epsilon":  func(o *TrainerOptions) { o.Epsilon = 0 },
		"decay":    func(o *TrainerOptions) { o.Decay = 2 },
		"momentum": func(o *TrainerOptions) { o.StatMomentum = 1.1 },
		"workers":  func(o *TrainerOptions) { o.Workers = 0 },
	} {
		o := DefaultTrainerOptions()
		spoil(&o)
		if err := o.Validate(); !errors.Is(err, ErrConfig) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := NewTrainer(board5, 2, newWeights(t, tiny, 1), o); !errors.Is(err, ErrConfig) {
			t.Errorf("%s: trainer: %v", name, err)
		}
	}
}
