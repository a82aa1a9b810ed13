package nn

import (
	"errors"
	"math"
	"reflect"
	"testing"

	"rampart/quoridor"
)

var board5 = quoridor.MustBoard(5, 5, 3)

// examples fills a batch with random positions and targets that are a function
// of the position. Rows 1 and 2 have only one of the two targets.
func examples(t testing.TB, b *quoridor.Board, n int, seed uint64) *Batch {
	t.Helper()
	r, batch := random(seed), NewBatch(b, n)
	for i, p := range positions(b, n, seed) {
		x := Example{Position: p, Moves: b.Moves(nil, &p), Weight: 0.5 + r.Float32(), Mirror: r.IntN(2) == 0}
		if i != 1 {
			sum := float32(0)
			for range x.Moves {
				v := float32(math.Exp(2 * r.NormFloat64()))
				x.Policy = append(x.Policy, v)
				sum += v
			}
			for j := range x.Policy {
				x.Policy[j] /= sum
			}
		}
		if i != 2 {
			x.WDL[r.IntN(3)] = 1
		}
		if err := batch.Set(i, x); err != nil {
			t.Fatal(err)
		}
	}
	return batch
}

func newTrainer(t testing.TB, batch int, w *Weights, o TrainerOptions) *Trainer {
	t.Helper()
	tr, err := NewTrainer(board5, batch, w, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tr.Close() })
	return tr
}

func newWeights(t testing.TB, cfg Config, seed uint64) *Weights {
	t.Helper()
	w, err := NewWeights(cfg, seed)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestTrainingOverfits(t *testing.T) {
	batch := examples(t, board5, 16, 1)
	tr := newTrainer(t, 16, newWeights(t, tiny, 1), DefaultTrainerOptions())
	first, err := tr.Step(batch, 0.003)
	if err != nil {
		t.Fatal(err)
	}
	var last Stats
	for range 150 {
		if last, err = tr.Step(batch, 0.003); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("policy %.3f -> %.3f (floor %.3f), value %.3f -> %.3f", first.Policy, last.Policy, last.TargetEntropy, first.Value, last.Value)
	if math.Abs(first.Value-math.Log(3)) > 0.3 {
		t.Errorf("first value loss %v, want nearly log 3", first.Value)
	}
	if last.Policy > last.TargetEntropy+0.05 || last.Value > 0.05 {
		t.Errorf("policy %v, floor %v; value %v", last.Policy, last.TargetEntropy, last.Value)
	}
	if last.PolicyTop1 < 0.9 || last.ValueAccuracy < 0.99 || math.Abs(last.PolicyEntropy-last.TargetEntropy) > 0.2 {
		t.Errorf("%+v", last)
	}
}

// Stopping and going on is the same as not stopping, bit for bit, also with
// another number of workers.
func TestResume(t *testing.T) {
	const before, after = 4, 4
	first, second := examples(t, board5, 12, 1), examples(t, board5, 12, 2)
	steps := func(tr *Trainer, ema *EMA, from, to int) {
		for i := from; i < to; i++ {
			b := first
			if i%2 == 1 {
				b = second
			}
			if _, err := tr.Step(b, 0.002); err != nil {
				t.Fatal(err)
			}
			if err := ema.Update(tr.Weights()); err != nil {
				t.Fatal(err)
			}
		}
	}
	start := func(seed uint64, workers int) (*Trainer, *EMA) {
		o := DefaultTrainerOptions()
		o.Workers, o.MicroBatch = workers, 2 // six micro-batches in four chains
		tr := newTrainer(t, 12, newWeights(t, tiny, seed), o)
		ema, err := NewEMA(tr.Weights(), 0.9)
		if err != nil {
			t.Fatal(err)
		}
		return tr, ema
	}
	whole, wholeEMA := start(1, 1)
	steps(whole, wholeEMA, 0, before+after)

	stopped, stoppedEMA := start(1, 1)
	steps(stopped, stoppedEMA, 0, before)
	state, emaState := stopped.State(), stoppedEMA.State()
	steps(stopped, stoppedEMA, before, before+1) // the states are copies

	resumed, resumedEMA := start(99, 3)
	if err := resumed.Restore(state); err != nil {
		t.Fatal(err)
	}
	if err := resumedEMA.Restore(emaState); err != nil {
		t.Fatal(err)
	}
	steps(resumed, resumedEMA, before, before+after)
	if !reflect.DeepEqual(resumed.State(), whole.State()) {
		t.Error("the trainers differ")
	}
	if !reflect.DeepEqual(resumedEMA.State(), wholeEMA.State()) {
		t.Error("the averages differ")
	}
}

// A trainer on Gorgonia's own operations learns the same.
func TestStockTrainerLearnsTheSame(t *testing.T) {
	batch := examples(t, board5, 6, 1)
	var stats [2]Stats
	var weights [2][]float32
	for i, stock := range []bool{false, true} {
		o := DefaultTrainerOptions()
		o.Stock = stock
		tr := newTrainer(t, 6, newWeights(t, tiny, 1), o)
		for range 3 {
			var err error
			if stats[i], err = tr.Step(batch, 0.0005); err != nil {
				t.Fatal(err)
			}
		}
		weights[i] = tr.Weights().Flat()
	}
	if math.Abs(stats[0].Loss-stats[1].Loss) > 1e-3 || math.Abs(stats[0].GradNorm-stats[1].GradNorm) > 1e-2*stats[0].GradNorm {
		t.Errorf("own %+v, stock %+v", stats[0], stats[1])
	}
	// Adam moves a weight whose gradient is all rounding by a step of either sign.
	far := 0
	for i, v := range weights[0] {
		if math.Abs(float64(v-weights[1][i])) > 1e-4 {
			far++
		}
	}
	if far > len(weights[0])/50 {
		t.Errorf("%d of %d weights differ", far, len(weights[0]))
	}
}

// A loss or a gradient that is not finite changes nothing, and training can go
// on from there.
func TestDivergenceChangesNothing(t *testing.T) {
	good := examples(t, board5, 6, 1)
	for name, spoil := range map[string]func(tr *Trainer, b *Batch){
		"NaN planes":       func(_ *Trainer, b *Batch) { fill(b.Planes, float32(math.NaN())) },
		"infinite planes":  func(_ *Trainer, b *Batch) { fill(b.Planes, float32(math.Inf(1))) },
		"huge planes":      func(_ *Trainer, b *Batch) { fill(b.Planes, 3e38) },
		"NaN policy":       func(_ *Trainer, b *Batch) { b.Policy[5*board5.NumActions()] = float32(math.NaN()) },
		"infinite outcome": func(_ *Trainer, b *Batch) { b.WDL[5*3] = float32(math.Inf(1)) },
		"huge weights": func(tr *Trainer, _ *Batch) {
			w := tr.weights.tensors[len(tr.weights.tensors)-2].Data // of the value head
			for i := range w {
				w[i] = 3e38
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			o := DefaultTrainerOptions()
			o.MicroBatch = 3 // the second of two may be the bad one
			tr := newTrainer(t, 6, newWeights(t, tiny, 1), o)
			undisturbed := newTrainer(t, 6, newWeights(t, tiny, 1), o)
			bad := examples(t, board5, 6, 1)
			before := tr.State()
			spoil(tr, bad)
			spoiled := tr.State()
			if _, err := tr.Step(bad, 0.001); !errors.Is(err, ErrDiverged) {
				t.Fatalf("error %v", err)
			}
			if !reflect.DeepEqual(tr.State(), spoiled) {
				t.Error("the state changed")
			}
			if err := tr.Restore(before); err != nil {
				t.Fatal(err)
			}
			for _, x := range []*Trainer{tr, undisturbed} {
				if _, err := x.Step(good, 0.001); err != nil {
					t.Fatal(err)
				}
			}
			if !reflect.DeepEqual(tr.State(), undisturbed.State()) {
				t.Error("the next step is another one")
			}
		})
	}
}

func TestStepErrors(t *testing.T) {
	tr := newTrainer(t, 3, newWeights(t, tiny, 1), DefaultTrainerOptions())
	empty := NewBatch(board5, 3)
	good := examples(t, board5, 3, 1)
	for name, c := range map[string]struct {
		batch *Batch
		rate  float64
	}{
		"other size":    {examples(t, board5, 4, 1), 0.1},
		"other board":   {examples(t, quoridor.MustBoard(4, 5, 1), 3, 1), 0.1},
		"no targets":    {empty, 0.1},
		"NaN rate":      {good, math.NaN()},
		"negative rate": {good, -1},
	} {
		if _, err := tr.Step(c.batch, c.rate); !errors.Is(err, ErrBatch) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestRestoreErrors(t *testing.T) {
	tr := newTrainer(t, 3, newWeights(t, tiny, 1), DefaultTrainerOptions())
	for name, spoil := range map[string]func(s *TrainerState){
		"step":            func(s *TrainerState) { s.Step = -1 },
		"short weights":   func(s *TrainerState) { s.Weights = s.Weights[1:] },
		"short moments":   func(s *TrainerState) { s.M = nil },
		"long moments":    func(s *TrainerState) { s.V = append(s.V, 0) },
		"NaN weight":      func(s *TrainerState) { s.Weights[3] = float32(math.NaN()) },
		"negative moment": func(s *TrainerState) { s.V[5] = -1 },
	} {
		before := tr.State()
		s := tr.State()
		spoil(&s)
		if err := tr.Restore(s); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %v", name, err)
		}
		if !reflect.DeepEqual(tr.State(), before) {
			t.Errorf("%s: the state changed", name)
		}
	}
}
