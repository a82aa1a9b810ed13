package arena

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rampart/quoridor"
)

func parsePlayers(names ...string) (list []Opponent) {
	for _, name := range names {
		list = append(list, MustParse(name))
	}
	return list
}

func TestLadder(t *testing.T) {
	c := LadderConfig{
		Match:     MatchConfig{Board: quoridor.MustBoard(5, 5, 3), Pairs: 20, OpeningPlies: 2, Seed: 1, Workers: 2},
		Bootstrap: 100,
	}
	calls := 0
	c.OnMatch = func(r *MatchResult, number, of int) {
		if calls++; number != calls || of != 3 || r.Games() != 40 {
			t.Errorf("call %d: match %d of %d with %d games", calls, number, of, r.Games())
		}
	}
	r, err := Ladder(t.Context(), parsePlayers("random", "alphabeta:depth=3:table=1", "racer"), c)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"alphabeta:depth=3:table=1", "racer", "random"}
	sum := 0.0
	for i, s := range r.Standings {
		if s.Name != want[i] || s.Total.Games() != 80 || !(s.Rating.Low <= s.Rating.Value && s.Rating.Value <= s.Rating.High) {
			t.Errorf("place %d: %v, want %s", i+1, s, want[i])
		}
		sum += s.Rating.Value
	}
	near(t, "sum of the ratings", sum, 0, 1e-6)
	c.Match.Workers = 1
	c.OnMatch = nil
	again, err := Ladder(t.Context(), parsePlayers("random", "alphabeta:depth=3:table=1", "racer"), c)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(r, again, ignoreBoard); diff != "" {
		t.Errorf("one worker gives another ladder than two:\n%s", diff)
	}
	table := r.String()
	lines := strings.Split(table, "\n")
	if len(lines) != 6 || !strings.Contains(lines[1], "alphabeta:depth=3") || len(lines[1]) != len(lines[3]) {
		t.Errorf("table:\n%s", table)
	}
	distinct := 0
	for _, m := range r.Matches {
		distinct += m.Distinct
	}
	if want := fmt.Sprintf("120 games, %d of them distinct", distinct); lines[4] != want {
		t.Errorf("the table ends with %q, want %q", lines[4], want)
	}
}

func TestLadderRefusesNonsense(t *testing.T) {
	good := MatchConfig{Board: quoridor.MustBoard(3, 3, 0), Pairs: 1}
	test := DefaultSPRT()
	for name, try := range map[string]struct {
		players []Opponent
		spoil   func(*LadderConfig)
	}{
		"one player":     {parsePlayers("racer"), func(*LadderConfig) {}},
		"same name":      {parsePlayers("racer", "racer"), func(*LadderConfig) {}},
		"with SPRT":      {parsePlayers("racer", "random"), func(c *LadderConfig) { c.Match.SPRT = &test }},
		"no pairs":       {parsePlayers("racer", "random"), func(c *LadderConfig) { c.Match.Pairs = 0 }},
		"no bootstrap":   {parsePlayers("racer", "random"), func(c *LadderConfig) { c.Bootstrap = 0 }},
		"too few":        {parsePlayers("racer", "random"), func(c *LadderConfig) { c.Bootstrap = leastBootstrap - 1 }},
		"huge bootstrap": {parsePlayers("racer", "random"), func(c *LadderConfig) { c.Bootstrap = 2_000_000_000 }},
	} {
		c := LadderConfig{Match: good, Bootstrap: leastBootstrap}
		try.spoil(&c)
		if _, err := Ladder(t.Context(), try.players, c); !errors.Is(err, ErrConfig) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestCancelledLadderKeepsWhatWasPlayed(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	c := LadderConfig{Match: MatchConfig{Board: quoridor.MustBoard(3, 3, 0), Pairs: 2, Seed: 1}, Bootstrap: leastBootstrap}
	c.OnMatch = func(*MatchResult, int, int) { cancel() }
	r, err := Ladder(ctx, parsePlayers("racer", "random", "waller"), c)
	if !errors.Is(err, context.Canceled) || len(r.Matches) != 1 || len(r.Standings) != 2 {
		t.Errorf("%v, %+v", err, r)
	}
}
