package mcts

import "rampart/quoridor"

// Prober knows the value of some positions for sure, such as those in which neither player has walls left (package solver/race). Positions
// asked about are not finished; outcomes are 1 for a win of the side to move, 0 for a draw by endless play, -1 for a loss. What it
// answers must not depend on what it was asked before. One goroutine at a time asks.
type Prober interface {
	// Outcome returns the outcome when the game is a draw after pliesLeft more plies (negative for no cap), the plies that the winner
	// needs at most, and whether the outcome is known.
	Outcome(p *quoridor.Position, pliesLeft int) (outcome, plies int, known bool)
	// Probe returns the outcome without a cap, the plies to the end, and whether the outcome is known. The plies are exact, the
	// winner hurrying and the loser delaying, if neither player has walls left, or else the most that the winner needs.
	Probe(p *quoridor.Position) (outcome, plies int, known bool)
}

// SetProber makes the searches to come take the prober's word for positions that it knows; nil for none. A root that it knows is not
// searched at all: the best moves are those that win soonest, or else draw, or else lose latest.
func (s *Search) SetProber(p Prober) { s.prober = p }

// probe returns the outcome of a position when the given number of plies is left until the cap (negative for no cap), and the plies to the end,
// if they are known.
func (s *Search) probe(p *quoridor.Position, pliesLeft int) (outcome int8, plies uint16, known bool) {
	if s.prober == nil {
		return 0, 0, false
	}
	result, within, known := s.prober.Outcome(p, pliesLeft)
	return int8(result), uint16(within), known
}

// probeRoot solves the root from what the prober says of it and of the positions after its moves, and tells whether it could.
func (s *Search) probeRoot(p *quoridor.Position) (solved bool) {
	if s.prober == nil {
		return false
	}
	outcome, plies, known := s.prober.Probe(p)
	if !known {
		return false
	}
	if s.pliesLeft >= 0 && plies > s.pliesLeft { // the win comes too late, for all that is known
		if p.WallsLeft(0)+p.WallsLeft(1) > 0 {
			return false
		}
		outcome = 0
	}
	s.solved = s.solved[:0]
	for _, m := range s.rootMoves {
		after := s.board.Play(*p, m)
		theirs, plies := -1, 0 // the opponent has lost when the move wins
		if s.board.Winner(&after) < 0 {
			var known bool
			if theirs, plies, known = s.prober.Probe(&after); !known {
				continue // a wall that gives the win away, or may do so
			}
		}
		s.solved = append(s.solved, solvedMove{m, -theirs, -theirs * (1000 - plies)}) // soon won, drawn, late lost
	}
	s.nodes[0].end(int8(outcome), uint16(plies))
	return true
}

// solvedMove is a move of a root that needs no search.
type solvedMove struct {
	move    quoridor.Move
	outcome int // for the side that plays it
	rank    int // the greatest is best
}

// winRoot solves the root if it has moves that win at once.
func (s *Search) winRoot(p *quoridor.Position) (solved bool) {
	s.solved = s.solved[:0]
	for _, m := range s.rootMoves {
		if isWin(s.board, p, m) {
			s.solved = append(s.solved, solvedMove{m, 1, 1})
		}
	}
	if len(s.solved) > 0 {
		s.nodes[0].end(1, 1)
	}
	return len(s.solved) > 0
}

// winsAtOnce tells whether the side to move can reach his goal row with this move.
func (s *Search) winsAtOnce(p *quoridor.Position) bool {
	row := (1 - p.Side()) * (s.board.H - 1)
	if d := p.Pawn(p.Side()).Y() - row; d > 2 || d < -2 { // a jump goes two rows at most
		return false
	}
	var buffer [5]quoridor.Move
	for _, m := range s.board.PawnMoves(buffer[:0], p) {
		if isWin(s.board, p, m) {
			return true
		}
	}
	return false
}

func isWin(b *quoridor.Board, p *quoridor.Position, m quoridor.Move) bool {
	return m.IsPawn() && m.Cell().Y() == (1-p.Side())*(b.H-1)
}
