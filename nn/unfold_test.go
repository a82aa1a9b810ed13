package nn

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"rampart/nn/graph"
	"rampart/quoridor"
)

// Weights from an unfolded model evaluate as the model does, on its board and on
// another, for its own network and for larger ones; and a training step, which
// normalises with its batch, begins with the losses that the model has.
func TestUnfold(t *testing.T) {
	source := newModel(t, board5, tiny, 3)
	for _, unfold := range []struct {
		board *quoridor.Board
		cfg   Config
	}{
		{board5, tiny},
		{quoridor.MustBoard(7, 6, 4), tiny},
		{board5, Config{Channels: 32, Blocks: 2, Hidden: 32}},
		{board5, Config{Channels: 16, Blocks: 4, Hidden: 48}},
		{quoridor.MustBoard(7, 6, 4), Config{Channels: 48, Blocks: 3, Hidden: 64, Heads: full.Heads}},
	} {
		b, cfg := unfold.board, unfold.cfg
		m, err := source.WithBoard(b)
		if err != nil {
			t.Fatal(err)
		}
		w, err := m.Unfold(cfg, 1)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := m.Unfold(cfg, 1); err != nil || !reflect.DeepEqual(again.Flat(), w.Flat()) {
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
		scorer, err := NewScorer(b, cfg, o)
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
		t.Logf("%v, %v: value loss %.4f in training, %.4f in play", b, cfg, got.Value, want.Value)
		if math.Abs(got.Value/want.Value-1) > 0.001 {
			t.Errorf("%v, %v: value loss %v in training, %v in play", b, cfg, got.Value, want.Value)
		}
	}
}

// All parts of a grown network learn: within a few steps nothing is left of the
// zeros, in weights and in the scales of new blocks, that kept what was new out
// of it, also if it was stored in between.
func TestUnfoldGrownLearns(t *testing.T) {
	large := Config{Channels: 32, Blocks: 3, Hidden: 48}
	w, err := newModel(t, board5, tiny, 3).Unfold(large, 1)
	if err != nil {
		t.Fatal(err)
	}
	stored, err := NewModel(Meta{Board: board5}, w)
	if err != nil {
		t.Fatal(err)
	}
	again, err := stored.Unfold(large, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []*Weights{w, again} {
		tr := newTrainer(t, 32, w, DefaultTrainerOptions())
		for seed := range uint64(20) {
			if _, err := tr.Step(examples(t, board5, 32, seed), 0.001); err != nil {
				t.Fatal(err)
			}
		}
		for _, tensor := range tr.Weights().Tensors() {
			zeros := 0
			for _, v := range tensor.Data {
				if v == 0 {
					zeros++
				}
			}
			learns := tensor.Kind == graph.Weight || strings.HasSuffix(tensor.Name, ".scale")
			if learns && zeros > len(tensor.Data)/10 {
				t.Errorf("%s: %d of %d are zero", tensor.Name, zeros, len(tensor.Data))
			}
		}
	}
}

// Heads that the model lacks begin at random, others are kept or left out; a
// smaller network and one with other planes are refused with both named.
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
	narrow, shallow := Config{Channels: 16, Blocks: 2, Hidden: 16}, Config{Channels: 32, Blocks: 1, Hidden: 32}
	noDistance, detours := tiny, tiny
	noDistance.NoDistance, detours.DetourPlanes = true, true
	for _, cfg := range []Config{narrow, shallow, noDistance, detours} {
		if _, err := plain.Unfold(cfg, 1); !errors.Is(err, ErrIncompatible) {
			t.Errorf("%v from %v: %v", cfg, tiny, err)
		}
	}
}
