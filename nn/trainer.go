package nn

import (
	"errors"
	"fmt"

	"rampart/nn/graph"
	"rampart/nn/kernel"
	"rampart/quoridor"
)

// Trainer improves weights on batches of one size. Steps are reproducible: the
// same state and batches give the same weights, bit for bit, on one machine
// with any number of workers. One goroutine uses a trainer at a time.
type Trainer struct {
	options TrainerOptions
	board   *quoridor.Board
	weights *Weights
	solver  *adamW
	net     *graph.Training[float32]
	inputs  normalised
}

// NewTrainer builds the training graph for batches of the given size, over a
// copy of the weights. Errors wrap [ErrConfig].
func NewTrainer(b *quoridor.Board, batch int, w *Weights, o TrainerOptions) (*Trainer, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	t := &Trainer{options: o, board: b, weights: w.Clone(), inputs: newNormalised(batch)}
	var err error
	t.net, err = graph.NewTraining(w.config.arch(b.H, b.W), batch, t.weights.values(), o.graph(false))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	t.solver = newAdamW(t.weights, o)
	return t, nil
}

// Weights returns the weights that are trained. They change with every step:
// read them between steps, clone them to keep them.
func (t *Trainer) Weights() *Weights { return t.weights }

// Steps returns the number of steps taken.
func (t *Trainer) Steps() int { return t.solver.steps }

// Step takes one step with the learning rate. Errors wrap [ErrBatch] if the
// batch does not fit or has no target, or [ErrDiverged] if the loss or a
// gradient is not finite; in both cases nothing has changed.
func (t *Trainer) Step(b *Batch, rate float64) (Stats, error) {
	if err := t.check(b, rate); err != nil {
		return Stats{}, err
	}
	in, err := t.inputs.take(b, 0)
	if err != nil {
		return Stats{}, err
	}
	t.solver.rate = rate
	if err := t.run(in); err != nil {
		return Stats{}, err
	}
	t.net.UpdateStatistics(t.options.StatMomentum)
	var sum tally
	sum.add(b, 0, t.net.Policy(), t.net.WDL())
	s := sum.stats(t.options)
	s.GradNorm, s.Clipped = t.solver.norm, t.solver.clipped
	return s, nil
}

// run computes the gradients and updates the weights.
func (t *Trainer) run(in graph.Inputs[float32]) error {
	if err := t.net.Run(in); err != nil {
		return errors.Join(err, t.solver.take(t.net.Learned()))
	}
	if loss := t.net.Loss(); !finite(loss) {
		// Taking the gradients zeroes them for the next step.
		return errors.Join(fmt.Errorf("%w: the loss at step %d is %v", ErrDiverged, t.Steps()+1, loss), t.solver.take(t.net.Learned()))
	}
	return t.solver.Step(t.net.Learned())
}

func (t *Trainer) check(b *Batch, rate float64) error {
	if b.Size() != t.net.Batch() || b.Board().W != t.board.W || b.Board().H != t.board.H {
		return fmt.Errorf("%w: %d rows on %v, the trainer takes %d on %v", ErrBatch, b.Size(), b.Board(), t.net.Batch(), t.board)
	}
	if !finite(rate) || rate < 0 {
		return fmt.Errorf("%w: learning rate %v", ErrBatch, rate)
	}
	return nil
}

// Close releases the graph.
func (t *Trainer) Close() error { return t.net.Close() }

// TrainerState is what a trainer needs to go on as if it had not stopped.
type TrainerState struct {
	Step    int       // steps taken
	Weights []float32 // [Weights.Flat]
	M, V    []float32 // moments of the learned tensors, in their fixed order
}

// State returns a copy of the trainer's state.
func (t *Trainer) State() TrainerState {
	s := TrainerState{Step: t.solver.steps, Weights: t.weights.Flat()}
	for i := range t.solver.m {
		s.M = append(s.M, t.solver.m[i]...)
		s.V = append(s.V, t.solver.v[i]...)
	}
	return s
}

// Restore takes over a state. The steps that follow are exactly those that
// would have followed it. The error wraps [ErrFormat], and nothing has changed
// then.
func (t *Trainer) Restore(s TrainerState) error {
	if s.Step < 0 {
		return fmt.Errorf("%w: step %d", ErrFormat, s.Step)
	}
	for _, c := range []struct {
		tensors []Tensor
		values  []float32
		what    string
	}{{t.weights.tensors, s.Weights, "weights"}, {t.solver.params, s.M, "first moments"}, {t.solver.params, s.V, "second moments"}} {
		if err := checkFlat(c.tensors, c.values, c.what); err != nil {
			return err
		}
	}
	for i, v := range s.V {
		if v < 0 {
			return fmt.Errorf("%w: second moment %d is %v", ErrFormat, i, v)
		}
	}
	unflatten(t.weights.tensors, s.Weights)
	m, v := s.M, s.V
	for i := range t.solver.m {
		m = m[copy(t.solver.m[i], m):]
		v = v[copy(t.solver.v[i], v):]
	}
	t.solver.steps = s.Step
	return nil
}

// normalised holds the row weights of a batch, scaled so that they sum to 1.
type normalised struct{ policy, value []float32 }

func newNormalised(n int) normalised {
	return normalised{kernel.Alloc(n), kernel.Alloc(n)}
}

// take returns the inputs for the rows of a batch from the given one on. Rows
// past its end weigh nothing.
func (w normalised) take(b *Batch, from int) (graph.Inputs[float32], error) {
	policy, value := total(b.PolicyWeight), total(b.ValueWeight)
	if !finite(policy+value) || policy+value == 0 {
		return graph.Inputs[float32]{}, fmt.Errorf("%w: no row has a target of finite weight", ErrBatch)
	}
	scale(w.policy, b.PolicyWeight[from:], policy)
	scale(w.value, b.ValueWeight[from:], value)
	return graph.Inputs[float32]{
		Planes: b.Planes[from*b.encoder.Len():],
		Policy: b.Policy[from*b.Board().NumActions():], WDL: b.WDL[from*graph.Outcomes:],
		PolicyWeight: w.policy, ValueWeight: w.value,
	}, nil
}

func total(weights []float32) (sum float64) {
	for _, w := range weights {
		sum += float64(w)
	}
	return sum
}

func scale(dst, weights []float32, total float64) {
	clear(dst)
	if total == 0 {
		return
	}
	for i := range min(len(dst), len(weights)) {
		dst[i] = float32(float64(weights[i]) / total)
	}
}
