package train

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"rampart/arena"
	"rampart/data"
	"rampart/mcts"
	"rampart/nn"
	"rampart/quoridor"
	"rampart/selfplay"
)

// ErrConfig is returned for settings that are out of range, unknown, or do not fit the run folder.
var ErrConfig = errors.New("bad run setting")

// Config holds every setting of a run: the content of run.toml. Take [Preset] and change what differs.
type Config struct {
	Board       string `toml:"board" comment:"columns x rows"`
	Walls       int    `toml:"walls" comment:"walls that each player has at the start"`
	Seed        uint64 `toml:"seed" comment:"of everything random in the run"`
	Generations int    `toml:"generations" comment:"the run ends after this many rounds of self-play, training and gate"`
	Games       int    `toml:"games" comment:"self-play games a generation"`
	FinalSims   int    `toml:"final_simulations" comment:"simulations a move in self-play at the end of the run; from selfplay.search.simulations on they rise in equal ratios. 0 for no change"`
	Backend     string `toml:"backend" comment:"evaluator of self-play and gate: native, gorgonia, onnx, ort, or check to compare two"`

	Origin   OriginConfig      `toml:"origin"`
	Net      nn.Config         `toml:"net"`
	SelfPlay selfplay.Config   `toml:"selfplay"`
	Window   data.WindowConfig `toml:"window"`
	Trainer  TrainerConfig     `toml:"trainer"`
	Gate     GateConfig        `toml:"gate"`
	Yard     YardConfig        `toml:"yardstick"`

	Retention  RetentionConfig  `toml:"retention"`
	Supervisor SupervisorConfig `toml:"supervisor"`
}

// TrainerConfig holds the settings of the training stage.
type TrainerConfig struct {
	Batch         int     `toml:"batch" comment:"rows a step"`
	SamplesPerRow float64 `toml:"samples_per_row" comment:"how often a new row is drawn on average"`
	MinRows       int     `toml:"min_rows" comment:"no training before this many rows"`
	LearningRate  float64 `toml:"learning_rate"`
	FinalRate     float64 `toml:"final_rate" comment:"learning rate at the end of the run; it falls from the middle of the run on, in equal ratios"`
	WarmUp        int     `toml:"warm_up" comment:"steps over which the learning rate rises from zero"`
	AverageDecay  float64 `toml:"average_decay" comment:"decay of the exponential moving average of the weights, which is what is exported"`
	RootValue     float64 `toml:"root_value" comment:"share of the search's root value in the value target; the rest is the game's result"`
	RootValueFrom int     `toml:"root_value_from" comment:"first generation that uses it; earlier ones train on the result alone"`
	Checkpoints   int     `toml:"checkpoints" comment:"how many checkpoints are kept"`

	Optimizer nn.TrainerOptions `toml:"optimizer"`
}

// optimizer returns the optimizer's options with the workers filled in, which are no setting: results do not depend on them.
func (t TrainerConfig) optimizer(workers int) nn.TrainerOptions {
	o := t.Optimizer
	o.Workers = workers
	return o
}

// GateConfig holds the settings of the match that a candidate must pass.
type GateConfig struct {
	Mode         string  `toml:"mode" comment:"sprt (sequential test), winrate (score of min_score) or off (every candidate passes)"`
	Pairs        int     `toml:"pairs" comment:"most pairs of games; a candidate that is undecided then passes with half the points"`
	MinPairs     int     `toml:"min_pairs" comment:"sprt: pairs before it may decide"`
	Elo0         float64 `toml:"elo0" comment:"sprt: Elo difference of the hypothesis that the candidate is worse"`
	Elo1         float64 `toml:"elo1" comment:"sprt: Elo difference of the hypothesis that it is not"`
	MinScore     float64 `toml:"min_score" comment:"winrate: points a game that the candidate needs"`
	OpeningPlies int     `toml:"opening_plies" comment:"random plies that both games of a pair begin with"`
	Simulations  int     `toml:"simulations" comment:"simulations a move in the gate"`
}

// YardConfig holds the settings of the regular match against a fixed opponent.
type YardConfig struct {
	Every       int    `toml:"every" comment:"generations between yardstick matches of the champion; 0 for none but the last"`
	Opponent    string `toml:"opponent" comment:"player as for rampart match"`
	Pairs       int    `toml:"pairs"`
	FinalPairs  int    `toml:"final_pairs" comment:"pairs of the match at the end of the run"`
	Simulations int    `toml:"simulations" comment:"simulations a move of the champion"`

	OpeningPlies int `toml:"opening_plies" comment:"random plies that both games of a pair begin with; after random plies even perfect play does not win most games of a small board"`

	Ladder      string `toml:"ladder" comment:"players that the champion also meets, separated by commas; earlier champions join them"`
	LadderPairs int    `toml:"ladder_pairs" comment:"pairs against each; 0 for no ladder"`
	Earlier     int    `toml:"earlier_champions" comment:"how many of the champions that played the ladder before the new one meets"`

	ExactPositions int `toml:"exact_positions" comment:"positions of each kind on which the champion's moves are compared with exact values, at 1, 16 and 64 simulations; four times as many at the end of the run; 0 for none"`
	ExactMemory    int `toml:"exact_memory" comment:"MiB that the solver may use for that; boards that need more are not compared"`
}

// Gate modes.
const (
	GateSPRT    = "sprt"
	GateWinRate = "winrate"
	GateOff     = "off"
)

// Preset returns the settings to start from for the board: up to 36 cells a small network that is done in minutes, above them the settings that
// the network for 9x9 that ships was made with; it began on a smaller board, though, and played with back end int8.
func Preset(b *quoridor.Board) Config {
	optimizer := nn.DefaultTrainerOptions()
	optimizer.Workers = 0 // see TrainerConfig.optimizer
	play := selfplay.DefaultConfig()
	play.Search.Simulations = 16
	c := Config{
		Board: fmt.Sprintf("%dx%d", b.W, b.H), Walls: b.Walls, Seed: 1,
		Generations: 110, Games: 300, FinalSims: 64, Backend: "native",
		Net:      nn.Config{Channels: 16, Blocks: 4, Hidden: 64, DetourPlanes: true}, // docs/sizes.md
		SelfPlay: play,
		Window:   data.DefaultWindowConfig(),
		Trainer: TrainerConfig{
			Batch: 256, SamplesPerRow: 4, MinRows: 2000, LearningRate: 1e-3, FinalRate: 1e-4, WarmUp: 50,
			AverageDecay: 0.99, RootValue: 0.25, RootValueFrom: 4, Checkpoints: 3,
			Optimizer: optimizer,
		},
		Gate: GateConfig{Mode: GateSPRT, Pairs: 40, MinPairs: 10, Elo0: -35, Elo1: 35, MinScore: 0.55, OpeningPlies: 4, Simulations: 16},
		Yard: YardConfig{
			Every: 10, Opponent: "racer", Pairs: 25, FinalPairs: 100, Simulations: 32, OpeningPlies: 0, ExactPositions: 500, ExactMemory: 1024,
			Ladder: "random, racer, waller, alphabeta:depth=2", LadderPairs: 5, Earlier: 2,
		},

		Supervisor: DefaultSupervisorConfig(),
	}
	c.Window.MergeDuplicates = true // docs/experiments.md
	if b.Cells() > 36 {
		// Those of the seventh network for 9x9. They are checked together, by the strength of two networks made so; not each by itself (docs/experiments.md).
		c.Window.MergeDuplicates = false // few positions come twice after the opening; not measured
		// Small generations and a short average: what a network learned is soon used to play.
		c.Generations, c.Games, c.FinalSims = 180, 300, 144
		c.Net.Channels = 32
		c.SelfPlay.Search.Simulations, c.SelfPlay.Search.Prove = 24, true
		c.SelfPlay.Race, c.SelfPlay.Forks, c.SelfPlay.PlyCap = true, 0.25, min(150, b.DefaultPlyCap())
		c.Trainer.MinRows, c.Trainer.SamplesPerRow = 10_000, 2.5
		c.Trainer.LearningRate, c.Trainer.FinalRate = 8e-4, 5e-5
		c.Trainer.RootValue, c.Trainer.RootValueFrom = 0.5, 3
		c.Trainer.Optimizer.MicroBatch = 64
		c.Gate.Pairs, c.Gate.MinPairs, c.Gate.Simulations = 20, 6, 32
		c.Gate.OpeningPlies, c.Yard.OpeningPlies = 6, 4
		c.Yard.Every, c.Yard.Pairs = 20, 10
	}
	return c
}

// NewBoard returns the board, whose size must be at least 3x3 to learn on. The error wraps [ErrConfig].
func (c Config) NewBoard() (*quoridor.Board, error) {
	w, h, err := quoridor.ParseSize(c.Board)
	if err != nil {
		return nil, fmt.Errorf("%w: board: %w", ErrConfig, err)
	}
	b, err := quoridor.NewBoard(w, h, c.Walls)
	if err != nil {
		return nil, fmt.Errorf("%w: board, walls: %w", ErrConfig, err)
	}
	if w < 3 {
		return nil, fmt.Errorf("%w: board: %dx%d is too narrow to learn on: columns must be 3 to 9", ErrConfig, w, h)
	}
	return b, nil
}

// Validate returns an error that wraps [ErrConfig], or that of the package a setting belongs to, and names the setting.
func (c Config) Validate() error {
	if _, err := c.NewBoard(); err != nil {
		return err
	}
	if err := nn.CheckBackend(c.Backend); err != nil || c.Backend == "" {
		return fmt.Errorf("%w: backend %q: %w", ErrConfig, c.Backend, err)
	}
	t, g, y := c.Trainer, c.Gate, c.Yard
	for _, check := range []struct {
		ok   bool
		text string
	}{
		{c.Generations >= 1 && c.Generations <= 1_000_000, "generations must be 1 to 1000000"},
		{c.Games >= 1 && c.Games <= 1_000_000, "games must be 1 to 1000000"},
		{c.FinalSims >= 0 && c.FinalSims <= 1<<24, "final_simulations must be 0 to 16777216"},
		{t.Batch >= 1 && t.Batch <= 1<<16, "trainer.batch must be 1 to 65536"},
		{t.SamplesPerRow > 0 && t.SamplesPerRow <= 6, "trainer.samples_per_row must be above 0 and at most 6 (more overfits)"},
		{t.MinRows >= 0, "trainer.min_rows must be 0 or more"},
		{t.LearningRate > 0 && t.LearningRate <= 1, "trainer.learning_rate must be above 0 and at most 1"},
		{t.FinalRate > 0 && t.FinalRate <= t.LearningRate, "trainer.final_rate must be above 0 and at most learning_rate"},
		{t.WarmUp >= 0, "trainer.warm_up must be 0 or more"},
		{t.AverageDecay >= 0 && t.AverageDecay < 1, "trainer.average_decay must be 0 to below 1"},
		{t.RootValue >= 0 && t.RootValue <= 1, "trainer.root_value must be 0 to 1"},
		{t.Checkpoints >= 1, "trainer.checkpoints must be 1 or more"},
		{g.Mode == GateSPRT || g.Mode == GateWinRate || g.Mode == GateOff, fmt.Sprintf("gate.mode %q must be sprt, winrate or off", g.Mode)},
		{g.Pairs >= 1 && g.Pairs <= arena.MostPairs && g.MinPairs >= 0, fmt.Sprintf("gate.pairs must be 1 to %d, min_pairs 0 or more", arena.MostPairs)},
		{g.Elo1 > g.Elo0 && g.Elo0 >= -800 && g.Elo1 <= 800, "gate.elo1 must be above elo0, both within 800"},
		{g.MinScore > 0 && g.MinScore <= 1, "gate.min_score must be above 0 and at most 1"},
		{g.OpeningPlies >= 0, "gate.opening_plies must be 0 or more"},
		{g.Simulations >= 1, "gate.simulations must be 1 or more"},
		{y.Every >= 0 && y.Pairs >= 1 && y.FinalPairs >= 1 && y.Simulations >= 1, "yardstick.every must be 0 or more, pairs, final_pairs and simulations 1 or more"},
		{max(y.Pairs, y.FinalPairs) <= arena.MostPairs, fmt.Sprintf("yardstick.pairs and final_pairs must be at most %d", arena.MostPairs)},
		{y.ExactPositions >= 0 && y.ExactMemory >= 0, "yardstick.exact_positions and exact_memory must be 0 or more"},
		{y.OpeningPlies >= 0, "yardstick.opening_plies must be 0 or more"},
		{y.LadderPairs >= 0 && y.LadderPairs <= arena.MostPairs, fmt.Sprintf("yardstick.ladder_pairs must be 0 to %d", arena.MostPairs)},
		{y.Earlier >= 0 && y.Earlier <= mostEarlier, fmt.Sprintf("yardstick.earlier_champions must be 0 to %d", mostEarlier)},
	} {
		if !check.ok {
			return fmt.Errorf("%w: %s", ErrConfig, check.text)
		}
	}
	for _, part := range []interface{ Validate() error }{c.Net, c.SelfPlay, c.Window, t.optimizer(1), c.Retention, c.Supervisor} {
		if err := part.Validate(); err != nil {
			return fmt.Errorf("%w: %w", ErrConfig, err)
		}
	}
	if err := c.Origin.validate(c.Generations); err != nil {
		return err
	}
	return c.checkOpponent()
}

// firstGeneration returns the first generation that is trained: later ones only follow games that the run began with.
func (c Config) firstGeneration() int { return max(1, c.Origin.Shards) }

// progress returns how far the run is at the beginning of a generation, from 0 for the first to 1 for the last.
func (c Config) progress(generation int) float64 {
	first := c.firstGeneration()
	return min(1, float64(generation-first)/float64(max(1, c.Generations-first)))
}

// gamesUpTo returns the number of games that the run has at the end of the generation.
func (c Config) gamesUpTo(generation int) int {
	return c.Origin.NumGames + c.Games*max(0, generation-c.Origin.Shards)
}

// simulations returns the simulations a move in the generation's self-play. More of them pay later in a run (Wu, Lin et al.: MiniZero, 2023,
// progressive simulation).
func (c Config) simulations(generation int) int {
	first := c.SelfPlay.Search.Simulations
	if c.FinalSims == 0 {
		return first
	}
	return int(math.Round(float64(first) * math.Pow(float64(c.FinalSims)/float64(first), c.progress(generation))))
}

// matchConsidered is how many root actions a Gumbel search without noise considers in matches. With 16 to 64 simulations a few, searched
// well, keep more won positions won than many (docs/experiments.md).
const matchConsidered = 4

// gateSearch returns the search that candidates and champions play matches with.
func (c Config) gateSearch(simulations int) mcts.Config {
	s := c.SelfPlay.Search
	s.Simulations = simulations
	s.Considered = min(s.Considered, matchConsidered)
	s.Prove = true
	return s
}

// Marshal returns the text of run.toml, every setting with its comment.
func (c Config) Marshal() ([]byte, error) {
	var out bytes.Buffer
	out.WriteString("# The settings of this run. Those of the board, the network and the seed are fixed once it has begun; the others may be\n" +
		"# changed between two starts and hold from then on.\n\n")
	if err := toml.NewEncoder(&out).Encode(c); err != nil {
		return nil, fmt.Errorf("run.toml: %w", err)
	}
	return out.Bytes(), nil
}

// ParseConfig reads the text of run.toml over the settings in base and checks them: keys that are absent keep their value, unknown keys
// are errors that name their line.
func ParseConfig(text []byte, base Config) (Config, error) {
	c, err := DecodeConfig(text, base)
	if err != nil {
		return Config{}, err
	}
	return c, c.Validate()
}

// DecodeConfig is [ParseConfig] without [Config.Validate], for settings that more are laid over.
func DecodeConfig(text []byte, base Config) (Config, error) {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")) // the mark that some editors begin a text in UTF-8 with
	decoder := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields()
	if err := decoder.Decode(&base); err != nil {
		var unknown *toml.StrictMissingError
		if errors.As(err, &unknown) && len(unknown.Errors) > 0 {
			row, _ := unknown.Errors[0].Position()
			return Config{}, fmt.Errorf("%w: line %d: unknown key %q", ErrConfig, row, strings.Join(unknown.Errors[0].Key(), "."))
		}
		var bad *toml.DecodeError
		if errors.As(err, &bad) {
			row, column := bad.Position()
			if want := wanted(bad.Key()); want != "" && strings.Contains(bad.Error(), "cannot") { // what it says of types is for Go
				return Config{}, fmt.Errorf("%w: line %d, column %d: %s must be %s", ErrConfig, row, column, strings.Join(bad.Key(), "."), want)
			}
			return Config{}, fmt.Errorf("%w: line %d, column %d: %w", ErrConfig, row, column, err)
		}
		return Config{}, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	return base, nil
}

// wanted says what the setting with the key takes; "" if there is none. What lies below a setting has its kind.
func wanted(key []string) string {
	t := reflect.TypeFor[Config]()
	for _, part := range key {
		if t.Kind() != reflect.Struct {
			break
		}
		field, ok := t.FieldByNameFunc(func(name string) bool {
			f, _ := t.FieldByName(name)
			tag, _, _ := strings.Cut(f.Tag.Get("toml"), ",")
			return tag == part
		})
		if !ok {
			return ""
		}
		t = field.Type
	}
	switch t.Kind() {
	case reflect.Int, reflect.Int64:
		return "a whole number"
	case reflect.Uint, reflect.Uint64:
		return "a whole number, 0 or more"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "text in quotes"
	case reflect.Struct:
		return "a table of settings"
	}
	return ""
}

// identity is the part of the settings that a run cannot change: what its records and weights depend on for good.
func (c Config) identity() string {
	return fmt.Sprintf("board %s, walls %d, seed %d, net %s%s", c.Board, c.Walls, c.Seed, c.Net, c.Origin.identity())
}

// Hash returns the SHA-256 of the settings' text, without where the sources of the run's origin lay. Records and models carry it.
func (c Config) Hash() [32]byte {
	c.Origin.Net, c.Origin.Games = "", ""
	text, err := c.Marshal()
	if err != nil {
		panic(err) // a struct of numbers and strings can always be encoded
	}
	return sha256.Sum256(text)
}

// checkOpponent parses the yardstick's opponents, so that a run does not fail hours later.
func (c Config) checkOpponent() error {
	if _, err := arena.Parse(c.Yard.Opponent); err != nil {
		return fmt.Errorf("%w: yardstick.opponent: %w", ErrConfig, err)
	}
	players := c.Yard.ladderPlayers()
	if len(players) > mostLadderPlayers {
		return fmt.Errorf("%w: yardstick.ladder has %d players, at most %d", ErrConfig, len(players), mostLadderPlayers)
	}
	for i, name := range players {
		if _, err := arena.Parse(name); err != nil {
			return fmt.Errorf("%w: yardstick.ladder: %w", ErrConfig, err)
		}
		if slices.Contains(players[:i], name) {
			return fmt.Errorf("%w: yardstick.ladder has %q twice", ErrConfig, name)
		}
	}
	return nil
}
