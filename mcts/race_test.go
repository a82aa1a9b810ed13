package mcts_test

import (
	"context"
	"testing"

	"rampart/mcts"
	"rampart/quoridor"
	"rampart/solver/race"
)

// TestRaceProber: with the race solver a search plays races exactly, also when only the winner has walls, and is not misled by an evaluator
// that knows nothing.
func TestRaceProber(t *testing.T) {
	for _, c := range []struct {
		position string
		value    float64
		plies    int // to the end of the game
	}{
		{"9x9 e4 e7 - 0,0 0", 1, 9}, // five steps to his six
		{"9x9 e4 e7 - 0,0 1", 1, 11},
		{"9x9 e7 a5 - 3,0 0", 1, 3}, // he needs none of his walls
		{"9x9 a4 i6 - 3,0 0", 1, 9}, // and has no time for one
	} {
		b, p, err := quoridor.ParsePosition(c.position)
		if err != nil {
			t.Fatal(err)
		}
		for _, mode := range []mcts.Mode{mcts.Gumbel, mcts.PUCT} {
			s, err := mcts.NewSearch(mcts.Uniform{B: b}, mcts.DefaultConfig(mode))
			if err != nil {
				t.Fatal(err)
			}
			s.SetProber(race.New(b))
			g := quoridor.NewGame(b, p, quoridor.Rules{})
			for g.Result() == quoridor.Undecided && g.Plies() < 40 {
				r, err := s.Run(context.Background(), g.Position(), -1, nil)
				if err != nil {
					t.Fatal(err)
				}
				if !r.Solved || r.Simulations != 0 || g.Plies() == 0 && r.Value != c.value {
					t.Fatalf("%s: solved %v after %d simulations, value %g", b.Format(g.Position()), r.Solved, r.Simulations, r.Value)
				}
				if err := g.Play(r.Move); err != nil {
					t.Fatal(err)
				}
			}
			winner := p.Side()
			if c.value < 0 {
				winner = 1 - winner
			}
			t.Log(c.position, mode, g.Plies(), g.Result())
			if g.Result().Winner() != winner || g.Plies() > c.plies {
				t.Errorf("%s, %s: %s after %d plies, want %d", c.position, mode, g.Result(), g.Plies(), c.plies)
			}
		}
	}
}
