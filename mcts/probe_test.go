package mcts

import (
	"math"
	"slices"
	"testing"

	"rampart/quoridor"
)

// slowProber solves positions without walls in stock by iterating over all pawn placements until nothing changes.
type slowProber struct {
	b      *quoridor.Board
	values map[quoridor.Position]int // plies to a win (positive) or loss (negative) for the side to move; absent: draw
	solved map[[2]uint64]bool
	asked  int
}

func (s *slowProber) Outcome(p *quoridor.Position, pliesLeft int) (outcome, plies int, known bool) {
	outcome, plies, known = s.Probe(p)
	if pliesLeft >= 0 && plies > pliesLeft {
		outcome, plies = 0, 0
	}
	return outcome, plies, known
}

func (s *slowProber) Probe(p *quoridor.Position) (outcome, plies int, known bool) {
	if p.WallsLeft(0)+p.WallsLeft(1) > 0 {
		return 0, 0, false
	}
	s.asked++
	if key := [2]uint64{p.HWalls(), p.VWalls()}; !s.solved[key] {
		s.solved[key] = true
		s.solve(*p)
	}
	v := s.values[*p]
	switch {
	case v > 0:
		return 1, v, true
	case v < 0:
		return -1, -v, true
	}
	return 0, 0, true
}

func (s *slowProber) solve(p quoridor.Position) {
	b := s.b
	var all []quoridor.Position
	for x := range b.Cells() {
		for y := range b.Cells() {
			for side := range 2 {
				pawns := [2]quoridor.Cell{quoridor.CellAt(x%b.W, x/b.W), quoridor.CellAt(y%b.W, y/b.W)}
				if q, err := b.NewPosition(p.HWalls(), p.VWalls(), pawns, [2]int{}, side); err == nil && b.Winner(&q) < 0 {
					all = append(all, q)
				}
			}
		}
	}
	for n, changed := 1, true; changed || n < 4; n++ {
		changed = false
		for _, q := range all {
			if s.values[q] != 0 {
				continue
			}
			lost, longest := true, 0
			for _, m := range b.Moves(nil, &q) {
				after := b.Play(q, m)
				v := s.values[after]
				if b.Winner(&after) >= 0 || v < 0 && -v == n-1 {
					s.values[q], changed, lost = n, true, false
					break
				}
				if v <= 0 || v >= n {
					lost = false
				}
				longest = max(longest, v)
			}
			if lost && longest == n-1 && s.values[q] == 0 {
				s.values[q], changed = -n, true
			}
		}
	}
}

// TestProber: a root that the prober knows is played exactly, and the search below an unknown root takes its word.
func TestProber(t *testing.T) {
	for _, mode := range modes {
		b, p := parse(t, "5x5 c2 c4 b2h,d3v 0,0 0")
		prober := &slowProber{b: b, values: map[quoridor.Position]int{}, solved: map[[2]uint64]bool{}}
		s := newSearch(t, hashed{b, 1}, mode, 16)
		s.SetProber(prober)
		g := quoridor.NewGame(b, p, quoridor.Rules{})
		outcome, plies, _ := prober.Probe(&p)
		for g.Result() == quoridor.Undecided && g.Plies() < 60 {
			r := run(t, s, g.Position(), -1, nil)
			if r.Simulations != 0 {
				t.Fatalf("%s: %d simulations at a known root", mode, r.Simulations)
			}
			if err := g.Play(r.Move); err != nil {
				t.Fatal(err)
			}
		}
		if winner := g.Result().Winner(); outcome == 0 || g.Plies() != plies || (winner == 0) != (outcome > 0) {
			t.Errorf("%s: %s after %d plies, the prober says %d in %d", mode, g.Result(), g.Plies(), outcome, plies)
		}

		_, p = parse(t, "5x5 c2 c4 b2h,d3v 1,0 0") // player 0 can still place a wall
		prober.asked = 0
		r := run(t, s, p, -1, nil)
		if prober.asked == 0 || r.Simulations == 0 {
			t.Errorf("%s: %d probes, %d simulations", mode, prober.asked, r.Simulations)
		}
		for _, m := range r.Moves {
			if after := b.Play(p, m.Move); m.Move.IsWall() && m.Visits > 0 {
				outcome, _, _ := prober.Probe(&after)
				if math.Abs(m.Q+float64(outcome)) > 1e-6 {
					t.Errorf("%s: Q %g of %s, whose exact value is %d", mode, m.Q, m.Move, -outcome)
				}
			}
		}
	}
}

// TestProberAndCap: a win that comes after the cap is a draw.
func TestProberAndCap(t *testing.T) {
	b, p := parse(t, "5x5 c2 a4 - 0,0 0") // player 0 wins in 5 plies
	prober := &slowProber{b: b, values: map[quoridor.Position]int{}, solved: map[[2]uint64]bool{}}
	if outcome, plies, known := prober.Probe(&p); outcome != 1 || plies != 5 || !known {
		t.Fatalf("outcome %d in %d plies", outcome, plies)
	}
	for left, want := range map[int]float64{-1: 1, 5: 1, 6: 1, 4: 0, 2: 0} {
		s := newSearch(t, Uniform{b}, PUCT, 8)
		s.SetProber(prober)
		r := run(t, s, p, left, nil)
		if r.Value != want || !slices.Contains([]string{"c3"}, r.Move.String()) {
			t.Errorf("%d plies left: value %g with %s, want %g", left, r.Value, r.Move, want)
		}
	}
}
