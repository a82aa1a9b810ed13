package mcts_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"rampart/mcts"
	"rampart/quoridor"
	"rampart/solver"
)

// solve returns the solver of the board, with all values worked out.
func solve(t *testing.T, b *quoridor.Board) *solver.Solver {
	t.Helper()
	exact, err := solver.New(b, solver.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := exact.Prepare(context.Background()); err != nil {
		t.Fatal(err)
	}
	return exact
}

// TestForcedWinsAmongWalls: in positions of random games that are won in three plies, with walls on the board and in stock, for either side, the search's
// choice still wins, with either mode and with several threads, though the evaluator knows nothing.
func TestForcedWinsAmongWalls(t *testing.T) {
	ctx, b := context.Background(), quoridor.MustBoard(4, 4, 2)
	exact := solve(t, b)
	random := rand.New(rand.NewPCG(3, 4))
	found := [2]int{}
	for found[0]+found[1] < 60 {
		p := b.Start()
		for b.Winner(&p) < 0 {
			v, err := exact.Value(ctx, p)
			if err != nil {
				t.Fatal(err)
			}
			if v.Outcome == solver.Win && v.Plies == 3 && p.WallsLeft(0)+p.WallsLeft(1) > 0 {
				found[p.Side()]++
				checkChoiceWins(t, exact, p)
			}
			moves := b.Moves(nil, &p)
			p = b.Play(p, moves[random.IntN(len(moves))])
		}
	}
	if min(found[0], found[1]) < 10 {
		t.Errorf("positions by side: %v", found)
	}
}

func checkChoiceWins(t *testing.T, exact *solver.Solver, p quoridor.Position) {
	t.Helper()
	b := exact.Board()
	values, err := exact.MoveValues(context.Background(), nil, p)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		mode    mcts.Mode
		threads int
	}{{mcts.Gumbel, 1}, {mcts.PUCT, 1}, {mcts.PUCT, 4}} {
		cfg := mcts.DefaultConfig(c.mode)
		cfg.Simulations, cfg.Considered = 600, 64
		var more []mcts.Evaluator
		for range c.threads - 1 {
			more = append(more, mcts.Uniform{B: b})
		}
		s, err := mcts.NewSearch(mcts.Uniform{B: b}, cfg, more...)
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.Run(context.Background(), p, -1, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range values {
			if v.Move == r.Move && v.Value.Outcome != solver.Win {
				t.Errorf("%s, %d threads, %s: %s is a %s", c.mode, c.threads, b.Format(p), r.Move, v.Value)
			}
		}
	}
}
