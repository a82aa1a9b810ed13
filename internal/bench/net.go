package bench

import (
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

// MeasureEvaluator evaluates positions of random games for about the given time.
func MeasureEvaluator(backend string, m *nn.Model, batch, threads int, d time.Duration) (Evaluator, error) {
	positions := RandomPositions(m.Board, max(batch, 64), 1)
	counts, errs := make([]int, threads), make([]error, threads)
	var group sync.WaitGroup
	began := time.Now()
	for i := range threads {
		group.Go(func() { counts[i], errs[i] = evaluateFor(backend, m, positions, batch, d) })
	}
	group.Wait()
	elapsed := time.Since(began).Seconds()
	r := Evaluator{Backend: backend, Batch: batch, Threads: threads}
	for i := range counts {
		if errs[i] != nil {
			return r, errs[i]
		}
		r.PerSecond += float64(counts[i]) / elapsed
	}
	r.GFLOPS = r.PerSecond * FLOPs(m.Config, m.Board) / 1e9
	r.ShareOfPeak = r.GFLOPS / (kernel.PeakGFLOPS() * float64(threads))
	return r, nil
}

// evaluateFor evaluates batches until the time is over and returns the number of evaluations.
func evaluateFor(backend string, m *nn.Model, positions []quoridor.Position, batch int, d time.Duration) (n int, err error) {
	eval, err := nn.NewEvaluator(backend, m)
	if err != nil {
		return 0, err
	}
	defer func() {
		if e := eval.Close(); err == nil {
			err = e
		}
	}()
	var moves [][]quoridor.Move
	var logits [][]float32
	for i := range positions {
		list := m.Board.Moves(nil, &positions[i])
		moves, logits = append(moves, list), append(logits, make([]float32, len(list)))
	}
	wdl := make([][3]float32, len(positions))
	for at, began := 0, time.Now(); time.Since(began) < d; at += batch {
		if at+batch > len(positions) {
			at = 0
		}
		end := at + batch
		if err := eval.Evaluate(positions[at:end], moves[at:end], logits[at:end], wdl[at:end]); err != nil {
			return n, err
		}
		n += batch
	}
	return n, nil
}

// Training is the speed of training steps.
type Training struct {
	Batch, Workers   int
	SamplesPerSecond float64
	Stock            bool // Gorgonia's own operations
}

// MeasureTraining takes training steps on random positions for about the given time.
func MeasureTraining(b *quoridor.Board, cfg nn.Config, batch, workers int, stock bool, d time.Duration) (t Training, err error) {
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
	rows := nn.NewBatch(b, batch)
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
	began := time.Now()
	for ; time.Since(began) < d; steps++ {
		if _, err := trainer.Step(rows, 1e-4); err != nil {
			return t, fmt.Errorf("step %d: %w", steps+2, err)
		}
	}
	return Training{Batch: batch, Workers: workers, Stock: stock, SamplesPerSecond: float64(steps*batch) / time.Since(began).Seconds()}, nil
}
