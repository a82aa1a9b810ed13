package web

import (
	"context"
	"sync"
	"time"

	"rampart/quoridor"
	"rampart/solver"
)

// Bounds of what is solved for clients.
const (
	exactMemory  = 128 << 20        // bytes of a board's tables
	exactBoards  = 2                // boards that keep their tables
	exactTime    = 20 * time.Second // for one table
	exactAnswers = 512              // positions whose values are kept
)

type exactValue struct {
	Outcome string `json:"outcome"`
	Plies   int    `json:"plies"`
}

type exactMessage struct {
	State string `json:"state"`
	exactValue
	Moves map[string]exactValue `json:"moves"`
}

// exactKey is a position on a board: positions with more walls left than the board has are other positions.
type exactKey struct {
	w, h int
	pos  quoridor.Position
}

// exact answers for exact values. It solves one position at a time, in the pool of the searches, and remembers also what cannot be solved.
type exact struct {
	pool *pool
	busy chan struct{} // holds a token while somebody solves

	mu      sync.Mutex
	answers map[exactKey]*exactMessage // nil for what was given up
	order   []exactKey
	solvers []*boardSolver // the last used first
}

// boardSolver is the solver of a board. whole tells how far its table is: 0 not tried, 1 complete, -1 given up.
type boardSolver struct {
	solver *solver.Solver
	whole  int
}

func newExact(p *pool) *exact {
	return &exact{pool: p, busy: make(chan struct{}, 1), answers: make(map[exactKey]*exactMessage)}
}

// known returns the values of the position, and whether anything is known: nil values are those that cannot be had.
func (e *exact) known(b *quoridor.Board, p quoridor.Position) (*exactMessage, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	m, ok := e.answers[exactKey{b.W, b.H, p}]
	return m, ok
}

// solve works the values of the position out, unless ctx ends first.
func (e *exact) solve(ctx context.Context, b *quoridor.Board, p quoridor.Position) {
	select {
	case e.busy <- struct{}{}:
		defer func() { <-e.busy }()
	case <-ctx.Done():
		return
	}
	if _, ok := e.known(b, p); ok {
		return
	}
	if e.pool.acquire(ctx, nil) != nil {
		return
	}
	defer e.pool.release()
	m, err := e.values(ctx, b, p)
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		m = nil
	}
	e.keep(exactKey{b.W, b.H, p}, m)
}

func (e *exact) keep(k exactKey, m *exactMessage) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.order) >= exactAnswers {
		delete(e.answers, e.order[0])
		e.order = e.order[1:]
	}
	e.answers[k] = m
	e.order = append(e.order, k)
}

// values asks the solver: for the table of the whole board if that fits, else for the table below the position.
func (e *exact) values(ctx context.Context, b *quoridor.Board, p quoridor.Position) (*exactMessage, error) {
	s, err := e.solverOf(b)
	if err != nil {
		return nil, err
	}
	if s.whole == 0 {
		limited, cancel := context.WithTimeout(ctx, exactTime)
		err := s.solver.Prepare(limited)
		cancel()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		s.whole = 1
		if err != nil {
			s.whole = -1
		}
	}
	limited, cancel := context.WithTimeout(ctx, exactTime)
	defer cancel()
	moves, err := s.solver.MoveValues(limited, nil, p)
	if err != nil {
		return nil, err
	}
	m := &exactMessage{State: "known", Moves: make(map[string]exactValue, len(moves))}
	best := moves[0].Value
	for _, v := range moves {
		if v.Value.Better(best) {
			best = v.Value
		}
		m.Moves[v.Move.String()] = exactValue{v.Value.Outcome.String(), v.Value.Plies}
	}
	m.exactValue = exactValue{best.Outcome.String(), best.Plies}
	return m, nil
}

// solverOf returns the board's solver; those that were not used lately lose their tables. The caller holds busy.
func (e *exact) solverOf(b *quoridor.Board) (*boardSolver, error) {
	for i, s := range e.solvers {
		if s.solver.Board() == b {
			copy(e.solvers[1:i+1], e.solvers[:i])
			e.solvers[0] = s
			return s, nil
		}
	}
	made, err := solver.New(b, solver.Options{Memory: exactMemory, Workers: 1})
	if err != nil {
		return nil, err
	}
	e.solvers = append([]*boardSolver{{solver: made}}, e.solvers[:min(len(e.solvers), exactBoards-1)]...)
	return e.solvers[0], nil
}
