package mcts

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"rampart/quoridor"
)

// Errors of a search.
var (
	// ErrEvaluation is returned when an evaluator answers with something that is no evaluation, such as NaN.
	ErrEvaluation = errors.New("bad evaluation")
	// ErrPosition is returned when a search is started on a finished game.
	ErrPosition = errors.New("no search on a finished game")
)

// Search is a reusable search on one board. One goroutine owns it, together with its evaluator.
type Search struct {
	board *quoridor.Board
	eval  Evaluator
	cfg   Config

	tree
	pliesLeft int       // until the ply cap at the root; negative for none
	path      []int32   // edges from the root to the selected leaf, indices into tree.edges
	leaf      int32     // selected node that waits for its evaluation, or -1
	done      int       // simulations backed up
	schedule  []int32   // Gumbel: wanted visits of the root action for each simulation
	noise     []float64 // Gumbel: perturbed logits by move

	moves   []quoridor.Move
	best    []quoridor.Move // of a root that is solved without a search
	weights []float64
	prober  Prober
	noisy   bool // the root is prepared, with noise if there is a source of it

	// one-element batch for Run
	batchPos    [1]quoridor.Position
	batchMoves  [1][]quoridor.Move
	batchLogits [1][]float32
	batchWDL    [1][3]float32
	logits      []float32
}

// NewSearch returns a search with the settings, which must be valid.
func NewSearch(eval Evaluator, cfg Config) (*Search, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	return &Search{
		board: eval.Board(), eval: eval, cfg: cfg, leaf: -1,
		moves: make([]quoridor.Move, 0, quoridor.MaxMoves), logits: make([]float32, quoridor.MaxMoves),
		weights: make([]float64, quoridor.MaxMoves), noise: make([]float64, 256),
	}, nil
}

// Board returns the board that is searched.
func (s *Search) Board() *quoridor.Board { return s.board }

// SetSimulations changes the number of simulations of the searches to come.
func (s *Search) SetSimulations(n int) error {
	cfg := s.cfg
	cfg.Simulations = n
	if err := cfg.Validate(); err != nil {
		return err
	}
	s.cfg = cfg
	return nil
}

// Run searches the position and returns what it found. pliesLeft is the number of plies until the game is a draw by the rules' cap;
// negative for none. With a random source, Gumbel or Dirichlet noise enters the root; nil makes the search deterministic. When ctx
// ends, Run returns what it has, as long as that is at least one simulation.
func (s *Search) Run(ctx context.Context, p quoridor.Position, pliesLeft int, random *rand.Rand) (Result, error) {
	if err := s.Begin(p, pliesLeft); err != nil {
		return Result{}, err
	}
	for {
		leaf, moves := s.Select(random)
		if leaf == nil {
			return s.Result(random), nil
		}
		s.batchPos[0], s.batchMoves[0], s.batchLogits[0] = *leaf, moves, s.logits[:len(moves)]
		if err := s.eval.Evaluate(s.batchPos[:], s.batchMoves[:], s.batchLogits[:], s.batchWDL[:]); err != nil {
			return Result{}, fmt.Errorf("search of %s: %w", s.board.Format(p), err)
		}
		if err := s.Expand(s.batchLogits[0], s.batchWDL[0], random); err != nil {
			return Result{}, fmt.Errorf("search of %s: %w", s.board.Format(p), err)
		}
		if s.done > 0 && ctx.Err() != nil {
			return s.Result(random), nil
		}
	}
}

// Begin starts a search of the position (see [Search.Run] for pliesLeft).
func (s *Search) Begin(p quoridor.Position, pliesLeft int) error {
	if winner := s.board.Winner(&p); winner >= 0 {
		return fmt.Errorf("%w: player %d has won in %s", ErrPosition, winner, s.board.Format(p))
	}
	if pliesLeft == 0 {
		return fmt.Errorf("%w: the ply cap is reached", ErrPosition)
	}
	s.path = s.path[:0]
	s.moves = s.board.Moves(s.moves[:0], &p)
	s.noisy = false
	if s.cfg.Reuse && s.goOn(&p, pliesLeft) {
		return nil
	}
	s.reset()
	s.pliesLeft, s.leaf, s.done = pliesLeft, -1, 0
	root := s.addNode(p)
	if !s.winRoot(&p) && !s.probeRoot(&p) {
		s.leaf = root
	}
	return nil
}

// goOn makes the position's node of the last search the root, if it is there, was judged by the evaluator, and counted plies to the same
// cap. Its simulations are kept.
func (s *Search) goOn(p *quoridor.Position, pliesLeft int) bool {
	index, depth := s.findBelowRoot(p)
	if index < 0 || s.nodes[index].exact || s.nodes[index].numEdges == 0 || s.nodes[index].visits == 0 {
		return false
	}
	if sameCap := pliesLeft < 0 && s.pliesLeft < 0 || pliesLeft >= 0 && s.pliesLeft-depth == pliesLeft; !sameCap {
		return false
	}
	s.reroot(index)
	s.pliesLeft, s.leaf, s.done = pliesLeft, -1, int(s.nodes[0].visits)
	return true
}

// Forget drops the tree, so that the next search owes nothing to earlier ones.
func (s *Search) Forget() { s.reset() }

// winRoot solves the root if it has moves that win at once. Its moves are in s.moves.
func (s *Search) winRoot(p *quoridor.Position) (solved bool) {
	s.best = s.best[:0]
	for _, m := range s.moves {
		if isWin(s.board, p, m) {
			s.best = append(s.best, m)
		}
	}
	if len(s.best) > 0 {
		s.nodes[0].exact, s.nodes[0].value = true, 1
	}
	return len(s.best) > 0
}

// Select walks down the tree to the next leaf that needs an evaluation and returns its position and legal moves, which stay valid
// until [Search.Expand]; it returns nil when the search is finished. Simulations that end in a finished game are backed up on the way.
// random must be the same source in all calls of one search.
func (s *Search) Select(random *rand.Rand) (*quoridor.Position, []quoridor.Move) {
	if s.leaf >= 0 { // the root, or a leaf that was not answered yet
		return &s.nodes[s.leaf].pos, s.moves
	}
	if s.cfg.Reuse && !s.noisy && s.done > 0 { // a root that was kept has no noise yet
		s.moves = s.board.Moves(s.moves[:0], &s.nodes[0].pos)
		s.prepareRoot(random)
	}
	for s.done < s.cfg.Simulations && !s.nodes[0].exact {
		if leaf := s.descend(); leaf >= 0 {
			s.leaf = leaf
			return &s.nodes[leaf].pos, s.moves
		}
	}
	return nil, nil
}

// descend walks from the root to a new node. If that needs an evaluation its index is returned, and its moves are in s.moves;
// otherwise the simulation is backed up and -1 returned.
func (s *Search) descend() int32 {
	s.path = s.path[:0]
	index := int32(0)
	for {
		n := &s.nodes[index]
		if n.exact {
			s.backUp(float64(n.value))
			return -1
		}
		i := s.choose(index, n)
		if i >= int(n.visited) {
			i = s.markVisited(n, i)
		}
		at := n.firstEdge + int32(i)
		s.path = append(s.path, at)
		if child := s.edges[at].child; child >= 0 {
			index = child
			continue
		}
		child := s.addNode(s.board.Play(n.pos, s.edges[at].move)) // n is stale from here on
		s.edges[at].child = child
		if s.settle(child) {
			s.backUp(float64(s.nodes[child].value))
			return -1
		}
		return child
	}
}

// choose returns the position of the edge to follow from a node that has edges.
func (s *Search) choose(index int32, n *node) int {
	edges := s.edgesOf(n)
	switch {
	case s.cfg.Mode == PUCT:
		return s.cfg.selectPUCT(n, edges)
	case index == 0:
		return s.chooseGumbel(n, edges)
	}
	return s.cfg.selectImproved(n, edges, s.weights)
}

// chooseGumbel returns the root edge with the largest perturbed logit + sigma(Q) among those with the visits that the schedule wants.
func (s *Search) chooseGumbel(n *node, edges []edge) int {
	want := s.schedule[s.done]
	mixed, mostVisits, _ := mixedValue(n, edges[:n.visited])
	best, bestScore := -1, math.Inf(-1)
	for i := range edges {
		e := &edges[i]
		if e.visits != want {
			continue
		}
		q := mixed
		if e.visits > 0 {
			q = e.q()
		}
		if score := s.noise[e.move] + s.cfg.sigma(q, mostVisits); best < 0 || score > bestScore {
			best, bestScore = i, score
		}
	}
	return best
}

// settle finds out whether the new node's value is known without an evaluation. If not, its legal moves are in s.moves.
func (s *Search) settle(index int32) bool {
	n := &s.nodes[index]
	if s.board.Winner(&n.pos) >= 0 { // the player who moved here has won
		n.exact, n.value = true, -1
		return true
	}
	if s.pliesLeft >= 0 && len(s.path) >= s.pliesLeft {
		n.exact, n.value = true, 0
		return true
	}
	s.moves = s.board.Moves(s.moves[:0], &n.pos)
	if winsAtOnce(s.board, &n.pos, s.moves) {
		n.exact, n.value = true, 1
		return true
	}
	left := -1
	if s.pliesLeft >= 0 {
		left = s.pliesLeft - len(s.path)
	}
	n.value, n.exact = s.probe(&n.pos, left)
	return n.exact
}

// winsAtOnce tells whether one of the moves (pawn moves first) reaches the goal row of the side to move.
func winsAtOnce(b *quoridor.Board, p *quoridor.Position, moves []quoridor.Move) bool {
	for _, m := range moves {
		if !m.IsPawn() {
			return false
		}
		if isWin(b, p, m) {
			return true
		}
	}
	return false
}

func isWin(b *quoridor.Board, p *quoridor.Position, m quoridor.Move) bool {
	return m.IsPawn() && m.Cell().Y() == (1-p.Side())*(b.H-1)
}

// Expand takes the evaluation of the leaf that [Search.Select] returned: the logits of its moves and the probabilities of win, draw and
// loss for the side to move. Evaluating the root is not a simulation.
func (s *Search) Expand(logits []float32, wdl [3]float32, random *rand.Rand) error {
	index := s.leaf
	value := wdl[0] - wdl[2]
	if !(value >= -1.001 && value <= 1.001) {
		return fmt.Errorf("%w: win/draw/loss %v", ErrEvaluation, wdl)
	}
	s.nodes[index].value = max(-1, min(1, value))
	if err := s.expand(index, s.moves, logits); err != nil {
		return err
	}
	s.leaf = -1
	if index == 0 {
		s.prepareRoot(random)
		return nil
	}
	s.backUp(float64(s.nodes[index].value))
	return nil
}

// backUp adds the value, which is for the side to move at the end of the path, to every edge of the path.
func (s *Search) backUp(value float64) {
	for i := len(s.path) - 1; i >= 0; i-- {
		value = -value
		e := &s.edges[s.path[i]]
		e.visits++
		e.sum += value
	}
	index := int32(0)
	for _, at := range s.path {
		s.nodes[index].visits++
		index = s.edges[at].child
	}
	s.done++
}
