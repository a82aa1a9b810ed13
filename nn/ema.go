package nn

import "fmt"

// EMA is an exponential moving average of weights, running statistics included:
// the weights to export, which are better than those of any single step
// (Polyak and Juditsky 1992).
type EMA struct {
	decay   float64
	updates int
	weights *Weights
}

// NewEMA returns an average that starts at a copy of w. After n updates it
// decays by min(decay, (1+n)/(10+n)), so that the first weights are soon
// forgotten. decay is in [0, 1); errors wrap [ErrConfig].
func NewEMA(w *Weights, decay float64) (*EMA, error) {
	if !(decay >= 0 && decay < 1) {
		return nil, fmt.Errorf("%w: decay of the average is %v, want 0 to 1, without 1", ErrConfig, decay)
	}
	return &EMA{decay: decay, weights: w.Clone()}, nil
}

// Update moves the average towards w. The error wraps [ErrIncompatible].
func (e *EMA) Update(w *Weights) error {
	if w.config != e.weights.config {
		return fmt.Errorf("%w: weights of a %v network in the average of a %v network", ErrIncompatible, w.config, e.weights.config)
	}
	n := float64(e.updates)
	rate := float32(1 - min(e.decay, (1+n)/(10+n)))
	for i, t := range w.tensors {
		average := e.weights.tensors[i].Data
		for j, v := range t.Data {
			average[j] += rate * (v - average[j])
		}
	}
	e.updates++
	return nil
}

// Weights returns the average. It changes with every update.
func (e *EMA) Weights() *Weights { return e.weights }

// EMAState is what an average needs to go on.
type EMAState struct {
	Updates int
	Weights []float32 // [Weights.Flat]
}

// State returns a copy of the state.
func (e *EMA) State() EMAState { return EMAState{e.updates, e.weights.Flat()} }

// Restore takes over a state. The error wraps [ErrFormat], and nothing has
// changed then.
func (e *EMA) Restore(s EMAState) error {
	if s.Updates < 0 {
		return fmt.Errorf("%w: average of %d updates", ErrFormat, s.Updates)
	}
	if err := e.weights.SetFlat(s.Weights); err != nil {
		return err
	}
	e.updates = s.Updates
	return nil
}
