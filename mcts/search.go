package mcts

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"

	"rampart/quoridor"
)

// Errors of a search.
var (
	// ErrEvaluation is returned when an evaluator answers with something that is no evaluation, such as NaN.
	ErrEvaluation = errors.New("bad evaluation")
	// ErrPosition is returned when a search is started on a finished game.
	ErrPosition = errors.New("no search on a finished game")
)

// Search is a reusable search on one board. One goroutine owns it, together with its evaluators.
type Search struct {
	board *quoridor.Board
	evals []Evaluator // one for each thread
	cfg   Config

	mu      sync.Mutex // guards all that follows while [Search.Advance] has several threads
	changed *sync.Cond // a simulation was backed up, or the search has failed

	tree
	pliesLeft int // until the ply cap at the root; negative for none
	rootMoves []quoridor.Move
	done      int       // simulations backed up
	underWay  int       // simulations that wait for an evaluation
	full      bool      // the tree has reached its limit, which ends the search
	failed    bool      // a thread has met an error
	schedule  []int32   // Gumbel: wanted visits of the root action for each simulation
	noise     []float64 // Gumbel: perturbed logits by move; PUCT: scratch
	priors    []float32 // the root's, without noise, by move
	solved    []solvedMove
	prober    Prober
	noisy     bool // the root is prepared, with noise if there is a source of it
	forcing   bool // there is noise in the root's priors, and moves are forced because of it
	exploring bool // Gumbel with noise: one move that wins is not enough, the policy wants to know of the others

	walker // of the only thread
}

// walker is one thread's simulation.
type walker struct {
	path    []step
	leaf    int32           // node that waits for its evaluation, or -1
	moves   []quoridor.Move // of the leaf
	weights []float64

	// one-element batch
	batchPos    [1]quoridor.Position
	batchMoves  [1][]quoridor.Move
	batchLogits [1][]float32
	batchWDL    [1][3]float32
	logits      []float32
}

// step is an edge on the way from the root to a leaf: its node, and its position among the node's edges.
type step struct{ node, edge int32 }

func newWalker() walker {
	return walker{
		leaf: -1, moves: make([]quoridor.Move, 0, quoridor.MaxMoves), logits: make([]float32, quoridor.MaxMoves),
		weights: make([]float64, quoridor.MaxMoves),
	}
}

// NewSearch returns a search with the settings, which must be valid. With more than one evaluator, all for the same board, [Search.Run] and
// [Search.Advance] use a thread for each; that needs PUCT mode.
func NewSearch(eval Evaluator, cfg Config, more ...Evaluator) (*Search, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	if len(more) > 0 && cfg.Mode != PUCT {
		return nil, fmt.Errorf("%w: %d threads: a %s search has only one", ErrConfig, 1+len(more), cfg.Mode)
	}
	s := &Search{
		board: eval.Board(), evals: append([]Evaluator{eval}, more...), cfg: cfg, walker: newWalker(),
		noise: make([]float64, 256), priors: make([]float32, 256),
	}
	s.limit, s.halves = int64(cfg.TreeMiB)<<20, 1
	if cfg.Reuse {
		s.halves = 2
	}
	s.changed = sync.NewCond(&s.mu)
	for _, e := range more {
		if e.Board() != s.board {
			return nil, fmt.Errorf("%w: evaluators for %s and %s in one search", ErrConfig, s.board, e.Board())
		}
	}
	return s, nil
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
// negative for none. With a random source, Gumbel or Dirichlet noise enters the root; nil makes the search of one thread
// deterministic. When ctx ends, Run returns what it has, as long as that is at least one simulation.
func (s *Search) Run(ctx context.Context, p quoridor.Position, pliesLeft int, random *rand.Rand) (Result, error) {
	if err := s.Begin(p, pliesLeft); err != nil {
		return Result{}, err
	}
	if err := s.Advance(ctx, random, nil); err != nil {
		return Result{}, err
	}
	return s.Result(random), nil
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
	s.rootMoves = s.board.Moves(s.rootMoves[:0], &p)
	s.noisy, s.full, s.failed = false, false, false
	if s.cfg.Reuse && s.goOn(&p, pliesLeft) {
		return nil
	}
	s.reset()
	s.pliesLeft, s.leaf, s.done, s.underWay = pliesLeft, -1, 0, 0
	root := s.addNode(p)
	if !s.winRoot(&p) && !s.probeRoot(&p) {
		s.leaf = root
		s.moves = append(s.moves[:0], s.rootMoves...)
	}
	return nil
}

// goOn makes the position's node of the last search the root, if it is there, was searched, and counted plies to the same cap. Its
// simulations are kept, and what they have proved.
func (s *Search) goOn(p *quoridor.Position, pliesLeft int) bool {
	index, depth := s.findBelowRoot(p)
	if index < 0 || s.nodes[index].visits == 0 || s.underWay > 0 {
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

// Select walks down the tree to the next leaf that needs an evaluation and returns its position and legal moves, which stay valid
// until [Search.Expand]; it returns nil when the search is finished. Simulations that end in a finished game are backed up on the way.
// random must be the same source in all calls of one search.
func (s *Search) Select(random *rand.Rand) (*quoridor.Position, []quoridor.Move) {
	if s.leaf < 0 {
		s.prepareRoot(random)
		for !s.finished() {
			if s.descend(&s.walker) == toEvaluate {
				s.moves = s.board.Moves(s.moves[:0], &s.nodes[s.leaf].pos)
				break
			}
		}
	}
	if s.leaf < 0 {
		return nil, nil
	}
	return &s.nodes[s.leaf].pos, s.moves
}

// finished tells whether no simulation is left to begin.
func (s *Search) finished() bool {
	s.full = s.full || s.done > 0 && !s.hasRoom(len(s.evals))
	return s.done+s.underWay >= s.cfg.Simulations || s.nodes[0].exact && !s.lookingOn() || s.full
}

// lookingOn tells whether the search goes on although it has proved that the root is won.
func (s *Search) lookingOn() bool {
	n := &s.nodes[0]
	return s.exploring && n.exact && n.outcome > 0 && n.numEdges > 0
}

// arrival is where a walk down the tree has ended.
type arrival int

const (
	toEvaluate arrival = iota // at a new node, the walker's leaf
	backedUp                  // at a value that is known
	blocked                   // at a node whose evaluation another thread has not finished; nothing was changed
)

// descend walks from the root to a new node.
func (s *Search) descend(w *walker) arrival {
	w.path = w.path[:0]
	for index := int32(0); ; {
		n := &s.nodes[index]
		if n.exact && (index > 0 || !s.lookingOn()) {
			s.backUp(w, float64(n.outcome))
			return backedUp
		}
		if n.waits() {
			s.takeBack(w)
			return blocked
		}
		i := s.choose(w, index, n)
		if i >= int(n.numEdges) {
			i = s.try(n, i-int(n.numEdges))
		}
		e := &s.edges[int(n.firstEdge)+i]
		n.pending++
		e.pending++
		w.path = append(w.path, step{index, int32(i)})
		if index = e.child; index >= 0 {
			continue
		}
		pos := s.board.Play(n.pos, e.move)
		child := s.addNode(pos) // n and e are stale from here on where the slices moved
		s.edges[int(s.nodes[w.path[len(w.path)-1].node].firstEdge)+i].child = child
		if s.settle(child, len(w.path)) {
			s.backUp(w, float64(s.nodes[child].outcome))
			return backedUp
		}
		w.leaf = child
		s.underWay++
		return toEvaluate
	}
}

// choose returns the position of the move to follow from a node, in its edges or, beyond them, its untried moves.
func (s *Search) choose(w *walker, index int32, n *node) int {
	edges, rest := s.edgesOf(n), s.untriedOf(n)
	switch {
	case s.cfg.Mode == PUCT:
		if index == 0 && s.forcing {
			if i := s.cfg.selectForced(n, edges); i >= 0 {
				return i
			}
		}
		return s.cfg.selectPUCT(n, edges, rest)
	case index == 0:
		return s.chooseGumbel(n, edges, rest)
	}
	return s.cfg.selectImproved(n, edges, rest, w.weights)
}

// chooseGumbel returns the root's move with the largest perturbed logit + sigma(Q) among those with the visits that the schedule wants.
func (s *Search) chooseGumbel(n *node, edges []edge, rest []untried) int {
	want := s.schedule[s.done]
	mixed, mostVisits, _ := mixedValue(n, edges)
	best, bestScore := -1, math.Inf(-1)
	for i := range edges {
		if e := &edges[i]; e.visits == want {
			if score := s.noise[e.move] + s.cfg.sigma(e.q(), mostVisits); best < 0 || score > bestScore {
				best, bestScore = i, score
			}
		}
	}
	if want > 0 {
		return best
	}
	for i := range rest {
		if score := s.noise[rest[i].move] + s.cfg.sigma(mixed, mostVisits); best < 0 || score > bestScore {
			best, bestScore = len(edges)+i, score
		}
	}
	return best
}

// settle finds out whether the value of the new node, so many plies below the root, is known without an evaluation.
func (s *Search) settle(index int32, depth int) bool {
	n := &s.nodes[index]
	left := -1
	if s.pliesLeft >= 0 {
		left = s.pliesLeft - depth
	}
	switch {
	case s.board.Winner(&n.pos) >= 0: // the player who moved here has won
		n.end(-1, 0)
	case left == 0:
		n.end(0, 0)
	case s.winsAtOnce(&n.pos):
		n.end(1, 1)
	default:
		n.outcome, n.plies, n.exact = s.probe(&n.pos, left)
	}
	return n.exact
}

// Expand takes the evaluation of the leaf that [Search.Select] returned: the logits of its moves and the probabilities of win, draw and
// loss for the side to move. Evaluating the root is not a simulation.
func (s *Search) Expand(logits []float32, wdl [3]float32, random *rand.Rand) error {
	return s.expandLeaf(&s.walker, logits, wdl, random)
}

func (s *Search) expandLeaf(w *walker, logits []float32, wdl [3]float32, random *rand.Rand) error {
	value := wdl[0] - wdl[2]
	if !(value >= -1.001 && value <= 1.001) {
		return fmt.Errorf("%w: win/draw/loss %v", ErrEvaluation, wdl)
	}
	value = max(-1, min(1, value))
	index := w.leaf
	s.nodes[index].value = value
	if err := s.expand(index, w.moves, logits); err != nil {
		return err
	}
	w.leaf = -1
	if index == 0 {
		s.prepareRoot(random)
		return nil
	}
	s.underWay--
	s.backUp(w, float64(value))
	return nil
}

// backUp adds the value, which is for the side to move at the end of the path, to every edge of the path. From a node on whose outcome is
// known, perhaps by this simulation, that is backed up instead.
func (s *Search) backUp(w *walker, value float64) {
	for i := len(w.path) - 1; i >= 0; i-- {
		value = -value
		n := &s.nodes[w.path[i].node]
		n.visits++
		n.pending--
		e := &s.edges[n.firstEdge+w.path[i].edge]
		e.visits++
		e.pending--
		e.sum += value
		e.squares += value * value
		if s.cfg.Prove {
			if child := &s.nodes[e.child]; child.exact {
				e.learn(child)
				s.prove(n, e)
			}
			if n.exact {
				value = float64(n.outcome)
			}
		}
	}
	s.done++
}

// takeBack undoes what a walk that was blocked has left on its path.
func (s *Search) takeBack(w *walker) {
	for _, at := range w.path {
		n := &s.nodes[at.node]
		n.pending--
		s.edges[n.firstEdge+at.edge].pending--
	}
}
