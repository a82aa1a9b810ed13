package analysis

import (
	"context"
	"strings"
	"testing"

	"rampart/play"
)

const sampleGame = `[Board "5x5"]
[Walls "2"]
[Player0 "Ann"]
[Player1 "Ben"]
[Result "0-1"]

1. c2 c4 2. c1 c3 3. d1 c2 4. e1 c1 0-1
`

// TestReview: on a solved board the exact values alone say what a move cost; the evaluations are kept in the game.
func TestReview(t *testing.T) {
	g, err := play.ReadText(sampleGame)
	if err != nil {
		t.Fatal(err)
	}
	c := netConfig()
	calls := 0
	r, err := ReviewGame(context.Background(), &c, g, func(done, of int) {
		calls++
		if done != calls || of != 9 {
			t.Errorf("progress %d of %d", done, of)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Moves) != 8 || r.Names != [2]string{"Ann", "Ben"} || r.Result != "player 1 wins" {
		t.Fatalf("%+v", r)
	}
	lost := false // the game is decided
	for i, m := range r.Moves {
		if m.Ply != i+1 || m.Player != i%2 || m.Before < 0 || m.Before > 1 || m.ExactBefore == nil || len(m.PV) == 0 {
			t.Errorf("%+v", m)
		}
		if same := m.ExactBefore.Outcome == m.ExactAfter.Outcome; same != (m.Mark == play.NoMark) || same != (m.Loss == 0) {
			t.Errorf("%+v: exact %s to %s", m, m.ExactBefore, m.ExactAfter)
		}
		lost = lost || m.Mark == play.Blunder
	}
	last := r.Moves[7]
	if last.After != 1 || last.ExactAfter.Plies != 1 || last.Mark != play.NoMark {
		t.Errorf("the winning move: %+v", last)
	}
	for _, id := range g.MainLine()[:8] {
		n, _ := g.Node(id)
		if n.Eval == nil {
			t.Errorf("node %d has no evaluation", id)
		}
	}
	text := r.String()
	for _, want := range []string{"Ann against Ben", "win in 1", "player 1: "} {
		if !strings.Contains(text, want) {
			t.Errorf("lacks %q:\n%s", want, text)
		}
	}
}

// TestReviewWithoutSolver: the win rate says what a move cost, and a move that the search would play has no mark.
func TestReviewWithoutSolver(t *testing.T) {
	g, err := play.ReadText(sampleGame)
	if err != nil {
		t.Fatal(err)
	}
	c := netConfig()
	c.Solver = nil
	r, err := ReviewGame(context.Background(), &c, g, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range r.Moves {
		if m.ExactBefore != nil || m.Mark != play.MarkOf(m.Loss) || m.Move == m.Best && m.Loss != 0 || m.Loss > 1 {
			t.Errorf("%+v", m)
		}
	}
	if r.Moves[7].Move != r.Moves[7].Best {
		t.Errorf("the winning move: %+v", r.Moves[7])
	}
}

// TestPosition: the table lists the moves with the choice first; a finished game is told.
func TestPosition(t *testing.T) {
	g, err := play.ReadText(sampleGame)
	if err != nil {
		t.Fatal(err)
	}
	c := netConfig()
	line := g.MainLine()
	a, err := Position(context.Background(), &c, g.At(line[7]))
	if err != nil {
		t.Fatal(err)
	}
	if text := a.String(); !strings.Contains(text, "exact: win in 1") || !strings.Contains(text, "\nc1 ") {
		t.Error(text)
	}
	if a, err = Position(context.Background(), &c, g.At(line[8])); err != nil || a.String() != "the game is over: player 1 wins\n" {
		t.Errorf("%v, %v", a, err)
	}
}
