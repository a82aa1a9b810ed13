package graph

import (
	"fmt"

	G "gorgonia.org/gorgonia"
)

// Batch returns the number of rows.
func (t *Training[T]) Batch() int { return t.batch }

// Run computes the loss of a batch and, unless the graph was built for
// evaluation, adds its gradients to those of the parameters.
func (t *Training[T]) Run(in Inputs[T]) error { return t.run(in, false) }

// RunAgain is Run for parameters that have not changed since the last run, which
// must have succeeded. It need not prepare the weights again.
func (t *Training[T]) RunAgain(in Inputs[T]) error { return t.run(in, true) }

func (t *Training[T]) run(in Inputs[T], packed bool) error {
	if t.packed != nil {
		*t.packed = packed
	}
	t.feed(in)
	t.machine.Reset()
	if err := t.machine.RunAll(); err != nil {
		return fmt.Errorf("graph: %w", err)
	}
	return nil
}

// Loss returns the loss of the last run.
func (t *Training[T]) Loss() float64 {
	switch v := (*t.loss).Data().(type) {
	case float32:
		return float64(v)
	case float64:
		return v
	}
	panic("graph: the loss is not a scalar")
}

// Policy returns the policy logits of the last run, [N][Actions].
func (t *Training[T]) Policy() []T { return (*t.policy).Data().([]T) }

// WDL returns the value logits of the last run, [N][Outcomes].
func (t *Training[T]) WDL() []T { return (*t.wdl).Data().([]T) }

// Reply returns the reply's logits of the last run, [N][Actions]; nil without
// that head.
func (t *Training[T]) Reply() []T { return output[T](t.reply) }

// Margin returns the margins of the last run, [N]; nil without that head.
func (t *Training[T]) Margin() []T { return output[T](t.margin) }

// Plies returns the plies of the last run, [N]; nil without that head.
func (t *Training[T]) Plies() []T { return output[T](t.plies) }

func output[T Float](v *G.Value) []T {
	if v == nil {
		return nil
	}
	return (*v).Data().([]T)
}

// Learned returns the learned parameters with their gradients, in the order of
// [Arch.Params] without the statistics.
func (t *Training[T]) Learned() []G.ValueGrad { return t.learned }

// UpdateStatistics moves the running statistics of every batch norm towards
// those of the last run: running += momentum * (batch - running).
func (t *Training[T]) UpdateStatistics(momentum float64) {
	for _, update := range t.updates {
		update(T(momentum))
	}
}

// Close releases the machine.
func (t *Training[T]) Close() error { return t.machine.Close() }
