package nn

import (
	"errors"
	"fmt"

	"gorgonia.org/gorgonia"

	"rampart/nn/graph"
	"rampart/nn/kernel"
	"rampart/quoridor"
)

// Trainer improves weights on batches of one size. Steps are reproducible: the
// same state and batches give the same weights, bit for bit, on one machine
// with any number of workers. One goroutine uses a trainer at a time.
//
// A batch goes through the network in micro-batches, whose gradients are added
// up. That saves memory and time, and is the same but for the batch norms, which
// normalise each micro-batch by itself (Hoffer et al. 2017). Workers share the
// work by micro-batches: each has a graph of its own over the same weights.
type Trainer struct {
	options TrainerOptions
	board   *quoridor.Board
	batch   int
	weights *Weights
	solver  *adamW

	replicas   []*replica // one for each worker that finds work
	chains     []chain
	model      []gorgonia.ValueGrad // with the gradients of the first chain, which become those of the step
	statistics []Tensor             // of the weights
}

// NewTrainer builds the training graph for batches of the given size, over a
// copy of the weights. Errors wrap [ErrConfig].
func NewTrainer(b *quoridor.Board, batch int, w *Weights, o TrainerOptions) (*Trainer, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if batch < 1 {
		return nil, fmt.Errorf("%w: a batch of %d rows: must be 1 or more", ErrConfig, batch)
	}
	micro, err := o.microBatch(batch, b.Cells())
	if err != nil {
		return nil, err
	}
	t := &Trainer{options: o, board: b, batch: batch, weights: w.Clone()}
	t.chains = newChains((batch+micro-1)/micro, t.weights)
	t.model = withGradients(t.weights, t.chains[0].gradients)
	settings := o.graph(false)
	workers := min(o.Workers, len(t.chains))
	settings.Workers = o.Workers / workers
	for range workers {
		r, err := newReplica(t.weights, micro, func(values [][]float32) (*graph.Training[float32], error) {
			return graph.NewTraining(w.config.arch(b.H, b.W), micro, values, settings)
		})
		if err != nil {
			return nil, errors.Join(fmt.Errorf("%w: %w", ErrConfig, err), t.Close())
		}
		t.replicas = append(t.replicas, r)
	}
	t.solver = newAdamW(t.weights, o)
	for _, tensor := range t.weights.tensors {
		if tensor.Kind == graph.Statistic {
			t.statistics = append(t.statistics, tensor)
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
	err := t.accumulate(b)
	if err == nil {
		t.solver.rate = rate
		err = t.solver.Step(t.model)
	}
	if err != nil {
		for _, r := range t.replicas {
			r.forget()
		}
		return Stats{}, err
	}
	t.moveStatistics()
	s := t.chains[0].sum.stats(t.options)
	s.GradNorm, s.Clipped = t.solver.norm, t.solver.clipped
	return s, nil
}

func (t *Trainer) check(b *Batch, rate float64) error {
	if b.Size() != t.batch || b.Board().W != t.board.W || b.Board().H != t.board.H {
		return fmt.Errorf("%w: %d rows on %v, the trainer takes %d on %v", ErrBatch, b.Size(), b.Board(), t.batch, t.board)
	}
	if !finite(rate) || rate < 0 {
		return fmt.Errorf("%w: learning rate %v", ErrBatch, rate)
	}
	return b.fits(t.weights.config)
}

// Close releases the graphs.
func (t *Trainer) Close() (err error) {
	for _, r := range t.replicas {
		err = errors.Join(err, r.net.Close())
	}
	return err
}

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
type normalised struct{ policy, value, reply []float32 }

func newNormalised(n int) normalised {
	return normalised{kernel.Alloc(n), kernel.Alloc(n), kernel.Alloc(n)}
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
	scale(w.reply, b.ReplyWeight[from:], total(b.ReplyWeight))
	return graph.Inputs[float32]{
		Planes: b.Planes[from*b.encoder.Len():],
		Policy: b.Policy[from*b.Board().NumActions():], WDL: b.WDL[from*graph.Outcomes:],
		PolicyWeight: w.policy, ValueWeight: w.value,
		Reply: b.Reply[from*b.Board().NumActions():], ReplyWeight: w.reply, Margin: b.Margin[from:], Plies: b.Plies[from:],
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
