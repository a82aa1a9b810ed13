package data

import (
	"fmt"
	"math"
)

// WindowConfig sets how many of the newest rows training draws from, and which of them are kept back.
//
// The size of the window grows with the number of rows ever made as in KataGo (Wu 2019, Accelerating Self-Play Learning in Go, appendix C):
//
//	size(N) = N                                        for N <= c
//	size(N) = c * (1 + beta * ((N/c)^alpha - 1)/alpha)  else
//
// which is N at c, grows with slope beta there, and slower and slower after it.
type WindowConfig struct {
	BaseRows        int     `toml:"base-rows"`        // c: all rows are in the window until there are as many
	Alpha           float64 `toml:"alpha"`            // exponent of the growth, over 0 up to 1
	Beta            float64 `toml:"beta"`             // slope of the growth at c, 0 (a window of fixed size) to 1
	HeldOut         float64 `toml:"held-out"`         // share of the games that training never sees, 0 to less than 1
	MergeDuplicates bool    `toml:"merge-duplicates"` // equal positions become one row with the averages of their targets
}

// DefaultWindowConfig returns KataGo's exponents with a base for small boards, and 3 % of the games held out.
func DefaultWindowConfig() WindowConfig {
	return WindowConfig{BaseRows: 25000, Alpha: 0.75, Beta: 0.4, HeldOut: 0.03}
}

// Validate returns an error that wraps [ErrWindow] and names the setting that is out of range.
func (c WindowConfig) Validate() error {
	switch {
	case c.BaseRows < 1:
		return fmt.Errorf("%w: base-rows is %d, must be 1 or more", ErrWindow, c.BaseRows)
	case !(c.Alpha > 0 && c.Alpha <= 1):
		return fmt.Errorf("%w: alpha is %v, must be over 0 and at most 1", ErrWindow, c.Alpha)
	case !(c.Beta >= 0 && c.Beta <= 1):
		return fmt.Errorf("%w: beta is %v, must be 0 to 1", ErrWindow, c.Beta)
	case !(c.HeldOut >= 0 && c.HeldOut < 1):
		return fmt.Errorf("%w: held-out is %v, must be 0 or more and less than 1", ErrWindow, c.HeldOut)
	}
	return nil
}

// Size returns the number of rows in the window when total have been made.
func (c WindowConfig) Size(total int) int {
	if total <= c.BaseRows {
		return total
	}
	base := float64(c.BaseRows)
	growth := (math.Pow(float64(total)/base, c.Alpha) - 1) / c.Alpha
	return min(total, int(base*(1+c.Beta*growth)))
}

// HeldOut tells whether the game is one of the share of games that training does not see. The choice depends on nothing but the game's
// identity, so it stays when windows move, shards are merged and programs restart.
func HeldOut(generation uint32, id uint64, share float64) bool {
	h := mix(mix(uint64(generation)) ^ id)
	return float64(h>>11)/(1<<53) < share
}

// mix is the finaliser of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014), a bijection.
func mix(x uint64) uint64 {
	x += 0x9E3779B97F4A7C15
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}
