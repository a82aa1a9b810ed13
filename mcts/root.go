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
	Policy float64 // improved policy: Gumbel mode the softmax of logit + sigma(completed Q), PUCT mode the share of visits, less forced ones
	StdErr float64 // standard error of Q; 1 without visits, 0 if the move's outcome is known
}

// Result is the outcome of a search.
type Result struct {
	Move        quoridor.Move // the choice
	Value       float64       // of the position for the side to move, in [-1, 1]
	Raw         float64       // the evaluator's own value of the position, before any search; equal to Value if nothing was to be searched
	Moves       []MoveStats   // every legal move, best first (by policy)
	Simulations int           // that were run
	Solved      bool          // Value is certain, and so is the Q of every move that has some policy: nothing was to be searched, or a search without noise has proved it
	TreeFull    bool          // the search has ended because the tree has reached its limit
	TreeBytes   int64         // memory that the tree holds
}

// prepareRoot draws the root's noise, once for each search. It does nothing before the root is expanded.
func (s *Search) prepareRoot(random *rand.Rand) {
	n := &s.nodes[0]
	if s.noisy || n.waits() || n.exact && n.numEdges == 0 {
		return
	}
	s.noisy, s.forcing, s.exploring = true, false, s.cfg.Mode == Gumbel && random != nil
	edges, rest := s.edgesOf(n), s.untriedOf(n)
	for i := range edges {
		s.priors[edges[i].move] = edges[i].prior
	}
	for i := range rest {
		s.priors[rest[i].move] = rest[i].prior
	}
	if s.cfg.Mode == Gumbel {
		s.schedule = halvingSchedule(s.schedule, min(s.cfg.Considered, len(s.rootMoves)), s.cfg.Simulations)
		for _, m := range s.rootMoves { // not in the order of the edges, so that the draw does not depend on how they are arranged
			s.noise[m] = gumbel(random) + logit(s.priors[m])
		}
		return
	}
	if random != nil && s.cfg.RootNoise > 0 {
		s.mixDirichlet(edges, rest, random)
		s.forcing = s.cfg.ForcedPlayouts > 0
		if len(rest) > 0 {
			bringForward(rest)
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

// mixDirichlet mixes Dirichlet noise of the configured total concentration into the root's priors (Silver et al., 2018).
func (s *Search) mixDirichlet(edges []edge, rest []untried, random *rand.Rand) {
	alpha := s.cfg.RootNoiseSum / float64(len(s.rootMoves))
	sum := 0.0
	for _, m := range s.rootMoves {
		s.noise[m] = gamma(alpha, random)
		sum += s.noise[m]
	}
	if sum <= 0 {
		return
	}
	mixed := func(prior float32, m quoridor.Move) float32 {
		return float32((1-s.cfg.RootNoise)*float64(prior) + s.cfg.RootNoise*s.noise[m]/sum)
	}
	for i := range edges {
		edges[i].prior = mixed(edges[i].prior, edges[i].move)
	}
	for i := range rest {
		rest[i].prior = mixed(rest[i].prior, rest[i].move)
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
	if n.exact && n.numEdges == 0 {
		return s.solvedResult(n)
	}
	edges, rest := s.edgesOf(n), s.untriedOf(n)
	mixed, mostVisits, _ := mixedValue(n, edges)
	policy := s.weights[:len(edges)+len(rest)]
	s.policy(n, edges, rest, policy)
	r := Result{
		Value: s.rootValue(n, edges), Raw: float64(n.value), Simulations: s.done, Solved: n.exact && !s.exploring, TreeFull: s.full, TreeBytes: s.bytes(),
		Moves: make([]MoveStats, 0, len(policy)),
	}
	if r.Solved {
		best := s.provenMove(n, edges, policy)
		r.Move = edges[best].move
		if n.outcome > 0 { // of the other moves nobody knows
			clear(policy)
			policy[best] = 1
		}
	} else {
		r.Move = s.pick(edges, rest, mostVisits)
	}
	for i := range edges {
		e := &edges[i]
		q, stderr := mixed, 1.0
		if e.visits > 0 {
			q, stderr = e.q(), e.standardError()
		}
		r.Moves = append(r.Moves, MoveStats{
			Move: e.move, Visits: int(e.visits), Q: q, Prior: float64(s.priors[e.move]), Policy: policy[i], StdErr: stderr,
		})
	}
	for i, u := range rest {
		r.Moves = append(r.Moves, MoveStats{Move: u.move, Q: mixed, Prior: float64(s.priors[u.move]), Policy: policy[len(edges)+i], StdErr: 1})
	}
	sortStats(r.Moves)
	return r
}

// policy fills policy for the edges of the root, then its untried moves.
func (s *Search) policy(n *node, edges []edge, rest []untried, policy []float64) {
	if s.cfg.Mode == Gumbel {
		s.cfg.improvedPolicy(n, edges, rest, policy)
		return
	}
	visits := int32(0) // into moves that do not lose for sure
	for i := range edges {
		if !edges[i].lost() {
			visits += edges[i].visits
		}
	}
	clear(policy)
	for i := range edges {
		if e := &edges[i]; visits == 0 && len(rest) == 0 {
			policy[i] = float64(e.visits) / float64(max(1, n.visits))
		} else if !e.lost() {
			policy[i] = float64(e.visits) / float64(max(1, visits))
		}
	}
	switch {
	case visits == 0 && len(rest) > 0:
		policy[len(edges)] = 1
	case visits > 0 && s.forcing:
		s.cfg.pruneForced(n, edges, policy)
	}
}

// rootValue is the mean of all that was backed up at the root, its own evaluation included; the outcome if that is known.
func (s *Search) rootValue(n *node, edges []edge) float64 {
	if n.exact {
		return float64(n.outcome)
	}
	sum := float64(n.value)
	for i := range edges {
		sum += edges[i].sum
	}
	return sum / float64(1+n.visits)
}

// pick chooses the move. Gumbel mode: the largest perturbed logit + sigma(Q) among the most visited (paper, algorithm 2). PUCT mode: the
// largest lower confidence bound among the moves with a good share of the most visits, or the most visited if the bound is off. Moves that lose
// for sure are out of the question; if no other was tried, it is the untried move with the largest (perturbed) prior.
func (s *Search) pick(edges []edge, rest []untried, mostVisits int32) quoridor.Move {
	least, hopeless := int32(0), len(rest) == 0
	for i := range edges {
		if !edges[i].lost() {
			least, hopeless = max(least, edges[i].visits), false
		}
	}
	if s.cfg.Mode == PUCT && s.cfg.LCBStdevs > 0 {
		least = int32(math.Ceil(s.cfg.LCBMinShare * float64(least)))
	}
	best, bestScore := quoridor.NoMove, math.Inf(-1)
	for i := range edges {
		e := &edges[i]
		if e.visits < least || e.visits == 0 || e.lost() && !hopeless {
			continue
		}
		score := e.q()
		switch {
		case s.cfg.Mode == Gumbel:
			score = s.noise[e.move] + s.cfg.sigma(score, mostVisits)
		case s.cfg.LCBStdevs > 0:
			score = s.cfg.lowerBound(e)
		}
		if score > bestScore {
			best, bestScore = e.move, score
		}
	}
	if best != quoridor.NoMove {
		return best
	}
	for _, u := range rest {
		score := float64(u.prior)
		if s.cfg.Mode == Gumbel {
			score = s.noise[u.move]
		}
		if score > bestScore {
			best, bestScore = u.move, score
		}
	}
	return best
}

// lowerBound is the lower confidence bound of an edge's Q: its mean less LCBStdevs standard errors.
func (c *Config) lowerBound(e *edge) float64 {
	return e.q() - c.LCBStdevs*e.standardError()
}

// standardError is that of the Q of an edge with visits. The variance of the backed-up values is estimated as if lcbPriorVisits more
// visits had the largest variance that values can have, so that few visits bind little.
func (e *edge) standardError() float64 {
	if e.known {
		return 0
	}
	n, q := float64(e.visits), e.q()
	variance := (max(0, e.squares-n*q*q) + lcbPriorVisits) / (n + lcbPriorVisits)
	return math.Sqrt(variance / n)
}

const lcbPriorVisits = 1

// solvedResult is the result for a root that needed no search: the policy is shared by its best moves.
func (s *Search) solvedResult(n *node) Result {
	r := Result{Value: float64(n.outcome), Raw: float64(n.outcome), Solved: true, TreeBytes: s.bytes()}
	best, shared := math.MinInt, 0
	for _, m := range s.solved {
		if m.rank > best {
			best, shared = m.rank, 0
			r.Move = m.move
		}
		if m.rank == best {
			shared++
		}
	}
	for _, move := range s.rootMoves {
		st := MoveStats{Move: move, Prior: 1 / float64(len(s.rootMoves))}
		if i := slices.IndexFunc(s.solved, func(m solvedMove) bool { return m.move == move }); i >= 0 {
			st.Q = float64(s.solved[i].outcome)
			if s.solved[i].rank == best {
				st.Q, st.Policy = r.Value, 1/float64(shared)
			}
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
