package selfplay

import (
	"errors"
	"fmt"

	"rampart/mcts"
	"rampart/quoridor"
)

// ErrConfig is returned for settings out of range.
var ErrConfig = errors.New("bad self-play setting")

// Config holds the settings of self-play. Take [DefaultConfig] and change what differs.
type Config struct {
	Search mcts.Config `toml:"search"`

	Race bool `toml:"race" comment:"the search knows the exact outcome of races without walls to come; policy and value rows of such plies are exact then"`

	// Playout-cap randomisation.
	FullShare       float64 `toml:"full_share" comment:"share of the searches with all simulations; the others are fast: without noise, and no training rows"`
	FastSimulations int     `toml:"fast_simulations" comment:"simulations of a fast search"`

	// Openings; what is left begins at the start of the game.
	RandomOpenings float64 `toml:"random_openings" comment:"share of games that begin with random plies"`
	OpeningPlies   int     `toml:"opening_plies" comment:"most random plies in such a game; the number is drawn from 1 to this"`
	WallOpenings   float64 `toml:"wall_openings" comment:"share of games that begin with random walls of both players in turn"`
	OpeningWalls   int     `toml:"opening_walls" comment:"most walls of each player in such a game; the number is drawn from 1 to this"`
	Forks          float64 `toml:"forks" comment:"share of games that leave an earlier game of the run with a random ply, somewhere before its last quarter"`

	SamplePlies int `toml:"sample_plies" comment:"plies after the opening whose move is drawn from the search's policy instead of being its choice"`

	// Draws by repetition.
	Repetition            float64 `toml:"repetition" comment:"share of games in which a position that occurs for the third time is a draw, at the end of its growth"`
	RepetitionGenerations int     `toml:"repetition_generations" comment:"generations over which that share grows from nothing; 0 for at once"`

	// Soft resignation: a decided game is played to its end, but cheaply.
	ResignValue       float64 `toml:"resign_value" comment:"a game counts as decided when the root value has been this much in favour of one player; 0 for never"`
	ResignPlies       int     `toml:"resign_plies" comment:"for so many plies in a row"`
	ResignSimulations int     `toml:"resign_simulations" comment:"simulations a move from then on"`
	ResignWeight      float64 `toml:"resign_weight" comment:"weight of the training rows from then on, 0.125 to 1"`
	ResignPlayedOn    float64 `toml:"resign_played_on" comment:"share of games in which nothing changes, to see how often such a game turns"`

	Surprise float64 `toml:"surprise" comment:"share of the training rows' weight that is given by how far the search's policy is from the network's; the rest is even"`

	Cache  int `toml:"cache" comment:"evaluations that each worker remembers; it changes the speed only. 0 for none"`
	PlyCap int `toml:"ply_cap" comment:"the game is a draw after this many plies; 0 stands for two and a half plies a square"`
}

// DefaultConfig returns the settings to start from: Gumbel search with 32 simulations, half the games with up to 8 random plies. All else is
// off; the other numbers take effect where it is put on. What the search could know for sure is off too (Race, Search.Prove): with it a network learns
// more in a short run and less in a long one (docs/experiments.md).
func DefaultConfig() Config {
	search := mcts.DefaultConfig(mcts.Gumbel)
	search.Prove = false
	return Config{
		Search:    search,
		FullShare: 1, FastSimulations: 8,
		RandomOpenings: 0.5, OpeningPlies: 8, OpeningWalls: 3, SamplePlies: 8,
		ResignPlies: 4, ResignSimulations: 8, ResignWeight: 0.25, ResignPlayedOn: 0.1,
		Cache: 1 << 14,
	}
}

// Validate returns an error that wraps [ErrConfig] or [mcts.ErrConfig] and names the setting if one is out of range.
func (c Config) Validate() error {
	for _, x := range []struct {
		name        string
		value       float64
		least, most float64
	}{
		{"full_share", c.FullShare, 0, 1},
		{"fast_simulations", float64(c.FastSimulations), 1, 1 << 24},
		{"random_openings", c.RandomOpenings, 0, 1},
		{"opening_plies", float64(c.OpeningPlies), 0, 200},
		{"wall_openings", c.WallOpenings, 0, 1},
		{"opening_walls", float64(c.OpeningWalls), 1, 64},
		{"forks", c.Forks, 0, 1},
		{"random_openings, wall_openings and forks together", c.RandomOpenings + c.WallOpenings + c.Forks, 0, 1},
		{"sample_plies", float64(c.SamplePlies), 0, 4096},
		{"repetition", c.Repetition, 0, 1},
		{"repetition_generations", float64(c.RepetitionGenerations), 0, 1e9},
		{"resign_value", c.ResignValue, 0, 1},
		{"resign_plies", float64(c.ResignPlies), 1, 4096},
		{"resign_simulations", float64(c.ResignSimulations), 1, 1 << 24},
		{"resign_weight", c.ResignWeight, 0.125, 1},
		{"resign_played_on", c.ResignPlayedOn, 0, 1},
		{"surprise", c.Surprise, 0, 1},
		{"cache", float64(c.Cache), 0, 1 << 24},
		{"ply_cap", float64(c.PlyCap), 0, 4096},
	} {
		if !(x.value >= x.least && x.value <= x.most) {
			return fmt.Errorf("%w: %s %g: must be %g to %g", ErrConfig, x.name, x.value, x.least, x.most)
		}
	}
	return c.Search.Validate()
}

// Rules returns the rules that games are played under; single games may have the rule of repetition besides.
func (c Config) Rules(b *quoridor.Board) quoridor.Rules {
	if c.PlyCap > 0 {
		return quoridor.Rules{PlyCap: c.PlyCap}
	}
	return quoridor.Rules{PlyCap: b.DefaultPlyCap()}
}

// repetitionShare returns the share of a generation's games (the first is 1) that know the rule of repetition.
func (c Config) repetitionShare(generation uint32) float64 {
	if c.RepetitionGenerations == 0 {
		return c.Repetition
	}
	return c.Repetition * min(1, float64(max(1, generation)-1)/float64(c.RepetitionGenerations))
}
