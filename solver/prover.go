package solver

import (
	"context"
	"errors"
	"fmt"
	"time"

	"rampart/quoridor"
)

// SearchProgress tells how far a proof search is.
type SearchProgress struct {
	Depth   int     // plies within which a win is being looked for: the first player's if odd, the second's if even
	Nodes   uint64  // positions visited
	Rate    float64 // of them per second
	Fill    float64 // share of the transposition table in use
	Elapsed time.Duration

	CheckpointErr error // why the checkpoint could not be removed at the end, or nil; what was found stands
}

// SearchOptions of a proof search.
type SearchOptions struct {
	Memory   int64                // bytes for the transposition table and the pawns' tables; 0 means DefaultMemory
	Progress func(SearchProgress) // called about once a second and at the start of each depth; may be nil

	// Checkpoint is a file to which a search that its context stops saves what it found, and which it goes on from when it exists.
	// The error wraps [ErrSaved], or [SaveError] if it could not be saved. The file is removed at the end; if that
	// fails, Progress tells. "" for none.
	Checkpoint string
}

// Prover looks for forced wins by iterative deepening: at depth d it asks whether the side to move can win within d plies if d is
// odd, whether it must lose within d plies if d is even. The first yes is the value, plies included. Such a search with the window
// (0, inf) knows only won and not yet won, so nearly every line is cut off; it never ends on a draw.
//
// It is for boards whose tables do not fit into memory. Where the players have no walls left, and as a bound where one of them has
// none, it uses the pawns' game under the walls, which is exact: more walls in stock never make a player's value worse, for he need
// not place them. A Prover is not safe for concurrent use.
type Prover struct {
	board   *quoridor.Board
	table   *transpositions
	pawns   *pawnCache
	history [2][256]uint32
	opt     SearchOptions

	ctx      context.Context
	start    time.Time
	reported time.Time
	depth    int
	nodes    uint64
	stopped  bool
	failed   error // of the checkpoint
}

// NewProver returns a prover for the board.
func NewProver(b *quoridor.Board, opt SearchOptions) (*Prover, error) {
	if opt.Memory == 0 {
		opt.Memory = DefaultMemory
	}
	const least = 1 << 20
	if opt.Memory < least {
		return nil, fmt.Errorf("%w: a search needs %s at least, %s are allowed", ErrMemory, FormatBytes(least), FormatBytes(opt.Memory))
	}
	return &Prover{
		board: b, opt: opt,
		table: newTranspositions(opt.Memory / 4 * 3),
		pawns: newPawnCache(newShape(b), opt.Memory/4),
	}, nil
}

// Prove returns the value of the position if it is a win or a loss within the given number of plies, else an error that wraps
// [ErrUndecided]. It stops with the context's error. What was found stays in the transposition table for the next call.
func (p *Prover) Prove(ctx context.Context, pos quoridor.Position, plies int) (Value, error) {
	if winner := p.board.Winner(&pos); winner >= 0 {
		return finished(&pos, winner), nil
	}
	if err := (&Solver{board: p.board, shape: p.pawns.shape}).check(&pos); err != nil {
		return Value{}, err
	}
	p.ctx, p.start, p.nodes, p.stopped, p.failed = ctx, time.Now(), 0, false, nil
	from := 1
	if p.opt.Checkpoint != "" {
		var err error
		if from, err = p.resume(p.opt.Checkpoint, &pos); err != nil {
			return Value{}, err
		}
	}
	v, err := p.deepen(&pos, from, plies)
	if p.opt.Checkpoint == "" {
		return v, err
	}
	if p.stopped {
		if failed := p.save(p.opt.Checkpoint, &pos); failed != nil {
			return v, errors.Join(err, &SaveError{failed})
		}
		return v, fmt.Errorf("%w: %w", ErrSaved, err)
	}
	if p.failed = removeCheckpoint(p.opt.Checkpoint); p.failed != nil {
		p.report()
	}
	return v, err
}

// deepen asks who wins within more and more plies.
func (p *Prover) deepen(pos *quoridor.Position, from, plies int) (Value, error) {
	for p.depth = from; p.depth <= plies; p.depth++ {
		p.report()
		won, lost := false, false
		if p.depth%2 == 1 {
			won = p.wins(pos, p.depth)
		} else {
			lost = p.loses(pos, p.depth)
		}
		switch {
		case p.stopped:
			return Value{}, p.ctx.Err()
		case won:
			return Value{Win, p.depth}, nil
		case lost:
			return Value{Loss, p.depth}, nil
		}
	}
	return Value{}, fmt.Errorf("%w: neither player can force a win within %d plies", ErrUndecided, plies)
}

// Line returns best play of both players from a position whose value Prove has found. It stops early when the context does.
func (p *Prover) Line(ctx context.Context, pos quoridor.Position, v Value) []quoridor.Move {
	p.ctx, p.stopped = ctx, false
	var line []quoridor.Move
	for d := v.Plies - 1; d >= 0; d-- {
		m, ok := p.continuation(&pos, d, v.Outcome == Win)
		if !ok {
			break
		}
		line = append(line, m)
		pos = p.board.Play(pos, m)
		v.Outcome = -v.Outcome
	}
	return line
}

// continuation returns a move after which the game, won for the mover or not, lasts d more plies.
func (p *Prover) continuation(pos *quoridor.Position, d int, won bool) (quoridor.Move, bool) {
	var buffer [quoridor.MaxMoves]quoridor.Move
	for _, m := range p.board.Moves(buffer[:0], pos) {
		child := p.board.Play(*pos, m)
		over := p.board.Winner(&child) >= 0
		switch {
		case over:
			if won && d == 0 {
				return m, true
			}
		case won && d > 0 && p.loses(&child, d), !won && (d < 2 || !p.wins(&child, d-2)):
			return m, !p.stopped
		}
	}
	return quoridor.NoMove, false
}

// Nodes returns the number of positions that the last call of Prove visited.
func (p *Prover) Nodes() uint64 { return p.nodes }

func (p *Prover) report() {
	p.reported = time.Now()
	if p.opt.Progress == nil {
		return
	}
	elapsed := p.reported.Sub(p.start)
	p.opt.Progress(SearchProgress{
		Depth: p.depth, Nodes: p.nodes, Rate: float64(p.nodes) / max(elapsed.Seconds(), 1e-9),
		Fill: p.table.fill(), Elapsed: elapsed, CheckpointErr: p.failed,
	})
}

// visit counts a node and tells whether the search has to stop.
func (p *Prover) visit() bool {
	p.nodes++
	if p.nodes&0xFFF == 0 {
		p.stopped = p.stopped || p.ctx.Err() != nil
		if time.Since(p.reported) > time.Second {
			p.report()
		}
	}
	return p.stopped
}

// wins tells whether the side to move can win within d plies, d odd. After a stop the answer means nothing.
func (p *Prover) wins(pos *quoridor.Position, d int) bool {
	if p.visit() {
		return false
	}
	if answer, known := p.bound(pos, pos.Side(), d); known {
		return answer
	}
	if d == 1 {
		return p.arrives(pos)
	}
	e := p.table.find(p.board, pos)
	if answer, known := e.wins(d); known {
		return answer
	}
	best := e.move()
	var list moveList
	p.order(&list, pos, best)
	won := false
	for i := range list.n {
		m := list.next(i)
		child := p.board.Play(*pos, m)
		if p.board.Winner(&child) >= 0 || p.loses(&child, d-1) {
			won, best = true, m
			p.credit(pos.Side(), m, d)
			break
		}
	}
	if !p.stopped {
		p.table.store(&e, d, won, best)
	}
	return won
}

// loses tells whether the side to move must lose within d plies, d even.
func (p *Prover) loses(pos *quoridor.Position, d int) bool {
	if p.visit() || d == 0 {
		return false
	}
	if answer, known := p.bound(pos, pos.Side()^1, d); known {
		return answer
	}
	e := p.table.find(p.board, pos)
	if answer, known := e.loses(d); known {
		return answer
	}
	best := e.move()
	var list moveList
	p.order(&list, pos, best)
	lost := true
	for i := range list.n {
		m := list.next(i)
		child := p.board.Play(*pos, m)
		if p.board.Winner(&child) >= 0 || !p.wins(&child, d-1) {
			lost, best = false, m
			p.credit(pos.Side(), m, d)
			break
		}
	}
	if !p.stopped {
		p.table.store(&e, d, lost, best)
	}
	return lost
}

// bound answers from bounds, where they can tell, whether the attacker wins within d plies.
func (p *Prover) bound(pos *quoridor.Position, attacker, d int) (answer, known bool) {
	moves := (d + 1) / 2 // of the attacker
	if attacker != pos.Side() {
		moves = d / 2
	}
	if (p.board.Distance(pos, attacker)+1)/2 > moves { // a jump is two steps at most
		return false, true
	}
	own, other := pos.WallsLeft(attacker), pos.WallsLeft(attacker^1)
	if own > 0 && other > 0 {
		return false, false
	}
	v := p.pawns.value(pos)
	within := v.Plies <= d && (v.Outcome == Win) == (attacker == pos.Side()) && v.Outcome != Draw
	switch {
	case own == 0 && other == 0:
		return within, true
	case own == 0 && !within: // the defender's walls can only make it worse
		return false, true
	case other == 0 && within: // the attacker need not place his walls
		return true, true
	}
	return false, false
}

// arrives tells whether the side to move reaches its goal row with its next move.
func (p *Prover) arrives(pos *quoridor.Position) bool {
	var buffer [5]quoridor.Move
	for _, m := range p.board.PawnMoves(buffer[:0], pos) {
		if child := p.board.Play(*pos, m); p.board.Winner(&child) >= 0 {
			return true
		}
	}
	return false
}

// credit remembers a move that decided a position.
func (p *Prover) credit(side int, m quoridor.Move, d int) {
	h := &p.history[side]
	h[m] += uint32(d * d)
	if h[m] > 1<<24 {
		for i := range h {
			h[i] /= 2
		}
	}
}
