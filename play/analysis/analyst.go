package analysis

import (
	"context"
	"errors"
	"slices"

	"rampart/play"
	"rampart/quoridor"
)

// Analyst thinks about one position at a time. It is not safe for concurrent use.
type Analyst struct {
	config  *Config
	engines []seat // used last comes last
}

// seat is an engine on its board.
type seat struct {
	board  *quoridor.Board
	engine play.Engine
}

// mostEngines is the number of boards for which an analyst keeps an engine.
const mostEngines = 4

// NewAnalyst returns an analyst with the settings, which must be valid.
func NewAnalyst(c *Config) *Analyst { return &Analyst{config: c} }

// Opinion is what an analyst says of a position. A finished game has only its Result.
type Opinion struct {
	Result quoridor.Result
	Report *play.Report
	Exact  *Exact // nil if the board is too large
}

// Think analyses the position of the game until the limits are reached or ctx ends, and hands what is known so far to during, if that is not nil.
func (a *Analyst) Think(ctx context.Context, g *quoridor.Game, limits play.Limits, during func(*Opinion)) (*Opinion, error) {
	o := &Opinion{Result: g.Result()}
	if o.Result != quoridor.Undecided {
		return o, nil
	}
	var err error
	if o.Exact, err = a.config.Solver.Values(ctx, g.Board, g.Position()); err != nil && ctx.Err() == nil {
		return nil, err
	}
	engine, err := a.engine(g.Board)
	if err != nil {
		return nil, err
	}
	if forgetful, ok := engine.(interface{ NewGame(seed uint64) }); ok {
		forgetful.NewGame(1)
	}
	var report func(*play.Report)
	if during != nil {
		report = func(r *play.Report) { during(&Opinion{Report: r, Exact: o.Exact}) }
	}
	o.Report, err = engine.Think(ctx, g, limits, report)
	return o, err
}

// engine returns the engine for the board.
func (a *Analyst) engine(b *quoridor.Board) (play.Engine, error) {
	if i := slices.IndexFunc(a.engines, func(s seat) bool { return s.board == b }); i >= 0 {
		s := a.engines[i]
		a.engines = append(slices.Delete(a.engines, i, i+1), s)
		return s.engine, nil
	}
	engine, err := a.config.NewEngine(b)
	if err != nil {
		return nil, err
	}
	if len(a.engines) == mostEngines {
		err = a.engines[0].engine.Close()
		a.engines = slices.Delete(a.engines, 0, 1)
	}
	a.engines = append(a.engines, seat{b, engine})
	return engine, err
}

// Close releases the engines.
func (a *Analyst) Close() error {
	var errs []error
	for _, s := range a.engines {
		errs = append(errs, s.engine.Close())
	}
	a.engines = nil
	return errors.Join(errs...)
}
