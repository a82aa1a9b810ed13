package mcts

import (
	"slices"
	"testing"

	"rampart/quoridor"
)

// TestLine: a line begins with the move asked for, is legal throughout and as long as asked for if the search went that deep; a move
// that was not looked at has none.
func TestLine(t *testing.T) {
	b, p := parse(t, "5x5 c2 d4 b2h 1,2 0")
	for _, mode := range modes {
		s := newSearch(t, hashed{b, 2}, mode, 300)
		if line, _ := s.Line(quoridor.PawnMove(quoridor.CellAt(2, 2)), 5); line != nil {
			t.Errorf("%s: a line before the search", mode)
		}
		r := run(t, s, p, -1, nil)
		for _, m := range r.Moves {
			line, visits := s.Line(m.Move, 4)
			if (len(line) > 0) != (m.Visits > 0) || len(line) > 4 || len(line) > m.Visits {
				t.Fatalf("%s: %s with %d visits: line %v", mode, m.Move, m.Visits, line)
			}
			if len(line) == 0 {
				continue
			}
			if line[0] != m.Move || visits[0] != m.Visits || len(visits) != len(line) || !slices.IsSortedFunc(visits, func(a, b int) int { return b - a }) {
				t.Fatalf("%s: the line of %s with %d visits is %v, visits %v", mode, m.Move, m.Visits, line, visits)
			}
			if _, err := quoridor.Replay(b, p, quoridor.Rules{}, line); err != nil {
				t.Fatalf("%s: line %v: %v", mode, line, err)
			}
		}
		if line, _ := s.Line(r.Moves[0].Move, 3); len(line) != 3 {
			t.Errorf("%s: the best move's line is %v, want 3 moves", mode, line)
		}
	}
}
