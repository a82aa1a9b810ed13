package arena

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"rampart/quoridor"
)

func init() {
	Register(Kind{
		Name:    "alphabeta",
		Usage:   "alphabeta[:depth=1-40|:time=D][:table=MIB]",
		Summary: "alpha-beta search with a transposition table, to a depth (default 4) or for a time per move",
		Parse: func(a *Args) (func(*quoridor.Board) (Player, error), error) {
			a.OneOf("depth", "time")
			c := AlphaBetaConfig{
				Depth:    a.Int("depth", 0, 1, maxDepth),
				Time:     a.Duration("time", 0),
				TableMiB: a.Int("table", 0, 1, 4096),
			}
			return func(b *quoridor.Board) (Player, error) { return NewAlphaBeta(b, c) }, nil
		},
	})
}

// maxDepth bounds the plies of an alpha-beta search.
const maxDepth = 40

// AlphaBetaConfig limits an alpha-beta player. At most one of Depth and Time is set; with neither the depth is 4.
type AlphaBetaConfig struct {
	Depth    int           // plies, 1 to 40
	Time     time.Duration // for each move; makes the player's moves depend on the machine
	TableMiB int           // size of the transposition table, default 16
}

// Defaults of [AlphaBetaConfig].
const (
	defaultDepth    = 4
	defaultTableMiB = 16
)

// NewAlphaBeta returns a player that searches by iterative deepening: principal variation search with a transposition table
// that stores whole positions, move ordering by table, killers and history, and the evaluation of [evaluator]. Walls are
// considered where they can matter soon (see [moveList.generate]); wins are found exactly, and a line that comes back to one of
// its positions counts as a draw. Equally good moves at the root are tried in random order.
func NewAlphaBeta(b *quoridor.Board, c AlphaBetaConfig) (Player, error) {
	if c.Depth < 0 || c.Depth > maxDepth || c.Time < 0 || c.TableMiB < 0 || c.Depth > 0 && c.Time > 0 {
		return nil, fmt.Errorf("%w: alphabeta: depth %d, time %s, table %d MiB: depth must be at most %d, and not given with a time",
			ErrPlayer, c.Depth, c.Time, c.TableMiB, maxDepth)
	}
	if c.TableMiB == 0 {
		c.TableMiB = defaultTableMiB
	}
	if c.Time > 0 {
		c.Depth = maxDepth
	} else if c.Depth == 0 {
		c.Depth = defaultDepth
	}
	return &alphaBeta{config: c, searcher: newSearcher(b, c.TableMiB)}, nil
}

type alphaBeta struct {
	config AlphaBetaConfig
	*searcher
}

func (a *alphaBeta) NewGame(seed uint64) {
	a.random = newRand(seed)
	a.table.newGame()
	a.history = [2][256]int32{}
}

func (a *alphaBeta) Move(ctx context.Context, g *quoridor.Game) (quoridor.Move, error) {
	var deadline time.Time
	if a.config.Time > 0 {
		deadline = time.Now().Add(a.config.Time)
	}
	return a.search(ctx, g, a.config.Depth, deadline)
}

// searcher is the state of an alpha-beta search. Scores are for the side to move, in hundredths of a step.
type searcher struct {
	board   *quoridor.Board
	eval    evaluator
	table   table
	random  *rand.Rand
	history [2][256]int32 // by side and move: how often it was the best, weighted by depth
	killers [maxDepth + 1][2]quoridor.Move
	lists   [maxDepth + 1]moveList
	path    []quoridor.Position // positions since the last wall of the game, then those of the line searched
	rootAt  int                 // where the line searched begins: the position to move in

	ctx      context.Context
	deadline time.Time
	nodes    int
	stopped  bool // by the context or the deadline: scores that come back mean nothing
}

func newSearcher(b *quoridor.Board, tableMiB int) *searcher {
	return &searcher{board: b, eval: newEvaluator(b), table: newTable(tableMiB), random: newRand(0)}
}

// winScore is the score of a win on the spot; a win in n plies scores n less.
const (
	winScore    = 30000
	surelyWon   = winScore - 1000 // scores from here on are wins found by search
	infinite    = 32000
	checkPeriod = 1 << 10 // nodes between two looks at clock and context
)

// search returns the best move to the given depth, or the best one found when the deadline comes.
func (s *searcher) search(ctx context.Context, g *quoridor.Game, depth int, deadline time.Time) (quoridor.Move, error) {
	s.ctx, s.deadline, s.nodes, s.stopped = ctx, deadline, 0, false
	s.killers = [maxDepth + 1][2]quoridor.Move{}
	for i := range s.history {
		for m := range s.history[i] {
			s.history[i][m] /= 8
		}
	}
	s.path = s.path[:0]
	for i := g.Plies(); i >= 0; i-- {
		p := g.PositionAt(i)
		if now := g.Position(); p.HWalls() != now.HWalls() || p.VWalls() != now.VWalls() {
			break
		}
		s.path = append(s.path, p)
	}
	for i, j := 0, len(s.path)-1; i < j; i, j = i+1, j-1 {
		s.path[i], s.path[j] = s.path[j], s.path[i]
	}
	s.rootAt = len(s.path) - 1
	root := g.Position()
	list := &s.lists[0]
	list.generateAll(s, &root)
	list.shuffle(s.random)
	best := list.moves[0]
	for d := 1; d <= depth; d++ {
		m, score := s.searchRoot(&root, list, d)
		if ctx.Err() != nil {
			return quoridor.NoMove, ctx.Err()
		}
		if m != quoridor.NoMove {
			best = m
			list.toFront(m)
		}
		if s.stopped || score >= surelyWon || score <= -surelyWon {
			break
		}
	}
	return best, nil
}

// searchRoot searches all moves of the root. When it is stopped early, the best of the moves that were finished comes back,
// NoMove if there is none: the first is the best of the iteration before.
func (s *searcher) searchRoot(root *quoridor.Position, list *moveList, depth int) (best quoridor.Move, alpha int) {
	best, alpha = quoridor.NoMove, -infinite
	for i := range list.moves {
		list.child = s.board.Play(*root, list.moves[i])
		score := s.searchChild(&list.child, i == 0, alpha, infinite, depth, 1)
		if s.stopped {
			return best, alpha
		}
		if score > alpha {
			best, alpha = list.moves[i], score
		}
	}
	return best, alpha
}

// searchChild returns the score of a child for its parent's side to move: by a full window if it is the first, else by a null
// window and again by the full one if it proves better (principal variation search).
func (s *searcher) searchChild(child *quoridor.Position, first bool, alpha, beta, depth, ply int) int {
	s.path = append(s.path, *child)
	score := 0
	if !first {
		score = -s.negamax(child, -alpha-1, -alpha, depth-1, ply)
	}
	if first || score > alpha && score < beta && !s.stopped {
		score = -s.negamax(child, -beta, -alpha, depth-1, ply)
	}
	s.path = s.path[:len(s.path)-1]
	return score
}

// negamax returns the score of the position, exact within (alpha, beta), else a bound.
func (s *searcher) negamax(p *quoridor.Position, alpha, beta, depth, ply int) int {
	if s.board.Winner(p) >= 0 { // the last mover's win
		return ply - winScore
	}
	if s.recurs() {
		return 0
	}
	if depth <= 0 {
		return s.eval.score(p)
	}
	if s.nodes++; s.nodes%checkPeriod == 0 && s.outOfTime() {
		s.stopped = true
		return 0
	}
	e := s.table.probe(p)
	tableMove := quoridor.NoMove
	if e != nil {
		tableMove = e.move
		if score, ok := e.cutoff(alpha, beta, depth, ply); ok {
			return score
		}
	}
	list := &s.lists[ply]
	list.generate(s, p, depth, ply, tableMove)
	best, bestMove, original := -infinite, quoridor.NoMove, alpha
	for i := range list.moves {
		list.bringBest(i)
		m := list.moves[i]
		list.child = s.board.Play(*p, m)
		score := s.searchChild(&list.child, i == 0, alpha, beta, depth, ply+1)
		if s.stopped {
			return 0
		}
		if score > best {
			best, bestMove = score, m
		}
		if alpha = max(alpha, score); alpha >= beta {
			s.reward(p.Side(), m, depth, ply)
			break
		}
	}
	s.table.store(p, bestMove, best, depth, ply, original, beta)
	return best
}

// recurs tells whether the last position of the path counts as a draw: because it has occurred before in the line that is
// searched, or at least twice in the game before that.
func (s *searcher) recurs() bool {
	last := len(s.path) - 1
	p := &s.path[last]
	inGame := 0
	for i := last - 2; i >= 0; i -= 2 {
		q := &s.path[i]
		if q.HWalls() != p.HWalls() || q.VWalls() != p.VWalls() {
			return false
		}
		if *q != *p {
			continue
		}
		if inGame++; i >= s.rootAt || inGame == 2 {
			return true
		}
	}
	return false
}

func (s *searcher) outOfTime() bool {
	return s.ctx.Err() != nil || !s.deadline.IsZero() && time.Now().After(s.deadline)
}

// reward remembers a move that refuted the line.
func (s *searcher) reward(side int, m quoridor.Move, depth, ply int) {
	if k := &s.killers[ply]; k[0] != m {
		k[0], k[1] = m, k[0]
	}
	s.history[side][m] += int32(depth * depth)
}
