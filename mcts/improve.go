package mcts

import "math"

// sigma is the monotone map of Q in the Gumbel paper (equation 8), with q scaled from [-1, 1] to [0, 1]. mostVisits is the largest
// visit count among the node's edges.
func (c *Config) sigma(q float64, mostVisits int32) float64 {
	return (c.CVisit + float64(mostVisits)) * c.CScale * (q + 1) / 2
}

// mixedValue is the paper's estimate of the node's value from its own evaluation and the visited edges (appendix D, equation 33):
// it stands in for the Q of the edges without visits. It also returns the largest visit count and the prior mass of the visited.
func mixedValue(n *node, visited []edge) (mixed float64, mostVisits int32, mass float64) {
	weighted := 0.0
	for i := range visited {
		e := &visited[i]
		mostVisits = max(mostVisits, e.visits)
		mass += float64(e.prior)
		weighted += float64(e.prior) * e.q()
	}
	if n.visits == 0 {
		return float64(n.value), 0, 0
	}
	if mass <= 0 { // all visited priors underflowed: take them as equal
		for i := range visited {
			weighted += visited[i].q() / float64(len(visited))
		}
		return (float64(n.value) + float64(n.visits)*weighted) / float64(1+n.visits), mostVisits, 0
	}
	return (float64(n.value) + float64(n.visits)*weighted/mass) / float64(1+n.visits), mostVisits, mass
}

// selectImproved returns the position of the edge to follow below the root: the one whose visits lag most behind the improved policy
// (paper, equation 14). Among the unvisited edges only the first, which has the largest prior, can be chosen.
func (c *Config) selectImproved(n *node, edges []edge, weights []float64) int {
	visited := edges[:n.visited]
	mixed, mostVisits, mass := mixedValue(n, visited)
	base := c.sigma(mixed, mostVisits)
	total := max(0, 1-mass)
	for i := range visited {
		weights[i] = float64(visited[i].prior) * math.Exp(c.sigma(visited[i].q(), mostVisits)-base)
		total += weights[i]
	}
	best, bestScore := -1, math.Inf(-1)
	for i := range visited {
		if score := weights[i]/total - float64(visited[i].visits)/float64(1+n.visits); score > bestScore {
			best, bestScore = i, score
		}
	}
	if int(n.visited) < len(edges) {
		if score := float64(edges[n.visited].prior) / total; score > bestScore {
			best = int(n.visited)
		}
	}
	return best
}

// improvedPolicy fills policy with the softmax of logit + sigma(completed Q) (paper, equations 10 and 11) in the order of the edges.
func (c *Config) improvedPolicy(n *node, edges []edge, policy []float64) {
	mixed, mostVisits, _ := mixedValue(n, edges[:n.visited])
	highest := math.Inf(-1)
	for i := range edges {
		q := mixed
		if edges[i].visits > 0 {
			q = edges[i].q()
		}
		policy[i] = float64(edges[i].logit) + c.sigma(q, mostVisits)
		highest = max(highest, policy[i])
	}
	sum := 0.0
	for i := range policy {
		policy[i] = math.Exp(policy[i] - highest)
		sum += policy[i]
	}
	for i := range policy {
		policy[i] /= sum
	}
}
