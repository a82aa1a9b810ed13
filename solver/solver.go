package solver

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"rampart/quoridor"
)

// Options of a solver. The zero value is usable.
type Options struct {
	Memory   int64          // bytes that tables may take; 0 means DefaultMemory
	Workers  int            // goroutines that work tables out, at most MostWorkers; 0 means one for each processor
	Progress func(Progress) // called about once a second while a table is worked out, and at its end; may be nil

	// Checkpoint is a file. If the first position asked for has to be worked out and that is stopped by its context, what was done
	// is saved there, and is taken up again when the file exists; the error wraps [ErrSaved], or [SaveError] if it could not be saved.
	// On the way it is written now and then; if that fails, Progress tells and the work goes on. The file is removed at the end. "" for
	// none.
	Checkpoint string
}

// DefaultMemory is the memory that tables may take if Options do not say.
const DefaultMemory = 2 << 30

// MostWorkers bounds the workers of a solver: each has tables of its own.
const MostWorkers = 1024

// Solver answers for exact values of the positions of one board size. It keeps the tables that it works out. Its methods may be
// called concurrently.
type Solver struct {
	board *quoridor.Board
	shape *shape
	opt   Options

	building sync.Mutex            // held while a table is worked out
	begun    bool                  // the first table outside the whole board's is complete; the checkpoint was for that
	tables   atomic.Pointer[shelf] // complete tables, never changed
}

// shelf holds the tables of a solver: that of the whole board, and that of the last root asked for outside of it.
type shelf struct{ whole, current *table }

// New returns a solver for the board. It computes nothing yet.
func New(b *quoridor.Board, opt Options) (*Solver, error) {
	if opt.Memory < 0 || opt.Workers < 0 || opt.Workers > MostWorkers {
		return nil, fmt.Errorf("%w: memory %d must not be negative, workers %d must be 0 to %d", ErrMemory, opt.Memory, opt.Workers, MostWorkers)
	}
	if opt.Memory == 0 {
		opt.Memory = DefaultMemory
	}
	if opt.Workers == 0 {
		opt.Workers = runtime.GOMAXPROCS(0)
	}
	s := &Solver{board: b, shape: newShape(b), opt: opt}
	s.tables.Store(&shelf{})
	return s, nil
}

// Board returns the board that the solver was made for.
func (s *Solver) Board() *quoridor.Board { return s.board }

// Prepare works out the values of all positions that can arise from the board's start, after which they are lookups. It
// returns an error that wraps [ErrMemory] if they do not all fit into the memory allowed.
func (s *Solver) Prepare(ctx context.Context) error {
	s.building.Lock()
	defer s.building.Unlock()
	held := s.tables.Load()
	if held.whole != nil {
		return nil
	}
	s.tables.Store(&shelf{})
	start := s.board.Start()
	t := newTable(s.shape, walls{}, [2]int{start.WallsLeft(0), start.WallsLeft(1)}, s.opt.Memory)
	if err := t.solve(ctx, s.opt.Workers, true, s.opt.Progress); err != nil {
		return fmt.Errorf("%s: %w", s.board, err)
	}
	s.tables.Store(&shelf{whole: t})
	return nil
}

// Value returns the exact value of the position for its side to move.
func (s *Solver) Value(ctx context.Context, p quoridor.Position) (Value, error) {
	if err := s.check(&p); err != nil {
		return Value{}, err
	}
	if winner := s.board.Winner(&p); winner >= 0 {
		return finished(&p, winner), nil
	}
	held := s.tables.Load()
	for _, t := range []*table{held.whole, held.current} {
		if t == nil {
			continue
		}
		if c, ok := t.lookup(&p); ok {
			return valueOf(c), nil
		}
	}
	t, err := s.tableFor(ctx, &p)
	if err != nil {
		return Value{}, err
	}
	c, _ := t.lookup(&p)
	return valueOf(c), nil
}

// finished returns the value of a finished game: it takes no plies.
func finished(p *quoridor.Position, winner int) Value {
	if winner == p.Side() {
		return Value{Outcome: Win}
	}
	return Value{Outcome: Loss}
}

// MoveValues appends every legal move with its value to dst, in the order of [quoridor.Board.Moves]. A finished game has none.
func (s *Solver) MoveValues(ctx context.Context, dst []MoveValue, p quoridor.Position) ([]MoveValue, error) {
	if err := s.check(&p); err != nil {
		return dst, err
	}
	if s.board.Winner(&p) >= 0 {
		return dst, nil
	}
	t, err := s.tableFor(ctx, &p)
	if err != nil {
		return dst, err
	}
	var buffer [quoridor.MaxMoves]quoridor.Move
	for _, m := range s.board.Moves(buffer[:0], &p) {
		q := s.board.Play(p, m)
		child := codeLost
		if s.board.Winner(&q) < 0 {
			var ok bool
			if child, ok = t.lookup(&q); !ok {
				return dst, fmt.Errorf("%w: no value for %s", ErrInconsistent, s.board.Format(q))
			}
		}
		dst = append(dst, MoveValue{m, valueOf(parent(child))})
	}
	return dst, nil
}

// Best returns the first of the best moves, in the order of [quoridor.Board.Moves]. In a finished game the move is
// [quoridor.NoMove] and the value the game's result.
func (s *Solver) Best(ctx context.Context, p quoridor.Position) (MoveValue, error) {
	var buffer [quoridor.MaxMoves]MoveValue
	moves, err := s.MoveValues(ctx, buffer[:0], p)
	if err != nil {
		return MoveValue{Move: quoridor.NoMove}, err
	}
	if len(moves) == 0 {
		return MoveValue{quoridor.NoMove, finished(&p, s.board.Winner(&p))}, nil
	}
	best := moves[0]
	for _, m := range moves[1:] {
		if m.Value.Better(best.Value) {
			best = m
		}
	}
	return best, nil
}

// Line returns best play of both players from the position: at most the given number of moves, to the end of the game or, for a
// draw, to the first repetition.
func (s *Solver) Line(ctx context.Context, p quoridor.Position, most int) ([]quoridor.Move, error) {
	var line []quoridor.Move
	seen := map[quoridor.Position]bool{}
	for len(line) < most && !seen[p] {
		seen[p] = true
		best, err := s.Best(ctx, p)
		if err != nil || best.Move == quoridor.NoMove {
			return line, err
		}
		line = append(line, best.Move)
		p = s.board.Play(p, best.Move)
	}
	return line, nil
}

// check makes sure that the position lies on the solver's board.
func (s *Solver) check(p *quoridor.Position) error {
	ok := (p.HWalls()|p.VWalls())&^s.shape.anchors == 0 && p.Pawn(0) != p.Pawn(1)
	for player := range 2 {
		c := p.Pawn(player)
		ok = ok && c.X() < s.board.W && c.Y() < s.board.H
	}
	if !ok {
		return fmt.Errorf("%w: the solver's board is %dx%d", ErrBoard, s.board.W, s.board.H)
	}
	return nil
}

// tableFor returns a table that covers the position and its successors, and works one out if there is none.
func (s *Solver) tableFor(ctx context.Context, p *quoridor.Position) (*table, error) {
	if t := s.held(p); t != nil {
		return t, nil
	}
	s.building.Lock()
	defer s.building.Unlock()
	if t := s.held(p); t != nil {
		return t, nil
	}
	left := [2]int{p.WallsLeft(0), p.WallsLeft(1)}
	pawns := [2]quoridor.Cell{p.Pawn(0), p.Pawn(1)}
	if _, err := s.board.NewPosition(p.HWalls(), p.VWalls(), pawns, left, p.Side()); err != nil {
		return nil, err
	}
	limit := s.opt.Memory
	whole := s.tables.Load().whole
	if whole != nil {
		limit -= whole.budget.inUse()
	}
	s.tables.Store(&shelf{whole: whole})
	t := newTable(s.shape, wallsOf(p), left, limit)
	if !s.begun {
		t.checkpoint = s.opt.Checkpoint
	}
	if err := t.solve(ctx, s.opt.Workers, false, s.opt.Progress); err != nil {
		return nil, fmt.Errorf("%s: %w", s.board.Format(*p), err)
	}
	s.begun = true
	s.tables.Store(&shelf{whole: whole, current: t})
	return t, nil
}

// held returns the complete table that covers the position, or nil.
func (s *Solver) held(p *quoridor.Position) *table {
	held := s.tables.Load()
	for _, t := range []*table{held.whole, held.current} {
		if t != nil && t.covers(p) {
			return t
		}
	}
	return nil
}
