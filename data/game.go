package data

import (
	"fmt"
	"math"

	"rampart/quoridor"
)

// MaxPlies is the greatest number of plies that a record holds.
const MaxPlies = 4096

// Game is one finished game. It begins at the board's start position; forks of other games and positions with walls set at random are
// written as the moves that lead there.
type Game struct {
	Generation uint32          // generation of the model that played
	ID         uint64          // number of the game in its generation
	Seed       uint64          // seed of the game's random stream
	Rules      quoridor.Rules  // the rules of this game; they may differ from those of the shard
	Opening    int             // plies at the start that were played without a search
	Moves      []quoridor.Move // every move
	Result     quoridor.Result // never Undecided
	Searches   []Search        // of some plies, ascending
}

// Search is what the search said about one ply.
type Search struct {
	Ply    int    // the position after this many moves was searched; Moves[Ply] was played then
	Visits uint32 // simulations at the root
	Value  int16  // root value for the side to move, as FixedValue makes it
	Flags  Flags
	Policy []Prob // improved policy: ascending by move, legal moves only, every P > 0, the sum exactly ProbSum
}

// Prob is the probability P/ProbSum of a move.
type Prob struct {
	Move quoridor.Move
	P    uint16
}

// ProbSum is the sum of the P of a policy.
const ProbSum = 65535

// Flags say how a ply was searched and what it is for. The upper five bits are the weight of its training row, see [Flags.Weight].
type Flags uint8

// Flags of a search. Readers refuse others.
const (
	FlagFast    Flags = 1 << iota // a cheap search: for information, the policy is a weak target
	FlagNoTrain                   // no training row is made of this ply
	knownFlags  = FlagFast | FlagNoTrain | flagWeight

	flagWeight = Flags(0xf8)

	weightShift = 3
	weightUnit  = 8 // that many steps make weight 1
)

// Weight returns the weight of the search's training row in the loss, normally 1: a multiple of 1/8 from 1/8 to 31/8.
func (f Flags) Weight() float32 {
	if code := f >> weightShift; code != 0 {
		return float32(code) / weightUnit
	}
	return 1
}

// WithWeight returns the flags with the weight, rounded to the nearest that there is.
func (f Flags) WithWeight(w float64) Flags {
	code := Flags(math.Round(max(1, min(float64(flagWeight>>weightShift), weightUnit*w))))
	if code == weightUnit {
		code = 0 // weight 1 is written as 0, as records from before there were weights have it
	}
	return f&^flagWeight | code<<weightShift
}

// valueScale is the fixed-point form of value 1.
const valueScale = math.MaxInt16

// FixedValue returns the fixed-point form of a value from -1 (loss) to 1 (win). Values beyond are clamped; for NaN it returns a number
// that no writer accepts.
func FixedValue(v float64) int16 {
	if math.IsNaN(v) {
		return math.MinInt16
	}
	return int16(math.Round(max(-1, min(1, v)) * valueScale))
}

// RootValue returns the root value for the side to move, from -1 (loss) to 1 (win).
func (s *Search) RootValue() float64 { return float64(s.Value) / valueScale }

// Trains tells whether a training row is made of the search.
func (s *Search) Trains() bool { return s.Flags&FlagNoTrain == 0 }

// Rows returns the number of training rows that the game gives.
func (g *Game) Rows() int {
	n := 0
	for i := range g.Searches {
		if g.Searches[i].Trains() {
			n++
		}
	}
	return n
}

// Outcome returns the result for the side to move after the given number of plies: 1 for a win, 0 for a draw, -1 for a loss.
func (g *Game) Outcome(ply int) int {
	switch g.Result.Winner() {
	case -1:
		return 0
	case ply & 1: // player 0 moves at even plies
		return 1
	}
	return -1
}

// key returns the game's identity.
func (g *Game) key() gameKey { return gameKey{g.Generation, g.ID} }

// Check replays the game and checks every field. The error wraps [ErrReplay], [ErrPolicy] or [ErrGame] and names the ply.
func (g *Game) Check(b *quoridor.Board) error {
	replay, err := g.replay(b)
	if err != nil {
		return err
	}
	return g.checkSearches(b, replay, func(*Search, []quoridor.Move) {})
}

// replay checks everything but the searches.
func (g *Game) replay(b *quoridor.Board) (*quoridor.Game, error) {
	switch {
	case len(g.Moves) == 0 || len(g.Moves) > MaxPlies:
		return nil, fmt.Errorf("%w: %d plies, must be 1 to %d", ErrGame, len(g.Moves), MaxPlies)
	case g.Opening < 0 || g.Opening > len(g.Moves):
		return nil, fmt.Errorf("%w: opening of %d plies in a game of %d", ErrGame, g.Opening, len(g.Moves))
	case g.Rules.PlyCap < 0 || g.Rules.PlyCap > MaxPlies:
		return nil, fmt.Errorf("%w: ply cap %d, must be 0 to %d", ErrGame, g.Rules.PlyCap, MaxPlies)
	}
	replay, err := quoridor.Replay(b, b.Start(), g.Rules, g.Moves)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrReplay, err)
	case replay.Result() == quoridor.Undecided:
		return nil, fmt.Errorf("%w: undecided after its last move", ErrReplay)
	case replay.Result() != g.Result:
		return nil, fmt.Errorf("%w: result is %q, the moves lead to %q", ErrReplay, g.Result, replay.Result())
	}
	return replay, nil
}

// checkSearches checks the searches against the replayed game, and calls good for each that is, with the legal moves of its position in the
// order of policies.
func (g *Game) checkSearches(b *quoridor.Board, replay *quoridor.Game, good func(s *Search, legal []quoridor.Move)) error {
	var legal legalMoves
	last := -1
	for i := range g.Searches {
		s := &g.Searches[i]
		switch {
		case s.Ply <= last || s.Ply >= len(g.Moves):
			return fmt.Errorf("%w: search %d is of ply %d, must be %d to %d", ErrGame, i, s.Ply, last+1, len(g.Moves)-1)
		case s.Value < -valueScale:
			return fmt.Errorf("%w: ply %d: value is not a number", ErrGame, s.Ply)
		case s.Flags&^knownFlags != 0:
			return fmt.Errorf("%w: ply %d: unknown flags %#x", ErrGame, s.Ply, uint8(s.Flags))
		}
		last = s.Ply
		p := replay.PositionAt(s.Ply)
		list := legal.of(b, &p)
		if err := checkPolicy(s.Policy, list); err != nil {
			return fmt.Errorf("%w, ply %d", err, s.Ply)
		}
		good(s, list)
	}
	return nil
}
