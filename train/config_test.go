package train

import (
	"errors"
	"math"
	"strings"
	"testing"

	"rampart/quoridor"
)

func TestConfigRoundTrip(t *testing.T) {
	for _, b := range []*quoridor.Board{quoridor.MustBoard(3, 3, 0), quoridor.MustBoard(5, 5, 2), quoridor.MustBoard(9, 9, 10)} {
		c := Preset(b)
		if err := c.Validate(); err != nil {
			t.Fatalf("preset for %s: %v", b, err)
		}
		c.Seed = math.MaxInt64
		text, err := c.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		back, err := ParseConfig(text, Config{})
		if err != nil || back != c {
			t.Errorf("%s: run.toml reads back as %+v, want %+v (%v)", b, back, c, err)
		}
		for _, want := range []string{"# ", "board", "[trainer]", "[selfplay.search]"} {
			if !strings.Contains(string(text), want) {
				t.Errorf("run.toml lacks %q:\n%s", want, text)
			}
		}
	}
}

func TestSchedules(t *testing.T) {
	c := Preset(quoridor.MustBoard(5, 5, 2))
	c.Generations, c.SelfPlay.Search.Simulations, c.FinalSims = 5, 16, 64
	for generation, want := range []int{1: 16, 2: 23, 3: 32, 4: 45, 5: 64, 9: 64} {
		if want > 0 && c.simulations(generation) != want {
			t.Errorf("generation %d: %d simulations, want %d", generation, c.simulations(generation), want)
		}
	}
	c.FinalSims = 0
	if c.simulations(5) != 16 {
		t.Errorf("%d simulations without a schedule", c.simulations(5))
	}
	l := learner{cfg: c}
	for _, x := range []struct {
		generation, step int
		want             float64
	}{{1, 1000, 1e-3}, {3, 1000, 1e-3}, {4, 1000, math.Sqrt(1e-7)}, {5, 1000, 1e-4}, {9, 1000, 1e-4}, {1, 0, 2e-5}, {1, 24, 5e-4}} {
		if got := l.rate(x.generation, x.step); math.Abs(got/x.want-1) > 1e-9 {
			t.Errorf("generation %d, step %d: rate %g, want %g", x.generation, x.step, got, x.want)
		}
	}
}

func TestConfigErrors(t *testing.T) {
	base := Preset(quoridor.MustBoard(5, 5, 2))
	for text, want := range map[string]string{
		"bord = '5x5'":                        `line 1: unknown key "bord"`,
		"\n[trainer]\nbatsh = 3":              `line 3: unknown key "trainer.batsh"`,
		"walls = 'two'":                       "line 1, column 9: walls must be a whole number",
		"walls.a = 2":                         "must be a whole number",
		"\n[trainer]\nbatch = '1'":            "line 3, column 9: trainer.batch must be a whole number",
		"seed = -1":                           "seed must be a whole number, 0 or more",
		"trainer.learning_rate = 'slow'":      "trainer.learning_rate must be a number",
		"selfplay.search.mode = 4":            "selfplay.search.mode must be text in quotes",
		"selfplay.race = 1":                   "selfplay.race must be true or false",
		"trainer = 3":                         "trainer must be a table of settings",
		"walls = ":                            "line 1",
		"board = '12x5'":                      "12x5",
		"board = '2x5'":                       "too narrow",
		"walls = 17":                          "17",
		"games = 0":                           "games",
		"generations = 0":                     "generations must be 1",
		"backend = 'cuda'":                    "backend",
		"trainer.batch = 0":                   "trainer.batch",
		"trainer.samples_per_row = 7.0":       "samples_per_row",
		"trainer.learning_rate = nan":         "learning_rate",
		"trainer.final_rate = 1.0":            "final_rate",
		"gate.mode = 'always'":                "gate.mode",
		"gate.elo1 = -50.0":                   "elo1",
		"gate.elo1 = inf":                     "elo1",
		"final_simulations = -1":              "final_simulations",
		"gate.pairs = 2000000000":             "gate.pairs",
		"yardstick.pairs = 2000000000":        "yardstick.pairs",
		"yardstick.opponent = 'stockfish'":    "stockfish",
		"selfplay.search.simulations = 0":     "simulations",
		"selfplay.random_openings = 2.0":      "random_openings",
		"net.channels = 7":                    "7",
		"net.heads = 'score'":                 "reply, margin and plies",
		"net.heads = 'plies+reply'":           "in this order",
		"trainer.optimizer.reply_loss = -1.0": "reply_loss",
		"yardstick.ladder = 'racer, racer'":   "twice",
		"yardstick.ladder = 'nobody'":         "nobody",
		"yardstick.ladder_pairs = -1":         "ladder_pairs",
		"yardstick.earlier_champions = 99":    "earlier_champions",
		"origin.model = 'x'":                  "without origin.net",
		"origin.shards = 2":                   "without origin.games",
	} {
		if _, err := ParseConfig([]byte(text), base); !errors.Is(err, ErrConfig) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one that names %q", text, err, want)
		}
	}
}

// TestConfigWithMark: some editors begin a text with U+FEFF.
func TestConfigWithMark(t *testing.T) {
	base := Preset(quoridor.MustBoard(5, 5, 2))
	if c, err := ParseConfig([]byte("\ufeffgames = 7"), base); err != nil || c.Games != 7 {
		t.Errorf("%d games, error %v", c.Games, err)
	}
}

func FuzzParseConfig(f *testing.F) {
	base := Preset(quoridor.MustBoard(5, 5, 2))
	text, err := base.Marshal()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(text))
	f.Add("walls = 3\n[trainer]\nbatch = 64")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := ParseConfig([]byte(text), base)
		if err != nil {
			return
		}
		again, err := c.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		if back, err := ParseConfig(again, Config{}); err != nil || back != c {
			t.Fatalf("%q is accepted as %+v, which reads back as %+v: %v", text, c, back, err)
		}
	})
}
