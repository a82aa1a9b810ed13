package mcts

import (
	"context"
	"fmt"
	"math/rand/v2"

	"golang.org/x/sync/errgroup"
)

// Advance goes on with the search that [Search.Begin] has started until it is finished or ctx has ended, but for at least one simulation. After
// every evaluation it calls observe, unless that is nil, with the evaluation's win, draw and loss; the search stands still
// meanwhile, and its [Search.Result] can be asked for.
//
// With several evaluators there is a thread for each. They share the tree: one lock guards it, and only evaluations run outside. A
// simulation under way counts as a loss on its path until its value takes that place, and a thread that meets a node whose
// evaluation is under way waits for the next one to finish.
func (s *Search) Advance(ctx context.Context, random *rand.Rand, observe func(wdl [3]float32)) error {
	var err error
	if len(s.evals) == 1 {
		err = s.work(ctx, &s.walker, s.evals[0], random, observe)
	} else {
		err = s.advanceThreads(ctx, random, observe)
	}
	if err != nil {
		err = fmt.Errorf("search of %s: %w", s.board.Format(s.nodes[0].pos), err)
		s.reset()
	}
	return err
}

func (s *Search) advanceThreads(ctx context.Context, random *rand.Rand, observe func(wdl [3]float32)) error {
	if s.leaf < 0 { // a root that was kept
		s.prepareRoot(random)
	}
	group, ctx := errgroup.WithContext(ctx)
	for i, eval := range s.evals {
		w := &s.walker
		if i > 0 {
			other := newWalker()
			w = &other
		}
		group.Go(func() error { return s.work(ctx, w, eval, random, observe) })
	}
	return group.Wait()
}

// work runs simulations until the search is finished or has failed or ctx has ended.
func (s *Search) work(ctx context.Context, w *walker, eval Evaluator, random *rand.Rand, observe func(wdl [3]float32)) (err error) {
	s.mu.Lock()
	defer func() {
		s.failed = s.failed || err != nil
		s.changed.Broadcast()
		s.mu.Unlock()
	}()
	for {
		if w.leaf < 0 {
			s.prepareRoot(random)
			if s.failed || s.finished() || s.done > 0 && ctx.Err() != nil {
				return nil
			}
			switch s.descend(w) {
			case blocked:
				s.changed.Wait()
				continue
			case backedUp:
				continue
			}
		}
		if err := s.judge(w, eval); err != nil {
			return err
		}
		if err := s.expandLeaf(w, w.batchLogits[0], w.batchWDL[0], random); err != nil {
			return err
		}
		if observe != nil {
			observe(w.batchWDL[0])
		}
		s.changed.Broadcast()
	}
}

// judge has the walker's leaf evaluated, while other threads may change the tree.
func (s *Search) judge(w *walker, eval Evaluator) error {
	w.batchPos[0] = s.nodes[w.leaf].pos
	s.mu.Unlock()
	defer s.mu.Lock()
	w.moves = s.board.Moves(w.moves[:0], &w.batchPos[0])
	w.batchMoves[0], w.batchLogits[0] = w.moves, w.logits[:len(w.moves)]
	return eval.Evaluate(w.batchPos[:], w.batchMoves[:], w.batchLogits[:], w.batchWDL[:])
}
