package ablation

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"

	"rampart/arena"
	"rampart/nn"
	"rampart/quoridor"
	"rampart/solver"
	"rampart/train"
)

// ErrConfig is returned for a comparison that cannot be made.
var ErrConfig = errors.New("bad ablation")

// Arm is one of the two settings.
type Arm struct {
	Name   string
	Config train.Config
}

// Config says what is compared and how it is measured.
type Config struct {
	Folder string
	Arms   [2]Arm
	Seeds  int // each arm runs with the seeds 1 to Seeds

	// EqualCPU gives the second arm as many generations as take the first arm's processor time; without it, both run for the generations of
	// their settings.
	EqualCPU bool

	Pairs          int   // of the match between the arms, for each seed
	Simulations    int   // a move in that match
	OpeningPlies   int   // random plies that both games of a pair begin with
	ExactPositions int   // of each kind on which optimal moves are counted; 0 for none
	ExactAt        []int // simulations at which they are counted
	ExactMemory    int64 // bytes that the solver may use

	Workers int // goroutines; 0 for one for each processor

	// Opponent returns the player that searches with the model.
	Opponent func(m *nn.Model, simulations int) arena.Opponent
	// Event is told what happens, a line at a time, and the result of each seed.
	Event func(line string)
}

// tolerance is the difference of processor times that counts as equal.
const tolerance = 0.05

// Validate returns an error that wraps [ErrConfig] if the comparison cannot be made.
func (c *Config) Validate() error {
	a, b := c.Arms[0].Config, c.Arms[1].Config
	for _, check := range []struct {
		ok   bool
		text string
	}{
		{c.Folder != "", "no folder"},
		{c.Seeds >= 1 && c.Seeds <= 100, fmt.Sprintf("%d seeds: must be 1 to 100", c.Seeds)},
		{c.Pairs >= 1, fmt.Sprintf("%d pairs: must be 1 or more", c.Pairs)},
		{c.Simulations >= 1, fmt.Sprintf("%d simulations: must be 1 or more", c.Simulations)},
		{a.Board == b.Board && a.Walls == b.Walls, "the arms play on different boards"},
		{a.Hash() != b.Hash(), "the arms have the same settings"},
	} {
		if !check.ok {
			return fmt.Errorf("%w: %s", ErrConfig, check.text)
		}
	}
	return errors.Join(a.Validate(), b.Validate())
}

// comparison is an ablation at work.
type comparison struct {
	Config
	board *quoridor.Board
	log   *ledger
	sets  map[arena.Play]*arena.ExactSet
}

// Run makes the comparison, or goes on with the one in the folder. It returns ctx's error when ctx ends.
func Run(ctx context.Context, c Config) (_ *Result, err error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if c.Workers == 0 {
		c.Workers = runtime.GOMAXPROCS(0)
	}
	if c.Event == nil {
		c.Event = func(string) {}
	}
	w, h, err := quoridor.ParseSize(c.Arms[0].Config.Board)
	if err != nil {
		return nil, err
	}
	x := &comparison{Config: c}
	if x.board, err = quoridor.NewBoard(w, h, c.Arms[0].Config.Walls); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(c.Folder, 0o777); err != nil {
		return nil, err
	}
	if x.log, err = openLedger(filepath.Join(c.Folder, "ablation.jsonl")); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, x.log.close()) }()
	return x.compare(ctx)
}

func (x *comparison) compare(ctx context.Context) (*Result, error) {
	generations := [2]int{x.Arms[0].Config.Generations, x.Arms[1].Config.Generations}
	r := &Result{Arms: [2]string{x.Arms[0].Name, x.Arms[1].Name}, Simulations: x.Simulations}
	for seed := 1; seed <= x.Seeds; seed++ {
		s := SeedResult{Seed: seed}
		var err error
		for i := range x.Arms {
			if s.Arms[i], err = x.learn(ctx, i, seed, generations[i]); err != nil {
				return nil, err
			}
		}
		if seed == 1 && x.EqualCPU {
			if generations[1] = x.equal(s.Arms); generations[1] != s.Arms[1].Generations {
				x.event("%s takes %.0f s for %d generations, %s %.0f s: %s starts again with %d generations", x.Arms[1].Name, s.Arms[1].CPU,
					s.Arms[1].Generations, x.Arms[0].Name, s.Arms[0].CPU, x.Arms[1].Name, generations[1])
				if s.Arms[1], err = x.learn(ctx, 1, seed, generations[1]); err != nil {
					return nil, err
				}
			}
		}
		if err := x.measure(ctx, &s); err != nil {
			return nil, err
		}
		r.Seeds = append(r.Seeds, s)
		x.event("%s", s.describe(r.Arms))
	}
	return r, nil
}

// equal returns the generations of the second arm that take the first arm's time.
func (x *comparison) equal(arms [2]ArmResult) int {
	ratio := arms[0].CPU / arms[1].CPU
	if math.Abs(ratio-1) <= tolerance || math.IsNaN(ratio) || math.IsInf(ratio, 0) {
		return arms[1].Generations
	}
	return max(1, int(math.Round(float64(arms[1].Generations)*ratio)))
}

// folder returns the run folder of an arm.
func (x *comparison) folder(arm, seed, generations int) train.Folder {
	return train.Folder(filepath.Join(x.Folder, fmt.Sprintf("seed-%d", seed), fmt.Sprintf("%c-%d", 'a'+arm, generations)))
}

// learn runs an arm to its end.
func (x *comparison) learn(ctx context.Context, arm, seed, generations int) (_ ArmResult, err error) {
	config := x.Arms[arm].Config
	config.Seed, config.Generations = uint64(seed), generations
	folder := x.folder(arm, seed, generations)
	if err := os.MkdirAll(filepath.Dir(string(folder)), 0o777); err != nil {
		return ArmResult{}, err
	}
	run, err := train.Open(folder, &config)
	if err != nil {
		return ArmResult{}, fmt.Errorf("%s, seed %d: %w", x.Arms[arm].Name, seed, err)
	}
	defer func() { err = errors.Join(err, run.Close()) }()
	run.Workers = x.Workers
	for {
		stage, generation, err := run.Next()
		if err != nil {
			return ArmResult{}, err
		}
		if stage == train.StageFinal || stage == train.StageDone {
			break
		}
		begin := cpuSeconds()
		if err := run.Do(ctx, stage); err != nil {
			return ArmResult{}, fmt.Errorf("%s, seed %d: %w", x.Arms[arm].Name, seed, err)
		}
		if err := x.log.add(entry{Run: string(folder), Stage: string(stage), Generation: generation, CPU: cpuSeconds() - begin}); err != nil {
			return ArmResult{}, err
		}
	}
	return ArmResult{Generations: generations, Games: generations * config.Games, CPU: x.log.total(string(folder))}, nil
}

// measure fills in the match and the optimal moves of a seed.
func (x *comparison) measure(ctx context.Context, s *SeedResult) error {
	var models [2]*nn.Model
	for i := range models {
		path, err := x.folder(i, s.Seed, s.Arms[i].Generations).ChampionModel()
		if err != nil {
			return err
		}
		if models[i], err = nn.Load(path); err != nil {
			return err
		}
		if err := x.countOptimal(ctx, models[i], &s.Arms[i]); err != nil {
			return err
		}
	}
	a, b := x.Opponent(models[0], x.Simulations), x.Opponent(models[1], x.Simulations)
	m, err := arena.Match(ctx, a, b, arena.MatchConfig{
		Board: x.board, Pairs: x.Pairs, OpeningPlies: x.OpeningPlies, Seed: uint64(s.Seed), Workers: x.Workers,
		Rules: x.Arms[0].Config.SelfPlay.Rules(x.board),
	})
	if err != nil {
		return err
	}
	s.Match = m
	return nil
}

// countOptimal fills in an arm's shares of optimal moves.
func (x *comparison) countOptimal(ctx context.Context, m *nn.Model, arm *ArmResult) error {
	if err := x.solve(ctx); err != nil {
		return err
	}
	for _, play := range []arena.Play{arena.RandomPlay, arena.ExactPlay} {
		set := x.sets[play]
		if set == nil || set.Len() == 0 {
			continue
		}
		for _, n := range x.ExactAt {
			share, err := set.Score(ctx, x.Opponent(m, n), x.Workers)
			if err != nil {
				return err
			}
			arm.Optimal = append(arm.Optimal, train.Optimal{Play: play, Positions: set.Len(), Simulations: n, Share: share})
		}
	}
	return nil
}

// solve makes the positions of the exact yardstick, once, unless the board is too large.
func (x *comparison) solve(ctx context.Context) error {
	if x.sets != nil || x.ExactPositions == 0 {
		return nil
	}
	x.sets = make(map[arena.Play]*arena.ExactSet)
	s, err := solver.New(x.board, solver.Options{Memory: x.ExactMemory, Workers: x.Workers})
	if err == nil {
		err = s.Prepare(ctx)
	}
	if errors.Is(err, solver.ErrMemory) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, play := range []arena.Play{arena.RandomPlay, arena.ExactPlay} {
		if x.sets[play], err = arena.NewExactSet(ctx, s, play, x.ExactPositions, 1); err != nil {
			return err
		}
	}
	return nil
}

func (x *comparison) event(format string, args ...any) { x.Event(fmt.Sprintf(format, args...)) }
