package mcts

import "math"

// Forced playouts and policy target pruning (Wu: Accelerating self-play learning in Go, 2020, section 3.2): noise in the root's priors
// is of use only if the moves that it favours are looked at for a while, and the policy should not say that they were good.

// forced returns the visits that a tried root move is to have at least.
func (c *Config) forced(prior float32, visits int32) float64 {
	return math.Sqrt(c.ForcedPlayouts * float64(prior) * float64(visits))
}

// selectForced returns the first edge with fewer visits than are forced, or -1.
func (c *Config) selectForced(n *node, edges []edge) int {
	for i := range edges {
		if e := &edges[i]; !e.lost() && float64(e.visits+e.pending) < c.forced(e.prior, n.visits) {
			return i
		}
	}
	return -1
}

// pruneForced turns shares of visits into the policy: of every move but the most visited it takes up to the forced visits away, as long as PUCT
// would still not prefer the move to the most visited one, and all if a single visit is left.
func (c *Config) pruneForced(n *node, edges []edge, policy []float64) {
	best := -1
	for i := range edges {
		if e := &edges[i]; e.visits > 0 && !e.lost() && (best < 0 || e.visits > edges[best].visits || e.visits == edges[best].visits && e.q() > edges[best].q()) {
			best = i
		}
	}
	if best < 0 {
		return
	}
	factor := c.exploration(float64(n.visits))
	top := edges[best].q() + factor*float64(edges[best].prior)/float64(1+edges[best].visits)
	sum := 0.0
	for i := range edges {
		e := &edges[i]
		kept := float64(e.visits)
		switch {
		case e.lost():
			kept = 0
		case i != best && e.visits > 0:
			kept = max(0, kept-c.forced(e.prior, n.visits))
			if q := e.q(); q < top {
				kept = max(kept, factor*float64(e.prior)/(top-q)-1) // PUCT is equal to the top there
			} else {
				kept = float64(e.visits)
			}
			if kept = min(kept, float64(e.visits)); kept <= 1 {
				kept = 0
			}
		}
		policy[i] = kept
		sum += kept
	}
	for i := range edges {
		policy[i] /= sum
	}
}
