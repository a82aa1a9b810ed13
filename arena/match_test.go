package arena

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"rampart/quoridor"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func testConfig() MatchConfig {
	return MatchConfig{Board: quoridor.MustBoard(5, 5, 3), Pairs: 40, OpeningPlies: 2, Seed: 1}
}

// record lists the games of a match as text.
func record(list *[]string) func(*Game) {
	return func(g *Game) {
		*list = append(*list, fmt.Sprint(g.Pair, g.Number, g.Players, g.Moves(), g.Result()))
	}
}

func mustMatch(t *testing.T, a, b string, c MatchConfig) *MatchResult {
	t.Helper()
	r, err := Match(t.Context(), MustParse(a), MustParse(b), c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

var ignoreBoard = cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Board" }, cmp.Ignore())

func TestMatchIsTheSameAtAnyWorkerCount(t *testing.T) {
	sprt := SPRT{Elo0: 0, Elo1: 200, Alpha: 0.05, Beta: 0.05}
	for _, test := range []*SPRT{nil, &sprt} {
		var games []string
		var want *MatchResult
		for _, workers := range []int{1, 2, 7} {
			c := testConfig()
			c.SPRT, c.Workers = test, workers
			var list []string
			c.OnGame = record(&list)
			got := mustMatch(t, "racer", "random", c)
			if workers == 1 {
				games, want = list, got
				continue
			}
			if diff := cmp.Diff(want, got, ignoreBoard); diff != "" {
				t.Errorf("%d workers give another result than one:\n%s", workers, diff)
			}
			if diff := cmp.Diff(games, list); diff != "" {
				t.Errorf("%d workers give other games than one:\n%s", workers, diff)
			}
		}
		if test != nil && (want.Decision != AcceptH1 || want.Pairs.Count() >= testConfig().Pairs) {
			t.Errorf("SPRT did not stop early: %v after %d pairs", want.Decision, want.Pairs.Count())
		}
	}
}

func TestPairsShareOpeningAndSwapSeats(t *testing.T) {
	c := testConfig()
	var games []*Game
	c.OnGame = func(g *Game) { games = append(games, g) }
	r := mustMatch(t, "racer", "random", c)
	if len(games) != 2*c.Pairs || r.Games() != len(games) {
		t.Fatalf("%d games reported, %d counted, want %d", len(games), r.Games(), 2*c.Pairs)
	}
	ends := make(map[quoridor.Position]int)
	for i, g := range games {
		if g.Pair != i/2 || g.Number != i%2 {
			t.Fatalf("game %d is game %d of pair %d", i, g.Number, g.Pair)
		}
		if g.Players[g.SeatOfA()] != "racer" || g.Players[1-g.SeatOfA()] != "random" {
			t.Errorf("game %d: seats %v, A in %d", i, g.Players, g.SeatOfA())
		}
		end := g.PositionAt(c.OpeningPlies)
		if i%2 == 1 && end != games[i-1].PositionAt(c.OpeningPlies) {
			t.Errorf("pair %d starts from two openings", g.Pair)
		}
		ends[sameUnderMirror(c.Board, end)]++
	}
	if len(ends) != c.Pairs {
		t.Errorf("%d pairs have %d openings", c.Pairs, len(ends))
	}
	if r.DistinctOpenings != c.Pairs {
		t.Errorf("%d distinct openings reported, want %d", r.DistinctOpenings, c.Pairs)
	}
}

// TestResultAddsUp recounts a match from its games.
func TestResultAddsUp(t *testing.T) {
	c := testConfig()
	c.Rules = quoridor.Rules{PlyCap: 14, Repetition: true}
	want := MatchResult{}
	moves := make(map[string]bool)
	points := make(map[int]float64)
	c.OnGame = func(g *Game) {
		want.BySeat[g.SeatOfA()].count(g.Result(), g.SeatOfA())
		if g.Result() == quoridor.DrawCap {
			want.DrawsByCap++
		}
		if g.Result() == quoridor.DrawRepetition {
			want.DrawsByRepetition++
		}
		want.Plies += g.Plies()
		moves[fmt.Sprint(g.Moves())] = true
		points[g.Pair] += g.Result().Score(g.SeatOfA())
	}
	got := mustMatch(t, "random", "random", c)
	for _, p := range points {
		want.Pairs[int(2*p)]++
	}
	if got.BySeat != want.BySeat || got.Plies != want.Plies || got.Pairs != want.Pairs || got.Distinct != len(moves) ||
		got.DrawsByCap != want.DrawsByCap || got.DrawsByRepetition != want.DrawsByRepetition {
		t.Errorf("got %+v\nwant %+v and %d distinct games", got, want, len(moves))
	}
	if got.DrawsByCap == 0 || got.Rules.PlyCap != 14 {
		t.Errorf("no draw by a cap of %d plies among %d games", got.Rules.PlyCap, got.Games())
	}
	if !strings.Contains(got.String(), fmt.Sprintf("%d by the cap of 14 plies", got.DrawsByCap)) {
		t.Errorf("the report does not tell the cap:\n%s", got)
	}
	if got.Total().Draws != got.DrawsByCap+got.DrawsByRepetition {
		t.Errorf("%d draws: %d by cap, %d by repetition", got.Total().Draws, got.DrawsByCap, got.DrawsByRepetition)
	}
}

// TestRepeatedGamesAreCountedOnce guards against a match that plays the same two games over and over and calls it evidence.
func TestRepeatedGamesAreCountedOnce(t *testing.T) {
	c := testConfig()
	c.Board = quoridor.MustBoard(3, 3, 0)
	c.OpeningPlies, c.Pairs = 0, 10
	r := mustMatch(t, "racer", "racer", c)
	if r.Games() != 20 || r.Distinct > 4 || r.DistinctOpenings != 1 {
		t.Errorf("%d games, %d distinct, %d openings", r.Games(), r.Distinct, r.DistinctOpenings)
	}
	if !strings.Contains(r.String(), fmt.Sprintf("%d distinct games from 1 openings", r.Distinct)) {
		t.Errorf("the report hides it:\n%s", r)
	}
}

func TestGivenOpenings(t *testing.T) {
	c := testConfig()
	b := c.Board
	parse := func(names ...string) (list []quoridor.Move) {
		for _, name := range names {
			m, err := b.ParseMove(name)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, m)
		}
		return list
	}
	c.Openings = []Opening{{b.Start(), parse("c2", "c4")}, {b.Start(), parse("a1h")}}
	c.Pairs = 3
	var games []*Game
	c.OnGame = func(g *Game) { games = append(games, g) }
	r := mustMatch(t, "racer", "racer", c)
	for i, want := range []int{2, 2, 1, 1, 2, 2} {
		if games[i].OpeningPlies != want {
			t.Errorf("game %d has an opening of %d plies, want %d", i, games[i].OpeningPlies, want)
		}
	}
	if r.DistinctOpenings != 2 {
		t.Errorf("%d distinct openings, want 2", r.DistinctOpenings)
	}
	c.Openings = []Opening{{b.Start(), parse("c2", "c2")}}
	if _, err := Match(t.Context(), MustParse("racer"), MustParse("racer"), c); !errors.Is(err, ErrConfig) {
		t.Errorf("illegal opening: %v", err)
	}
}

// scripted is a player that answers with whatever move says.
type scripted struct {
	move func(ctx context.Context, g *quoridor.Game) (quoridor.Move, error)
}

func (s scripted) NewGame(uint64) {}
func (s scripted) Move(ctx context.Context, g *quoridor.Game) (quoridor.Move, error) {
	return s.move(ctx, g)
}

func opponent(name string, move func(ctx context.Context, g *quoridor.Game) (quoridor.Move, error)) Opponent {
	return Opponent{Name: name, New: func(*quoridor.Board) (Player, error) { return scripted{move}, nil }}
}

func TestFailingPlayersAreNamed(t *testing.T) {
	broken := errors.New("out of order")
	for _, test := range []struct {
		name string
		o    Opponent
		want error
		text string
	}{
		{"illegal move", opponent("cheat", func(context.Context, *quoridor.Game) (quoridor.Move, error) { return quoridor.NoMove, nil }), quoridor.ErrIllegalMove, "cheat in pair 1, game 1, ply 3"},
		{"error", opponent("wreck", func(context.Context, *quoridor.Game) (quoridor.Move, error) { return 0, broken }), broken, "wreck in pair 1, game 1, ply 3"},
	} {
		_, err := Match(t.Context(), test.o, MustParse("racer"), testConfig())
		if !errors.Is(err, ErrMove) || !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.text) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
	refusing := Opponent{Name: "picky", New: func(*quoridor.Board) (Player, error) { return nil, fmt.Errorf("%w: not this board", ErrPlayer) }}
	if _, err := Match(t.Context(), MustParse("racer"), refusing, testConfig()); !errors.Is(err, ErrPlayer) || !strings.Contains(err.Error(), "picky") {
		t.Errorf("factory that fails: %v", err)
	}
}

func TestCancelledMatchReturnsWhatItHas(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	c := testConfig()
	c.Workers = 3
	c.OnPair = func(r *MatchResult) {
		if r.Pairs.Count() == 5 {
			cancel()
		}
	}
	r, err := Match(ctx, MustParse("racer"), MustParse("random"), c)
	if !errors.Is(err, context.Canceled) || r == nil || r.Pairs.Count() != 5 {
		t.Fatalf("%v, %+v", err, r)
	}
	// A player that thinks for ever stops with the context.
	ctx, cancel = context.WithCancel(t.Context())
	forever := opponent("forever", func(ctx context.Context, _ *quoridor.Game) (quoridor.Move, error) {
		cancel()
		<-ctx.Done()
		return 0, ctx.Err()
	})
	if _, err := Match(ctx, forever, MustParse("random"), testConfig()); !errors.Is(err, context.Canceled) || errors.Is(err, ErrMove) {
		t.Fatal(err)
	}
}

func TestBadMatchSettings(t *testing.T) {
	for name, spoil := range map[string]func(*MatchConfig){
		"no board":            func(c *MatchConfig) { c.Board = nil },
		"no pairs":            func(c *MatchConfig) { c.Pairs = 0 },
		"too many pairs":      func(c *MatchConfig) { c.Pairs = 2_000_000_000 },
		"negative workers":    func(c *MatchConfig) { c.Workers = -1 },
		"too many workers":    func(c *MatchConfig) { c.Workers = MostWorkers + 1 },
		"negative cap":        func(c *MatchConfig) { c.Rules.PlyCap = -1 },
		"huge cap":            func(c *MatchConfig) { c.Rules.PlyCap = MostPlyCap + 1 },
		"long opening":        func(c *MatchConfig) { c.OpeningPlies = 13 },
		"opening beyond cap":  func(c *MatchConfig) { c.Rules.PlyCap = 2 },
		"hypotheses reversed": func(c *MatchConfig) { c.SPRT = &SPRT{Elo0: 5, Elo1: 0, Alpha: 0.05, Beta: 0.05} },
	} {
		c := testConfig()
		spoil(&c)
		if _, err := Match(t.Context(), MustParse("racer"), MustParse("random"), c); !errors.Is(err, ErrConfig) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
