package mcts

// Known outcomes are carried up the tree (Winands, Björnsson, Saito: Monte-Carlo tree search solver, 2008): a position with a move that wins is
// won, one whose moves all have known outcomes has the best of them. The search goes no more into a move that loses for sure, and
// ends when it knows the outcome of the root. A Gumbel search with noise goes on when the root is won, and its choice and policy are made as ever: with
// one winning move as the whole policy a network learns less (docs/experiments.md).
//
// A node holds the plies to the end as well, so that a win comes nearer with every move: the fewest that a proof has shown for the winner,
// the most for the loser.

// learn notes that the outcome of the position after the move is known. All visits count as that outcome from now on.
func (e *edge) learn(child *node) {
	q := -float64(child.outcome)
	e.known, e.sum, e.squares = true, q*float64(e.visits), q*q*float64(e.visits)
}

// won and lost tell whether the side that plays the move has won or lost for sure.
func (e *edge) won() bool  { return e.known && e.sum > 0 }
func (e *edge) lost() bool { return e.known && e.sum < 0 }

// prove finds out whether the outcome of the node is known now that the outcome after its move e is.
func (s *Search) prove(n *node, e *edge) {
	switch {
	case n.exact:
		return
	case e.won():
		n.end(1, s.nodes[e.child].plies+1)
		return
	case n.numUntried > 0:
		return
	}
	outcome, plies := int8(-1), uint16(0)
	edges := s.edgesOf(n)
	for i := range edges {
		if !edges[i].known {
			return
		}
		child := &s.nodes[edges[i].child]
		outcome, plies = max(outcome, -child.outcome), max(plies, child.plies+1)
	}
	if outcome == 0 {
		plies = 0
	}
	n.end(outcome, plies)
}

// provenMove chooses the move of a root whose outcome the search has proved: of the moves that keep it the one that wins soonest, that loses
// latest, or that has the greatest share of the policy.
func (s *Search) provenMove(n *node, edges []edge, policy []float64) int {
	best, bestRank := 0, -1.0
	for i := range edges {
		e := &edges[i]
		if !e.known || e.q() != float64(n.outcome) {
			continue
		}
		rank := policy[i]
		if n.outcome != 0 {
			plies := float64(s.nodes[e.child].plies)
			if n.outcome > 0 {
				plies = mostProvenPlies - plies
			}
			rank += 2 * plies
		}
		if rank > bestRank {
			best, bestRank = i, rank
		}
	}
	return best
}

const mostProvenPlies = 1 << 16
