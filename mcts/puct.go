package mcts

import "math"

// selectPUCT returns the position of the move with the largest Q + U, in the edges or, beyond them, in the untried moves, but of none that loses for
// sure. Of the untried only
// the first, which has the largest prior, can be chosen; its Q is the node's value less a reduction (first-play urgency). A
// simulation that is under way counts as a loss until it is backed up (virtual loss), so that threads spread.
func (c *Config) selectPUCT(n *node, edges []edge, rest []untried) int {
	visits := float64(n.visits + n.pending)
	factor := c.exploration(visits)
	best, bestScore := -1, math.Inf(-1)
	mass := 0.0
	for i := range edges {
		e := &edges[i]
		mass += float64(e.prior)
		if e.lost() {
			continue
		}
		tried := float64(e.visits + e.pending)
		if score := (e.sum-float64(e.pending))/tried + factor*float64(e.prior)/(1+tried); score > bestScore {
			best, bestScore = i, score
		}
	}
	if len(rest) > 0 {
		q := float64(n.value) - c.FPUReduction*math.Sqrt(mass)
		if score := q + factor*float64(rest[0].prior); score > bestScore {
			best = len(edges)
		}
	}
	return best
}

// exploration is what PUCT multiplies prior/(1 + visits of the move) with, for a node of so many visits. Its constant grows with them as in
// KataGo (Wu, 2020, and its cpuctExplorationLog).
func (c *Config) exploration(visits float64) float64 {
	return (c.CPUCT + c.CPUCTLog*math.Log((visits+c.CBase)/c.CBase)) * math.Sqrt(max(1, visits))
}
