package mcts

import (
	"fmt"
	"math"

	"rampart/quoridor"
)

// tree holds the nodes and edges of one search in two slices that are reused from search to search.
type tree struct {
	nodes []node
	edges []edge

	spareNodes []node // the other half of a copy
	spareEdges []edge
}

// node is a position that was reached. Its edges lie next to each other; the visited ones come first, then the unvisited one with
// the largest prior, then the others in no order.
type node struct {
	pos       quoridor.Position
	firstEdge int32
	numEdges  int32
	visited   int32   // edges with at least one visit
	visits    int32   // sum of the edges' visits
	value     float32 // own evaluation, for the side to move
	exact     bool    // value is final: the game is over, or the side to move wins at once; there are no edges
}

// edge is a legal move of a node.
type edge struct {
	move   quoridor.Move
	child  int32   // node index, -1 before the first visit
	visits int32   // simulations that went through
	logit  float32 // of the evaluator
	prior  float32 // softmax of the logits over the legal moves
	sum    float64 // of the backed-up values, for the side that plays the move
}

// q is the mean backed-up value of a visited edge, for the side that plays it.
func (e *edge) q() float64 { return e.sum / float64(e.visits) }

func (t *tree) reset() {
	t.nodes = t.nodes[:0]
	t.edges = t.edges[:0]
}

// addNode appends a node without edges and returns its index.
func (t *tree) addNode(p quoridor.Position) int32 {
	t.nodes = append(t.nodes, node{pos: p})
	return int32(len(t.nodes) - 1)
}

// edgesOf returns the node's edges. The slice is valid until the next expansion.
func (t *tree) edgesOf(n *node) []edge {
	return t.edges[n.firstEdge : n.firstEdge+n.numEdges]
}

// expand gives the node its edges, with priors from the logits.
func (t *tree) expand(index int32, moves []quoridor.Move, logits []float32) error {
	n := &t.nodes[index]
	n.firstEdge, n.numEdges = int32(len(t.edges)), int32(len(moves))
	for i, m := range moves {
		t.edges = append(t.edges, edge{move: m, child: -1, logit: logits[i]})
	}
	edges := t.edgesOf(n)
	if err := setPriors(edges); err != nil {
		return err
	}
	bringForward(edges)
	return nil
}

// setPriors fills the priors with the softmax of the logits. If every logit is -Inf the priors are uniform.
func setPriors(edges []edge) error {
	highest := float32(math.Inf(-1))
	for i := range edges {
		if l := edges[i].logit; l != l || l > math.MaxFloat32 {
			return fmt.Errorf("%w: logit %g of move %s", ErrEvaluation, l, edges[i].move)
		}
		highest = max(highest, edges[i].logit)
	}
	if math.IsInf(float64(highest), -1) {
		for i := range edges {
			edges[i].logit, edges[i].prior = 0, 1/float32(len(edges))
		}
		return nil
	}
	sum := 0.0
	for i := range edges {
		w := math.Exp(float64(edges[i].logit - highest))
		edges[i].prior = float32(w)
		sum += w
	}
	for i := range edges {
		edges[i].prior = float32(float64(edges[i].prior) / sum)
	}
	return nil
}

// bringForward swaps the edge with the largest prior to the front; the first of equals wins.
func bringForward(unvisited []edge) {
	best := 0
	for i := range unvisited {
		if unvisited[i].prior > unvisited[best].prior {
			best = i
		}
	}
	if best > 0 {
		unvisited[0], unvisited[best] = unvisited[best], unvisited[0]
	}
}

// markVisited moves the unvisited edge at position i of the node to the end of the visited ones and returns its new position.
func (t *tree) markVisited(n *node, i int) int {
	edges := t.edgesOf(n)
	front := int(n.visited)
	edges[front], edges[i] = edges[i], edges[front]
	n.visited++
	if rest := edges[n.visited:]; len(rest) > 0 {
		bringForward(rest)
	}
	return front
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
	nodes, edges := append(t.spareNodes[:0], t.nodes[index]), t.spareEdges[:0]
	for i := 0; i < len(nodes); i++ { // nodes[i] still points to its edges in the old tree
		first := int32(len(edges))
		edges = append(edges, t.edgesOf(&nodes[i])...)
		nodes[i].firstEdge = first
		for j := range edges[first:] {
			e := &edges[first+int32(j)]
			if e.child >= 0 {
				nodes = append(nodes, t.nodes[e.child])
				e.child = int32(len(nodes) - 1)
			}
		}
	}
	t.spareNodes, t.nodes = t.nodes, nodes
	t.spareEdges, t.edges = t.edges, edges
}
