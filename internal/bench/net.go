package bench

import (
	"context"
	"fmt"
	"sync"
	"time"

	"rampart/nn"
	"rampart/nn/kernel"
	"rampart/quoridor"
)

// Evaluator is the speed of a network's evaluator at one batch size and number of goroutines.
type Evaluator struct {
	Backend        string
	Batch, Threads int
	PerSecond      float64 // evaluations over all goroutines
	PerCPUSecond   float64 // evaluations a second of processor time; 0 where that is not known
	GFLOPS         float64 // that a direct computation of these evaluations would take; Winograd does with fewer multiplications
	ShareOfPeak    float64 // of the fused multiply-adds that the threads could do; above 1 is possible for the same reason
}

// FLOPs returns the floating-point operations of one evaluation when the convolutions are computed directly: two for each
// multiplication with its addition.
func FLOPs(cfg nn.Config, b *quoridor.Board) float64 {
	c, hidden := float64(cfg.Channels), float64(cfg.Hidden)
	trunk := 9 * float64(b.Cells()) * c * (nn.NumPlanes + 2*float64(cfg.Blocks)*c)
	heads := 3*c*hidden + hidden*(quoridor.PawnActions+3) + 4*2*c*float64(b.Anchors())
	return 2 * (trunk + heads)
}

// MeasureEvaluator evaluates positions of random games for about the given time. What comes before the first result of each goroutine is not
// timed.
func MeasureEvaluator(ctx context.Context, backend string, m *nn.Model, batch, threads int, d time.Duration) (r Evaluator, err error) {
	positions := RandomPositions(m.Board, max(batch, 64), 1)
	var players []*evaluation
	defer func() {
		for _, p := range players {
			if e := p.eval.Close(); err == nil {
				err = e
			}
		}
	}()
	for range threads {
		if err := ctx.Err(); err != nil {
			return r, err
		}
		p, err := newEvaluation(backend, m, positions, batch)
		if err != nil {
			return r, err
		}
		players = append(players, p)
		if err := p.next(); err != nil {
			return r, err
		}
		p.done = 0
	}
	var group sync.WaitGroup
	errs := make([]error, threads)
	began := startClock()
	for i, p := range players {
		group.Go(func() { errs[i] = p.runFor(ctx, d) })
	}
	group.Wait()
	total := 0
	for i, p := range players {
		if errs[i] != nil {
			return r, errs[i]
		}
		total += p.done
	}
	r = Evaluator{Backend: backend, Batch: batch, Threads: threads}
	r.PerSecond, r.PerCPUSecond = began.rates(total)
	r.GFLOPS = r.PerSecond * FLOPs(m.Config, m.Board) / 1e9
	r.ShareOfPeak = r.GFLOPS / (kernel.PeakGFLOPS() * float64(threads))
	return r, nil
}

// evaluation is an evaluator with positions, which it evaluates batch by batch.
type evaluation struct {
	eval      nn.Evaluator
	batch     int
	positions []quoridor.Position
	moves     [][]quoridor.Move
	logits    [][]float32
	wdl       [][3]float32
	at, done  int // the next position, and how many were evaluated
}

func newEvaluation(backend string, m *nn.Model, positions []quoridor.Position, batch int) (*evaluation, error) {
	eval, err := nn.NewEvaluator(backend, m)
	if err != nil {
		return nil, err
	}
	e := &evaluation{eval: eval, batch: batch, positions: positions, wdl: make([][3]float32, len(positions))}
	for i := range positions {
		list := m.Board.Moves(nil, &positions[i])
		e.moves, e.logits = append(e.moves, list), append(e.logits, make([]float32, len(list)))
	}
	return e, nil
}

// next evaluates a batch.
func (e *evaluation) next() error {
	if e.at+e.batch > len(e.positions) {
		e.at = 0
	}
	from, to := e.at, e.at+e.batch
	e.at, e.done = to, e.done+e.batch
	return e.eval.Evaluate(e.positions[from:to], e.moves[from:to], e.logits[from:to], e.wdl[from:to])
}

// runFor evaluates batches, at least one, until the time is over or the context ends.
func (e *evaluation) runFor(ctx context.Context, d time.Duration) error {
	for began := time.Now(); ; {
		if err := e.next(); err != nil {
			return err
		}
		if time.Since(began) >= d || ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

// Training is the speed of training steps.
type Training struct {
	Batch, Workers      int
	SamplesPerSecond    float64
	SamplesPerCPUSecond float64 // 0 where processor time is not known
	Stock               bool    // Gorgonia's own operations
}

// MeasureTraining takes training steps on random positions for about the given time.
func MeasureTraining(ctx context.Context, b *quoridor.Board, cfg nn.Config, batch, workers int, stock bool, d time.Duration) (t Training, err error) {
	w, err := nn.NewWeights(cfg, 1)
	if err != nil {
		return t, err
	}
	o := nn.DefaultTrainerOptions()
	o.Workers, o.Stock = workers, stock
	trainer, err := nn.NewTrainer(b, batch, w, o)
	if err != nil {
		return t, err
	}
	defer func() {
		if e := trainer.Close(); err == nil {
			err = e
		}
	}()
	rows := nn.NewBatchFor(cfg, b, batch)
	for i, p := range RandomPositions(b, batch, 1) {
		moves := b.Moves(nil, &p)
		policy := make([]float32, len(moves))
		policy[i%len(moves)] = 1
		if err := rows.Set(i, nn.Example{Position: p, Moves: moves, Policy: policy, WDL: [3]float32{1, 0, 0}, Weight: 1}); err != nil {
			return t, err
		}
	}
	if _, err := trainer.Step(rows, 1e-4); err != nil { // the first step allocates
		return t, err
	}
	steps := 0
	began := startClock()
	for ; steps == 0 || time.Since(began.wall) < d; steps++ {
		if err := ctx.Err(); err != nil {
			return t, err
		}
		if _, err := trainer.Step(rows, 1e-4); err != nil {
			return t, fmt.Errorf("step %d: %w", steps+2, err)
		}
	}
	t = Training{Batch: batch, Workers: workers, Stock: stock}
	t.SamplesPerSecond, t.SamplesPerCPUSecond = began.rates(steps * batch)
	return t, nil
}
