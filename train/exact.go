package train

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"rampart/arena"
	"rampart/nn"
	"rampart/solver"
)

// Optimal is how often a model plays a move that keeps the best result possible, by the solver's word. Only positions with something to
// decide count (see [arena.ExactSet]).
type Optimal struct {
	Play        arena.Play `json:"play"` // where the positions come from
	Positions   int        `json:"positions"`
	Simulations int        `json:"simulations"`
	Share       float64    `json:"share"`
}

// exactYard measures models against the solver.
type exactYard struct {
	solver    *solver.Solver // nil if the board is too large to solve
	positions int            // in each set
	sets      map[arena.Play]*arena.ExactSet
}

// exactPlays are the sources of positions, in the order of reports.
var exactPlays = []arena.Play{arena.RandomPlay, arena.ExactPlay}

// exact returns the yardstick with so many positions of each kind, made on first use; without sets if the board is too large.
func (r *Run) exact(ctx context.Context, positions int) (*exactYard, error) {
	if positions == 0 {
		return &exactYard{}, nil
	}
	y := r.yardstick
	if y == nil {
		y = &exactYard{}
		s, err := solver.New(r.Board, solver.Options{Memory: int64(r.Config.Yard.ExactMemory) << 20, Workers: r.Workers})
		if err == nil {
			err = r.patiently(func() error { return s.Prepare(ctx) })
		}
		switch {
		case errors.Is(err, solver.ErrMemory):
			r.event("no exact values on %s: the tables do not fit in %d MiB (yardstick.exact_memory)", r.Board, r.Config.Yard.ExactMemory)
		case err != nil:
			return nil, err
		default:
			y.solver = s
		}
	}
	if y.solver != nil && y.positions != positions {
		y.sets, y.positions = make(map[arena.Play]*arena.ExactSet), positions
		for _, play := range exactPlays {
			var err error
			if y.sets[play], err = arena.NewExactSet(ctx, y.solver, play, positions, r.Config.Seed); err != nil {
				return nil, err
			}
		}
	}
	r.yardstick = y
	return y, nil
}

// measureExact scores the model on so many of the solver's positions of each kind at each number of simulations; nothing if the board is too
// large.
func (r *Run) measureExact(ctx context.Context, generation int, model *nn.Model, positions int, simulations ...int) ([]Optimal, error) {
	began := r.system.now()
	y, err := r.exact(ctx, positions)
	if err != nil || len(y.sets) == 0 {
		return nil, err
	}
	var list []Optimal
	for _, play := range exactPlays {
		set := y.sets[play]
		if set.Len() == 0 {
			continue
		}
		for _, n := range simulations {
			share, err := set.Score(ctx, r.opponent(model, n), r.Workers)
			if err != nil {
				return nil, err
			}
			list = append(list, Optimal{Play: play, Positions: set.Len(), Simulations: n, Share: share})
		}
	}
	if len(list) > 0 {
		r.event("generation %d: %s", generation, describeOptimal(list))
	}
	return list, r.measure("optimal", generation, began, list)
}

func describeOptimal(list []Optimal) string {
	var parts []string
	for _, o := range list {
		parts = append(parts, fmt.Sprintf("%.1f %% at %d (%s play)", 100*o.Share, o.Simulations, o.Play))
	}
	return "optimal moves by simulations: " + strings.Join(parts, ", ")
}
