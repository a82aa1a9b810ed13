package play

import (
	"context"
	"errors"
	"fmt"
	"time"

	"rampart/quoridor"
)

// ErrEngine is returned when an engine cannot be had or does not answer with a move.
var ErrEngine = errors.New("engine")

// Engine thinks about positions of one board. One goroutine uses it at a time.
type Engine interface {
	// Name says who thinks, for people.
	Name() string

	// Think chooses a move for the side to move of the game, which is not over and stays as it is. It ends at the limits, or when ctx
	// ends: that is how an engine is told to move at once, and no error. report, unless nil, is called with what is known so far,
	// about every limits.Every; the engine stands still while it runs. Engines that cannot say anything never call it.
	Think(ctx context.Context, g *quoridor.Game, limits Limits, report func(*Report)) (*Report, error)

	// Close releases what the engine holds.
	Close() error
}

// Limits bound one [Engine.Think]. The zero value stands for the engine's own strength.
type Limits struct {
	Visits int           // of the position; 0 for the engine's own number, or for none if Time is given
	Time   time.Duration // 0 for the engine's own, or for none if Visits is given
	Every  time.Duration // between reports; 0 for 200 ms
}

// Report is what an engine says of a position. All values are for its side to move.
type Report struct {
	Move    quoridor.Move // the choice
	WinRate float64       // 0 to 1, a draw counting half
	Raw     float64       // the network's win rate before any search
	WDL     [3]float64    // win, draw and loss, summing to 1: WinRate split by the share of draws among the network's own estimates
	Visits  int           // simulations so far; 0 if the engine does not count any or needed none
	Elapsed time.Duration
	Exact   bool        // the position's value is known for sure: nothing was to be searched, or the search has proved it
	Judged  bool        // WinRate, Raw, WDL and Moves hold something; false for engines that only choose
	Moves   []Candidate // every legal move, best first
}

// Candidate is what an engine says of one move.
type Candidate struct {
	Move       quoridor.Move
	Visits     int
	Share      float64         // of the visits
	WinRate    float64         // for the side that plays it
	Low        float64         // lower end of the 95 % interval of WinRate
	Prior      float64         // the network's first thought
	Line       []quoridor.Move // the continuation looked at most, the move first; of the best MostLines moves only
	LineVisits []int           // of each move of Line
}

// MostLines is the number of candidates that carry a line.
const MostLines = 20

// mostLine is the length at which a line ends.
const mostLine = 16

// checkThinkable returns an error unless there is something to think about.
func checkThinkable(b *quoridor.Board, g *quoridor.Game) error {
	switch {
	case g.Result() != quoridor.Undecided:
		return fmt.Errorf("%w: the game is over (%s)", ErrEngine, g.Result())
	case g.Board.W != b.W || g.Board.H != b.H:
		return fmt.Errorf("%w: made for %s, asked about %s", ErrEngine, b, g.Board)
	}
	return nil
}

// pliesLeft returns the plies until the game's cap, -1 if it has none.
func pliesLeft(g *quoridor.Game) int {
	if g.Rules.PlyCap == 0 {
		return -1
	}
	return g.Rules.PlyCap - g.Plies()
}
