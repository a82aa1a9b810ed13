package nn

import (
	"fmt"

	"rampart/nn/graph"
)

// TrainerOptions are how a network is trained.
type TrainerOptions struct {
	PolicyLoss   float64 `toml:"policy_loss" comment:"weight of the policy in the loss"`
	ValueLoss    float64 `toml:"value_loss" comment:"weight of the value in the loss"`
	ReplyLoss    float64 `toml:"reply_loss" comment:"weight of the opponent's reply in the loss, if the network has that head"`
	MarginLoss   float64 `toml:"margin_loss" comment:"weight of the margin's squared error (in units of 8 steps), if the network has that head"`
	PliesLoss    float64 `toml:"plies_loss" comment:"weight of the squared error of the logarithm of the plies left, if the network has that head"`
	ClipNorm     float64 `toml:"clip_norm" comment:"longer gradients are shortened to this norm; 0 = never"`
	Beta1        float64 `toml:"beta1" comment:"AdamW: decay of the mean of the gradients"`
	Beta2        float64 `toml:"beta2" comment:"AdamW: decay of the mean of their squares"`
	Epsilon      float64 `toml:"epsilon" comment:"AdamW: added to the root of the mean square"`
	Decay        float64 `toml:"weight_decay" comment:"AdamW: decoupled weight decay, times the learning rate"`
	StatMomentum float64 `toml:"statistics_momentum" comment:"batch norm: weight of a batch in the running statistics"`
	MicroBatch   int     `toml:"micro_batch" comment:"at most so many rows go through the network together; 0 = the whole batch, -1 = as few as the batch norms do well with: 16 rows and 1,000 cells or more"`

	// Workers is the number of goroutines that a step uses. The result does not
	// depend on it.
	Workers int `toml:"-"`
	// Stock trains with Gorgonia's own operations: slow, for comparison only.
	Stock bool `toml:"-"`
}

// AutoMicroBatch chooses the micro-batch by the batch and the board: the fewer
// rows go through the network together, the more of their activations stay in
// the caches.
const AutoMicroBatch = -1

// A batch norm takes its statistics from at least so much of a micro-batch that
// [AutoMicroBatch] chooses, unless the batch has less.
const (
	minNormRows  = 16
	minNormCells = 1000
)

// DefaultTrainerOptions returns the recipe's values, with one worker.
func DefaultTrainerOptions() TrainerOptions {
	return TrainerOptions{
		PolicyLoss: 1, ValueLoss: 1, ReplyLoss: 0.15, MarginLoss: 0.25, PliesLoss: 0.1, ClipNorm: 1,
		Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8, Decay: 1e-4,
		StatMomentum: 0.1, MicroBatch: AutoMicroBatch, Workers: 1,
	}
}

// Validate returns an error that wraps [ErrConfig] for values out of range.
func (o TrainerOptions) Validate() error {
	for _, c := range []struct {
		name            string
		value, from, to float64
	}{
		{"policy_loss", o.PolicyLoss, 0, 1000},
		{"value_loss", o.ValueLoss, 0, 1000},
		{"reply_loss", o.ReplyLoss, 0, 1000},
		{"margin_loss", o.MarginLoss, 0, 1000},
		{"plies_loss", o.PliesLoss, 0, 1000},
		{"clip_norm", o.ClipNorm, 0, 1e6},
		{"beta1", o.Beta1, 0, 0.9999},
		{"beta2", o.Beta2, 0, 0.999999},
		{"epsilon", o.Epsilon, 1e-12, 1},
		{"weight_decay", o.Decay, 0, 1},
		{"statistics_momentum", o.StatMomentum, 0, 1},
		{"micro_batch", float64(o.MicroBatch), AutoMicroBatch, 1 << 20},
		{"workers", float64(o.Workers), 1, 1024},
	} {
		if !(c.value >= c.from && c.value <= c.to) {
			return fmt.Errorf("%w: %s is %v, want %v to %v", ErrConfig, c.name, c.value, c.from, c.to)
		}
	}
	return nil
}

// microBatch returns how many rows of a batch go through the network together,
// on a board of so many cells: a divisor of the batch, the largest that is
// allowed or the one that [AutoMicroBatch] chooses. Much less than what is allowed
// would spoil the batch norms' statistics and is an error.
func (o TrainerOptions) microBatch(batch, cells int) (int, error) {
	if o.MicroBatch == AutoMicroBatch {
		return autoMicroBatch(batch, cells), nil
	}
	if o.MicroBatch == 0 || batch <= o.MicroBatch {
		return batch, nil
	}
	for n := o.MicroBatch; n > o.MicroBatch/2; n-- {
		if batch%n == 0 {
			return n, nil
		}
	}
	return 0, fmt.Errorf("%w: a batch of %d rows has no divisor from %d to %d to be its micro-batch",
		ErrConfig, batch, o.MicroBatch/2+1, o.MicroBatch)
}

// autoMicroBatch returns the smallest divisor of the batch that is enough for the
// batch norms, or the whole batch.
func autoMicroBatch(batch, cells int) int {
	for n := max(minNormRows, (minNormCells+cells-1)/cells); n < batch; n++ {
		if batch%n == 0 {
			return n
		}
	}
	return batch
}

func (o TrainerOptions) graph(eval bool) graph.Options {
	return graph.Options{
		Workers: o.Workers, PolicyLoss: o.PolicyLoss, ValueLoss: o.ValueLoss,
		ReplyLoss: o.ReplyLoss, MarginLoss: o.MarginLoss, PliesLoss: o.PliesLoss,
		Stock: o.Stock && !eval, Eval: eval,
	}
}
