package mcts

import "math"

// sigma is the monotone map of Q in the Gumbel paper (equation 8), with q scaled from [-1, 1] to [0, 1]. mostVisits is the largest
// visit count among the node's edges.
func (c *Config) sigma(q float64, mostVisits int32) float64 {
	return (c.CVisit + float64(mostVisits)) * c.CScale * (q + 1) / 2
}

// logit returns the logit of a prior, up to a constant of its node; a prior that underflowed has a very low one.
func logit(prior float32) float64 { return math.Log(max(float64(prior), math.SmallestNonzeroFloat32)) }

// mixedValue is the paper's estimate of the node's value from its own evaluation and the visited edges (appendix D, equation 33):
// it stands in for the Q of the edges without visits. It also returns the largest visit count and the prior mass of the visited.
func mixedValue(n *node, edges []edge) (mixed float64, mostVisits int32, mass float64) {
	weighted, plain, visited := 0.0, 0.0, 0
	for i := range edges {
		e := &edges[i]
		if e.visits == 0 {
			continue
		}
		visited++
		mostVisits = max(mostVisits, e.visits)
		mass += float64(e.prior)
		weighted += float64(e.prior) * e.q()
		plain += e.q()
	}
	if visited == 0 {
		return float64(n.value), 0, 0
	}
	if mass <= 0 { // all visited priors underflowed: take them as equal
		weighted, mass = plain/float64(visited), 1
		return (float64(n.value) + float64(n.visits)*weighted) / float64(1+n.visits), mostVisits, 0
	}
	return (float64(n.value) + float64(n.visits)*weighted/mass) / float64(1+n.visits), mostVisits, mass
}

// selectImproved returns the position of the move to follow below the root, in the edges or, beyond them, in the untried moves: the one whose
// visits lag most behind the improved policy (paper, equation 14). Of the untried only the first, which has the largest prior,
// can be chosen.
func (c *Config) selectImproved(n *node, edges []edge, rest []untried, weights []float64) int {
	mixed, mostVisits, mass := mixedValue(n, edges)
	base := c.sigma(mixed, mostVisits)
	total := max(0, 1-mass)
	for i := range edges {
		weights[i] = float64(edges[i].prior) * math.Exp(c.sigma(edges[i].q(), mostVisits)-base)
		total += weights[i]
	}
	best, bestScore := -1, math.Inf(-1)
	for i := range edges {
		if edges[i].lost() {
			continue
		}
		if score := weights[i]/total - float64(edges[i].visits)/float64(1+n.visits); score > bestScore {
			best, bestScore = i, score
		}
	}
	if len(rest) > 0 {
		if score := float64(rest[0].prior) / total; score > bestScore {
			best = len(edges)
		}
	}
	return best
}

// improvedPolicy fills policy with the softmax of logit + sigma(completed Q) (paper, equations 10 and 11) for the edges, then the untried
// moves.
func (c *Config) improvedPolicy(n *node, edges []edge, rest []untried, policy []float64) {
	mixed, mostVisits, _ := mixedValue(n, edges)
	for i := range edges {
		q := mixed
		if edges[i].visits > 0 {
			q = edges[i].q()
		}
		policy[i] = logit(edges[i].prior) + c.sigma(q, mostVisits)
	}
	for i := range rest {
		policy[len(edges)+i] = logit(rest[i].prior) + c.sigma(mixed, mostVisits)
	}
	softmax(policy)
}

// softmax replaces logits by probabilities.
func softmax(x []float64) {
	highest := math.Inf(-1)
	for _, v := range x {
		highest = max(highest, v)
	}
	sum := 0.0
	for i := range x {
		x[i] = math.Exp(x[i] - highest)
		sum += x[i]
	}
	for i := range x {
		x[i] /= sum
	}
}
