package nn

import (
	"fmt"
	"strconv"
	"strings"

	"rampart/nn/graph"
)

// Limits of a [Config].
const (
	maxChannels = 256
	maxBlocks   = 40
	maxHidden   = 512

	defaultHidden = 64
)

// Config is the size of a network. It does not include the board: weights fit
// boards of every size.
type Config struct {
	Channels int `toml:"channels" comment:"channels of the trunk, a multiple of 16 (16 to 256)"`
	Blocks   int `toml:"blocks" comment:"residual blocks (0 to 40)"`
	Hidden   int `toml:"hidden" comment:"hidden units of the heads, a multiple of 16 (16 to 512)"`
}

// DefaultConfig returns the size meant for 9x9 boards.
func DefaultConfig() Config { return Config{Channels: 64, Blocks: 6, Hidden: defaultHidden} }

// ParseConfig reads "channels x blocks", as in "32x4", or "channels x blocks x
// hidden units", as in "32x4x96". Without them there are 64 hidden units.
func ParseConfig(s string) (Config, error) {
	parts := strings.Split(s, "x")
	if len(parts) != 2 && len(parts) != 3 {
		return Config{}, fmt.Errorf("%w: %q, want channels x blocks, as in 32x4", ErrConfig, s)
	}
	n := [3]int{2: defaultHidden}
	for i, p := range parts {
		v, err := strconv.Atoi(p)
		if err != nil {
			return Config{}, fmt.Errorf("%w: %q: %q is not a number", ErrConfig, s, p)
		}
		n[i] = v
	}
	c := Config{Channels: n[0], Blocks: n[1], Hidden: n[2]}
	return c, c.Validate()
}

// String returns the form that [ParseConfig] reads.
func (c Config) String() string {
	if c.Hidden == defaultHidden {
		return fmt.Sprintf("%dx%d", c.Channels, c.Blocks)
	}
	return fmt.Sprintf("%dx%dx%d", c.Channels, c.Blocks, c.Hidden)
}

// Validate returns an error that wraps [ErrConfig] for sizes out of range.
func (c Config) Validate() error {
	switch {
	case c.Channels < 16 || c.Channels > maxChannels || c.Channels%16 != 0:
		return fmt.Errorf("%w: %d channels, want a multiple of 16 up to %d", ErrConfig, c.Channels, maxChannels)
	case c.Blocks < 0 || c.Blocks > maxBlocks:
		return fmt.Errorf("%w: %d blocks, want 0 to %d", ErrConfig, c.Blocks, maxBlocks)
	case c.Hidden < 16 || c.Hidden > maxHidden || c.Hidden%16 != 0:
		return fmt.Errorf("%w: %d hidden units, want a multiple of 16 up to %d", ErrConfig, c.Hidden, maxHidden)
	}
	return nil
}

func (c Config) params() []graph.Param { return graph.Params(c.Channels, c.Blocks, c.Hidden) }

func (c Config) foldedParams() []graph.Param {
	return graph.FoldedParams(c.Channels, c.Blocks, c.Hidden)
}

// arch puts the network on a board.
func (c Config) arch(h, w int) graph.Arch {
	return graph.Arch{H: h, W: w, Channels: c.Channels, Blocks: c.Blocks, Hidden: c.Hidden}
}
