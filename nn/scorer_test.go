package nn

import (
	"errors"
	"math"
	"slices"
	"testing"

	"rampart/nn/graph"
	"rampart/nn/kernel"
	"rampart/quoridor"
)

// The scorer's graph, which normalises with the running statistics, and the
// evaluators, which use folded weights, say the same.
func TestInferenceMatchesScorer(t *testing.T) {
	const limit = 1e-4
	for _, b := range []*quoridor.Board{board5, quoridor.MustBoard(9, 9, 10), quoridor.MustBoard(4, 7, 3)} {
		w := trained(t, tiny, 3)
		scorer, err := NewScorer(b, tiny, DefaultTrainerOptions())
		if err != nil {
			t.Fatal(err)
		}
		m, err := NewModel(Meta{Board: b}, w)
		if err != nil {
			t.Fatal(err)
		}
		native, err := newNative(m)
		if err != nil {
			t.Fatal(err)
		}
		worst := 0.0
		for _, n := range []int{1, 3, 8, 64} {
			batch := examples(t, b, n, uint64(n))
			if _, err := scorer.Score(w, batch); err != nil {
				t.Fatal(err)
			}
			from := (n - 1) / scorerBatch * scorerBatch // the rows that the graph saw last
			policy, wdl := scorer.net.Policy(), scorer.net.WDL()
			gotPolicy, gotWDL := kernel.Alloc(nativeBatch*b.NumActions()), kernel.Alloc(nativeBatch*graph.Outcomes)
			for i := 0; from+i < n; i += nativeBatch {
				rows := min(nativeBatch, n-from-i)
				planes := batch.Planes[(from+i)*batch.encoder.Len():]
				if err := native.forward(planes, rows, gotPolicy, gotWDL); err != nil {
					t.Fatal(err)
				}
				for j, v := range gotPolicy[:rows*b.NumActions()] {
					worst = max(worst, math.Abs(float64(v-policy[i*b.NumActions()+j])))
				}
				for j, v := range gotWDL[:rows*graph.Outcomes] {
					worst = max(worst, math.Abs(float64(v-wdl[i*graph.Outcomes+j])))
				}
			}
		}
		t.Logf("%v: worst difference %.2g", b, worst)
		if !(worst <= limit) {
			t.Errorf("%v: logits differ by %v", b, worst)
		}
	}
}

// A batch scores the same in one piece and row by row.
func TestScoreIsAMean(t *testing.T) {
	const n = 40
	w, o := trained(t, tiny, 3), DefaultTrainerOptions()
	o.ValueLoss = 0.5
	scorer, err := NewScorer(board5, tiny, o)
	if err != nil {
		t.Fatal(err)
	}
	batch := examples(t, board5, n, 1)
	policy, value := slices.Clone(batch.PolicyWeight), slices.Clone(batch.ValueWeight)
	whole, err := scorer.Score(w, batch)
	if err != nil {
		t.Fatal(err)
	}
	var sum Stats
	for i := range n {
		batch.Clear()
		batch.PolicyWeight[i], batch.ValueWeight[i] = policy[i], value[i]
		s, err := scorer.Score(w, batch)
		if err != nil {
			t.Fatal(err)
		}
		sum.Policy += float64(policy[i]) / total(policy) * s.Policy
		sum.Value += float64(value[i]) / total(value) * s.Value
	}
	if math.Abs(sum.Policy-whole.Policy) > 1e-9 || math.Abs(sum.Value-whole.Value) > 1e-9 {
		t.Errorf("row by row %+v, whole %+v", sum, whole)
	}
	if math.Abs(whole.Loss-(whole.Policy+0.5*whole.Value)) > 1e-9 {
		t.Errorf("loss %v", whole.Loss)
	}
	if whole.GradNorm != 0 {
		t.Error("a score has a gradient")
	}
	if _, err := scorer.Score(newWeights(t, Config{Channels: 32, Blocks: 1, Hidden: 16}, 1), batch); !errors.Is(err, ErrIncompatible) {
		t.Errorf("error %v", err)
	}
	if _, err := scorer.Score(w, NewBatch(quoridor.MustBoard(4, 4, 1), 3)); !errors.Is(err, ErrBatch) {
		t.Errorf("error %v", err)
	}
}
