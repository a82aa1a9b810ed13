package selfplay

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"

	"rampart/data"
	"rampart/mcts"
	"rampart/quoridor"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// opinionated is an evaluator with arbitrary but fixed opinions.
type opinionated struct{ mcts.Uniform }

func (o opinionated) Evaluate(pos []quoridor.Position, moves [][]quoridor.Move, logits [][]float32, wdl [][3]float32) error {
	for i, p := range pos {
		random := rand.New(rand.NewPCG(p.Hash(), 1))
		win := random.Float32()
		wdl[i] = [3]float32{win, 0, 1 - win}
		for j, m := range moves[i] {
			logits[i][j] = float32(random.NormFloat64())
			if m.IsPawn() {
				logits[i][j] += 2
			}
		}
	}
	return nil
}

func job(b *quoridor.Board, games, workers int) Job {
	cfg := DefaultConfig()
	cfg.Search.Simulations = 8
	return Job{
		Config: cfg, Seed: 11, Generation: 3, Games: games, Workers: workers,
		NewEvaluator: func() (mcts.Evaluator, error) { return opinionated{mcts.Uniform{B: b}}, nil },
	}
}

// play runs the job and returns the games and the hash of their records.
func play(t *testing.T, j Job) ([]*data.Game, [32]byte) {
	t.Helper()
	hash := sha256.New()
	var games []*data.Game
	err := Run(context.Background(), j, func(g *data.Game) error {
		games = append(games, g)
		return json.NewEncoder(hash).Encode(g)
	})
	if err != nil {
		t.Fatal(err)
	}
	return games, [32]byte(hash.Sum(nil))
}

// TestSameGamesForAnyWorkers: the first 200 games are the same with 1, 2 and 8 workers, in one piece or in two.
func TestSameGamesForAnyWorkers(t *testing.T) {
	b := quoridor.MustBoard(5, 5, 2)
	_, want := play(t, job(b, 200, 1))
	for _, workers := range []int{2, 8} {
		if _, got := play(t, job(b, 200, workers)); got != want {
			t.Errorf("%d workers play other games than one", workers)
		}
	}
	j := job(b, 200, 2)
	j.Config.Cache = 0
	if _, got := play(t, j); got != want {
		t.Error("the games differ without the cache")
	}
	hash := sha256.New()
	for first := 0; first < 200; first += 100 {
		j = job(b, 100, 2)
		j.First = uint64(first)
		games, _ := play(t, j)
		for _, g := range games {
			if err := json.NewEncoder(hash).Encode(g); err != nil {
				t.Fatal(err)
			}
		}
	}
	if [32]byte(hash.Sum(nil)) != want {
		t.Error("the games of two halves differ from those of one piece")
	}
}

// TestGamesAreWhole checks every record against the rules and the settings, on several boards.
func TestGamesAreWhole(t *testing.T) {
	for _, b := range []*quoridor.Board{quoridor.MustBoard(3, 3, 1), quoridor.MustBoard(4, 7, 3), quoridor.MustBoard(5, 5, 0), quoridor.MustBoard(9, 9, 10)} {
		j := job(b, 24, 2)
		var evaluations atomic.Int64
		j.Positions = &evaluations
		games, _ := play(t, j)
		seen := map[string]bool{}
		openings := 0
		for i, g := range games {
			if g.ID != uint64(i) || g.Generation != 3 || g.Rules.PlyCap != b.DefaultPlyCap() {
				t.Fatalf("%s: game %d is number %d of generation %d, cap %d", b, i, g.ID, g.Generation, g.Rules.PlyCap)
			}
			if err := g.Check(b); err != nil {
				t.Fatalf("%s: game %d: %v", b, i, err)
			}
			if len(g.Searches) != len(g.Moves)-g.Opening || g.Opening > j.Config.OpeningPlies {
				t.Fatalf("%s: game %d: %d searches, %d moves, %d of them opening", b, i, len(g.Searches), len(g.Moves), g.Opening)
			}
			if g.Opening > 0 {
				openings++
			}
			text, _ := json.Marshal(g.Moves)
			seen[string(text)] = true
		}
		if openings == 0 || openings == len(games) {
			t.Errorf("%s: %d of %d games have a random opening", b, openings, len(games))
		}
		if b.Walls > 1 && len(seen) < len(games)-2 {
			t.Errorf("%s: only %d distinct games of %d", b, len(seen), len(games))
		}
		if evaluations.Load() == 0 {
			t.Errorf("%s: no evaluations were counted", b)
		}
	}
}

// TestSamplePlies: with sampling some games leave the search's first choice in the opening plies, and without it the same seeds play other games.
func TestSamplePlies(t *testing.T) {
	b := quoridor.MustBoard(5, 5, 2)
	sampled := job(b, 30, 1)
	sampled.Config.RandomOpenings = 0
	chosen := sampled
	chosen.Config.SamplePlies = 0
	_, with := play(t, sampled)
	_, without := play(t, chosen)
	if with == without {
		t.Error("sampling changes nothing")
	}
}

// TestSeedsDiffer: other seeds, generations and numbers give other streams.
func TestSeedsDiffer(t *testing.T) {
	seen := map[uint64]bool{}
	for run := range uint64(20) {
		for generation := range uint32(20) {
			for id := range uint64(50) {
				seen[gameSeed(run, generation, id)] = true
			}
		}
	}
	if len(seen) != 20*20*50 {
		t.Errorf("%d distinct seeds of %d", len(seen), 20*20*50)
	}
}

func TestSampleFollowsPolicy(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	moves := []mcts.MoveStats{{Move: 1, Policy: 0.5}, {Move: 2, Policy: 0.3}, {Move: 3, Policy: 0.2}, {Move: 4}}
	counts := map[quoridor.Move]float64{}
	const n = 100_000
	for range n {
		counts[sample(moves, random)]++
	}
	for _, m := range moves {
		if math.Abs(counts[m.Move]/n-m.Policy) > 0.01 {
			t.Errorf("move %d drawn with frequency %g, want %g", m.Move, counts[m.Move]/n, m.Policy)
		}
	}
}

// TestStops: an error of emit, of an evaluator or of the context ends the pool with that error and leaves no goroutine.
func TestStops(t *testing.T) {
	b := quoridor.MustBoard(5, 5, 2)
	full := errors.New("disk full")
	n := 0
	err := Run(context.Background(), job(b, 100, 4), func(*data.Game) error {
		if n++; n == 10 {
			return full
		}
		return nil
	})
	if !errors.Is(err, full) || n != 10 {
		t.Errorf("error %v after %d games", err, n)
	}

	j := job(b, 100, 4)
	j.NewEvaluator = func() (mcts.Evaluator, error) { return nil, full }
	if err := Run(context.Background(), j, func(*data.Game) error { return nil }); !errors.Is(err, full) {
		t.Errorf("error %v of an evaluator that cannot be made", err)
	}

	ctx, cancel := context.WithCancel(context.Background())
	next := uint64(0)
	err = Run(ctx, job(b, 1000, 4), func(g *data.Game) error {
		if g.ID != next {
			t.Errorf("game %d handed over, want %d", g.ID, next)
		}
		if next++; next == 5 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || next < 5 || next > 100 {
		t.Errorf("error %v after %d games", err, next)
	}
}

func TestConfigValidate(t *testing.T) {
	for _, change := range []func(*Config){
		func(c *Config) { c.RandomOpenings = math.NaN() },
		func(c *Config) { c.OpeningPlies = -1 },
		func(c *Config) { c.SamplePlies = -1 },
		func(c *Config) { c.PlyCap = 5000 },
		func(c *Config) { c.Cache = -1 },
		func(c *Config) { c.FullShare = -0.1 },
		func(c *Config) { c.FastSimulations = 0 },
		func(c *Config) { c.WallOpenings, c.Forks = 0.3, 0.3 },
		func(c *Config) { c.OpeningWalls = 0 },
		func(c *Config) { c.Repetition = 2 },
		func(c *Config) { c.RepetitionGenerations = -1 },
		func(c *Config) { c.ResignValue = math.NaN() },
		func(c *Config) { c.ResignPlies = 0 },
		func(c *Config) { c.ResignSimulations = 0 },
		func(c *Config) { c.ResignWeight = 0 },
		func(c *Config) { c.ResignPlayedOn = -1 },
		func(c *Config) { c.Surprise = 1.5 },
	} {
		cfg := DefaultConfig()
		change(&cfg)
		if err := cfg.Validate(); !errors.Is(err, ErrConfig) {
			t.Errorf("%+v: error %v", cfg, err)
		}
	}
	cfg := DefaultConfig()
	cfg.Search.Simulations = 0
	if err := cfg.Validate(); !errors.Is(err, mcts.ErrConfig) {
		t.Errorf("error %v", err)
	}
}
