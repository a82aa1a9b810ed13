package mcts

import (
	"fmt"
	"math"
	"unsafe"

	"rampart/quoridor"
)

// tree holds the nodes of one search and their moves in slices that are reused from search to search. A move that was never visited takes
// 8 bytes; most moves of most nodes never are.
type tree struct {
	nodes   []node
	edges   []edge
	untried []untried
	limit   int64 // bytes that all slices may take
	halves  int64 // 2 if the tree is ever copied

	spareNodes   []node // the other half of a copy
	spareEdges   []edge
	spareUntried []untried
}

// node is a position that was reached.
type node struct {
	pos          quoridor.Position
	firstEdge    int32   // its edges lie next to each other, with room to grow
	firstUntried int32   // the untried moves: first the one with the largest prior, then the others in no order
	visits       int32   // sum of the edges' visits
	pending      int32   // simulations under way through the edges
	value        float32 // own evaluation, for the side to move
	numEdges     uint8
	roomEdges    uint8
	numUntried   uint8
	exact        bool   // the outcome is known: the game is over, or how it ends is
	outcome      int8   // then: 1 if the side to move wins, 0 for a draw, -1 if it loses
	plies        uint16 // and: to the end, 0 for a draw. The winner may need fewer
}

// end notes the outcome of the node.
func (n *node) end(outcome int8, plies uint16) { n.exact, n.outcome, n.plies = true, outcome, plies }

// waits tells whether the node's evaluation is not there yet.
func (n *node) waits() bool { return n.numEdges == 0 && n.numUntried == 0 && !n.exact }

// edge is a move of a node that was visited, or is about to be.
type edge struct {
	sum     float64 // of the backed-up values, for the side that plays the move
	squares float64 // sum of their squares
	child   int32   // node index
	visits  int32   // simulations that went through and were backed up
	pending int32   // simulations that are under way below
	prior   float32
	move    quoridor.Move
	known   bool // the outcome after the move is known: that of every visit
}

// untried is a move of a node that was not visited.
type untried struct {
	prior float32 // softmax of the logits over the legal moves
	move  quoridor.Move
}

// q is the mean backed-up value of a visited edge, for the side that plays it.
func (e *edge) q() float64 { return e.sum / float64(e.visits) }

func (t *tree) reset() {
	t.nodes, t.edges, t.untried = t.nodes[:0], t.edges[:0], t.untried[:0]
}

// addNode appends a node without moves and returns its index.
func (t *tree) addNode(p quoridor.Position) int32 {
	t.nodes = append(grown(t.nodes, 1), node{pos: p})
	return int32(len(t.nodes) - 1)
}

// edgesOf returns the node's edges. The slice is valid until a move is tried for the first time.
func (t *tree) edgesOf(n *node) []edge { return t.edges[n.firstEdge:][:n.numEdges] }

// untriedOf returns the node's untried moves. The slice is valid until the next expansion.
func (t *tree) untriedOf(n *node) []untried { return t.untried[n.firstUntried:][:n.numUntried] }

// expand gives the node its moves, with priors from the logits.
func (t *tree) expand(index int32, moves []quoridor.Move, logits []float32) error {
	first := len(t.untried)
	t.untried = grown(t.untried, len(moves))[:first+len(moves)]
	list := t.untried[first:]
	for i, m := range moves {
		list[i] = untried{prior: logits[i], move: m}
	}
	if err := setPriors(list); err != nil {
		t.untried = t.untried[:first]
		return err
	}
	bringForward(list)
	n := &t.nodes[index]
	n.firstUntried, n.numUntried = int32(first), uint8(len(moves))
	return nil
}

// setPriors replaces logits by their softmax. If every logit is -Inf the priors are uniform.
func setPriors(list []untried) error {
	highest := float32(math.Inf(-1))
	for i := range list {
		if l := list[i].prior; l != l || l > math.MaxFloat32 {
			return fmt.Errorf("%w: logit %g of move %s", ErrEvaluation, l, list[i].move)
		}
		highest = max(highest, list[i].prior)
	}
	if math.IsInf(float64(highest), -1) {
		for i := range list {
			list[i].prior = 1 / float32(len(list))
		}
		return nil
	}
	sum := 0.0
	for i := range list {
		w := math.Exp(float64(list[i].prior - highest))
		list[i].prior = float32(w)
		sum += w
	}
	for i := range list {
		list[i].prior = float32(float64(list[i].prior) / sum)
	}
	return nil
}

// bringForward swaps the move with the largest prior to the front; the first of equals wins.
func bringForward(list []untried) {
	best := 0
	for i := range list {
		if list[i].prior > list[best].prior {
			best = i
		}
	}
	if best > 0 {
		list[0], list[best] = list[best], list[0]
	}
}

// try makes an edge without a child of the node's untried move at position i and returns the edge's position.
func (t *tree) try(n *node, i int) int {
	list := t.untriedOf(n)
	list[0], list[i] = list[i], list[0]
	u := list[0]
	n.firstUntried++
	n.numUntried--
	if rest := list[1:]; len(rest) > 0 {
		bringForward(rest)
	}
	if n.numEdges == n.roomEdges {
		t.moveEdges(n, min(max(1, 2*int(n.roomEdges)), int(n.numEdges)+1+int(n.numUntried)))
	}
	t.edges[n.firstEdge+int32(n.numEdges)] = edge{move: u.move, prior: u.prior, child: -1}
	n.numEdges++
	return int(n.numEdges) - 1
}

// moveEdges moves the node's edges to the end, where there is room for more.
func (t *tree) moveEdges(n *node, room int) {
	first := len(t.edges)
	t.edges = grown(t.edges, room)[:first+room]
	copy(t.edges[first:], t.edgesOf(n))
	n.firstEdge, n.roomEdges = int32(first), uint8(room)
}

// findBelowRoot returns the node of the position one or two plies below the root, or -1, and its depth.
func (t *tree) findBelowRoot(p *quoridor.Position) (index int32, depth int) {
	if len(t.nodes) == 0 {
		return -1, 0
	}
	for _, e := range t.edgesOf(&t.nodes[0]) {
		if e.child < 0 {
			continue
		}
		child := &t.nodes[e.child]
		if child.pos == *p {
			return e.child, 1
		}
		for _, e2 := range t.edgesOf(child) {
			if e2.child >= 0 && t.nodes[e2.child].pos == *p {
				return e2.child, 2
			}
		}
	}
	return -1, 0
}

// reroot makes the node the root and drops everything that is not below it.
func (t *tree) reroot(index int32) {
	nodes, edges, rest := like(t.spareNodes, t.nodes), like(t.spareEdges, t.edges), like(t.spareUntried, t.untried)
	nodes = append(nodes, t.nodes[index])
	for i := 0; i < len(nodes); i++ { // nodes[i] still points to its moves in the old tree
		n := &nodes[i]
		first, firstUntried := len(edges), len(rest)
		edges = append(edges, t.edgesOf(n)...)
		rest = append(rest, t.untriedOf(n)...)
		n.firstEdge, n.roomEdges, n.firstUntried = int32(first), n.numEdges, int32(firstUntried)
		for j := range edges[first:] {
			e := &edges[first+j]
			if e.child >= 0 {
				nodes = append(nodes, t.nodes[e.child])
				e.child = int32(len(nodes) - 1)
			}
		}
	}
	t.spareNodes, t.nodes = t.nodes, nodes
	t.spareEdges, t.edges = t.edges, edges
	t.spareUntried, t.untried = t.untried, rest
}

// like returns the empty slice with room for all of the other.
func like[T any](s, other []T) []T {
	if cap(s) < len(other) {
		return make([]T, 0, cap(other))
	}
	return s[:0]
}

// Sizes of the parts of a tree.
const (
	nodeBytes    = int64(unsafe.Sizeof(node{}))
	edgeBytes    = int64(unsafe.Sizeof(edge{}))
	untriedBytes = int64(unsafe.Sizeof(untried{}))
)

// bytes returns the memory that the tree holds, used or not.
func (t *tree) bytes() int64 {
	return int64(cap(t.nodes)+cap(t.spareNodes))*nodeBytes + int64(cap(t.edges)+cap(t.spareEdges))*edgeBytes +
		int64(cap(t.untried)+cap(t.spareUntried))*untriedBytes
}

// hasRoom tells whether as many more nodes can be added and expanded without going beyond the limit.
func (t *tree) hasRoom(nodes int) bool {
	after := func(length, capacity, need int) int64 {
		if length+need > capacity {
			capacity += growth(capacity, need)
		}
		return int64(capacity)
	}
	bytes := after(len(t.nodes), cap(t.nodes), nodes)*nodeBytes + after(len(t.edges), cap(t.edges), nodes*quoridor.MaxMoves)*edgeBytes +
		after(len(t.untried), cap(t.untried), nodes*quoridor.MaxMoves)*untriedBytes
	return bytes*t.halves <= t.limit
}

// growth is how much a slice grows that needs more room.
func growth(capacity, need int) int { return max(need, capacity/2) }

// grown returns the slice with room for more.
func grown[T any](s []T, need int) []T {
	if len(s)+need <= cap(s) {
		return s
	}
	bigger := make([]T, len(s), cap(s)+growth(cap(s), need))
	copy(bigger, s)
	return bigger
}
