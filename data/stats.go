package data

import (
	"fmt"
	"math"

	"rampart/quoridor"
)

// Stats sums up games. Make one with [NewStats] and [Stats.Add] games of one board to it; the memory it takes is bounded.
type Stats struct {
	Games    int
	Plies    int
	Opening  int // plies of openings that were not searched
	Searches int
	Fast     int // searches with FlagFast
	Rows     int // training rows
	Results  [quoridor.DrawRepetition + 1]int

	ShortestGame, LongestGame int // in plies
	Visits                    uint64
	Entropy                   float64 // sum over the searches of the policy's entropy, in nats
	TopProb                   float64 // sum over the searches of the greatest probability
	Entries                   int     // moves with a probability, over all searches
	ValueError                float64 // sum over the searches of the squared difference of root value and outcome

	board    *quoridor.Board
	distinct distinctCounter
	openings *openingTree
}

// NewStats returns the statistics of no game. The tree of openings goes down to the given number of plies.
func NewStats(b *quoridor.Board, depth int) *Stats {
	return &Stats{board: b, openings: newOpeningTree(depth)}
}

// StatsOf sums up the games of shards of one board, sealed or open.
func StatsOf(paths []string, depth int) (*Stats, error) {
	var s *Stats
	err := visitAll(paths, func(h *Header, g *Game) error {
		if s == nil {
			s = NewStats(h.Board, depth)
		}
		s.Add(g)
		return nil
	})
	if err == nil && s == nil {
		err = fmt.Errorf("%w: no game in %d shard(s)", ErrFolder, len(paths))
	}
	return s, err
}

// Board returns the board of the games.
func (s *Stats) Board() *quoridor.Board { return s.board }

// Add adds a game that has been checked.
func (s *Stats) Add(g *Game) {
	if s.Games == 0 || len(g.Moves) < s.ShortestGame {
		s.ShortestGame = len(g.Moves)
	}
	s.LongestGame = max(s.LongestGame, len(g.Moves))
	s.Games++
	s.Plies += len(g.Moves)
	s.Opening += g.Opening
	s.Results[g.Result]++
	s.openings.add(g)
	p, ply := s.board.Start(), 0
	for i := range g.Searches {
		for ; ply < g.Searches[i].Ply; ply++ {
			p = s.board.Play(p, g.Moves[ply])
		}
		s.addSearch(&g.Searches[i], g.Outcome(ply), &p)
	}
}

func (s *Stats) addSearch(search *Search, outcome int, p *quoridor.Position) {
	s.Searches++
	s.Visits += uint64(search.Visits)
	if search.Flags&FlagFast != 0 {
		s.Fast++
	}
	if search.Trains() {
		s.Rows++
		s.distinct.add(p.Hash())
	}
	top := uint16(0)
	for _, e := range search.Policy {
		top = max(top, e.P)
		q := float64(e.P) / ProbSum
		s.Entropy -= q * math.Log(q)
	}
	s.TopProb += float64(top) / ProbSum
	s.Entries += len(search.Policy)
	d := search.RootValue() - float64(outcome)
	s.ValueError += d * d
}

// Distinct returns the number of different positions among the training rows. It is an estimate, good to about a thousandth, if exact is
// false.
func (s *Stats) Distinct() (n int, exact bool) {
	return s.distinct.count(), s.distinct.bits == 0
}

// Draws returns the number of drawn games.
func (s *Stats) Draws() int {
	return s.Results[quoridor.DrawCap] + s.Results[quoridor.DrawRepetition]
}

// Openings lists the openings played in at least the given share of the games.
func (s *Stats) Openings(share float64) []Opening {
	return s.openings.list(max(1, int(math.Ceil(share*float64(s.Games)))))
}
