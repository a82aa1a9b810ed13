package play

import (
	"fmt"
	"time"
)

// Outcome says how a game stands. The zero value is a game that goes on.
type Outcome struct {
	Over   bool
	Winner int // 0 or 1, -1 for a draw
	Reason Reason
}

// Reason is what ended a game.
type Reason string

// Reasons.
const (
	Goal        Reason = "goal"
	Resignation Reason = "resignation"
	Time        Reason = "time"
	Repetition  Reason = "repetition"
	PlyCap      Reason = "plycap"
)

// String returns the outcome in words.
func (o Outcome) String() string {
	if !o.Over {
		return "undecided"
	}
	switch o.Reason {
	case Repetition:
		return "draw by repetition"
	case PlyCap:
		return "draw by ply cap"
	case Resignation:
		return fmt.Sprintf("player %d resigned, player %d wins", 1-o.Winner, o.Winner)
	case Time:
		return fmt.Sprintf("player %d ran out of time, player %d wins", 1-o.Winner, o.Winner)
	}
	return fmt.Sprintf("player %d wins", o.Winner)
}

// ByRules tells whether the position itself ended the game: after a resignation or a loss on time there is still something to think about.
func (o Outcome) ByRules() bool { return o.Over && o.Reason != Resignation && o.Reason != Time }

// Score returns the outcome as it stands at the end of a saved game: "1-0", "0-1", "1/2-1/2" or "*".
func (o Outcome) Score() string {
	switch {
	case !o.Over:
		return "*"
	case o.Winner == 0:
		return "1-0"
	case o.Winner == 1:
		return "0-1"
	}
	return "1/2-1/2"
}

// Result returns how the game stands at the node: what ended it there, or what the rules say of the moves, as [quoridor.Game] does.
func (g *Game) Result(id NodeID) Outcome {
	n, rules := g.node(id), g.setup.Rules
	switch winner := g.setup.Board.Winner(&n.Position); {
	case winner >= 0:
		return Outcome{true, winner, Goal}
	case n.Ending != nil:
		return *n.Ending
	case rules.Repetition && g.Repetition(id) >= 3:
		return Outcome{true, -1, Repetition}
	case rules.PlyCap > 0 && n.Ply >= rules.PlyCap:
		return Outcome{true, -1, PlyCap}
	}
	return Outcome{}
}

// Resign ends the game at the head; the other player wins. The error wraps [ErrState] if it is over already.
func (g *Game) Resign(side int, now time.Time) error {
	if side != 0 && side != 1 {
		return fmt.Errorf("%w: there is no player %d", ErrState, side)
	}
	if g.Flag(now) || g.Result(g.head).Over {
		return fmt.Errorf("%w: the game is over (%s)", ErrState, g.Result(g.head))
	}
	g.end(Outcome{true, 1 - side, Resignation}, now)
	return nil
}

// end writes at the head how the game ended, and stops the clocks.
func (g *Game) end(o Outcome, now time.Time) {
	g.StopClock(now)
	g.node(g.head).Ending = &o
}

// SetEval keeps what a search said of a node: what is exact, or has more visits, replaces the rest.
func (g *Game) SetEval(id NodeID, e Eval) error {
	n, err := g.Node(id)
	if err != nil {
		return err
	}
	if n.Eval == nil || e.Exact || !n.Eval.Exact && n.Eval.Visits <= e.Visits {
		n.Eval = &e
	}
	return nil
}

// SetRecord keeps what a search said when a recorded game was played, also as the node's evaluation.
func (g *Game) SetRecord(id NodeID, r Record) error {
	n, err := g.Node(id)
	if err != nil {
		return err
	}
	n.Record = &r
	rate := (1 + r.Value) / 2
	if n.Position.Side() == 1 {
		rate = 1 - rate
	}
	return g.SetEval(id, Eval{WinRate: rate, Visits: r.Visits})
}

// EvalAt returns what is known of the node's position: the result if the game is over there by the rules, else what a search said, else nil.
func (g *Game) EvalAt(id NodeID) *Eval {
	n := g.node(id)
	if winner := g.setup.Board.Winner(&n.Position); winner >= 0 {
		return &Eval{WinRate: float64(1 - winner), Exact: true}
	}
	return n.Eval
}

// Loss returns the win rate that the move to the node cost its player, 0 or more, and whether it is known.
func (g *Game) Loss(id NodeID) (float64, bool) {
	n := g.node(id)
	if n.Parent == none {
		return 0, false
	}
	before, after := g.EvalAt(n.Parent), g.EvalAt(id)
	if before == nil || after == nil {
		return 0, false
	}
	loss := before.WinRate - after.WinRate
	if g.node(n.Parent).Position.Side() == 1 {
		loss = -loss
	}
	return max(0, loss), true
}

// Mark is a verdict on a move.
type Mark string

// Marks, and the loss of win rate from which on they are given.
const (
	NoMark     Mark = ""
	Inaccuracy Mark = "inaccuracy"
	Mistake    Mark = "mistake"
	Blunder    Mark = "blunder"

	InaccuracyLoss = 0.05
	MistakeLoss    = 0.1
	BlunderLoss    = 0.2
)

// MarkOf returns the verdict on a move that cost so much.
func MarkOf(loss float64) Mark {
	switch {
	case loss >= BlunderLoss:
		return Blunder
	case loss >= MistakeLoss:
		return Mistake
	case loss >= InaccuracyLoss:
		return Inaccuracy
	}
	return NoMark
}
