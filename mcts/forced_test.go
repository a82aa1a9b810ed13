package mcts

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestForcedPlayouts: in a search with noise every tried root move has about the visits that are forced; without noise nothing is forced; the
// policy takes forced visits away again and stays a distribution that favours the same move.
func TestForcedPlayouts(t *testing.T) {
	b, p := parse(t, "5x5 c2 d4 b2h 1,2 0")
	cfg := DefaultConfig(PUCT)
	cfg.Simulations, cfg.ForcedPlayouts, cfg.RootNoise = 600, 2, 0.5
	s, err := NewSearch(hashed{b, 2}, cfg)
	if err != nil {
		t.Fatal(err)
	}
	plain := newSearch(t, hashed{b, 2}, PUCT, 600)
	if quiet, want := run(t, s, p, -1, nil), run(t, plain, p, -1, nil); quiet.Value != want.Value || quiet.Moves[0] != want.Moves[0] {
		t.Error("without noise, forced playouts change the search")
	}
	pruned := 0
	for seed := range uint64(10) {
		r := run(t, s, p, -1, rand.New(rand.NewPCG(seed, 1)))
		n := &s.nodes[0]
		for _, e := range s.edgesOf(n) {
			if float64(e.visits) < cfg.forced(e.prior, n.visits)-1 {
				t.Errorf("%s has %d visits, %.1f are forced", e.move, e.visits, cfg.forced(e.prior, n.visits))
			}
		}
		sum, most := 0.0, r.Moves[0]
		for _, m := range r.Moves {
			sum += m.Policy
			if m.Visits > most.Visits {
				most = m
			}
			share := float64(m.Visits) / 600
			if m.Policy < share-1e-9 {
				pruned++
			}
		}
		for _, m := range r.Moves {
			if kept := m.Policy * float64(most.Visits) / most.Policy; m.Policy > 0 && kept <= 1 { // the most visited keeps all
				t.Errorf("%s keeps %.2f visits", m.Move, kept)
			}
		}
		if math.Abs(sum-1) > 1e-9 || most.Move != r.Moves[0].Move || most.Policy < float64(most.Visits)/600 {
			t.Errorf("policy sums to %g and favours %s, the most visited is %s", sum, r.Moves[0].Move, most.Move)
		}
	}
	if pruned < 20 {
		t.Errorf("only %d shares were pruned", pruned)
	}
}

// TestPruneForced: of three moves the best keeps its visits, one that only noise made look at goes, and one that PUCT wanted keeps what it wanted.
func TestPruneForced(t *testing.T) {
	cfg := DefaultConfig(PUCT)
	cfg.ForcedPlayouts = 2
	edges := []edge{{visits: 80, sum: 40, prior: 0.3}, {visits: 3, sum: -1.5, prior: 0.1}, {visits: 20, sum: 8, prior: 0.1}}
	n := node{visits: 103, numEdges: 3}
	policy := make([]float64, 3)
	cfg.pruneForced(&n, edges, policy)
	factor := cfg.exploration(103)
	wanted := factor*0.1/(0.5+factor*0.3/81-0.4) - 1
	kept := max(wanted, 20-math.Sqrt(2*0.1*103))
	for i, want := range []float64{80 / (80 + kept), 0, kept / (80 + kept)} {
		if math.Abs(policy[i]-want) > 1e-9 {
			t.Errorf("move %d: policy %g, want %g", i, policy[i], want)
		}
	}
}
