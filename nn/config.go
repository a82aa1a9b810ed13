package nn

import (
	"fmt"
	"slices"
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

	Heads      string `toml:"heads" comment:"auxiliary heads that training also asks for: any of reply, margin and plies, joined by +, as in reply+margin; empty for none. Play does without them"`
	NoDistance bool   `toml:"no_distance_planes" comment:"train and play without the planes that tell distances and shortest paths (for comparison)"`

	DetourPlanes bool `toml:"detour_planes" comment:"train and play with planes that tell how many steps each wall would cost either player; networks from before there were such planes are without"`
}

// The parts of a [Config]'s text after the size.
const (
	suffixNoDistance = "-distance"
	suffixNoDetours  = "-detours"
	headReply        = "reply"
	headMargin       = "margin"
	headPlies        = "plies"
)

// DefaultConfig returns the size meant for 9x9 boards.
func DefaultConfig() Config { return size(64, 6) }

// ParseConfig reads "channels x blocks", as in "32x4", or "channels x blocks x
// hidden units", as in "32x4x96"; without them there are 64 hidden units. Instead
// of a size the name of one of [Sizes] may stand. After it may come "-detours",
// for a network that does not see what walls would cost, or "-distance", for one
// that sees no distances either, and auxiliary heads, as in
// "32x4+reply+margin+plies".
func ParseConfig(s string) (Config, error) {
	size, heads, _ := strings.Cut(s, "+")
	size, noDistance := strings.CutSuffix(size, suffixNoDistance)
	size, noDetours := strings.CutSuffix(size, suffixNoDetours)
	c, err := parseSize(size, s)
	if err != nil {
		return Config{}, err
	}
	if strings.HasSuffix(s, "+") {
		return Config{}, fmt.Errorf("%w: %q: a head must follow the last +", ErrConfig, s)
	}
	c.Heads, c.NoDistance, c.DetourPlanes = heads, noDistance, !noDistance && !noDetours
	return c, c.Validate()
}

// parseSize reads the size of a network; s is the whole text.
func parseSize(size, s string) (Config, error) {
	if named, ok := Sizes.named(size); ok {
		return named, nil
	}
	parts := strings.Split(size, "x")
	if len(parts) != 2 && len(parts) != 3 {
		return Config{}, fmt.Errorf("%w: %q, want channels x blocks, as in 32x4, or one of %s", ErrConfig, s, Sizes.names())
	}
	n := [3]int{2: defaultHidden}
	for i, p := range parts {
		v, err := strconv.Atoi(p)
		if err != nil {
			return Config{}, fmt.Errorf("%w: %q: %q is not a number", ErrConfig, s, p)
		}
		n[i] = v
	}
	return Config{Channels: n[0], Blocks: n[1], Hidden: n[2]}, nil
}

// Text returns the form that [ParseConfig] reads.
func (c Config) Text() string {
	if c.DetourPlanes || c.NoDistance {
		return c.String()
	}
	return c.text(suffixNoDetours)
}

// String returns the configuration as files and messages have it: without the
// feature set, which has a place of its own there (see [Config.Text]).
func (c Config) String() string {
	if c.NoDistance {
		return c.text(suffixNoDistance)
	}
	return c.text("")
}

func (c Config) text(suffix string) string {
	text := fmt.Sprintf("%dx%d", c.Channels, c.Blocks)
	if c.Hidden != defaultHidden {
		text += fmt.Sprintf("x%d", c.Hidden)
	}
	text += suffix
	if c.Heads != "" {
		text += "+" + c.Heads
	}
	return text
}

// trunk returns the configuration without its auxiliary heads.
func (c Config) trunk() Config {
	c.Heads = ""
	return c
}

// heads returns the auxiliary heads. The error wraps [ErrConfig]: a head that is
// unknown, or not in the order reply, margin, plies.
func (c Config) heads() (h graph.Heads, err error) {
	if c.Heads == "" {
		return h, nil
	}
	rest := []string{headReply, headMargin, headPlies}
	for _, name := range strings.Split(c.Heads, "+") {
		i := slices.Index(rest, name)
		if i < 0 {
			return h, fmt.Errorf("%w: auxiliary heads %q, want any of %s, %s and %s in this order, joined by +", ErrConfig, c.Heads, headReply, headMargin, headPlies)
		}
		rest = rest[i+1:]
		switch name {
		case headReply:
			h.Reply = true
		case headMargin:
			h.Margin = true
		case headPlies:
			h.Plies = true
		}
	}
	return h, nil
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
	if c.NoDistance && c.DetourPlanes {
		return fmt.Errorf("%w: no_distance_planes goes with detour_planes = false, since detours are distances, too", ErrConfig)
	}
	_, err := c.heads()
	return err
}

func (c Config) params() []graph.Param { return c.arch(0, 0).Params() }

func (c Config) foldedParams() []graph.Param { return c.arch(0, 0).FoldedParams() }

// arch puts the network, which must be valid, on a board.
func (c Config) arch(h, w int) graph.Arch {
	heads, err := c.heads()
	if err != nil {
		panic(err)
	}
	return graph.Arch{H: h, W: w, Channels: c.Channels, Blocks: c.Blocks, Hidden: c.Hidden, Heads: heads}
}

// CanBeginFrom reports whether training of such a network can begin from a model
// of the other configuration (see [Model.Unfold]): it must have at least its
// channels, blocks and hidden units, and the same planes.
func (c Config) CanBeginFrom(o Config) bool {
	return c.Channels >= o.Channels && c.Blocks >= o.Blocks && c.Hidden >= o.Hidden && c.planes() == o.planes()
}

// planes returns what a network must share to see the same planes.
func (c Config) planes() Config {
	return Config{NoDistance: c.NoDistance, DetourPlanes: c.DetourPlanes}
}
