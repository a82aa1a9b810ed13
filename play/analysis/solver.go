package analysis

import (
	"context"
	"errors"
	"slices"
	"sync"

	"rampart/quoridor"
	"rampart/solver"
)

// Solver gives exact values on boards whose tables fit into its memory. Tables are worked out when a board is first asked for, and kept for the boards asked
// for last. It is safe for concurrent use.
type Solver struct {
	memory int64

	mu     sync.Mutex
	boards []*solved // asked for last comes last
}

// mostSolved is the number of boards whose tables are kept.
const mostSolved = 3

// solved is a board with its tables.
type solved struct {
	board  *quoridor.Board
	mu     sync.Mutex     // held while the tables are worked out
	tables *solver.Solver // nil before, and for boards that are too large
	large  bool
}

// NewSolver returns a solver that takes at most so many bytes for each board. With 0 or less it never knows anything.
func NewSolver(memory int64) *Solver { return &Solver{memory: memory} }

// prepared returns the tables for the board, or nil if it is too large. The error is that of ctx.
func (s *Solver) prepared(ctx context.Context, b *quoridor.Board) (*solver.Solver, error) {
	if s == nil || s.memory <= 0 {
		return nil, nil
	}
	e := s.entry(b)
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.tables != nil || e.large {
		return e.tables, nil
	}
	tables, err := solver.New(b, solver.Options{Memory: s.memory})
	if err == nil {
		err = tables.Prepare(ctx)
	}
	switch {
	case err == nil:
		e.tables = tables
	case errors.Is(err, solver.ErrMemory) || errors.Is(err, solver.ErrTooLong):
		e.large = true
	default:
		return nil, err
	}
	return e.tables, nil
}

// entry returns the place of the board, making room for it.
func (s *Solver) entry(b *quoridor.Board) *solved {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := slices.IndexFunc(s.boards, func(e *solved) bool { return e.board == b }); i >= 0 {
		e := s.boards[i]
		s.boards = append(slices.Delete(s.boards, i, i+1), e)
		return e
	}
	if len(s.boards) == mostSolved {
		s.boards = slices.Delete(s.boards, 0, 1)
	}
	e := &solved{board: b}
	s.boards = append(s.boards, e)
	return e
}

// Exact is what a solver knows of a position.
type Exact struct {
	Value solver.Value // for the side to move
	Moves map[quoridor.Move]solver.Value
	Line  []quoridor.Move // best play of both, shortened
}

// Values returns the exact values of a position that is not finished, or nil if the board is too large. Ply caps do not count, and a draw is play that repeats for
// ever. The error is that of ctx.
func (s *Solver) Values(ctx context.Context, b *quoridor.Board, p quoridor.Position) (*Exact, error) {
	tables, err := s.prepared(ctx, b)
	if tables == nil || err != nil {
		return nil, err
	}
	moves, err := tables.MoveValues(ctx, nil, p)
	if errors.Is(err, solver.ErrMemory) || errors.Is(err, solver.ErrTooLong) {
		return nil, nil // a position with more walls in stock than the board's start
	}
	if err != nil {
		return nil, err
	}
	e := &Exact{Value: moves[0].Value, Moves: make(map[quoridor.Move]solver.Value, len(moves))}
	for _, m := range moves {
		e.Moves[m.Move] = m.Value
		if m.Value.Better(e.Value) {
			e.Value = m.Value
		}
	}
	e.Line, err = tables.Line(ctx, p, mostLine)
	return e, err
}

// mostLine is the length at which a line of best play ends.
const mostLine = 16
