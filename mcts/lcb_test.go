package mcts

import (
	"math"
	"testing"
)

// TestLowerBound: the bound falls with spread and rises with visits, and chooses a well-tried move over a slightly better one that was hardly
// tried; moves with few visits are out.
func TestLowerBound(t *testing.T) {
	cfg := DefaultConfig(PUCT)
	cfg.LCBStdevs = 3
	of := func(visits int32, q, spread float64) edge {
		n := float64(visits)
		return edge{visits: visits, sum: q * n, squares: n * (q*q + spread*spread)}
	}
	bound := func(e edge) float64 { return cfg.lowerBound(&e) }
	if !(bound(of(100, 0.2, 0.1)) > bound(of(100, 0.2, 0.4)) && bound(of(400, 0.2, 0.3)) > bound(of(100, 0.2, 0.3)) && bound(of(1, 0.9, 0)) < -1) {
		t.Error("the bound is not monotone in spread and visits")
	}
	if got, want := bound(of(99, 0, 0.5)), -3*math.Sqrt((99*0.25+1)/100/99); math.Abs(got-want) > 1e-12 {
		t.Errorf("bound %g, want %g", got, want)
	}
	b, p := parse(t, "5x5 c2 d4 b2h 2,2 0")
	s := newSearch(t, hashed{b, 1}, PUCT, 10)
	s.cfg.LCBStdevs = 3
	run(t, s, p, -1, nil)
	pick := func(edges ...edge) int {
		for i := range edges {
			edges[i].move = s.rootMoves[i]
		}
		m := s.pick(edges, nil, 100)
		for i := range edges {
			if edges[i].move == m {
				return i
			}
		}
		return -1
	}
	for _, c := range []struct {
		edges []edge
		want  int
		name  string
	}{
		{[]edge{of(100, 0.1, 0.1), of(90, 0.3, 0.1)}, 1, "a better move with nearly as many visits"},
		{[]edge{of(100, 0.1, 0.1), of(20, 0.15, 0.5)}, 0, "a slightly better move with few visits"},
		{[]edge{of(100, 0.1, 0.1), of(14, 0.99, 0.01)}, 0, "a move below the least share"},
	} {
		if got := pick(c.edges...); got != c.want {
			t.Errorf("%s: move %d chosen, want %d", c.name, got, c.want)
		}
	}
	s.cfg.LCBStdevs = 0
	if got := pick(of(100, 0.1, 0.1), of(90, 0.3, 0.1)); got != 0 {
		t.Errorf("without the bound: move %d chosen, want the most visited", got)
	}
}
