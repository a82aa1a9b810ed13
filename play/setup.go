package play

import (
	"fmt"
	"time"

	"rampart/quoridor"
)

// Setup is what a game is played with.
type Setup struct {
	Board   *quoridor.Board
	Start   quoridor.Position
	Rules   quoridor.Rules
	Players [2]string // by seat: Person, or a player's text as NewEngine takes it
	Names   [2]string // by seat, for people; "" for the text itself
	Clock   Clock
}

// Clock is the time that each player has. The zero value is no clock.
type Clock struct {
	Base      time.Duration // at the start
	Increment time.Duration // added after each move
}

// On tells whether there is a clock.
func (c Clock) On() bool { return c.Base > 0 }

// mostClock bounds the times of a clock.
const mostClock = 24 * time.Hour

// NewSetup returns two persons at the start of the board, under the customary rules: the board's ply cap, and a draw by repetition.
func NewSetup(b *quoridor.Board) Setup {
	return Setup{
		Board: b, Start: b.Start(), Players: [2]string{Person, Person},
		Rules: quoridor.Rules{PlyCap: b.DefaultPlyCap(), Repetition: true},
	}
}

// IsEngine tells whether an engine sits on the seat.
func (s *Setup) IsEngine(seat int) bool { return s.Players[seat] != Person }

// Name returns what to call the player on the seat.
func (s *Setup) Name(seat int) string {
	if s.Names[seat] != "" {
		return s.Names[seat]
	}
	return s.Players[seat]
}

// validate returns an error that wraps ErrGame for settings out of range. It does not look at the players.
func (s *Setup) validate() error {
	p := s.Start
	if s.Board == nil || s.Board.W < 3 {
		return fmt.Errorf("%w: the board must have at least 3 columns", ErrGame)
	}
	if _, err := s.Board.NewPosition(p.HWalls(), p.VWalls(), [2]quoridor.Cell{p.Pawn(0), p.Pawn(1)}, [2]int{p.WallsLeft(0), p.WallsLeft(1)}, p.Side()); err != nil {
		return fmt.Errorf("%w: start: %w", ErrGame, err)
	}
	switch c := s.Clock; {
	case s.Rules.PlyCap < 0 || s.Rules.PlyCap > MostNodes:
		return fmt.Errorf("%w: ply cap %d: must be 1 to %d, or 0 for none", ErrGame, s.Rules.PlyCap, MostNodes)
	case c.Base < 0 || c.Base > mostClock || c.Increment < 0 || c.Increment > mostClock:
		return fmt.Errorf("%w: clock of %s + %s a move: must be 0 to %s each", ErrGame, c.Base, c.Increment, mostClock)
	case c.Base == 0 && c.Increment > 0:
		return fmt.Errorf("%w: a clock with an increment needs time at the start", ErrGame)
	}
	for seat, text := range s.Players {
		if text == "" {
			return fmt.Errorf("%w: nobody plays player %d", ErrGame, seat)
		}
	}
	return nil
}
