package play

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"rampart/arena"
	"rampart/mcts"
	"rampart/nn"
	"rampart/quoridor"
	"rampart/solver/race"
)

// Strength says how a network plays.
type Strength struct {
	Visits      int           // simulations a move
	Time        time.Duration // for each move, besides; 0 for no limit
	Temperature float64       // above 0: the move is drawn, see searcher.draw
	Threads     int           // of one search; 0 stands for 1
	TreeMiB     int           // that the search's tree may take; 0 for the usual bound
	Search      *mcts.Config  // other settings of the search than [SearchConfig]; nil for those
}

// Visits of a search.
const (
	DefaultVisits = 200
	MostVisits    = 1 << 17 // bounds the tree of any search, to about 400 MB on 9x9, its copy included
)

// cachePositions is how many evaluations an engine remembers, mostly positions that come about by another order of moves: 5 MB on 9x9.
const cachePositions = 1 << 13

// reportEvery is the interval of reports unless the limits name another.
const reportEvery = 200 * time.Millisecond

// SearchConfig returns the settings that networks search with when they play against others: PUCT on a tree that is kept from move to move.
func SearchConfig(visits int) mcts.Config {
	cfg := mcts.DefaultConfig(mcts.PUCT)
	cfg.Simulations, cfg.Reuse = visits, true
	return cfg
}

// MostThreads is the most threads of one search: beyond, they would mostly wait for each other.
const MostThreads = 64

// searcher is a network with a search: an [Engine] and a player of the arena.
type searcher struct {
	name     string
	strength Strength
	evals    []nn.Evaluator // one for each thread
	search   *mcts.Search
	seed     uint64
}

// newSearcher returns the engine of a model for the board, which may be of another size than the model was trained for.
func newSearcher(m *nn.Model, b *quoridor.Board, backend, name string, strength Strength) (*searcher, error) {
	here, err := m.WithBoard(b)
	if err != nil {
		return nil, err
	}
	s := &searcher{name: name, strength: strength}
	var evals []mcts.Evaluator
	var first *mcts.Cache
	for i := range max(1, strength.Threads) {
		eval, err := nn.NewEvaluator(backend, here)
		if err != nil {
			return nil, errors.Join(err, s.Close())
		}
		s.evals = append(s.evals, eval)
		if i == 0 {
			first = mcts.NewCache(eval, cachePositions)
			evals = append(evals, first)
		} else {
			evals = append(evals, first.Share(eval))
		}
	}
	cfg := SearchConfig(strength.Visits)
	if strength.Search != nil {
		cfg = *strength.Search
	}
	if strength.TreeMiB > 0 {
		cfg.TreeMiB = strength.TreeMiB
	}
	s.search, err = mcts.NewSearch(evals[0], cfg, evals[1:]...)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	s.search.SetProber(race.New(b))
	return s, nil
}

// NewNetEngine returns a network as an engine of the given strength. If the model was trained for another size, expect it to be weaker.
func NewNetEngine(m *nn.Model, b *quoridor.Board, backend string, strength Strength) (Engine, error) {
	return newSearcher(m, b, backend, netName(m), strength)
}

// NetOpponent returns the model as an opponent for matches, on boards of the size that it was trained for.
func NetOpponent(m *nn.Model, backend string, strength Strength) arena.Opponent {
	name := netName(m)
	return arena.Opponent{Name: name, New: func(b *quoridor.Board) (arena.Player, error) {
		if b.W != m.Board.W || b.H != m.Board.H {
			return nil, fmt.Errorf("%w: %s: %w: the model was trained for %s, not for %s", arena.ErrPlayer, name, nn.ErrIncompatible, m.Board, b)
		}
		s, err := newSearcher(m, b, backend, name, strength)
		if err != nil {
			return nil, fmt.Errorf("%w: %s: %w", arena.ErrPlayer, name, err)
		}
		return s, nil
	}}
}

func netName(m *nn.Model) string { return fmt.Sprintf("net %s of generation %d", m.ID(), m.Generation) }

// Name is part of [Engine].
func (s *searcher) Name() string { return s.name }

// Close is part of [Engine].
func (s *searcher) Close() error {
	var errs []error
	for _, e := range s.evals {
		errs = append(errs, e.Close())
	}
	return errors.Join(errs...)
}

// NewGame is part of [arena.Player]. The seed matters only where moves are drawn.
func (s *searcher) NewGame(seed uint64) {
	s.search.Forget()
	s.seed = seed
}

// Move is part of [arena.Player].
func (s *searcher) Move(ctx context.Context, g *quoridor.Game) (quoridor.Move, error) {
	r, err := s.Think(ctx, g, Limits{}, nil)
	if err != nil {
		return quoridor.NoMove, err
	}
	return r.Move, ctx.Err()
}

// Think is part of [Engine].
func (s *searcher) Think(ctx context.Context, g *quoridor.Game, limits Limits, report func(*Report)) (*Report, error) {
	if err := checkThinkable(s.search.Board(), g); err != nil {
		return nil, err
	}
	t := thought{searcher: s, began: time.Now(), position: g.Position()}
	visits, duration := limits.Visits, limits.Time
	if visits == 0 && duration == 0 {
		visits, duration = s.strength.Visits, s.strength.Time
	}
	if visits == 0 || visits > MostVisits {
		visits = MostVisits
	}
	if err := s.search.SetSimulations(visits); err != nil {
		return nil, err
	}
	if duration > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, duration)
		defer cancel()
	}
	if limits.Every == 0 {
		limits.Every = reportEvery
	}
	if err := s.search.Begin(t.position, pliesLeft(g)); err != nil {
		return nil, err
	}
	if err := t.run(ctx, limits.Every, report); err != nil {
		return nil, err
	}
	r := t.report()
	if s.strength.Temperature > 0 {
		r.Move = s.draw(r, g)
	}
	return r, nil
}

// draw chooses the move by chance: with probability proportional to the visits, or of a single visit to the network's first thoughts, each
// to the power 1/temperature. What is known to win at once is played. The same seed, game and report give the same move.
func (s *searcher) draw(r *Report, g *quoridor.Game) quoridor.Move {
	if r.Visits == 0 {
		return r.Move
	}
	weights := make([]float64, len(r.Moves))
	sum := 0.0
	for i, c := range r.Moves {
		weight := c.Share
		if s.strength.Visits == 1 {
			weight = c.Prior
		}
		weights[i] = math.Pow(weight, 1/s.strength.Temperature)
		sum += weights[i]
	}
	random := rand.New(rand.NewPCG(s.seed, g.Position().Hash()+uint64(g.Plies())))
	at := random.Float64() * sum
	for i, w := range weights {
		if at -= w; at < 0 {
			return r.Moves[i].Move
		}
	}
	return r.Move
}

// thought is one search in progress.
type thought struct {
	*searcher
	position quoridor.Position
	began    time.Time

	draws     float64 // sum of the draw probabilities that the network gave
	estimates int     // number of them
}

// run searches until the limit of simulations or the end of ctx, but for at least one simulation.
func (t *thought) run(ctx context.Context, every time.Duration, report func(*Report)) error {
	reported := t.began
	return t.search.Advance(ctx, nil, func(wdl [3]float32) {
		t.draws += float64(wdl[1])
		t.estimates++
		if report != nil && t.estimates > 1 && time.Since(reported) >= every { // the first is the root's own or the first simulation
			report(t.report())
			reported = time.Now()
		}
	})
}

// normal95 is the number of standard errors on each side of a mean that hold 95 %.
const normal95 = 1.96

// report puts the state of the search into words.
func (t *thought) report() *Report {
	r := t.search.Result(nil)
	out := &Report{
		Move: r.Move, WinRate: (1 + r.Value) / 2, Raw: (1 + r.Raw) / 2, Visits: r.Simulations, Elapsed: time.Since(t.began), Exact: r.Solved, Judged: true,
		Moves: make([]Candidate, len(r.Moves)),
	}
	draw := 0.0
	switch {
	case r.Solved && r.Value == 0:
		draw = 1
	case !r.Solved && t.estimates > 0:
		draw = min(t.draws/float64(t.estimates), 1-math.Abs(r.Value))
	}
	out.WDL = [3]float64{(1 - draw + r.Value) / 2, draw, (1 - draw - r.Value) / 2}
	for i, m := range r.Moves {
		out.Moves[i] = Candidate{Move: m.Move, Visits: m.Visits, Share: m.Policy, WinRate: (1 + m.Q) / 2, Prior: m.Prior}
		out.Moves[i].Low = max(0, (1+m.Q-normal95*m.StdErr)/2)
		if i < MostLines {
			out.Moves[i].Line, out.Moves[i].LineVisits = t.search.Line(m.Move, mostLine)
		}
	}
	return out
}
