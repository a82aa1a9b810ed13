package arena

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"rampart/internal/guard"
	"rampart/quoridor"
	"rampart/solver"
)

// ExactSet is a set of positions whose moves a solver has judged: a yardstick for players on small boards. Only positions with something
// to decide are in it: at least one move keeps the best result that is possible, and at least one does not.
type ExactSet struct {
	board     *quoridor.Board
	positions []exactPosition
}

type exactPosition struct {
	pos  quoridor.Position
	good [256]bool // moves that keep the best result possible
}

// Play is how the positions of an [ExactSet] come about.
type Play string

// Two sources of positions.
const (
	RandomPlay Play = "random" // both sides play random moves, pawn moves and walls in equal shares
	ExactPlay  Play = "exact"  // after up to six such plies, both sides play random best moves
)

// NewExactSet collects n distinct positions from games of the given kind. The solver should be prepared, so that it answers at once.
// Boards with too few such positions give a smaller set.
func NewExactSet(ctx context.Context, s *solver.Solver, kind Play, n int, seed uint64) (*ExactSet, error) {
	c := exactCollector{ctx: ctx, solver: s, random: rand.New(rand.NewPCG(seed, 0x6578616374)), seen: make(map[quoridor.Position]bool)}
	set := &ExactSet{board: s.Board()}
	for fruitless := 0; len(set.positions) < n && fruitless < 2000; {
		found, err := c.game(kind, n-len(set.positions))
		if err != nil {
			return nil, fmt.Errorf("yardstick positions: %w", err)
		}
		set.positions = append(set.positions, found...)
		if fruitless++; len(found) > 0 {
			fruitless = 0
		}
	}
	return set, nil
}

// Len returns the number of positions.
func (e *ExactSet) Len() int { return len(e.positions) }

// exactCollector plays games and keeps what is worth asking.
type exactCollector struct {
	ctx    context.Context
	solver *solver.Solver
	random *rand.Rand
	seen   map[quoridor.Position]bool
	values []solver.MoveValue
}

// game plays one game and returns its new positions with something to decide, at most the given number.
func (c *exactCollector) game(kind Play, most int) (found []exactPosition, err error) {
	b := c.solver.Board()
	p := b.Start()
	randomPlies := 1 << 30
	if kind == ExactPlay {
		randomPlies = c.random.IntN(7)
	}
	for ply := 0; ply < b.DefaultPlyCap() && b.Winner(&p) < 0 && len(found) < most; ply++ {
		if c.values, err = c.solver.MoveValues(c.ctx, c.values[:0], p); err != nil {
			return nil, err
		}
		best := c.values[0].Value
		for _, v := range c.values {
			if v.Value.Better(best) {
				best = v.Value
			}
		}
		if !c.seen[p] && ply >= min(randomPlies, 2) {
			c.seen[p] = true
			if x, decides := judge(p, c.values, best.Outcome); decides {
				found = append(found, x)
			}
		}
		p = b.Play(p, c.choose(best, ply < randomPlies))
	}
	return found, nil
}

// judge marks the moves that keep the best outcome and tells whether there is another.
func judge(p quoridor.Position, values []solver.MoveValue, best solver.Outcome) (x exactPosition, decides bool) {
	x.pos = p
	for _, v := range values {
		x.good[v.Move] = v.Value.Outcome == best
		decides = decides || v.Value.Outcome != best
	}
	return x, decides
}

// choose draws a random move, or a random one of the best.
func (c *exactCollector) choose(best solver.Value, anything bool) quoridor.Move {
	var moves []quoridor.Move
	wantPawn := c.random.IntN(2) == 0
	for _, v := range c.values {
		if anything && v.Move.IsPawn() == wantPawn || !anything && v.Value == best {
			moves = append(moves, v.Move)
		}
	}
	if len(moves) == 0 { // no walls left
		return c.values[c.random.IntN(len(c.values))].Move
	}
	return moves[c.random.IntN(len(moves))]
}

// Score returns the share of the set's positions in which the opponent's move keeps the best result possible.
func (e *ExactSet) Score(ctx context.Context, o Opponent, workers int) (float64, error) {
	if len(e.positions) == 0 {
		return 0, fmt.Errorf("%w: no positions to score on", ErrConfig)
	}
	group, ctx := errgroup.WithContext(ctx)
	var next, good atomic.Int64
	for range max(1, workers) {
		group.Go(guard.Func(func() (err error) {
			player, err := o.New(e.board)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, closePlayer(player)) }()
			for i := next.Add(1) - 1; i < int64(len(e.positions)); i = next.Add(1) - 1 {
				x := &e.positions[i]
				player.NewGame(uint64(i))
				m, err := player.Move(ctx, quoridor.NewGame(e.board, x.pos, quoridor.Rules{}))
				if err != nil {
					return fmt.Errorf("%w: %s in %s: %w", ErrMove, o.Name, e.board.Format(x.pos), err)
				}
				if x.good[m] {
					good.Add(1)
				}
			}
			return nil
		}))
	}
	if err := group.Wait(); err != nil {
		return 0, err
	}
	return float64(good.Load()) / float64(len(e.positions)), nil
}
