package mcts

import "testing"

// knownRoot returns a search whose root has the given edges to nodes of known outcome, or to one of value 0.3 that is not known.
func knownRoot(t *testing.T, mode Mode, children ...node) *Search {
	t.Helper()
	b, p := parse(t, "5x5 c2 d4 b2h 2,2 0")
	s := newSearch(t, hashed{b, 1}, mode, 10)
	run(t, s, p, -1, nil)
	s.reset()
	s.addNode(p)
	for i, child := range children {
		e := edge{move: s.rootMoves[i], prior: 0.1, visits: 4, sum: 1.2, child: s.addNode(b.Play(p, s.rootMoves[i]))}
		n := &s.nodes[e.child]
		n.exact, n.outcome, n.value, n.plies = child.exact, child.outcome, child.value, child.plies
		if n.exact {
			e.learn(n)
		}
		s.edges = append(s.edges, e)
	}
	root := &s.nodes[0]
	root.numEdges, root.visits = uint8(len(children)), int32(4*len(children))
	return s
}

// TestProvenMove: a win is taken where it is nearest, a loss where it is farthest, a draw where the policy wants it.
func TestProvenMove(t *testing.T) {
	outcome := func(outcome int8, plies uint16) node { return node{exact: true, outcome: outcome, plies: plies} }
	policy := []float64{0.5, 0.3, 0.2}
	for name, c := range map[string]struct {
		value    int8
		children []node
		want     int
	}{
		"win":        {1, []node{outcome(1, 2), outcome(-1, 6), outcome(-1, 4)}, 2},
		"loss":       {-1, []node{outcome(1, 3), outcome(1, 7), outcome(1, 5)}, 1},
		"draw":       {0, []node{outcome(1, 9), outcome(0, 0), outcome(0, 0)}, 1},
		"equal wins": {1, []node{{value: 0.3}, outcome(-1, 4), outcome(-1, 4)}, 1},
	} {
		s := knownRoot(t, PUCT, c.children...)
		n := &s.nodes[0]
		n.outcome = c.value
		if got := s.provenMove(n, s.edgesOf(n), policy); got != c.want {
			t.Errorf("%s: move %d, want %d", name, got, c.want)
		}
	}
}

// TestKnownLossesAreNotChosen: however often a move was looked at before it was known to lose, another is chosen, an untried one if there is no
// other; and the policy says the same.
func TestKnownLossesAreNotChosen(t *testing.T) {
	lost, open := node{exact: true, outcome: 1, plies: 3}, node{value: 0.3}
	for _, mode := range modes {
		s := knownRoot(t, mode, lost, open)
		s.edges[0].visits, s.edges[1].sum, s.edges[1].visits = 90, -0.9, 1
		s.edges[0].learn(&s.nodes[s.edges[0].child])
		clear(s.noise)
		s.noise[s.edges[0].move] = 200
		n := &s.nodes[0]
		if got := s.pick(s.edgesOf(n), nil, 90); got != s.edges[1].move {
			t.Errorf("%s: %s, want the only move that is not known to lose", mode, got)
		}
		rest := []untried{{prior: 0.1, move: s.rootMoves[5]}, {prior: 0.4, move: s.rootMoves[6]}}
		s.noise[rest[1].move] = 1
		if got := s.pick(s.edgesOf(n)[:1], rest, 90); got != rest[1].move {
			t.Errorf("%s: %s, want the most promising untried move", mode, got)
		}
	}
	s := knownRoot(t, PUCT, lost, open, lost)
	n := &s.nodes[0]
	policy := make([]float64, 3)
	for _, forcing := range []bool{false, true} {
		s.forcing, s.cfg.ForcedPlayouts = forcing, 2
		if s.policy(n, s.edgesOf(n), nil, policy); policy[0] != 0 || policy[1] != 1 || policy[2] != 0 {
			t.Errorf("forced playouts %v: policy %v", forcing, policy)
		}
	}
}

// TestBackUpOfProofs: when a simulation proves a node on its way, the node's outcome goes on up, not what the simulation found; and so does every
// later visit.
func TestBackUpOfProofs(t *testing.T) {
	b, p := parse(t, "5x5 c2 d4 b2h 2,2 0")
	s := newSearch(t, hashed{b, 1}, PUCT, 10)
	s.rootMoves = b.Moves(nil, &p)
	s.addNode(p)
	after := b.Play(p, s.rootMoves[0])
	for range 4 {
		s.addNode(after)
	}
	s.nodes[3].end(0, 0) // a draw for the side to move at node 2
	s.nodes[4].end(1, 5) // a loss for it
	s.edges = []edge{{child: 1, visits: 1, sum: 0.5, pending: 1}, {child: 2, visits: 1, sum: -0.5, pending: 1}, {child: 3, visits: 1, known: true}, {child: 4, pending: 1}}
	s.nodes[0].numEdges, s.nodes[0].numUntried, s.nodes[0].pending = 1, 3, 1
	s.nodes[1].firstEdge, s.nodes[1].numEdges, s.nodes[1].numUntried, s.nodes[1].pending = 1, 1, 3, 1
	s.nodes[2].firstEdge, s.nodes[2].numEdges, s.nodes[2].pending = 2, 2, 1
	w := &s.walker
	w.path = []step{{0, 0}, {1, 0}, {2, 1}}
	s.backUp(w, 1)
	if n := &s.nodes[2]; !n.exact || n.outcome != 0 || n.plies != 0 || !s.edges[3].lost() {
		t.Errorf("node %+v: want a draw, since its other move loses", *n)
	}
	if e := &s.edges[1]; !e.known || e.visits != 2 || e.sum != 0 {
		t.Errorf("edge %+v: want two visits that were draws", *e)
	}
	if e := &s.edges[0]; e.known || e.visits != 2 || e.sum != 0.5 {
		t.Errorf("edge %+v: want a draw added", *e)
	}
	if s.nodes[0].exact || s.nodes[1].exact {
		t.Error("a node is known, though moves are untried")
	}
	// A thread that was below the node when it was proved.
	s.edges[3].child, s.edges[3].known = s.addNode(after), false
	w.path = []step{{0, 0}, {1, 0}, {2, 1}}
	s.backUp(w, -0.7)
	if e := &s.edges[1]; e.visits != 3 || e.sum != 0 {
		t.Errorf("edge %+v: want three visits that were draws", *e)
	}
	if e := &s.edges[0]; e.visits != 3 || e.sum != 0.5 {
		t.Errorf("edge %+v: want another draw added", *e)
	}
}
