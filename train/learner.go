package train

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"rampart/data"
	"rampart/nn"
	"rampart/quoridor"
)

// learner is the trainer with everything that it learns from.
type learner struct {
	cfg     Config
	board   *quoridor.Board
	window  *data.Window
	trainer *nn.Trainer
	average *nn.EMA
	source  *rand.PCG
	random  *rand.Rand
	batch   *nn.Batch

	row   data.Row
	moves []quoridor.Move
	probs []float32
}

// newLearner makes a learner that starts from the checkpoint, or from the run's first weights if there is none.
func newLearner(cfg Config, board *quoridor.Board, weights *nn.Weights, from *Checkpoint, workers int) (*learner, error) {
	l := &learner{cfg: cfg, board: board, batch: nn.NewBatchFor(cfg.Net, board, cfg.Trainer.Batch), source: rand.NewPCG(cfg.Seed, 0x747261696e)}
	l.random = rand.New(l.source)
	var err error
	if l.window, err = data.NewWindow(board, cfg.Window); err != nil {
		return nil, err
	}
	if l.average, err = nn.NewEMA(weights, cfg.Trainer.AverageDecay); err != nil {
		return nil, err
	}
	if l.trainer, err = nn.NewTrainer(board, cfg.Trainer.Batch, weights, cfg.Trainer.optimizer(workers)); err != nil {
		return nil, err
	}
	if from == nil {
		return l, nil
	}
	err = errors.Join(l.trainer.Restore(from.Trainer), l.average.Restore(from.Average), l.source.UnmarshalBinary(from.Random))
	if err != nil {
		l.close()
		return nil, fmt.Errorf("%w: checkpoint of generation %d: %w", ErrDamaged, from.Generation, err)
	}
	return l, nil
}

func (l *learner) close() error { return l.trainer.Close() }

// checkpoint returns the learner's state after the generation.
func (l *learner) checkpoint(generation int) (*Checkpoint, error) {
	random, err := l.source.MarshalBinary()
	if err != nil {
		return nil, err
	}
	return &Checkpoint{
		Run: l.cfg.identity(), Generation: generation, Rows: l.window.TotalRows(),
		Trainer: l.trainer.State(), Average: l.average.State(), Random: random,
	}, nil
}

// LearningReport says what a training stage did. Losses are means over the stage, in nats.
type LearningReport struct {
	Steps      int     // taken in this stage
	TotalSteps int     // in the whole run
	Rows       int     // in the window
	Policy     float64 // cross-entropy of the policy
	Value      float64 // cross-entropy of win, draw and loss
	Top1       float64 // share of rows whose best move is the network's first
	GradNorm   float64
	Rate       float64 // learning rate at the end
	HeldOut    *HeldOut
}

// HeldOut holds the losses of the averaged weights on games that are never trained on.
type HeldOut struct {
	Rows                int
	Policy, Value, Top1 float64
	ValueAccuracy       float64 // share of rows whose most likely result came about
	Calibration         float64 // expected calibration error of the points a game that the value promises, against the results

	Reply, Margin, Plies float64 // losses of the auxiliary heads that the network has
}

// stepsDue returns how many steps bring the samples drawn to the configured number for each row played so far.
func (l *learner) stepsDue() int {
	t := l.cfg.Trainer
	if l.window.TotalRows() < t.MinRows || l.window.Len() == 0 {
		return 0
	}
	return max(0, int(t.SamplesPerRow*float64(l.window.TotalRows()-l.cfg.Origin.Skipped)/float64(t.Batch))-l.trainer.Steps())
}

// train takes the steps that are due after the generation's games. progress is told after each step.
func (l *learner) train(ctx context.Context, generation int, progress func(done, total int, s nn.Stats)) (LearningReport, error) {
	steps := l.stepsDue()
	taken := l.trainer.Steps()
	r := LearningReport{Steps: steps, Rows: l.window.Len()}
	for i := range steps {
		if err := ctx.Err(); err != nil {
			return r, err
		}
		if err := l.draw(generation); err != nil {
			return r, err
		}
		r.Rate = l.rate(generation, taken+i)
		s, err := l.trainer.Step(l.batch, r.Rate)
		if err != nil {
			return r, fmt.Errorf("training step %d: %w", taken+i+1, err)
		}
		if err := l.average.Update(l.trainer.Weights()); err != nil {
			return r, err
		}
		r.Policy += s.Policy / float64(steps)
		r.Value += s.Value / float64(steps)
		r.Top1 += s.PolicyTop1 / float64(steps)
		r.GradNorm += s.GradNorm / float64(steps)
		progress(i+1, steps, s)
	}
	r.TotalSteps = taken + steps
	return r, nil
}

// rate returns the learning rate: it warms up with the steps and falls in equal ratios over the second half of the run.
func (l *learner) rate(generation, step int) float64 {
	t := l.cfg.Trainer
	rate := t.LearningRate
	if late := 2*l.cfg.progress(generation) - 1; late > 0 {
		rate *= math.Pow(t.FinalRate/t.LearningRate, late)
	}
	if step < t.WarmUp {
		rate *= float64(step+1) / float64(t.WarmUp)
	}
	return rate
}

// draw fills the batch with random rows of the window.
func (l *learner) draw(generation int) error {
	for i := range l.batch.Size() {
		l.window.Sample(l.random, &l.row)
		if err := l.set(i, generation); err != nil {
			return err
		}
	}
	return nil
}

// set puts the current row into the batch.
func (l *learner) set(i, generation int) error {
	r := &l.row
	l.moves = l.board.Moves(l.moves[:0], &r.Position)
	l.probs = append(l.probs[:0], make([]float32, len(l.moves))...)
	var at [256]uint8
	for j, m := range l.moves {
		at[m] = uint8(j)
	}
	for j, m := range r.Moves {
		l.probs[at[m]] = r.Probs[j]
	}
	return l.batch.Set(i, nn.Example{
		Position: r.Position, Moves: l.moves, Policy: l.probs, WDL: l.valueTarget(generation), Weight: r.Weight,
		Reply: r.Reply, ReplyProbs: r.ReplyProbs, Margin: r.Margin, PliesLeft: r.PliesLeft,
	})
}

// valueTarget mixes the game's result with the search's root value, once that is worth something.
func (l *learner) valueTarget(generation int) [3]float32 {
	t := l.cfg.Trainer
	if generation < t.RootValueFrom {
		return l.row.WDL
	}
	share := float32(t.RootValue)
	target := l.row.WDL
	for i, p := range [3]float32{(1 + l.row.Value) / 2, 0, (1 - l.row.Value) / 2} {
		target[i] = (1-share)*target[i] + share*p
	}
	return target
}

// heldOutBatches bounds the cost of scoring held-out games.
const heldOutBatches = 8

// heldOut scores the averaged weights on held-out rows, the newest first; nil if there are none.
func (l *learner) heldOut(generation int) (*HeldOut, error) {
	n := min(l.window.HeldLen(), heldOutBatches*l.batch.Size())
	if n == 0 {
		return nil, nil
	}
	scorer, err := nn.NewScorer(l.board, l.cfg.Net, l.cfg.Trainer.optimizer(1))
	if err != nil {
		return nil, err
	}
	defer scorer.Close()
	h := &HeldOut{Rows: n}
	var results []float64
	var judged calibration
	for first := 0; first < n; first += l.batch.Size() {
		l.batch.Clear()
		results = results[:0]
		rows := min(l.batch.Size(), n-first)
		for i := range rows {
			l.window.HeldRow(l.window.HeldLen()-1-first-i, &l.row)
			if err := l.set(i, generation); err != nil {
				return nil, err
			}
			results = append(results, points(l.row.WDL))
		}
		s, err := scorer.Score(l.average.Weights(), l.batch)
		if err != nil {
			return nil, err
		}
		share := float64(rows) / float64(n)
		h.Policy += share * s.Policy
		h.Value += share * s.Value
		h.Top1 += share * s.PolicyTop1
		h.ValueAccuracy += share * s.ValueAccuracy
		h.Reply += share * s.Reply
		h.Margin += share * s.Margin
		h.Plies += share * s.Plies
		for i, result := range results {
			judged.add(points(scorer.WDL()[i]), result)
		}
	}
	h.Calibration = judged.err()
	return h, nil
}
