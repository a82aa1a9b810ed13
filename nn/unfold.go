package nn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"rampart/nn/graph"
	"rampart/quoridor"
)

// unfoldRows is the number of positions that the statistics of [Model.Unfold]
// are taken from.
const unfoldRows = 256

// Unfold returns weights from which training goes on with what the model has
// learned, on the model's board, for a network of the configuration. It may be
// wider or deeper than the model; auxiliary heads that the model lacks begin at
// random, and those that the network lacks are left out. The weights give the
// model's outputs, within rounding. The same model and seed give the same
// weights. The error wraps [ErrIncompatible] if the network is smaller than the
// model, or sees other planes.
//
// A model's batch norms are folded into its convolutions, but training
// normalises with the statistics of each batch. So the statistics of every layer
// are measured on positions of games that the network plays against itself, and
// each norm is set to what undoes them.
func (m *Model) Unfold(cfg Config, seed uint64) (*Weights, error) {
	w, err := NewWeights(cfg, seed)
	if err != nil {
		return nil, err
	}
	net := m.Net
	if cfg.trunk() != m.Config.trunk() {
		if net, err = net.grow(w.Fold()); err != nil {
			return nil, err
		}
	}
	layers := w.takeFolded(net)
	batch, err := m.selfPlayed(unfoldRows, unfoldSource(seed))
	if err != nil {
		return nil, err
	}
	return w, w.calibrate(layers, batch, m.Board)
}

func unfoldSource(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x756e666f6c64)) }

// foldedLayer is a convolution with its batch norm, as folding leaves it.
type foldedLayer struct {
	bias   []float32
	silent bool // all weights are zero
}

// takeFolded copies all that folding leaves as it is, and returns the layers of
// the trunk in their order. The weights of a silent one stay as they were drawn,
// so that its batch norm has something to scale.
func (w *Weights) takeFolded(f *Folded) (layers []foldedLayer) {
	byName := make(map[string][]float32)
	for _, t := range w.tensors {
		byName[t.Name] = t.Data
	}
	for _, t := range f.tensors {
		conv, isWeight := strings.CutSuffix(t.Name, ".weight")
		if to := byName[conv]; isWeight && to != nil { // a convolution of the trunk
			silent := !slices.ContainsFunc(t.Data, func(v float32) bool { return v != 0 })
			if !silent {
				copy(to, t.Data)
			}
			layers = append(layers, foldedLayer{silent: silent})
			continue
		}
		if to := byName[t.Name]; to != nil {
			copy(to, t.Data)
			continue
		}
		if conv, isBias := strings.CutSuffix(t.Name, ".bias"); isBias && byName[conv] != nil {
			layers[len(layers)-1].bias = t.Data
		}
	}
	return layers
}

// calibrate sets the batch norms, first to last, to what undoes the statistics
// of the batch; the scale of a silent layer to zero.
func (w *Weights) calibrate(layers []foldedLayer, batch *Batch, b *quoridor.Board) error {
	net, err := graph.NewTraining(w.config.arch(b.H, b.W), batch.Size(), w.values(), DefaultTrainerOptions().graph(false))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrConfig, err)
	}
	defer net.Close()
	inputs := newNormalised(batch.Size())
	for i, layer := range layers {
		in, err := inputs.take(batch, 0)
		if err != nil {
			return err
		}
		if err := net.Run(in); err != nil {
			return err
		}
		net.UpdateStatistics(1)
		norm := w.tensors[i*graph.NormParams+1:][:graph.NormParams-1] // scale, bias, mean, variance
		scale, bias, mean, variance := norm[0].Data, norm[1].Data, norm[2].Data, norm[3].Data
		if layer.silent {
			clear(scale)
			copy(bias, layer.bias)
			continue
		}
		for c := range scale {
			scale[c] = float32(math.Sqrt(float64(variance[c]) + graph.Epsilon))
			bias[c] = layer.bias[c] + mean[c]
		}
	}
	return nil
}

// selfPlayed returns a batch of positions of games in which the network plays
// both sides: moves by its policy, one in eight at random.
func (m *Model) selfPlayed(n int, r *rand.Rand) (*Batch, error) {
	eval, err := NewEvaluator("native", m)
	if err != nil {
		return nil, err
	}
	defer eval.Close()
	b := m.Board
	batch := NewBatchFor(m.Config, b, n)
	game := quoridor.NewGame(b, b.Start(), quoridor.Rules{PlyCap: b.DefaultPlyCap()})
	for i := range n {
		if game.Result() != quoridor.Undecided {
			game = quoridor.NewGame(b, b.Start(), quoridor.Rules{PlyCap: b.DefaultPlyCap()})
		}
		p := game.Position()
		moves := b.Moves(nil, &p)
		if err := batch.Set(i, Example{Position: p, Moves: moves, WDL: [3]float32{0, 1, 0}, Weight: 1, Mirror: r.IntN(2) == 0}); err != nil {
			return nil, err
		}
		move := moves[r.IntN(len(moves))]
		if r.IntN(8) > 0 {
			logits := make([]float32, len(moves))
			if err := eval.Evaluate([]quoridor.Position{p}, [][]quoridor.Move{moves}, [][]float32{logits}, make([][3]float32, 1)); err != nil {
				return nil, err
			}
			move = moves[drawLogits(logits, r)]
		}
		if err := game.Play(move); err != nil {
			return nil, err
		}
	}
	return batch, nil
}

// drawLogits draws an index by softmax(logits): the largest of logits with Gumbel
// noise.
func drawLogits(logits []float32, r *rand.Rand) int {
	best, largest := 0, math.Inf(-1)
	for i, v := range logits {
		if x := float64(v) - math.Log(r.ExpFloat64()); x > largest {
			best, largest = i, x
		}
	}
	return best
}
