package arena

import (
	"context"
	"fmt"
	"io"
	"time"

	"rampart/mcts"
	"rampart/quoridor"
)

// SearchConfig says how a player searches.
type SearchConfig struct {
	Search mcts.Config                         // its Simulations bound the search
	Time   time.Duration                       // for each move; 0 for no limit but the simulations
	Prober func(b *quoridor.Board) mcts.Prober // what the search knows for sure; nil for nothing
}

// NewSearchOpponent returns an opponent that plays the choice of a search without noise, on evaluators made by newEval: one for each
// player. An evaluator with a Close method is closed with its player.
func NewSearchOpponent(name string, cfg SearchConfig, newEval func(b *quoridor.Board) (mcts.Evaluator, error)) Opponent {
	return Opponent{Name: name, New: func(b *quoridor.Board) (Player, error) {
		eval, err := newEval(b)
		if err != nil {
			return nil, fmt.Errorf("%w: %s: %w", ErrPlayer, name, err)
		}
		search, err := mcts.NewSearch(eval, cfg.Search)
		if err != nil {
			return nil, fmt.Errorf("%w: %s: %w", ErrPlayer, name, err)
		}
		if cfg.Prober != nil {
			search.SetProber(cfg.Prober(b))
		}
		return &searchPlayer{cfg: cfg, eval: eval, search: search}, nil
	}}
}

// searchPlayer plays the choice of a search.
type searchPlayer struct {
	cfg    SearchConfig
	eval   mcts.Evaluator
	search *mcts.Search
}

// NewGame drops what the search has kept. The player leaves nothing to chance.
func (p *searchPlayer) NewGame(uint64) { p.search.Forget() }

// Move returns the choice of the search.
func (p *searchPlayer) Move(ctx context.Context, g *quoridor.Game) (quoridor.Move, error) {
	pliesLeft := -1
	if g.Rules.PlyCap > 0 {
		pliesLeft = g.Rules.PlyCap - g.Plies()
	}
	limited := ctx
	if p.cfg.Time > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, p.cfg.Time)
		defer cancel()
	}
	r, err := p.search.Run(limited, g.Position(), pliesLeft, nil)
	if err != nil {
		return quoridor.NoMove, err
	}
	return r.Move, ctx.Err()
}

// Close closes the evaluator.
func (p *searchPlayer) Close() error {
	if c, ok := p.eval.(io.Closer); ok {
		return c.Close()
	}
	return nil
}
