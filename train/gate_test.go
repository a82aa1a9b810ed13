package train

import (
	"testing"

	"rampart/arena"
)

// TestDecide is the gate's rule, case by case. Pairs are counted by the candidate's points: 0, 0.5, 1, 1.5, 2.
func TestDecide(t *testing.T) {
	for _, c := range []struct {
		name     string
		mode     string
		pairs    arena.Pairs
		decision arena.Decision
		want     bool
	}{
		{"sprt: shown not to be worse", GateSPRT, arena.Pairs{1, 0, 5, 0, 9}, arena.AcceptH1, true},
		{"sprt: shown to be worse", GateSPRT, arena.Pairs{9, 0, 5, 0, 1}, arena.AcceptH0, false},
		{"sprt: undecided with half the points", GateSPRT, arena.Pairs{3, 0, 9, 0, 3}, arena.NoDecision, true},
		{"sprt: undecided with less", GateSPRT, arena.Pairs{4, 0, 9, 0, 3}, arena.NoDecision, false},
		{"winrate: enough", GateWinRate, arena.Pairs{0, 0, 9, 0, 1}, arena.NoDecision, true},
		{"winrate: not enough", GateWinRate, arena.Pairs{0, 0, 10, 1, 0}, arena.NoDecision, false},
	} {
		passed, why := decide(GateConfig{Mode: c.mode, MinScore: 0.55}, &arena.MatchResult{Pairs: c.pairs, Decision: c.decision})
		if passed != c.want || why == "" {
			t.Errorf("%s: passed %v (%s)", c.name, passed, why)
		}
	}
}
