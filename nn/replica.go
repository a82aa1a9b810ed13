package nn

import (
	"fmt"

	"golang.org/x/sync/errgroup"
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"rampart/nn/graph"
	"rampart/nn/kernel"
)

// maxChains is the number of chains that a step's micro-batches are divided
// into, if there are so many: the number of goroutines that can train at a time.
const maxChains = 4

// chain is a row of consecutive micro-batches, and what they have added up. The
// division into chains depends on the batch only, and the chains are added in
// order, so that the result of a step does not depend on who did which chain.
type chain struct {
	first, end int // micro-batches
	gradients  [][]float32
	statistics [][]float32 // the running statistics, had they begun at zero
	sum        tally
}

// newChains divides the micro-batches of a step.
func newChains(microBatches int, w *Weights) []chain {
	chains := make([]chain, min(maxChains, microBatches))
	for i := range chains {
		c := &chains[i]
		c.first, c.end = i*microBatches/len(chains), (i+1)*microBatches/len(chains)
		for _, t := range w.tensors {
			data := kernel.Alloc(t.Len())
			if t.Kind == graph.Statistic {
				c.statistics = append(c.statistics, data)
			} else {
				c.gradients = append(c.gradients, data)
			}
		}
	}
	return chains
}

// replica is a graph that works on one chain at a time. Its weights are those of
// the trainer; its running statistics are its own.
type replica struct {
	net        *graph.Training[float32] // of one micro-batch
	inputs     normalised
	statistics [][]float32
}

func newReplica(w *Weights, micro int, build func(values [][]float32) (*graph.Training[float32], error)) (*replica, error) {
	r := &replica{inputs: newNormalised(micro)}
	values := w.values()
	for i, t := range w.tensors {
		if t.Kind == graph.Statistic {
			values[i] = kernel.Alloc(t.Len())
			r.statistics = append(r.statistics, values[i])
		}
	}
	var err error
	r.net, err = build(values)
	return r, err
}

// work does the chains of a batch from the given one on, every of-th.
func (r *replica) work(b *Batch, chains []chain, from, of int, momentum float64) error {
	packed := false // the weights have not changed since the replica's first micro-batch of the step
	for i := from; i < len(chains); i += of {
		c := &chains[i]
		c.sum = tally{}
		for _, s := range r.statistics {
			clear(s)
		}
		for micro := c.first; micro < c.end; micro++ {
			row := micro * r.net.Batch()
			in, err := r.inputs.take(b, row)
			if err != nil {
				return err
			}
			run := r.net.Run
			if packed {
				run = r.net.RunAgain
			}
			if err := run(in); err != nil {
				return err
			}
			packed = true
			if loss := r.net.Loss(); !finite(loss) {
				return fmt.Errorf("%w: the loss is %v", ErrDiverged, loss)
			}
			r.net.UpdateStatistics(momentum)
			c.sum.add(b, row, r.net)
		}
		for i, s := range r.statistics {
			copy(c.statistics[i], s)
		}
		if err := r.takeGradients(c.gradients); err != nil {
			return err
		}
	}
	return nil
}

// takeGradients moves the gradients of the graph.
func (r *replica) takeGradients(dst [][]float32) error {
	for i, p := range r.net.Learned() {
		v, err := p.Grad()
		if err != nil {
			return err
		}
		g, ok := v.Data().([]float32)
		if !ok || len(g) != len(dst[i]) {
			return fmt.Errorf("%w: gradient %d", ErrIncompatible, i)
		}
		copy(dst[i], g)
		clear(g)
	}
	return nil
}

// forget zeroes what a failed step has left in the graph.
func (r *replica) forget() {
	for _, p := range r.net.Learned() {
		if v, err := p.Grad(); err == nil && v != nil {
			clear(v.Data().([]float32))
		}
	}
}

// summed is a learned tensor with the gradient that a step has added up, for a
// Gorgonia solver.
type summed struct{ value, grad gorgonia.Value }

// Value is part of gorgonia.ValueGrad.
func (s summed) Value() gorgonia.Value { return s.value }

// Grad is part of gorgonia.ValueGrad.
func (s summed) Grad() (gorgonia.Value, error) { return s.grad, nil }

// withGradients returns the learned tensors with the given gradients.
func withGradients(w *Weights, gradients [][]float32) (model []gorgonia.ValueGrad) {
	for _, t := range w.tensors {
		if t.Kind != graph.Statistic {
			shaped := func(data []float32) gorgonia.Value {
				return tensor.New(tensor.WithShape(t.Shape...), tensor.WithBacking(data))
			}
			model = append(model, summed{shaped(t.Data), shaped(gradients[len(model)])})
		}
	}
	return model
}

// accumulate computes the gradients of a batch, which end up in the first chain,
// and what the batch norms' statistics become.
func (t *Trainer) accumulate(b *Batch) error {
	var group errgroup.Group
	for i, r := range t.replicas {
		group.Go(func() error { return r.work(b, t.chains, i, len(t.replicas), t.options.StatMomentum) })
	}
	if err := group.Wait(); err != nil {
		return fmt.Errorf("step %d: %w", t.Steps()+1, err)
	}
	total := &t.chains[0]
	for _, c := range t.chains[1:] {
		for i, g := range c.gradients {
			kernel.Add(total.gradients[i], g)
		}
		total.sum.merge(&c.sum)
	}
	return nil
}

// moveStatistics moves the running statistics by all micro-batches in order: each
// step of a moving average is linear, so a chain multiplies what was before it and adds
// its own.
func (t *Trainer) moveStatistics() {
	for _, c := range t.chains {
		kept := float32(1)
		for range c.end - c.first {
			kept *= float32(1 - t.options.StatMomentum)
		}
		for i, s := range t.statistics {
			for j := range s.Data {
				s.Data[j] = kept*s.Data[j] + c.statistics[i][j]
			}
		}
	}
}
