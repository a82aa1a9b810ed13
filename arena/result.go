package arena

import (
	"fmt"
	"strings"

	"rampart/quoridor"
)

// Tally counts games from one player's point of view.
type Tally struct{ Wins, Draws, Losses int }

// Games returns the number of games.
func (t Tally) Games() int { return t.Wins + t.Draws + t.Losses }

// Score returns the mean score per game, 0 to 1; 0.5 without games.
func (t Tally) Score() float64 {
	if t.Games() == 0 {
		return 0.5
	}
	return (float64(t.Wins) + float64(t.Draws)/2) / float64(t.Games())
}

// String returns the tally as "+3 =1 -2".
func (t Tally) String() string { return fmt.Sprintf("+%d =%d -%d", t.Wins, t.Draws, t.Losses) }

// plus returns the sum of two tallies.
func (t Tally) plus(u Tally) Tally {
	return Tally{t.Wins + u.Wins, t.Draws + u.Draws, t.Losses + u.Losses}
}

// reversed returns the tally of the other player.
func (t Tally) reversed() Tally { return Tally{t.Losses, t.Draws, t.Wins} }

// count adds a game.
func (t *Tally) count(r quoridor.Result, seat int) {
	switch r.Winner() {
	case seat:
		t.Wins++
	case -1:
		t.Draws++
	default:
		t.Losses++
	}
}

// MatchResult is what a match has shown, from the point of view of player A.
type MatchResult struct {
	A, B         string
	Board        *quoridor.Board
	Rules        quoridor.Rules // ply cap filled in
	Seed         uint64
	OpeningPlies int

	Pairs             Pairs    // counted pairs by A's points
	BySeat            [2]Tally // A's games as player 0 and as player 1
	DrawsByCap        int
	DrawsByRepetition int
	Plies             int // of all games, openings included
	Distinct          int // games that differ in start or moves
	DistinctOpenings  int // openings that end in different positions

	SPRT     *SPRT // the test, if there was one
	LLR      float64
	Decision Decision
}

// Games returns the number of games in counted pairs.
func (r *MatchResult) Games() int { return 2 * r.Pairs.Count() }

// Total returns A's tally over both seats.
func (r *MatchResult) Total() Tally { return r.BySeat[0].plus(r.BySeat[1]) }

// Score returns A's mean score per game, 0 to 1 (see [Pairs.Score]).
func (r *MatchResult) Score() Estimate { return r.Pairs.Score() }

// Elo returns A's Elo advantage (see [Pairs.Elo]).
func (r *MatchResult) Elo() Estimate { return r.Pairs.Elo() }

// String returns the result as several lines to read.
func (r *MatchResult) String() string {
	var s strings.Builder
	fmt.Fprintf(&s, "%s against %s on %s, seed %d\n", r.A, r.B, r.Board, r.Seed)
	if r.Games() == 0 {
		return s.String() + "  no pair was finished\n"
	}
	fmt.Fprintf(&s, "  %s of %d games: score %s %%, Elo %s\n", r.Total(), r.Games(), r.Score().scale(100), r.Elo())
	fmt.Fprintf(&s, "  %s as player 0, %s as player 1\n", r.BySeat[0], r.BySeat[1])
	fmt.Fprintf(&s, "  pairs with 0, 0.5, 1, 1.5, 2 points: %d, %d, %d, %d, %d\n", r.Pairs[0], r.Pairs[1], r.Pairs[2], r.Pairs[3], r.Pairs[4])
	fmt.Fprintf(&s, "  %d distinct games from %d openings, %.1f plies on average", r.Distinct, r.DistinctOpenings, float64(r.Plies)/float64(r.Games()))
	if draws := r.DrawsByCap + r.DrawsByRepetition; draws > 0 {
		fmt.Fprintf(&s, "; draws: %d by the cap of %d plies, %d by repetition", r.DrawsByCap, r.Rules.PlyCap, r.DrawsByRepetition)
	}
	s.WriteByte('\n')
	if r.SPRT != nil {
		low, high := r.SPRT.Bounds()
		fmt.Fprintf(&s, "  SPRT %g against %g Elo: LLR %.2f in [%.2f, %.2f]: %s\n", r.SPRT.Elo0, r.SPRT.Elo1, r.LLR, low, high, r.Decision)
	}
	return s.String()
}

// tally builds the result of a match from its games in order.
type tally struct {
	config   *MatchConfig
	result   *MatchResult
	first    *Game // of the current pair
	games    map[string]bool
	openings map[quoridor.Position]bool
}

func newTally(m *match) *tally {
	c := &m.config
	return &tally{
		config: c,
		result: &MatchResult{
			A: m.sides[0].Name, B: m.sides[1].Name, Board: c.Board, Rules: m.rules,
			Seed: c.Seed, OpeningPlies: c.OpeningPlies, SPRT: c.SPRT,
		},
		games:    make(map[string]bool),
		openings: make(map[quoridor.Position]bool),
	}
}

// add counts a game and tells whether the match is decided. Only whole pairs are counted.
func (t *tally) add(g *Game) bool {
	if g.Number == 0 {
		t.first = g
		return false
	}
	points := 0
	for _, game := range [2]*Game{t.first, g} {
		t.count(game)
		points += int(2 * game.Result().Score(game.SeatOfA()))
	}
	r := t.result
	r.Pairs[points]++
	if r.SPRT != nil {
		r.LLR = r.SPRT.LLR(r.Pairs)
		if r.Pairs.Count() >= t.config.MinPairs {
			r.Decision = r.SPRT.Decide(r.Pairs)
		}
	}
	if t.config.OnPair != nil {
		t.config.OnPair(r)
	}
	return r.Decision != NoDecision
}

func (t *tally) count(g *Game) {
	r := t.result
	r.BySeat[g.SeatOfA()].count(g.Result(), g.SeatOfA())
	switch g.Result() {
	case quoridor.DrawCap:
		r.DrawsByCap++
	case quoridor.DrawRepetition:
		r.DrawsByRepetition++
	}
	r.Plies += g.Plies()
	key := make([]byte, g.Plies())
	for i, m := range g.Moves() {
		key[i] = byte(m)
	}
	t.games[g.Board.Format(g.PositionAt(0))+string(key)] = true
	t.openings[g.PositionAt(g.OpeningPlies)] = true
	r.Distinct, r.DistinctOpenings = len(t.games), len(t.openings)
	if t.config.OnGame != nil {
		t.config.OnGame(g)
	}
}
