package analysis

import (
	"errors"
	"fmt"
	"time"

	"rampart/play"
	"rampart/quoridor"
)

// ErrConfig is returned for settings out of range.
var ErrConfig = errors.New("bad analysis setting")

// Config says who analyses and how. NewEngine is required.
type Config struct {
	NewEngine func(b *quoridor.Board) (play.Engine, error) // called once for each worker and board
	Visits    int                                          // of a position, unless a query says otherwise
	Time      time.Duration                                // for a position, unless a query says otherwise; 0 for no limit
	Workers   int                                          // positions thought about at once
	Player0   bool                                         // reports are for player 0 instead of the side to move
	Solver    *Solver                                      // exact values; nil for none

	Version string  // of the program, or the commit it was built from
	Models  []Model // for queries about them
}

// Model is a network that may answer.
type Model struct {
	Name  string `json:"name"`
	Board string `json:"board"`
	Walls int    `json:"walls"`
}

// Bounds of what may be asked.
const (
	MostWorkers = 64
	MostTime    = 24 * time.Hour
	MostPending = 100_000 // positions that wait
	MostLine    = 1 << 20 // bytes of a query
)

// Validate returns an error that wraps [ErrConfig] for settings out of range.
func (c *Config) Validate() error {
	switch {
	case c.Visits < 1 || c.Visits > play.MostVisits:
		return fmt.Errorf("%w: %d visits: must be 1 to %d", ErrConfig, c.Visits, play.MostVisits)
	case c.Time < 0 || c.Time > MostTime:
		return fmt.Errorf("%w: time %s: must be 0 (no limit) to %s", ErrConfig, c.Time, MostTime)
	case c.Workers < 1 || c.Workers > MostWorkers:
		return fmt.Errorf("%w: %d workers: must be 1 to %d", ErrConfig, c.Workers, MostWorkers)
	}
	return nil
}
