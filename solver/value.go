package solver

import (
	"fmt"

	"rampart/quoridor"
)

// Outcome is the result of best play for the side to move.
type Outcome int8

// Outcomes. A draw is play that repeats for ever.
const (
	Loss Outcome = iota - 1
	Draw
	Win
)

// String returns "win", "draw" or "loss".
func (o Outcome) String() string {
	switch o {
	case Win:
		return "win"
	case Draw:
		return "draw"
	case Loss:
		return "loss"
	}
	return fmt.Sprintf("outcome %d", int8(o))
}

// Value is the exact value of a position for the side to move.
type Value struct {
	Outcome Outcome
	Plies   int // moves of both players to the end when the winner hurries and the loser delays; 0 for a draw and a finished game
}

// String returns the value in words: "win in 7", "loss in 12", "draw".
func (v Value) String() string {
	if v.Outcome == Draw {
		return "draw"
	}
	return fmt.Sprintf("%s in %d", v.Outcome, v.Plies)
}

// Better tells whether the player whose values these are prefers v to u: a quick win, then a slow one, a draw, a slow loss, a
// quick loss.
func (v Value) Better(u Value) bool { return v.code() > u.code() }

// MoveValue is a legal move with its value for the player who makes it, plies counted from before the move.
type MoveValue struct {
	Move  quoridor.Move
	Value Value
}

// A code is a value in one byte, ordered as the side to move prefers: n for a loss in 2n plies, 255-n for a win in 2n-1 plies
// (n moves of his own), 127 for a draw. The winner makes the last move, so the parity of the plies is implied.
type code = uint8

const (
	maxMoves = 126 // the most moves of its winner that a code can say

	codeLost    code = 0   // the game is over, the side to move has lost
	codeDraw    code = 127 // play repeats for ever
	codeIllegal code = 255 // not a position: a pawn cut off, or both on one square
)

func winCode(moves int) code  { return code(255 - moves) }
func lossCode(moves int) code { return code(moves) }

// parent returns the value of a move for the player who makes it, from the value of the position it leads to.
func parent(child code) code {
	switch {
	case child < codeDraw:
		return 254 - child
	case child == codeDraw:
		return codeDraw
	}
	return 255 - child
}

// valueOf spells a code out.
func valueOf(c code) Value {
	switch {
	case c < codeDraw:
		return Value{Loss, 2 * int(c)}
	case c == codeDraw:
		return Value{}
	}
	return Value{Win, 2*int(255-c) - 1}
}

// code is the inverse of valueOf. Values that do not arise from best play are clamped.
func (v Value) code() code {
	switch v.Outcome {
	case Loss:
		return lossCode(min(v.Plies/2, maxMoves))
	case Win:
		return winCode(max(1, min((v.Plies+1)/2, maxMoves)))
	}
	return codeDraw
}
