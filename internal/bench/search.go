package bench

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"rampart/mcts"
	"rampart/nn"
	"rampart/quoridor"
	"rampart/solver/race"
)

// Search is how much of an evaluator's speed is left when a search asks it, at one number of threads.
type Search struct {
	Threads   int
	Evaluator Rates // the evaluator alone, position by position, on each thread
	Games     Rates // evaluations of a search on each thread, side by side, as in self-play
	One       Rates // evaluations of one search over all threads; zero for a Gumbel search, which has only one
}

// Rates are evaluations by time.
type Rates struct {
	PerSecond    float64
	PerCPUSecond float64 // by processor time of all threads; 0 where that is not known
}

// Share returns the part of other's rate that this one is: by processor time where that is known, so that a busy machine can tell it too.
func (r Rates) Share(other Rates) float64 {
	if r.PerCPUSecond > 0 && other.PerCPUSecond > 0 {
		return r.PerCPUSecond / other.PerCPUSecond
	}
	return r.PerSecond / other.PerSecond
}

// MeasureSearch measures the three in turns, in short rounds, each for about the given time in all. Races are played by the solver, as in
// play; positions are those of random games in which both have walls left, so that there is something to search.
func MeasureSearch(ctx context.Context, backend string, m *nn.Model, cfg mcts.Config, threads int, d time.Duration) (r Search, err error) {
	positions := openPositions(m.Board)
	var evals []mcts.Evaluator
	var judged atomic.Int64
	defer func() {
		for _, e := range evals {
			if e := e.(tally).Close(); err == nil {
				err = e
			}
		}
	}()
	var alone []*evaluation
	var searches []*mcts.Search
	for range threads {
		if err := ctx.Err(); err != nil {
			return r, err
		}
		p, err := newEvaluation(backend, m, positions, 1)
		if err != nil {
			return r, err
		}
		evals, alone = append(evals, tally{p.eval, &judged}), append(alone, p)
		s, err := mcts.NewSearch(evals[len(evals)-1], cfg)
		if err != nil {
			return r, err
		}
		s.SetProber(race.New(m.Board))
		searches = append(searches, s)
	}
	var one *mcts.Search
	if cfg.Mode == mcts.PUCT {
		if one, err = mcts.NewSearch(evals[0], cfg, evals[1:]...); err != nil {
			return r, err
		}
		one.SetProber(race.New(m.Board))
	}

	const rounds = 10
	slice := d / rounds
	var total [3]tallied
	for range rounds {
		if err := total[0].add(&judged, threads, func(i int) error {
			alone[i].done = 0
			err := alone[i].runFor(ctx, slice)
			judged.Add(int64(alone[i].done))
			return err
		}); err != nil {
			return r, err
		}
		if err := total[1].add(&judged, threads, func(i int) error { return searchFor(ctx, searches[i], positions, slice) }); err != nil {
			return r, err
		}
		if one == nil {
			continue
		}
		if err := total[2].add(&judged, 1, func(int) error { return searchFor(ctx, one, positions, slice) }); err != nil {
			return r, err
		}
	}
	return Search{Threads: threads, Evaluator: total[0].rates(), Games: total[1].rates(), One: total[2].rates()}, nil
}

// openPositions returns positions of random games in which both players have walls left, or any if there are none such.
func openPositions(b *quoridor.Board) []quoridor.Position {
	all := RandomPositions(b, 512, 1)
	var open []quoridor.Position
	for _, p := range all {
		if p.WallsLeft(0) > 0 && p.WallsLeft(1) > 0 && len(open) < 64 {
			open = append(open, p)
		}
	}
	if len(open) == 0 {
		return all[:64]
	}
	return open
}

// searchFor searches the positions in turn, at least one, for about the given time.
func searchFor(ctx context.Context, s *mcts.Search, positions []quoridor.Position, d time.Duration) error {
	limited, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	for i := 0; i == 0 || limited.Err() == nil; i++ {
		if _, err := s.Run(limited, positions[i%len(positions)], -1, nil); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// tally counts what passes through an evaluator.
type tally struct {
	nn.Evaluator
	n *atomic.Int64
}

func (t tally) Evaluate(pos []quoridor.Position, moves [][]quoridor.Move, logits [][]float32, wdl [][3]float32) error {
	t.n.Add(int64(len(pos)))
	return t.Evaluator.Evaluate(pos, moves, logits, wdl)
}

// tallied is a number of evaluations with the time that they took.
type tallied struct {
	n         int64
	wall, cpu time.Duration
}

// add runs so many goroutines and adds the time, and the evaluations that were counted meanwhile.
func (t *tallied) add(judged *atomic.Int64, goroutines int, work func(i int) error) error {
	errs := make([]error, goroutines)
	before, began, cpu := judged.Load(), time.Now(), CPUTime()
	var group sync.WaitGroup
	for i := range goroutines {
		group.Go(func() { errs[i] = work(i) })
	}
	group.Wait()
	t.n += judged.Load() - before
	t.wall += time.Since(began)
	t.cpu += CPUTime() - cpu
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func (t *tallied) rates() Rates {
	r := Rates{}
	if t.wall > 0 {
		r.PerSecond = float64(t.n) / t.wall.Seconds()
	}
	if t.cpu > 0 {
		r.PerCPUSecond = float64(t.n) / t.cpu.Seconds()
	}
	return r
}
