package mcts_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"rampart/mcts"
	"rampart/quoridor"
	"rampart/solver"
	"rampart/solver/race"
)

// TestProofsAreTrue: in positions of random games, whatever a search says that it knows is what the solver says: the root's outcome, the choice,
// and every move whose Q it is certain of; with either mode, with a prober and without, with one thread and with several.
func TestProofsAreTrue(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 8))
	for _, size := range [][3]int{{4, 4, 2}, {3, 5, 2}, {5, 3, 1}, {3, 3, 3}} {
		b := quoridor.MustBoard(size[0], size[1], size[2])
		exact := solve(t, b)
		proved := map[solver.Outcome]int{}
		for range 12 {
			for p := b.Start(); b.Winner(&p) < 0; {
				for _, v := range proofVariants {
					checkProof(t, exact, p, v.search(t, b), proved)
				}
				moves := b.Moves(nil, &p)
				p = b.Play(p, moves[random.IntN(len(moves))])
			}
		}
		t.Logf("%s: proved by search: %v", b, proved)
		if proved[solver.Win] < 20 || proved[solver.Loss] < 20 {
			t.Errorf("%s: proved by search: %v", b, proved)
		}
	}
}

type proofVariant struct {
	mode    mcts.Mode
	threads int
	race    bool
	reuse   bool
}

var proofVariants = []proofVariant{
	{mcts.Gumbel, 1, false, false},
	{mcts.Gumbel, 1, true, false},
	{mcts.PUCT, 1, true, false},
	{mcts.PUCT, 3, false, false},
	{mcts.PUCT, 1, false, true},
}

func (v proofVariant) search(t *testing.T, b *quoridor.Board) *mcts.Search {
	t.Helper()
	cfg := mcts.DefaultConfig(v.mode)
	cfg.Simulations, cfg.Considered, cfg.Reuse = 250, 64, v.reuse
	var more []mcts.Evaluator
	for range v.threads - 1 {
		more = append(more, mcts.Uniform{B: b})
	}
	s, err := mcts.NewSearch(mcts.Uniform{B: b}, cfg, more...)
	if err != nil {
		t.Fatal(err)
	}
	if v.race {
		s.SetProber(race.New(b))
	}
	return s
}

func checkProof(t *testing.T, exact *solver.Solver, p quoridor.Position, s *mcts.Search, proved map[solver.Outcome]int) {
	t.Helper()
	ctx, b := context.Background(), exact.Board()
	r, err := s.Run(ctx, p, -1, nil)
	if err != nil {
		t.Fatal(err)
	}
	values, err := exact.MoveValues(ctx, nil, p)
	if err != nil {
		t.Fatal(err)
	}
	outcomes := map[quoridor.Move]solver.Outcome{}
	best := solver.Loss
	for _, v := range values {
		outcomes[v.Move] = v.Value.Outcome
		best = max(best, v.Value.Outcome)
	}
	if r.Solved && (r.Value != float64(best) || outcomes[r.Move] != best) {
		t.Fatalf("%s: solved as %g with %s, the best outcome is %v and the move's %v", b.Format(p), r.Value, r.Move, best, outcomes[r.Move])
	}
	if r.Solved && r.Simulations > 0 {
		proved[best]++
	}
	sum := 0.0
	for _, m := range r.Moves {
		sum += m.Policy
		if known := r.Solved && m.Policy > 0 || !r.Solved && m.StdErr == 0; known && m.Q != float64(outcomes[m.Move]) {
			t.Fatalf("%s: %s is said to be %g for sure, it is %v", b.Format(p), m.Move, m.Q, outcomes[m.Move])
		}
		if !r.Solved && m.Move == r.Move && m.StdErr == 0 && m.Q < 0 {
			t.Fatalf("%s: the choice %s is known to lose, and others are not", b.Format(p), m.Move)
		}
	}
	if sum < 0.999 || sum > 1.001 {
		t.Fatalf("%s: the policy sums to %g", b.Format(p), sum)
	}
}

// TestProvenWinsComeNearer: from the first time that a search knows that it wins it wins every game, against the longest resistance, without
// walking in circles, whether the tree is kept or not.
func TestProvenWinsComeNearer(t *testing.T) {
	ctx := context.Background()
	b := quoridor.MustBoard(5, 5, 2)
	random := rand.New(rand.NewPCG(1, 9))
	exact := solve(t, b)
	for _, v := range proofVariants {
		if v.threads > 1 {
			continue
		}
		won := 0
		for range 60 {
			s := v.search(t, b)
			g := quoridor.NewGame(b, b.Start(), quoridor.Rules{PlyCap: 60})
			side, from := -1, 0
			for g.Result() == quoridor.Undecided {
				p := g.Position()
				if side == 1-p.Side() {
					play(t, g, longestResistance(t, exact, p))
					continue
				}
				r, err := s.Run(ctx, p, 60-g.Plies(), nil)
				if err != nil {
					t.Fatal(err)
				}
				switch {
				case r.Solved && r.Value > 0 && side < 0:
					side, from = p.Side(), g.Plies()
				case side >= 0 && !(r.Solved && r.Value > 0) && v.reuse:
					t.Fatalf("%+v: the proof is lost in %s", v, b.Format(p))
				}
				m := r.Move
				if side < 0 {
					moves := b.Moves(nil, &p)
					m = moves[random.IntN(len(moves))]
				}
				play(t, g, m)
			}
			if side < 0 {
				continue
			}
			won++
			if g.Result().Winner() != side {
				t.Errorf("%+v: %s after %d plies, player %d was to win from ply %d on", v, g.Result(), g.Plies(), side, from)
			}
		}
		if won < 20 {
			t.Errorf("%+v: %d wins were known", v, won)
		}
	}
}

func play(t *testing.T, g *quoridor.Game, m quoridor.Move) {
	t.Helper()
	if err := g.Play(m); err != nil {
		t.Fatal(err)
	}
}

// longestResistance returns the move of the side to move, which has lost, after which the win takes most plies.
func longestResistance(t *testing.T, exact *solver.Solver, p quoridor.Position) quoridor.Move {
	t.Helper()
	values, err := exact.MoveValues(context.Background(), nil, p)
	if err != nil {
		t.Fatal(err)
	}
	best := values[0]
	for _, v := range values {
		if v.Value.Plies > best.Value.Plies {
			best = v
		}
	}
	return best.Move
}

// TestNoisySearchLooksOn: a Gumbel search with noise uses all its simulations though the root is won, knows its value, and tells of the other
// moves; without noise it ends there. A lost root ends either, and its choice is still a move.
func TestNoisySearchLooksOn(t *testing.T) {
	for _, c := range []struct {
		position string
		value    float64
	}{{"5x5 c3 a4 - 1,0 0", 1}, {"5x5 c4 a4 - 1,0 1", -1}} {
		b, p, err := quoridor.ParsePosition(c.position)
		if err != nil {
			t.Fatal(err)
		}
		for _, random := range []*rand.Rand{nil, rand.New(rand.NewPCG(1, 2))} {
			s := proofVariant{mode: mcts.Gumbel, threads: 1}.search(t, b)
			r, err := s.Run(context.Background(), p, -1, random)
			if err != nil {
				t.Fatal(err)
			}
			looksOn := random != nil && c.value > 0
			if r.Value != c.value || (r.Simulations == 250) != looksOn || r.Solved != (random == nil) || !b.IsLegal(&p, r.Move) {
				t.Errorf("%s, noise %v: %s at %g after %d simulations, solved %v", c.position, random != nil, r.Move, r.Value, r.Simulations, r.Solved)
			}
			shared := 0
			for _, m := range r.Moves {
				if m.Policy > 1e-6 {
					shared++
				}
			}
			if c.value > 0 && (shared > 1) != looksOn {
				t.Errorf("%s, noise %v: %d moves share the policy", c.position, random != nil, shared)
			}
		}
	}
}
