package nn

import (
	"errors"
	"math"
	"reflect"
	"testing"

	"rampart/quoridor"
)

// Weights from an unfolded model evaluate as the model does, on its board and on
// another; and a training step, which normalises with its batch, begins with the
// losses that the model has.
func TestUnfold(t *testing.T) {
	source := newModel(t, board5, tiny, 3)
	for _, b := range []*quoridor.Board{board5, quoridor.MustBoard(7, 6, 4)} {
		m, err := source.WithBoard(b)
		if err != nil {
			t.Fatal(err)
		}
		w, err := m.Unfold(tiny, 1)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := m.Unfold(tiny, 1); err != nil || !reflect.DeepEqual(again.Flat(), w.Flat()) {
			t.Errorf("%v: the same seed gives other weights, %v", b, err)
		}
		back, err := NewModel(m.Meta, w)
		if err != nil {
			t.Fatal(err)
		}
		pos := positions(b, 40, 5)
		compare(t, "unfolded", evaluate(t, open(t, "native", m), pos), evaluate(t, open(t, "native", back), pos))

		batch, err := m.selfPlayed(unfoldRows, unfoldSource(1)) // those that the norms were set by
		if err != nil {
			t.Fatal(err)
		}
		for i := range batch.WDL {
			batch.WDL[i] = float32(i % 3 / 2) // all lost
		}
		o := DefaultTrainerOptions()
		o.MicroBatch = 0
		scorer, err := NewScorer(b, tiny, o)
		if err != nil {
			t.Fatal(err)
		}
		defer scorer.Close()
		want, err := scorer.Score(w, batch)
		if err != nil {
			t.Fatal(err)
		}
		tr, err := NewTrainer(b, unfoldRows, w, o)
		if err != nil {
			t.Fatal(err)
		}
		defer tr.Close()
		got, err := tr.Step(batch, 0)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%v: value loss %.4f in training, %.4f in play", b, got.Value, want.Value)
		if math.Abs(got.Value/want.Value-1) > 0.001 {
			t.Errorf("%v: value loss %v in training, %v in play", b, got.Value, want.Value)
		}
	}
}

// Heads that the model lacks begin at random, others are kept or left out, and
// another trunk is refused with both networks named.
func TestUnfoldHeads(t *testing.T) {
	plain, with := newModel(t, board5, tiny, 3), newModel(t, board5, full, 3)
	added, err := plain.Unfold(full, 1)
	if err != nil {
		t.Fatal(err)
	}
	fresh := newWeights(t, full, 1)
	kept, err := with.Unfold(full, 1)
	if err != nil {
		t.Fatal(err)
	}
	dropped, err := with.Unfold(tiny, 1)
	if err != nil || dropped.Config() != tiny {
		t.Fatalf("%v, %v", dropped, err)
	}
	for i, tensor := range added.Tensors() {
		switch {
		case tensor.Name == "hidden.weight" && reflect.DeepEqual(tensor.Data, fresh.Tensors()[i].Data):
			t.Error("the hidden layer is not the model's")
		case tensor.Name == "reply_pawn.weight" && !reflect.DeepEqual(tensor.Data, fresh.Tensors()[i].Data):
			t.Error("a new head does not begin at random")
		case tensor.Name == "reply_pawn.weight" && reflect.DeepEqual(kept.Tensors()[i].Data, tensor.Data):
			t.Error("a head of the model is lost")
		}
	}
	wide := tiny
	wide.Channels = 32
	noDistance := tiny
	noDistance.NoDistance = true
	for _, cfg := range []Config{wide, noDistance} {
		if _, err := plain.Unfold(cfg, 1); !errors.Is(err, ErrIncompatible) {
			t.Errorf("%v from %v: %v", cfg, tiny, err)
		}
	}
}
