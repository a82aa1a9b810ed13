package mcts

import (
	"math"

	"rampart/quoridor"
)

// Prober knows the exact value of some positions, such as those in which neither player has walls left. One goroutine owns it.
type Prober interface {
	// Probe returns the outcome for the side to move (1 win, 0 draw by endless play, -1 loss), the number of plies to the end when the
	// winner hurries and the loser delays (0 for a draw), and whether the position is known. The position is not finished.
	Probe(p *quoridor.Position) (outcome, plies int, known bool)
}

// SetProber makes the searches to come take the prober's word for positions that it knows; nil for none. A root that it knows is not
// searched at all: the best moves are those that win soonest, or else draw, or else lose latest.
func (s *Search) SetProber(p Prober) { s.prober = p }

// probe returns the exact value of a position when the given number of plies is left until the cap (negative for no cap). A win that comes
// too late is a draw.
func (s *Search) probe(p *quoridor.Position, pliesLeft int) (value float32, known bool) {
	if s.prober == nil {
		return 0, false
	}
	outcome, plies, known := s.prober.Probe(p)
	if !known {
		return 0, false
	}
	if pliesLeft >= 0 && plies > pliesLeft {
		outcome = 0
	}
	return float32(outcome), true
}

// probeRoot solves the root from what the prober says of it and of every position after a move of it. Its moves are in s.moves. It tells
// whether the prober knew them all.
func (s *Search) probeRoot(p *quoridor.Position) (solved bool) {
	if _, known := s.probe(p, s.pliesLeft); !known {
		return false
	}
	bestRank := math.MinInt
	s.best = s.best[:0]
	for _, m := range s.moves {
		after := s.board.Play(*p, m)
		outcome, plies := -1, 0 // the opponent has lost when the move wins
		if s.board.Winner(&after) < 0 {
			var known bool
			if outcome, plies, known = s.prober.Probe(&after); !known {
				return false
			}
		}
		rank := -outcome * (1000 - plies) // soon won, drawn, late lost
		if rank > bestRank {
			bestRank, s.best = rank, s.best[:0]
		}
		if rank == bestRank {
			s.best = append(s.best, m)
		}
	}
	value, _ := s.probe(p, s.pliesLeft)
	s.nodes[0].exact, s.nodes[0].value = true, value
	return true
}
