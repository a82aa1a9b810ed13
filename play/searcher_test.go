package play

import (
	"context"
	"reflect"
	"testing"

	"rampart/mcts"
	"rampart/quoridor"
	"rampart/solver/race"
)

// engineOf returns an engine of the network that ships for 5x5.
func engineOf(t *testing.T, b *quoridor.Board, strength Strength) *searcher {
	t.Helper()
	m, _, _, err := ShippedModel(b)
	if err != nil {
		t.Fatal(err)
	}
	s, err := newSearcher(m, b, "native", "net", strength)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// gameAt returns a game that begins with the position.
func gameAt(t *testing.T, text string) *quoridor.Game {
	t.Helper()
	_, p, err := quoridor.ParsePosition(text)
	if err != nil {
		t.Fatal(err)
	}
	b := quoridor.MustBoard(5, 5, 2)
	return quoridor.NewGame(b, p, quoridor.Rules{PlyCap: 60})
}

func think(t *testing.T, s *searcher, g *quoridor.Game, report func(*Report)) *Report {
	t.Helper()
	r, err := s.Think(context.Background(), g, Limits{Every: 1}, report)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestNoNoiseInPlay: a network's moves against people do not depend on a seed, and its memory of evaluations changes nothing.
func TestNoNoiseInPlay(t *testing.T) {
	g := gameAt(t, "5x5 c1 c5 - 2,2 0")
	s := engineOf(t, g.Board, Strength{Visits: 100})
	var want *Report
	for seed := range uint64(3) {
		s.NewGame(seed)
		r := think(t, s, g, nil)
		r.Elapsed = 0
		if want == nil {
			want = r
		}
		if !reflect.DeepEqual(r, want) {
			t.Errorf("seed %d: another report", seed)
		}
	}
	bare, err := mcts.NewSearch(s.evals[0], SearchConfig(100))
	if err != nil {
		t.Fatal(err)
	}
	bare.SetProber(race.New(g.Board))
	r, err := bare.Run(context.Background(), g.Position(), 60, nil)
	if err != nil || r.Move != want.Move || (1+r.Value)/2 != want.WinRate {
		t.Errorf("without the memory: %s at %g, want %s at %g (%v)", r.Move, (1+r.Value)/2, want.Move, want.WinRate, err)
	}
}

// TestThreadsInPlay: an engine with several threads finds what one finds, and reports whole searches meanwhile.
func TestThreadsInPlay(t *testing.T) {
	for threads, most := range map[int]int{1: 200, 3: MostVisits} { // a thread that stands still with the winning move keeps the others busy elsewhere
		g := gameAt(t, "5x5 c3 a4 - 1,1 0") // a win in two
		s := engineOf(t, g.Board, Strength{Visits: most, Threads: threads})
		if r := think(t, s, g, nil); r.Move.String() != "c4" || r.WinRate != 1 || r.Visits >= most || r.Raw <= 0 || r.Raw >= 1 {
			t.Errorf("%d threads: %s at %g after %d visits, %g at first sight, want the proof that c4 wins", threads, r.Move, r.WinRate, r.Visits, r.Raw)
		}
		g = gameAt(t, "5x5 c1 c5 - 2,2 0")
		s = engineOf(t, g.Board, Strength{Visits: 200, Threads: threads})
		reports := 0
		r := think(t, s, g, func(r *Report) {
			reports++
			if !r.Judged || r.Visits < 1 || r.WinRate < 0 || r.WinRate > 1 {
				t.Errorf("%d threads: a report of %d visits at %g", threads, r.Visits, r.WinRate)
			}
		})
		if r.Visits != 200 || reports == 0 {
			t.Errorf("%d threads: %d visits and %d reports", threads, r.Visits, reports)
		}
	}
}

// TestRacesInPlay: a race is played without a search, to the ply.
func TestRacesInPlay(t *testing.T) {
	g := gameAt(t, "5x5 c2 c4 b2h,d3v 0,0 0")
	s := engineOf(t, g.Board, Strength{Visits: 50})
	for g.Result() == quoridor.Undecided {
		r := think(t, s, g, nil)
		if r.Visits != 0 || r.WinRate != 0 && r.WinRate != 1 {
			t.Fatalf("%d visits, %g", r.Visits, r.WinRate)
		}
		if err := g.Play(r.Move); err != nil {
			t.Fatal(err)
		}
	}
	if g.Plies() > 12 {
		t.Errorf("%d plies", g.Plies())
	}
}

// TestNewGameForgetsTheLastOne: in a new game an engine searches as one that was just made, though the last game's tree holds the position.
func TestNewGameForgetsTheLastOne(t *testing.T) {
	g := gameAt(t, "5x5 c1 c5 - 2,2 0")
	s := engineOf(t, g.Board, Strength{Visits: 100})
	for range 4 {
		first := think(t, s, g, nil)
		if err := g.Play(first.Move); err != nil {
			t.Fatal(err)
		}
		s.NewGame(1)
		got, want := think(t, s, g, nil), think(t, engineOf(t, g.Board, Strength{Visits: 100}), g, nil)
		got.Elapsed, want.Elapsed = 0, 0
		if !reflect.DeepEqual(got, want) {
			t.Errorf("after %d plies: %s at %g, a new engine says %s at %g", g.Plies(), got.Move, got.WinRate, want.Move, want.WinRate)
		}
	}
}
