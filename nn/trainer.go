package nn

import (
	"fmt"

	"rampart/nn/graph"
	"rampart/nn/kernel"
	"rampart/quoridor"
)

// Trainer improves weights on batches of one size. Steps are reproducible: the
// same state and batches give the same weights, bit for bit, on one machine
// with any number of workers. One goroutine uses a trainer at a time.
//
// A batch goes through the network in micro-batches, whose gradients the graph
// adds up. That saves memory and time, and is the same but for the batch norms,
// which normalise each micro-batch by itself (Hoffer et al. 2017).
type Trainer struct {
	options TrainerOptions
	board   *quoridor.Board
	batch   int
	weights *Weights
	solver  *adamW
	net     *graph.Training[float32] // of one micro-batch
	inputs  normalised

	statistics []Tensor    // of the weights
	saved      [][]float32 // their values before the step
}

// NewTrainer builds the training graph for batches of the given size, over a
// copy of the weights. Errors wrap [ErrConfig].
func NewTrainer(b *quoridor.Board, batch int, w *Weights, o TrainerOptions) (*Trainer, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	micro, err := o.microBatch(batch, b.Cells())
	if err != nil {
		return nil, err
	}
	t := &Trainer{options: o, board: b, batch: batch, weights: w.Clone(), inputs: newNormalised(micro)}
	t.net, err = graph.NewTraining(w.config.arch(b.H, b.W), micro, t.weights.values(), o.graph(false))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	t.solver = newAdamW(t.weights, o)
	for _, tensor := range t.weights.tensors {
		if tensor.Kind == graph.Statistic {
			t.statistics = append(t.statistics, tensor)
			t.saved = append(t.saved, make([]float32, tensor.Len()))
		}
	}
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
	for i, s := range t.statistics {
		copy(t.saved[i], s.Data)
	}
	var sum tally
	err := t.accumulate(b, &sum)
	if err == nil {
		t.solver.rate = rate
		err = t.solver.Step(t.net.Learned())
	}
	if err != nil {
		t.undo()
		return Stats{}, err
	}
	s := sum.stats(t.options)
	s.GradNorm, s.Clipped = t.solver.norm, t.solver.clipped
	return s, nil
}

// undo forgets a step that failed before the solver changed anything.
func (t *Trainer) undo() {
	for i, s := range t.statistics {
		copy(s.Data, t.saved[i])
	}
	for _, p := range t.net.Learned() {
		if v, err := p.Grad(); err == nil && v != nil {
			clear(v.Data().([]float32))
		}
	}
}

// accumulate computes the gradients of a batch, one micro-batch after the other,
// and moves the running statistics.
func (t *Trainer) accumulate(b *Batch, sum *tally) error {
	for from := 0; from < b.Size(); from += t.net.Batch() {
		in, err := t.inputs.take(b, from)
		if err != nil {
			return err
		}
		run := t.net.Run
		if from > 0 { // the weights are those of the first micro-batch
			run = t.net.RunAgain
		}
		if err := run(in); err != nil {
			return err
		}
		if loss := t.net.Loss(); !finite(loss) {
			return fmt.Errorf("%w: the loss at step %d is %v", ErrDiverged, t.Steps()+1, loss)
		}
		t.net.UpdateStatistics(t.options.StatMomentum)
		sum.add(b, from, t.net.Policy(), t.net.WDL())
	}
	return nil
}

func (t *Trainer) check(b *Batch, rate float64) error {
	if b.Size() != t.batch || b.Board().W != t.board.W || b.Board().H != t.board.H {
		return fmt.Errorf("%w: %d rows on %v, the trainer takes %d on %v", ErrBatch, b.Size(), b.Board(), t.batch, t.board)
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
