package solver

import (
	"context"
	"fmt"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"rampart/quoridor"
)

// Verify checks the tables that the solver holds: the value of each position must follow from the values of its successors, which
// package quoridor generates, and what is not a legal position must have none. It looks at one set of walls in every, 1 for all
// of them, with all pawns, sides and stocks. It returns the number of positions checked, and for the first that is wrong an error
// that wraps [ErrInconsistent]. Layers whose successors were given up for memory are left out.
//
// Positions that pass are right without any trust in how they were worked out, given that all pass.
func (s *Solver) Verify(ctx context.Context, every int) (uint64, error) {
	held := s.tables.Load()
	var checked uint64
	for _, t := range []*table{held.whole, held.current} {
		if t == nil {
			continue
		}
		n, err := t.verify(ctx, s.opt.Workers, max(1, every))
		checked += n
		if err != nil {
			return checked, err
		}
	}
	return checked, nil
}

func (t *table) verify(ctx context.Context, workers, every int) (uint64, error) {
	var checked atomic.Uint64
	for k, l := range t.layers {
		if l.arena == nil || k+1 < len(t.layers) && t.layers[k+1].arena == nil {
			continue
		}
		var next atomic.Int64
		group, ctx := errgroup.WithContext(ctx)
		for range workers {
			group.Go(func() error {
				for ctx.Err() == nil {
					class := int(next.Add(1)-1) * every
					if class >= len(l.keys) {
						return nil
					}
					n, err := t.verifyClass(l, class)
					checked.Add(n)
					if err != nil {
						return err
					}
				}
				return ctx.Err()
			})
		}
		if err := group.Wait(); err != nil {
			return checked.Load(), err
		}
	}
	return checked.Load(), nil
}

func (t *table) verifyClass(l *layer, class int) (checked uint64, err error) {
	s := t.shape
	key := l.keys[class]
	for split := range l.splits {
		by0 := l.first + split
		left := [2]int{t.left[0] - by0, t.left[1] - (l.placed - by0)}
		block := l.block(class, split)
		for side := range 2 {
			for i := range s.pairs {
				pawns := [2]quoridor.Cell{s.cell(i % s.slots), s.cell(i/s.slots + s.w)}
				got, want := block[side*t.stride+i], codeIllegal
				p, illegal := s.board.NewPosition(key.h, key.v, pawns, left, side)
				if illegal == nil {
					checked++
					if want, err = t.successors(&p); err != nil {
						return checked, err
					}
				}
				if got != want {
					return checked, fmt.Errorf("%w: walls %s, pawns %s %s, walls left %d,%d, side %d: %s, but its successors say %s",
						ErrInconsistent, key, pawns[0], pawns[1], left[0], left[1], side, describe(got), describe(want))
				}
			}
		}
	}
	return checked, nil
}

// successors returns the value that follows from the values of the legal moves.
func (t *table) successors(p *quoridor.Position) (code, error) {
	b := t.shape.board
	least := codeIllegal
	var buffer [quoridor.MaxMoves]quoridor.Move
	for _, m := range b.Moves(buffer[:0], p) {
		q := b.Play(*p, m)
		child := codeLost
		if b.Winner(&q) < 0 {
			var ok bool
			if child, ok = t.lookup(&q); !ok || child == codeIllegal {
				return 0, fmt.Errorf("%w: no value for %s", ErrInconsistent, b.Format(q))
			}
		}
		least = min(least, child)
	}
	return parent(least), nil
}

func describe(c code) string {
	if c == codeIllegal {
		return "not legal"
	}
	return valueOf(c).String()
}

// cell is the inverse of square.
func (s *shape) cell(square int) quoridor.Cell { return quoridor.CellAt(square%s.w, square/s.w) }

// String lists the walls.
func (a walls) String() string {
	var names []byte
	for i := range 64 {
		for kind, set := range []uint64{a.h, a.v} {
			if set>>i&1 != 0 {
				names = append(names, 'a'+byte(i%8), '1'+byte(i/8), "hv"[kind], ',')
			}
		}
	}
	if len(names) == 0 {
		return "-"
	}
	return string(names[:len(names)-1])
}
