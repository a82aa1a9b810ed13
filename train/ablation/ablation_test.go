package ablation

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rampart/arena"
	"rampart/mcts"
	"rampart/nn"
	"rampart/quoridor"
	"rampart/train"
)

// tiny returns a comparison of two search settings on 3x3 that takes a second.
func tiny(t *testing.T) Config {
	t.Helper()
	b, err := quoridor.NewBoard(3, 3, 1)
	if err != nil {
		t.Fatal(err)
	}
	base := train.Preset(b)
	base.Net = nn.Config{Channels: 16, Blocks: 1, Hidden: 16}
	base.Generations, base.Games = 2, 12
	base.Trainer.MinRows, base.Trainer.Batch, base.Gate.Pairs, base.Gate.MinPairs = 20, 16, 3, 1
	base.Yard.Every, base.Yard.ExactPositions = 0, 0
	other := base
	other.SelfPlay.Search.Simulations = 4
	return Config{
		Folder: filepath.Join(t.TempDir(), "x"), Arms: [2]Arm{{"usual", base}, {"few", other}}, Seeds: 2,
		Pairs: 3, Simulations: 4, OpeningPlies: 2, ExactPositions: 20, ExactAt: []int{1, 4}, ExactMemory: 64 << 20, Workers: 2,
		Opponent: func(m *nn.Model, simulations int) arena.Opponent {
			cfg := mcts.DefaultConfig(mcts.PUCT)
			cfg.Simulations = simulations
			return arena.NewSearchOpponent("net", arena.SearchConfig{Search: cfg}, func(*quoridor.Board) (mcts.Evaluator, error) { return nn.NewEvaluator("native", m) })
		},
	}
}

// Cut off after any number of stages, an ablation goes on to the result of one that was not.
func TestAblationGoesOn(t *testing.T) {
	whole := tiny(t)
	want, err := Run(context.Background(), whole)
	if err != nil {
		t.Fatal(err)
	}
	if len(want.Seeds) != 2 || want.Seeds[0].Match.Games() != 6 || len(want.Seeds[1].Arms[1].Optimal) != 4 {
		t.Fatalf("result %+v", want)
	}
	for _, s := range want.Seeds {
		for i, a := range s.Arms {
			if a.Games != 24 || a.CPU <= 0 {
				t.Errorf("seed %d arm %d: %+v", s.Seed, i, a)
			}
		}
	}
	broken := tiny(t)
	ctx, cancel := context.WithCancel(context.Background())
	seeds := 0
	broken.Event = func(string) {
		if seeds++; seeds == 1 {
			cancel()
		}
	}
	if _, err := Run(ctx, broken); !errors.Is(err, context.Canceled) {
		t.Fatalf("cut off: %v", err)
	}
	got, err := Run(context.Background(), broken)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range got.Seeds {
		w := want.Seeds[i]
		if s.Match.Total() != w.Match.Total() || !slices.Equal(s.Arms[0].Optimal, w.Arms[0].Optimal) || !slices.Equal(s.Arms[1].Optimal, w.Arms[1].Optimal) {
			t.Errorf("seed %d: %+v after a break, %+v without", s.Seed, s, w)
		}
	}
	if !strings.Contains(got.String(), "usual against few at 4 simulations a move") {
		t.Error(got)
	}
}

func TestEqualTimeSetsGenerations(t *testing.T) {
	for _, c := range []struct {
		a, b float64
		want int
	}{{100, 100, 40}, {100, 104, 40}, {100, 200, 20}, {300, 100, 120}, {1, 1000, 1}, {0, 0, 40}} {
		x := &comparison{}
		if got := x.equal([2]ArmResult{{Generations: 40, CPU: c.a}, {Generations: 40, CPU: c.b}}); got != c.want {
			t.Errorf("%v s against %v s: %d generations, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestRefusesBadComparisons(t *testing.T) {
	for name, change := range map[string]func(c *Config){
		"same settings":    func(c *Config) { c.Arms[1].Config = c.Arms[0].Config },
		"different boards": func(c *Config) { c.Arms[1].Config.Walls = 0 },
		"no seeds":         func(c *Config) { c.Seeds = 0 },
		"no pairs":         func(c *Config) { c.Pairs = 0 },
		"no simulations":   func(c *Config) { c.Simulations = 0 },
		"no folder":        func(c *Config) { c.Folder = "" },
	} {
		c := tiny(t)
		change(&c)
		if _, err := Run(context.Background(), c); !errors.Is(err, ErrConfig) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Student's interval of 1, 2, 3, 4, 5 is 3 +- 2.776*sqrt(2.5/5), from the published table of quantiles.
func TestStudentInterval(t *testing.T) {
	r := &Result{Seeds: []SeedResult{{Seed: 1}, {Seed: 2}, {Seed: 3}, {Seed: 4}, {Seed: 5}}}
	e := r.mean(func(s SeedResult) float64 { return float64(s.Seed) })
	if e.Value != 3 || math.Abs(e.High-3-2.7764*math.Sqrt(0.5)) > 1e-3 || math.Abs(e.Low+e.High-6) > 1e-12 {
		t.Error(e)
	}
	r.Seeds = r.Seeds[:1]
	if e := r.mean(func(SeedResult) float64 { return 7 }); e.Value != 7 || !math.IsInf(e.High, 1) {
		t.Error(e)
	}
}

func TestLedgerCountsAStageOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ablation.jsonl")
	for range 2 {
		l, err := openLedger(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range []entry{{"x", "train", 1, 5}, {"x", "train", 2, 2}, {"y", "train", 1, 100}} {
			if err := l.add(e); err != nil {
				t.Fatal(err)
			}
		}
		if got := l.total("x"); got != 7 {
			t.Errorf("total %v, want 7", got)
		}
		if err := l.close(); err != nil {
			t.Fatal(err)
		}
		// A line that was cut off is no damage.
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, append(text, `{"run":"x","sta`...), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(path, []byte("{\"run\":\"x\"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := openLedger(path); !errors.Is(err, ErrConfig) || !strings.Contains(err.Error(), "line 1") {
		t.Errorf("a damaged line: %v", err)
	}
}
