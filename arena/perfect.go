package arena

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"

	"rampart/quoridor"
	"rampart/solver"
)

func init() {
	Register(Kind{
		Name:    "perfect",
		Usage:   "perfect[:memory=MIB]",
		Summary: "plays exactly, on boards small enough for the solver's tables (default 2048 MiB)",
		Parse: func(a *Args) (func(*quoridor.Board) (Player, error), error) {
			return perfectFactory(int64(a.Int("memory", 0, 1, 1<<20)) << 20), nil
		},
	})
}

// perfectFactory returns a factory of perfect players, which share one solver for each board. memory bounds its tables in
// bytes; 0 is the solver's default.
func perfectFactory(memory int64) func(*quoridor.Board) (Player, error) {
	var mutex sync.Mutex
	solvers := make(map[*quoridor.Board]*solver.Solver)
	return func(b *quoridor.Board) (Player, error) {
		mutex.Lock()
		defer mutex.Unlock()
		s := solvers[b]
		if s == nil {
			var err error
			if s, err = solver.New(b, solver.Options{Memory: memory}); err != nil {
				return nil, fmt.Errorf("%w: perfect: %w", ErrPlayer, err)
			}
			solvers[b] = s
		}
		return &perfect{solver: s, random: newRand(0)}, nil
	}
}

// perfect plays the moves of the best exact value: the fastest win, else a draw, else the slowest loss. Equally good moves are
// equally likely. The board is solved at the first move.
type perfect struct {
	solver *solver.Solver
	random *rand.Rand
	values []solver.MoveValue
}

func (s *perfect) NewGame(seed uint64) { s.random = newRand(seed) }

func (s *perfect) Move(ctx context.Context, g *quoridor.Game) (quoridor.Move, error) {
	if err := s.solver.Prepare(ctx); err != nil {
		if errors.Is(err, solver.ErrMemory) {
			err = fmt.Errorf("%w: perfect cannot play on %s: %w (perfect:memory=MIB allows more)", ErrPlayer, g.Board, err)
		}
		return quoridor.NoMove, err
	}
	values, err := s.solver.MoveValues(ctx, s.values[:0], g.Position())
	if err != nil {
		return quoridor.NoMove, err
	}
	s.values = values
	best := values[0].Value
	for _, v := range values[1:] {
		if v.Value.Better(best) {
			best = v.Value
		}
	}
	var buffer [quoridor.MaxMoves]quoridor.Move
	moves := buffer[:0]
	for _, v := range values {
		if v.Value == best {
			moves = append(moves, v.Move)
		}
	}
	return pick(s.random, moves), nil
}
