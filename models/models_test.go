package models

import (
	"errors"
	"testing"

	"rampart/internal/bench"
	"rampart/nn"
	"rampart/quoridor"
)

// TestShipped: every shipped network loads, plays, has a card that agrees with it and a yardstick.
func TestShipped(t *testing.T) {
	if len(Names()) == 0 {
		t.Fatal("no network ships")
	}
	for _, name := range Names() {
		m, err := Load(name)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		card, err := LoadCard(name)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if card.Name != name || name != Name(m.Board) || card.Board != m.Board.String() || card.Network != m.Config.String() || card.Generation != m.Generation || card.Games != m.Games || card.Steps != m.Steps {
			t.Errorf("%s: the card %+v does not fit the network %+v", name, card, m.Meta)
		}
		if len(card.Yardstick) < 10 || len(card.Settings) == 0 || card.Hours <= 0 {
			t.Errorf("%s: the card lacks yardstick, settings or hours", name)
		}
		eval, err := nn.NewEvaluator("native", m)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		p := m.Board.Start()
		moves := [][]quoridor.Move{m.Board.Moves(nil, &p)}
		logits, wdl := [][]float32{make([]float32, len(moves[0]))}, make([][3]float32, 1)
		if err := errors.Join(eval.Evaluate([]quoridor.Position{p}, moves, logits, wdl), eval.Close()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if For(m.Board) != name {
			t.Errorf("the network for %s is %q", m.Board, For(m.Board))
		}
	}
	if _, err := Load("4x4-0"); !errors.Is(err, ErrUnknown) {
		t.Errorf("error %v", err)
	}
	if _, err := LoadCard("4x4-0"); !errors.Is(err, ErrUnknown) {
		t.Errorf("error %v", err)
	}
}

// TestShippedInInt8: rounded to bytes, a shipped network says nearly the same about positions of play.
func TestShippedInInt8(t *testing.T) {
	for _, name := range Names() {
		m, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		r, err := bench.Agree(t.Context(), m, "native", "int8", 300, 8)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %+v", name, r)
		if r.MeanOutcome > 0.01 || r.SameBest < 0.9 {
			t.Errorf("%s: probabilities move by %.3f on average, %.1f %% of the best moves stay", name, r.MeanOutcome, 100*r.SameBest)
		}
	}
}
