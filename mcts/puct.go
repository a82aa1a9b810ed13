package mcts

import "math"

// selectPUCT returns the position of the edge with the largest Q + U. Among the unvisited edges only the first, which has the
// largest prior, can be chosen; its Q is the node's value less a reduction (first-play urgency).
func (c *Config) selectPUCT(n *node, edges []edge) int {
	visits := float64(n.visits)
	factor := (c.CPUCT + math.Log((visits+c.CBase)/c.CBase)) * math.Sqrt(max(1, visits))
	best, bestScore := -1, math.Inf(-1)
	mass := 0.0
	for i := range edges[:n.visited] {
		e := &edges[i]
		mass += float64(e.prior)
		if score := e.q() + factor*float64(e.prior)/float64(1+e.visits); score > bestScore {
			best, bestScore = i, score
		}
	}
	if int(n.visited) < len(edges) {
		q := float64(n.value) - c.FPUReduction*math.Sqrt(mass)
		if score := q + factor*float64(edges[n.visited].prior); score > bestScore {
			best = int(n.visited)
		}
	}
	return best
}
