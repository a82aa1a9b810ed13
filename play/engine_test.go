package play

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"rampart/arena"
	"rampart/quoridor"
)

// startOf returns a game of the rules at the board's start.
func startOf(w, h, walls int) *quoridor.Game {
	b := quoridor.MustBoard(w, h, walls)
	return quoridor.NewGame(b, b.Start(), quoridor.Rules{PlyCap: b.DefaultPlyCap()})
}

func engine(t testing.TB, text string, g *quoridor.Game) Engine {
	t.Helper()
	e, err := NewEngine(text, g.Board, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

// TestReports: what an engine reports adds up, its lines are legal, and the last report is the answer.
func TestReports(t *testing.T) {
	g := startOf(5, 5, 2)
	e := engine(t, "net:5x5-2:sims=300", g)
	var reports []*Report
	last, err := e.Think(context.Background(), g, Limits{Every: time.Nanosecond}, func(r *Report) { reports = append(reports, r) })
	if err != nil || len(reports) < 100 || last.Visits != 300 {
		t.Fatalf("%d reports, %+v, %v", len(reports), last, err)
	}
	for i, r := range append(reports, last) {
		share, visits := 0.0, 0
		for _, c := range r.Moves {
			share += c.Share
			visits += c.Visits
			if c.WinRate < 0 || c.WinRate > 1 || c.Prior < 0 || c.Prior > 1 {
				t.Fatalf("candidate %+v", c)
			}
			if _, err := quoridor.Replay(g.Board, g.Position(), quoridor.Rules{}, c.Line); err != nil {
				t.Fatal(err)
			}
		}
		if math.Abs(share-1) > 1e-9 || visits != r.Visits || !r.Judged || len(r.Moves) != 35 {
			t.Fatalf("report %d: shares sum to %g, visits to %d of %d, %d moves", i, share, visits, r.Visits, len(r.Moves))
		}
		w := r.WDL
		if math.Abs(w[0]+w[1]+w[2]-1) > 1e-9 || math.Abs(w[0]+w[1]/2-r.WinRate) > 1e-9 || min(w[0], w[1], w[2]) < -1e-9 {
			t.Fatalf("report %d: %v with win rate %g", i, w, r.WinRate)
		}
		if i > 0 && i < len(reports) && r.Visits < reports[i-1].Visits {
			t.Fatalf("report %d: %d visits after %d", i, r.Visits, reports[i-1].Visits)
		}
	}
	if last.Move != last.Moves[0].Move || last.Moves[0].Line[0] != last.Move {
		t.Errorf("move %s, the best is %+v", last.Move, last.Moves[0])
	}
}

// TestEnginesStopAtOnce: every kind of engine answers with a legal move when it is stopped before it begins.
func TestEnginesStopAtOnce(t *testing.T) {
	defer goleak.VerifyNone(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	g := startOf(9, 9, 10)
	for _, text := range []string{"net:9x9-10:sims=100000", "net:9x9-10:time=1h", "level:1", "level:9", "random", "racer", "waller", "alphabeta:depth=12", "rollout:n=1000000"} {
		e, err := NewEngine(text, g.Board, 1)
		if err != nil {
			t.Fatal(err)
		}
		r, err := e.Think(ctx, g, Limits{}, nil)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if p := g.Position(); !g.Board.IsLegal(&p, r.Move) || r.Visits > 10 {
			t.Errorf("%s: %s after %d visits", text, r.Move, r.Visits)
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestEngineRefusesFinishedGames: no search is started for a finished game [lichess-bot 1223].
func TestEngineRefusesFinishedGames(t *testing.T) {
	b, p, err := quoridor.ParsePosition("5x5 c5 d4 - 1,2 1")
	if err != nil {
		t.Fatal(err)
	}
	g := quoridor.NewGame(b, p, quoridor.Rules{})
	for _, text := range []string{"level:5", "racer"} {
		if _, err := engine(t, text, g).Think(context.Background(), g, Limits{}, nil); !errors.Is(err, ErrEngine) || !strings.Contains(err.Error(), "player 0 wins") {
			t.Errorf("%s: %v", text, err)
		}
		if _, err := engine(t, text, g).Think(context.Background(), startOf(7, 7, 2), Limits{}, nil); !errors.Is(err, ErrEngine) {
			t.Errorf("%s on another board: %v", text, err)
		}
	}
}

// TestLimits: visits and time given for one search replace the engine's own.
func TestLimits(t *testing.T) {
	g := startOf(5, 5, 2)
	e := engine(t, "net:5x5-2:sims=50", g)
	for _, c := range []struct {
		limits Limits
		want   int // visits, 0 for any
	}{{Limits{}, 50}, {Limits{Visits: 120}, 120}, {Limits{Visits: 60, Time: time.Hour}, 60}, {Limits{Time: time.Nanosecond}, 0}} {
		fresh := engine(t, "net:5x5-2:sims=50", g)
		r, err := fresh.Think(context.Background(), g, c.limits, nil)
		if err != nil || c.want > 0 && r.Visits != c.want || c.want == 0 && r.Visits > 10 {
			t.Errorf("%+v: %d visits, %v", c.limits, r.Visits, err)
		}
	}
	if r, err := e.Think(context.Background(), g, Limits{Visits: MostVisits + 1, Time: time.Nanosecond}, nil); err != nil || r.Visits < 1 {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestLevels: a drawn move depends on the seed alone, different seeds give different games, and a win in one is never missed.
func TestLevels(t *testing.T) {
	g := startOf(5, 5, 2)
	first := map[quoridor.Move]bool{}
	for seed := range uint64(30) {
		var moves [2]quoridor.Move
		for i := range moves {
			e, err := NewEngine("level:1", g.Board, seed)
			if err != nil {
				t.Fatal(err)
			}
			r, err := e.Think(context.Background(), g, Limits{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			moves[i] = r.Move
		}
		if moves[0] != moves[1] {
			t.Errorf("seed %d: %s and %s", seed, moves[0], moves[1])
		}
		first[moves[0]] = true
	}
	if len(first) < 3 {
		t.Errorf("30 seeds give %d first moves", len(first))
	}
	b, p, err := quoridor.ParsePosition("5x5 c4 b5 - 1,2 0")
	if err != nil {
		t.Fatal(err)
	}
	won := quoridor.NewGame(b, p, quoridor.Rules{})
	for _, l := range Levels() {
		e, err := l.Engine(b, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		r, err := e.Think(context.Background(), won, Limits{Visits: l.Strength.Visits % 100}, nil)
		if err != nil || r.Move.Cell().Y() != 4 {
			t.Errorf("%s: %+v, %v", e.Name(), r, err)
		}
	}
}

// TestRatings: a measured level is rated, higher levels not lower, and other boards are not.
func TestRatings(t *testing.T) {
	for _, b := range []*quoridor.Board{quoridor.MustBoard(5, 5, 2), quoridor.MustBoard(9, 9, 10)} {
		last, rated := 0, 0
		for _, l := range Levels() {
			if rating, measured := l.Rating(b); measured {
				if rated++; rating < last {
					t.Errorf("%s: level %d has %d, the one below %d", b, l.Number, rating, last)
				}
				last = rating
			}
		}
		if rated != 0 && rated != len(Levels()) {
			t.Errorf("%s: %d of %d levels are rated", b, rated, len(Levels()))
		}
	}
	if _, measured := Levels()[0].Rating(quoridor.MustBoard(7, 7, 3)); measured {
		t.Error("a rating that nobody measured")
	}
}

// TestShippedModel: every board of 3 columns and more has a network.
func TestShippedModel(t *testing.T) {
	for _, c := range []struct {
		w, h    int
		name    string
		trained bool
	}{{5, 5, "5x5-2", true}, {9, 9, "9x9-10", true}, {3, 3, "9x9-10", false}, {7, 4, "9x9-10", false}} {
		b := quoridor.MustBoard(c.w, c.h, 3)
		m, name, trained, err := ShippedModel(b)
		if err != nil || name != c.name || trained != c.trained {
			t.Errorf("%s: %s, %t, %v", b, name, trained, err)
			continue
		}
		e, err := NewNetEngine(m, b, "", Strength{Visits: 5})
		if err != nil {
			t.Fatal(err)
		}
		g := quoridor.NewGame(b, b.Start(), quoridor.Rules{})
		if r, err := e.Think(context.Background(), g, Limits{}, nil); err != nil || r.Visits != 5 {
			t.Errorf("%s: %+v, %v", b, r, err)
		}
	}
}

func TestBadPlayers(t *testing.T) {
	b := quoridor.MustBoard(5, 5, 2)
	for text, want := range map[string]string{
		"level:0": "not a level", "level:10": "not a level", "level:x": "not a level", "level": "not a level", "level:1:model=nowhere": "no such shipped network",
		"net:5x5-2:temperature=-1": "must be a number", "net:5x5-2:sims=1000000000": "must be a whole number", "nobody": "no player is called", "": "no player is called",
	} {
		if _, err := NewEngine(text, b, 1); !errors.Is(err, arena.ErrPlayer) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
	if _, err := NewEngine("net:5x5-2", quoridor.MustBoard(7, 7, 2), 1); !errors.Is(err, arena.ErrPlayer) {
		t.Errorf("another board: %v", err)
	}
}
