package arena

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// The samples for a ladder's intervals are bounded below by what an end of an interval, the most extreme fortieth of them, can be told from, and
// above for time and memory.
const (
	leastBootstrap = 100
	mostBootstrap  = 100_000
)

// LadderConfig says how a ladder is played.
type LadderConfig struct {
	Match     MatchConfig // of each pairing, with a seed that is derived from Match.Seed for each; without SPRT
	Bootstrap int         // samples for the intervals of the ratings, at least 100; 1000 is plenty

	// OnMatch is called after each pairing with its number from 1 and the number of pairings.
	OnMatch func(r *MatchResult, number, of int)
}

// LadderResult is what a ladder has shown.
type LadderResult struct {
	Standings []Standing // best first
	Matches   []*MatchResult
}

// Ladder plays a match between every two players and rates them by the Bradley-Terry model ([Rate], with one virtual drawn game
// for every two players, so that a player who loses every game has a finite rating). Players need different names. If the context
// ends, Ladder returns the standings after the pairings played so far, and its error.
func Ladder(ctx context.Context, players []Opponent, c LadderConfig) (*LadderResult, error) {
	if err := c.validate(players); err != nil {
		return nil, err
	}
	result := &LadderResult{}
	var meetings []meeting
	var failure error
	of := len(players) * (len(players) - 1) / 2
	for i := range players {
		for j := i + 1; j < len(players) && failure == nil; j++ {
			config := c.Match
			config.Seed = stream(c.Match.Seed, uint64(i), uint64(j))
			var r *MatchResult
			if r, failure = Match(ctx, players[i], players[j], config); r != nil && r.Games() > 0 {
				result.Matches = append(result.Matches, r)
				meetings = append(meetings, meeting{i, j, r.Pairs})
				if c.OnMatch != nil {
					c.OnMatch(r, len(result.Matches), of)
				}
			}
		}
	}
	result.rank(players, meetings, c)
	return result, failure
}

func (c *LadderConfig) validate(players []Opponent) error {
	if len(players) < 2 {
		return fmt.Errorf("%w: a ladder of %d players: there must be at least 2", ErrConfig, len(players))
	}
	if c.Match.SPRT != nil {
		return fmt.Errorf("%w: a ladder plays all pairs, it takes no SPRT", ErrConfig)
	}
	if c.Bootstrap < leastBootstrap || c.Bootstrap > mostBootstrap {
		return fmt.Errorf("%w: %d bootstrap samples: must be %d to %d", ErrConfig, c.Bootstrap, leastBootstrap, mostBootstrap)
	}
	names := make(map[string]bool)
	for _, p := range players {
		if names[p.Name] {
			return fmt.Errorf("%w: two players of a ladder are called %q", ErrConfig, p.Name)
		}
		names[p.Name] = true
	}
	return c.Match.Validate()
}

// rank fills in the standings of the players who met somebody.
func (r *LadderResult) rank(players []Opponent, meetings []meeting, c LadderConfig) {
	var met []int // indices of players
	place := make(map[int]int)
	for i := range players {
		if slices.ContainsFunc(meetings, func(m meeting) bool { return m.a == i || m.b == i }) {
			place[i] = len(met)
			met = append(met, i)
		}
	}
	if len(met) == 0 {
		return
	}
	for i := range meetings {
		meetings[i].a, meetings[i].b = place[meetings[i].a], place[meetings[i].b]
	}
	ratings := rateMeetings(len(met), meetings, c.Bootstrap, newRand(stream(c.Match.Seed, streamBootstrap)))
	for k, i := range met {
		s := Standing{Name: players[i].Name, Rating: ratings[k]}
		for _, m := range r.Matches {
			switch s.Name {
			case m.A:
				s.Total = s.Total.plus(m.Total())
			case m.B:
				s.Total = s.Total.plus(m.Total().reversed())
			}
		}
		r.Standings = append(r.Standings, s)
	}
	slices.SortStableFunc(r.Standings, func(a, b Standing) int {
		switch {
		case a.Rating.Value > b.Rating.Value:
			return -1
		case a.Rating.Value < b.Rating.Value:
			return 1
		}
		return 0
	})
}

// String returns a table to read: the standings, and the score in percent of each player against each other; below it, how many games there were and
// how many of them were distinct.
func (r *LadderResult) String() string {
	if len(r.Standings) == 0 {
		return "no pair was finished\n"
	}
	width := len("player")
	for _, s := range r.Standings {
		width = max(width, utf8.RuneCountInString(s.Name))
	}
	var t strings.Builder
	fmt.Fprintf(&t, "    %-*s     Elo  95 %% interval      games   score", width, "player")
	for i := range r.Standings {
		fmt.Fprintf(&t, " %5s", fmt.Sprintf("#%d", i+1))
	}
	t.WriteByte('\n')
	for i, s := range r.Standings {
		interval := fmt.Sprintf("[%.0f, %.0f]", s.Rating.Low, s.Rating.High)
		fmt.Fprintf(&t, "#%-2d %-*s %7.0f  %-15s %7d %6.1f%%", i+1, width, s.Name, s.Rating.Value, interval, s.Total.Games(), 100*s.Total.Score())
		for _, o := range r.Standings {
			t.WriteString(" " + r.against(s.Name, o.Name))
		}
		t.WriteByte('\n')
	}
	games, distinct := 0, 0
	for _, m := range r.Matches {
		games, distinct = games+m.Games(), distinct+m.Distinct
	}
	fmt.Fprintf(&t, "%d games, %d of them distinct\n", games, distinct)
	return t.String()
}

// against returns the score in percent of a player against another, right aligned in five characters.
func (r *LadderResult) against(a, b string) string {
	for _, m := range r.Matches {
		switch {
		case m.A == a && m.B == b:
			return fmt.Sprintf("%5.1f", 100*m.Total().Score())
		case m.A == b && m.B == a:
			return fmt.Sprintf("%5.1f", 100*m.Total().reversed().Score())
		}
	}
	return "    -"
}
