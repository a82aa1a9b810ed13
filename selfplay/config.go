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

	RandomOpenings float64 `toml:"random_openings" comment:"share of games that begin with random plies"`
	OpeningPlies   int     `toml:"opening_plies" comment:"most random plies in such a game; the number is drawn from 1 to this"`
	SamplePlies    int     `toml:"sample_plies" comment:"plies after the opening whose move is drawn from the search's policy instead of being its choice"`
	Cache          int     `toml:"cache" comment:"evaluations that each worker remembers; it changes the speed only. 0 for none"`
	PlyCap         int     `toml:"ply_cap" comment:"the game is a draw after this many plies; 0 stands for two and a half plies a square"`
}

// DefaultConfig returns the settings to start from: Gumbel search with 32 simulations, half the games with up to 8 random plies.
func DefaultConfig() Config {
	return Config{Search: mcts.DefaultConfig(mcts.Gumbel), RandomOpenings: 0.5, OpeningPlies: 8, SamplePlies: 8, Cache: 1 << 14}
}

// Validate returns an error that wraps [ErrConfig] or [mcts.ErrConfig] and names the setting if one is out of range.
func (c Config) Validate() error {
	switch {
	case !(c.RandomOpenings >= 0 && c.RandomOpenings <= 1):
		return fmt.Errorf("%w: random_openings %g: must be 0 to 1", ErrConfig, c.RandomOpenings)
	case c.OpeningPlies < 0 || c.OpeningPlies > 200:
		return fmt.Errorf("%w: opening_plies %d: must be 0 to 200", ErrConfig, c.OpeningPlies)
	case c.SamplePlies < 0 || c.SamplePlies > 4096:
		return fmt.Errorf("%w: sample_plies %d: must be 0 to 4096", ErrConfig, c.SamplePlies)
	case c.Cache < 0 || c.Cache > 1<<24:
		return fmt.Errorf("%w: cache %d: must be 0 to %d", ErrConfig, c.Cache, 1<<24)
	case c.PlyCap < 0 || c.PlyCap > 4096:
		return fmt.Errorf("%w: ply_cap %d: must be 0 to 4096", ErrConfig, c.PlyCap)
	}
	return c.Search.Validate()
}

// Rules returns the rules that games are played under.
func (c Config) Rules(b *quoridor.Board) quoridor.Rules {
	if c.PlyCap > 0 {
		return quoridor.Rules{PlyCap: c.PlyCap}
	}
	return quoridor.Rules{PlyCap: b.DefaultPlyCap()}
}
