package mcts

import "rampart/quoridor"

// Line returns the continuation that the search has looked at most, from the root move on: at each node the most visited move, the
// larger Q among equals, but a move that wins for sure before all others and one that loses for sure after them; at most the given number of
// moves. visits holds the visits of each. Both are empty if the search has not looked at
// the root move.
func (s *Search) Line(first quoridor.Move, most int) (line []quoridor.Move, visits []int) {
	if len(s.nodes) == 0 {
		return nil, nil
	}
	index := int32(0)
	for len(line) < most && index >= 0 {
		edges := s.edgesOf(&s.nodes[index])
		best := -1
		for i := range edges {
			e := &edges[i]
			switch {
			case e.visits == 0:
			case index == 0:
				if e.move == first {
					best = i
				}
			case best < 0 || e.follows(&edges[best]):
				best = i
			}
		}
		if best < 0 {
			break
		}
		line, visits = append(line, edges[best].move), append(visits, int(edges[best].visits))
		index = edges[best].child
	}
	return line, visits
}

// follows tells whether the move comes before the other one in a line. Both have visits.
func (e *edge) follows(other *edge) bool {
	switch {
	case e.won() != other.won():
		return e.won()
	case e.lost() != other.lost():
		return other.lost()
	case e.visits != other.visits:
		return e.visits > other.visits
	}
	return e.q() > other.q()
}
