package arena

import (
	"errors"
	"testing"

	"rampart/quoridor"
	"rampart/solver"
)

// TestPerfectNeverLosesWhatItCanWin lets it play both seats against strong and weak players from many openings: from an
// opening that is won for a side, perfect wins with that side.
func TestPerfectNeverLosesWhatItCanWin(t *testing.T) {
	b := quoridor.MustBoard(5, 5, 2)
	if testing.Short() { // the race detector makes the solver slow
		b = quoridor.MustBoard(5, 5, 1)
	}
	exact, err := solver.New(b, solver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, other := range []string{"random", "alphabeta:depth=4:table=1", "perfect"} {
		c := MatchConfig{Board: b, Pairs: 20, OpeningPlies: 3, Seed: 5}
		c.OnGame = func(g *Game) {
			p := g.PositionAt(g.OpeningPlies)
			v, err := exact.Value(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			if v.Outcome == solver.Win && p.Side() == g.SeatOfA() && g.Result().Winner() != g.SeatOfA() {
				t.Errorf("against %s: %q is a %s for perfect, but: %s", other, b.Format(p), v, g.Result())
			}
			if other == "perfect" && v.Outcome != solver.Draw && g.Plies()-g.OpeningPlies != v.Plies {
				t.Errorf("%q is a %s, but perfect play took %d plies", b.Format(p), v, g.Plies()-g.OpeningPlies)
			}
		}
		mustMatch(t, "perfect", other, c)
	}
}

func TestPerfectRefusesLargeBoards(t *testing.T) {
	c := MatchConfig{Board: quoridor.MustBoard(9, 9, 10), Pairs: 1, Seed: 1}
	_, err := Match(t.Context(), MustParse("perfect:memory=16"), MustParse("racer"), c)
	if !errors.Is(err, ErrPlayer) || !errors.Is(err, solver.ErrMemory) {
		t.Errorf("%v", err)
	}
}
