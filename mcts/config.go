package mcts

import (
	"errors"
	"fmt"
)

// ErrConfig is returned for settings out of range.
var ErrConfig = errors.New("bad search setting")

// Mode is the kind of search.
type Mode string

// The two kinds of search.
const (
	Gumbel Mode = "gumbel"
	PUCT   Mode = "puct"
)

// Config holds the settings of a search. Take [DefaultConfig] and change what differs.
type Config struct {
	Mode        Mode `toml:"mode" comment:"gumbel (sequential halving at the root) or puct"`
	Simulations int  `toml:"simulations" comment:"simulations for each move"`

	// Gumbel mode; the names follow the paper.
	Considered int     `toml:"considered" comment:"gumbel: most actions considered at the root (m)"`
	CVisit     float64 `toml:"c_visit" comment:"gumbel: sigma(q) = (c_visit + most visits) * c_scale * q, with q scaled to 0..1"`
	CScale     float64 `toml:"c_scale"`

	// PUCT mode.
	CPUCT        float64 `toml:"c_puct" comment:"puct: exploration c_puct + c_puct_log * ln((visits + c_base) / c_base)"`
	CPUCTLog     float64 `toml:"c_puct_log"`
	CBase        float64 `toml:"c_base"`
	FPUReduction float64 `toml:"fpu_reduction" comment:"puct: an unvisited move starts this much below its parent's value, times the root of the visited prior mass"`
	LCBStdevs    float64 `toml:"lcb_stdevs" comment:"puct: choose the move with the largest mean less this many standard errors; 0 for the most visited"`
	LCBMinShare  float64 `toml:"lcb_min_share" comment:"puct: among moves with at least this share of the most visits"`
	Reuse        bool    `toml:"reuse" comment:"puct: go on with the part of the last search's tree that the game has entered; its simulations count"`
	RootNoise    float64 `toml:"root_noise" comment:"puct self-play: share of Dirichlet noise in the root's priors"`
	RootNoiseSum float64 `toml:"root_noise_concentration" comment:"puct self-play: total concentration of that noise, spread over the legal moves"`

	ForcedPlayouts float64 `toml:"forced_playouts" comment:"puct self-play: a tried root move gets at least the root of this times prior times visits; the policy leaves out what was forced. 0 for none"`

	Prove bool `toml:"prove" comment:"known outcomes are carried up the tree; the search leaves moves that lose for sure and ends when it knows the root's outcome"`

	TreeMiB int `toml:"tree_mib" comment:"memory that a tree may take, its copy for reuse included; a search ends when its tree is full"`
}

// MostTreeMiB is the most memory that a tree can be allowed: with it the number of untried moves fits into an int32.
const MostTreeMiB = 8192

// DefaultConfig returns the settings for the mode: 32 simulations; for Gumbel the constants of the paper, for PUCT those common
// among the AlphaZero programs, with the choice by lower confidence bound as in KataGo (docs/experiments.md has the matches).
func DefaultConfig(mode Mode) Config {
	return Config{
		Mode: mode, Simulations: 32,
		Considered: 16, CVisit: 50, CScale: 1,
		CPUCT: 1.25, CPUCTLog: 1, CBase: 19652, FPUReduction: 0.2, LCBStdevs: 5, LCBMinShare: 0.15, RootNoise: 0.25, RootNoiseSum: 10.8,
		Prove: true, TreeMiB: 1024,
	}
}

// Validate returns an error that wraps [ErrConfig] and names the setting if one is out of range.
func (c Config) Validate() error {
	for _, check := range []struct {
		ok   bool
		text string
	}{
		{c.Mode == Gumbel || c.Mode == PUCT, fmt.Sprintf("mode %q: must be gumbel or puct", c.Mode)},
		{c.Simulations >= 1 && c.Simulations <= 1<<24, fmt.Sprintf("simulations %d: must be 1 to %d", c.Simulations, 1<<24)},
		{c.Considered >= 1, fmt.Sprintf("considered %d: must be 1 or more", c.Considered)},
		{c.CVisit >= 0 && c.CVisit < 1e6, fmt.Sprintf("c_visit %g: must be 0 or more", c.CVisit)},
		{c.CScale > 0 && c.CScale < 1e6, fmt.Sprintf("c_scale %g: must be above 0", c.CScale)},
		{c.CPUCT > 0 && c.CPUCT < 1e6, fmt.Sprintf("c_puct %g: must be above 0", c.CPUCT)},
		{c.CPUCTLog >= 0 && c.CPUCTLog < 1e6, fmt.Sprintf("c_puct_log %g: must be 0 or more", c.CPUCTLog)},
		{c.LCBStdevs >= 0 && c.LCBStdevs < 1e6, fmt.Sprintf("lcb_stdevs %g: must be 0 or more", c.LCBStdevs)},
		{c.LCBMinShare > 0 && c.LCBMinShare <= 1, fmt.Sprintf("lcb_min_share %g: must be above 0, at most 1", c.LCBMinShare)},
		{c.ForcedPlayouts >= 0 && c.ForcedPlayouts < 1e6, fmt.Sprintf("forced_playouts %g: must be 0 or more", c.ForcedPlayouts)},
		{c.TreeMiB >= 1 && c.TreeMiB <= MostTreeMiB, fmt.Sprintf("tree_mib %d: must be 1 to %d", c.TreeMiB, MostTreeMiB)},
		{c.CBase > 0, fmt.Sprintf("c_base %g: must be above 0", c.CBase)},
		{c.FPUReduction >= 0 && c.FPUReduction <= 2, fmt.Sprintf("fpu_reduction %g: must be 0 to 2", c.FPUReduction)},
		{!c.Reuse || c.Mode == PUCT, "reuse is for puct only: a Gumbel search draws a new set of actions"},
		{c.RootNoise >= 0 && c.RootNoise <= 1, fmt.Sprintf("root_noise %g: must be 0 to 1", c.RootNoise)},
		{c.RootNoiseSum > 0 && c.RootNoiseSum < 1e6, fmt.Sprintf("root_noise_concentration %g: must be above 0", c.RootNoiseSum)},
	} {
		if !check.ok {
			return fmt.Errorf("%w: %s", ErrConfig, check.text)
		}
	}
	return nil
}
