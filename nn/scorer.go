package nn

import (
	"fmt"

	"rampart/nn/graph"
	"rampart/quoridor"
)

// scorerBatch is how many rows run through the graph together.
const scorerBatch = 32

// Scorer measures weights on batches without training: batch norms use the
// running statistics. It is what held-out games are scored with. One goroutine
// uses it at a time.
type Scorer struct {
	options TrainerOptions
	board   *quoridor.Board
	weights *Weights
	net     *graph.Training[float32]
	inputs  normalised
	wdl     [][3]float32 // what the network said about the last batch
}

// NewScorer builds the graph for networks of one size. Of the options, the
// weights of the losses and the workers count. Errors wrap [ErrConfig].
func NewScorer(b *quoridor.Board, cfg Config, o TrainerOptions) (*Scorer, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	s := &Scorer{options: o, board: b, inputs: newNormalised(scorerBatch)}
	s.weights = &Weights{config: cfg, tensors: allocate(cfg.params())}
	var err error
	s.net, err = graph.NewTraining(cfg.arch(b.H, b.W), scorerBatch, s.weights.values(), o.graph(true))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	return s, nil
}

// Score returns how the weights do on a batch of any size. Errors wrap
// [ErrIncompatible] for weights of another size and [ErrBatch] for a batch on
// another board or without targets.
func (s *Scorer) Score(w *Weights, b *Batch) (Stats, error) {
	if b.Board().W != s.board.W || b.Board().H != s.board.H {
		return Stats{}, fmt.Errorf("%w: on %v, the scorer is for %v", ErrBatch, b.Board(), s.board)
	}
	if err := s.weights.CopyFrom(w); err != nil {
		return Stats{}, err
	}
	if err := b.fits(w.config); err != nil {
		return Stats{}, err
	}
	s.wdl = s.wdl[:0]
	var sum tally
	for from := 0; from < b.Size(); from += scorerBatch {
		in, err := s.inputs.take(b, from)
		if err != nil {
			return Stats{}, err
		}
		if err := s.net.Run(in); err != nil {
			return Stats{}, err
		}
		sum.add(b, from, s.net)
		for i := range min(scorerBatch, b.Size()-from) {
			s.wdl = append(s.wdl, softmax([3]float32(s.net.WDL()[i*graph.Outcomes:])))
		}
	}
	return sum.stats(s.options), nil
}

// WDL returns the probabilities of win, draw and loss that the weights gave for
// the rows of the last batch. They are valid until the next.
func (s *Scorer) WDL() [][3]float32 { return s.wdl }

// Close releases the graph.
func (s *Scorer) Close() error { return s.net.Close() }
