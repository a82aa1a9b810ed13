package selfplay

import (
	"context"
	"fmt"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"rampart/data"
	"rampart/internal/guard"
	"rampart/mcts"
	"rampart/quoridor"
	"rampart/solver/race"
)

// Job says which games to play.
type Job struct {
	Config     Config
	Seed       uint64 // of the run
	Generation uint32
	First      uint64 // number of the first game
	Games      int    // how many
	Workers    int    // goroutines, 1 or more
	// Earlier are games of the run before these, in a fixed order, for [Config.Forks]; there are no forks without any.
	Earlier []*data.Game
	// NewEvaluator makes the evaluator of one worker. If it has a Close method, that is called at the end.
	NewEvaluator func() (mcts.Evaluator, error)
	// Positions counts the positions that were judged, by the network or from memory, for progress displays. May be nil.
	Positions *atomic.Int64
}

// ahead is how many games for each worker may be finished or under way beyond the next one to hand over.
const ahead = 16

// Run plays the job's games and hands each to emit, in the order of their numbers and never two at once. It stops at the first
// error, which may be emit's or ctx's; games that were not handed over by then are lost.
func Run(ctx context.Context, job Job, emit func(*data.Game) error) error {
	if err := job.Config.Validate(); err != nil {
		return err
	}
	if job.Workers < 1 || job.Games < 0 {
		return fmt.Errorf("%w: %d workers, %d games", ErrConfig, job.Workers, job.Games)
	}
	group, ctx := errgroup.WithContext(ctx)
	tickets := make(chan uint64)                            // numbers of games to play
	slots := make(chan struct{}, max(1, job.Workers)*ahead) // bounds the games under way
	played := make(chan *data.Game, cap(slots))

	group.Go(func() error {
		defer close(tickets)
		for i := range job.Games {
			select {
			case slots <- struct{}{}:
			case <-ctx.Done():
				return ctx.Err()
			}
			select {
			case tickets <- job.First + uint64(i):
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	for range job.Workers {
		group.Go(guard.Func(func() error { return job.work(ctx, tickets, played) }))
	}
	group.Go(guard.Func(func() error { return job.handOver(ctx, played, slots, emit) }))
	return group.Wait()
}

// work plays the games whose numbers come in.
func (job *Job) work(ctx context.Context, tickets <-chan uint64, played chan<- *data.Game) (err error) {
	eval, err := job.NewEvaluator()
	if err != nil {
		return fmt.Errorf("self-play evaluator: %w", err)
	}
	if closer, ok := eval.(interface{ Close() error }); ok {
		defer func() {
			if e := closer.Close(); err == nil {
				err = e
			}
		}()
	}
	if job.Config.Cache > 0 {
		eval = mcts.NewCache(eval, job.Config.Cache)
	}
	search, err := mcts.NewSearch(counted{eval, job.Positions}, job.Config.Search)
	if err != nil {
		return err
	}
	if job.Config.Race {
		search.SetProber(race.New(search.Board()))
	}
	p := &player{cfg: job.Config, search: search, earlier: job.Earlier}
	for id := range tickets {
		g, err := p.play(ctx, job.Generation, id, gameSeed(job.Seed, job.Generation, id))
		if err != nil {
			return fmt.Errorf("self-play, generation %d, game %d: %w", job.Generation, id, err)
		}
		played <- g // never blocks for long: there is room for every game under way
	}
	return nil
}

// handOver emits the games in order.
func (job *Job) handOver(ctx context.Context, played <-chan *data.Game, slots <-chan struct{}, emit func(*data.Game) error) error {
	waiting := make(map[uint64]*data.Game)
	for next := job.First; next < job.First+uint64(job.Games); {
		select {
		case g := <-played:
			waiting[g.ID] = g
		case <-ctx.Done():
			return ctx.Err()
		}
		for g := waiting[next]; g != nil; g = waiting[next] {
			if err := emit(g); err != nil {
				return err
			}
			delete(waiting, next)
			<-slots
			next++
		}
	}
	return nil
}

// counted counts the positions that pass through an evaluator.
type counted struct {
	mcts.Evaluator
	n *atomic.Int64
}

func (c counted) Evaluate(pos []quoridor.Position, moves [][]quoridor.Move, logits [][]float32, wdl [][3]float32) error {
	if c.n != nil {
		c.n.Add(int64(len(pos)))
	}
	return c.Evaluator.Evaluate(pos, moves, logits, wdl)
}
