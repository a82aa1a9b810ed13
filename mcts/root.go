package mcts

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"rampart/quoridor"
)

// MoveStats is what a search knows about one move of the root.
type MoveStats struct {
	Move   quoridor.Move
	Visits int
	Q      float64 // mean backed-up value for the side to move; the node's own estimate if the move has no visits
	Prior  float64 // evaluator's probability, without noise
	Policy float64 // improved policy: Gumbel mode the softmax of logit + sigma(completed Q), PUCT mode the share of visits
}

// Result is the outcome of a search.
type Result struct {
	Move        quoridor.Move // the choice
	Value       float64       // of the position for the side to move, in [-1, 1]
	Moves       []MoveStats   // every legal move, best first (by policy)
	Simulations int           // that were run
}

// prepareRoot draws the root's noise, once for each search. The root's moves are in s.moves.
func (s *Search) prepareRoot(random *rand.Rand) {
	n := &s.nodes[0]
	edges := s.edgesOf(n)
	s.noisy = true
	if s.cfg.Mode == Gumbel {
		s.schedule = halvingSchedule(s.schedule, min(s.cfg.Considered, len(edges)), s.cfg.Simulations)
		// By move order, not edge order, so that the draw does not depend on how edges are arranged.
		for _, m := range s.moves {
			s.noise[m] = gumbel(random)
		}
		for i := range edges {
			s.noise[edges[i].move] += float64(edges[i].logit)
		}
		return
	}
	if random != nil && s.cfg.RootNoise > 0 {
		s.mixDirichlet(edges, random)
		if unvisited := edges[n.visited:]; len(unvisited) > 0 {
			bringForward(unvisited)
		}
	}
}

// gumbel draws from the standard Gumbel distribution; 0 without a source.
func gumbel(random *rand.Rand) float64 {
	if random == nil {
		return 0
	}
	return -math.Log(random.ExpFloat64())
}

// mixDirichlet mixes Dirichlet noise of the configured total concentration into the priors (Silver et al., 2018). The logits keep
// the evaluator's word.
func (s *Search) mixDirichlet(edges []edge, random *rand.Rand) {
	alpha := s.cfg.RootNoiseSum / float64(len(edges))
	sum := 0.0
	for _, m := range s.moves {
		s.noise[m] = gamma(alpha, random)
		sum += s.noise[m]
	}
	if sum <= 0 {
		return
	}
	for i := range edges {
		e := &edges[i]
		e.prior = float32((1-s.cfg.RootNoise)*float64(e.prior) + s.cfg.RootNoise*s.noise[e.move]/sum)
	}
}

// gamma draws from the Gamma distribution with the shape and scale 1 (Marsaglia, Tsang: A simple method for generating gamma
// variables, 2000; their boost for shapes below 1).
func gamma(shape float64, random *rand.Rand) float64 {
	if shape < 1 {
		return gamma(shape+1, random) * math.Pow(1-random.Float64(), 1/shape)
	}
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := random.NormFloat64()
		v := 1 + c*x
		if v <= 0 {
			continue
		}
		v = v * v * v
		if math.Log(1-random.Float64()) < 0.5*x*x+d-d*v+d*math.Log(v) {
			return d * v
		}
	}
}

// Result returns what the search has found so far. It must have at least one simulation, unless the root was solved without one.
func (s *Search) Result(random *rand.Rand) Result {
	n := &s.nodes[0]
	if n.exact {
		return s.solvedResult(n)
	}
	edges := s.edgesOf(n)
	policy := s.weights[:len(edges)]
	if s.cfg.Mode == Gumbel {
		s.cfg.improvedPolicy(n, edges, policy)
	} else {
		for i := range edges {
			policy[i] = float64(edges[i].visits) / float64(max(1, n.visits))
		}
	}
	mixed, mostVisits, _ := mixedValue(n, edges[:n.visited])
	r := Result{Move: s.pick(edges, mostVisits), Value: s.rootValue(n, edges), Simulations: s.done, Moves: make([]MoveStats, len(edges))}
	priors := rawPriors(edges)
	for i := range edges {
		q := mixed
		if edges[i].visits > 0 {
			q = edges[i].q()
		}
		r.Moves[i] = MoveStats{Move: edges[i].move, Visits: int(edges[i].visits), Q: q, Prior: priors[i], Policy: policy[i]}
	}
	sortStats(r.Moves)
	return r
}

// rootValue is the mean of all that was backed up at the root, its own evaluation included.
func (s *Search) rootValue(n *node, edges []edge) float64 {
	sum := float64(n.value)
	for i := range edges {
		sum += edges[i].sum
	}
	return sum / float64(1+n.visits)
}

// pick chooses the move. Gumbel mode: the largest perturbed logit + sigma(Q) among the most visited (paper, algorithm 2). PUCT mode: the
// most visited, the larger Q among equals.
func (s *Search) pick(edges []edge, mostVisits int32) quoridor.Move {
	best, bestScore := quoridor.NoMove, math.Inf(-1)
	for i := range edges {
		e := &edges[i]
		if e.visits != mostVisits {
			continue
		}
		score := 0.0
		if e.visits > 0 {
			score = e.q()
		}
		if s.cfg.Mode == Gumbel {
			score = s.noise[e.move] + s.cfg.sigma(score, mostVisits)
		}
		if score > bestScore {
			best, bestScore = e.move, score
		}
	}
	return best
}

// rawPriors returns the softmax of the logits: the priors before noise.
func rawPriors(edges []edge) []float64 {
	clean := slices.Clone(edges)
	_ = setPriors(clean) // the logits were checked when the node was expanded
	priors := make([]float64, len(edges))
	for i := range clean {
		priors[i] = float64(clean[i].prior)
	}
	return priors
}

// solvedResult is the result for a root that needed no search: the policy is shared by its best moves.
func (s *Search) solvedResult(n *node) Result {
	r := Result{Move: s.best[0], Value: float64(n.value)}
	for _, m := range s.moves {
		st := MoveStats{Move: m, Prior: 1 / float64(len(s.moves))}
		if slices.Contains(s.best, m) {
			st.Q, st.Policy = r.Value, 1/float64(len(s.best))
		}
		r.Moves = append(r.Moves, st)
	}
	sortStats(r.Moves)
	return r
}

func sortStats(moves []MoveStats) {
	slices.SortFunc(moves, func(a, b MoveStats) int {
		return cmp.Or(cmp.Compare(b.Policy, a.Policy), cmp.Compare(b.Visits, a.Visits), cmp.Compare(a.Move, b.Move))
	})
}
