package quoridor

import "fmt"

// Rules end games that would not end by themselves. The zero value has no such rule.
type Rules struct {
	PlyCap     int  // the game is a draw after this many plies; 0 for no cap
	Repetition bool // the game is a draw when a position occurs for the third time
}

// DefaultPlyCap returns the customary ply cap for the board: two and a half plies for each square, 62 on 5x5 and 202 on 9x9.
func (b *Board) DefaultPlyCap() int { return b.Cells() * 5 / 2 }

// Result says how a game stands.
type Result uint8

// Results of a game.
const (
	Undecided      Result = iota
	Win0                  // player 0 reached his goal row
	Win1                  // player 1 reached his goal row
	DrawCap               // the ply cap was reached
	DrawRepetition        // a position occurred for the third time
)

// String returns the result in words.
func (r Result) String() string {
	switch r {
	case Undecided:
		return "undecided"
	case Win0:
		return "player 0 wins"
	case Win1:
		return "player 1 wins"
	case DrawCap:
		return "draw by ply cap"
	case DrawRepetition:
		return "draw by repetition"
	}
	return fmt.Sprintf("result %d", uint8(r))
}

// Winner returns the player who won, or -1 for a draw or an undecided game.
func (r Result) Winner() int {
	switch r {
	case Win0:
		return 0
	case Win1:
		return 1
	}
	return -1
}

// IsDraw tells whether the game ended in a draw.
func (r Result) IsDraw() bool { return r == DrawCap || r == DrawRepetition }

// Score returns the result for the player: 1 for a win, 0.5 for a draw, 0 for a loss. It has no meaning for an undecided game.
func (r Result) Score(player int) float64 {
	switch r.Winner() {
	case player:
		return 1
	case -1:
		return 0.5
	}
	return 0
}

// Game is a sequence of legal moves from a position under rules. Make one with [NewGame].
type Game struct {
	Board *Board
	Rules Rules

	moves     []Move
	positions []Position // one more than moves
	result    Result
}

// NewGame starts a game at the position, which may be the board's start or any other.
func NewGame(b *Board, start Position, rules Rules) *Game {
	g := &Game{Board: b, Rules: rules, positions: []Position{start}}
	g.result = g.judge()
	return g
}

// Position returns the current position.
func (g *Game) Position() Position { return g.positions[len(g.positions)-1] }

// PositionAt returns the position after the given number of plies, 0 for the start.
func (g *Game) PositionAt(ply int) Position { return g.positions[ply] }

// Moves returns the moves so far. The slice belongs to the game.
func (g *Game) Moves() []Move { return g.moves }

// Plies returns the number of moves so far.
func (g *Game) Plies() int { return len(g.moves) }

// Result returns how the game stands.
func (g *Game) Result() Result { return g.result }

// Play plays a move. It returns an error that wraps [ErrIllegalMove], and changes nothing, if the game is over or the move is
// not legal.
func (g *Game) Play(m Move) error {
	if g.result != Undecided {
		return fmt.Errorf("%w: %s: the game is over (%s)", ErrIllegalMove, m, g.result)
	}
	p := g.Position()
	if err := g.Board.CheckLegal(&p, m); err != nil {
		return err
	}
	g.moves = append(g.moves, m)
	g.positions = append(g.positions, g.Board.Play(p, m))
	g.result = g.judge()
	return nil
}

// Undo takes the last move back and tells whether there was one.
func (g *Game) Undo() bool {
	if len(g.moves) == 0 {
		return false
	}
	g.moves = g.moves[:len(g.moves)-1]
	g.positions = g.positions[:len(g.positions)-1]
	g.result = g.judge()
	return true
}

// Replay plays the moves from the position and returns the game. The error names the first ply that is not legal, counted from
// 1, and the game up to there is returned with it.
func Replay(b *Board, start Position, rules Rules, moves []Move) (*Game, error) {
	g := NewGame(b, start, rules)
	g.moves = make([]Move, 0, len(moves))
	g.positions = append(make([]Position, 0, len(moves)+1), start)
	for i, m := range moves {
		if err := g.Play(m); err != nil {
			return g, fmt.Errorf("ply %d: %w", i+1, err)
		}
	}
	return g, nil
}

// judge finds the result of the current position. Reaching the goal row comes before any draw.
func (g *Game) judge() Result {
	p := g.Position()
	switch winner := g.Board.Winner(&p); {
	case winner == 0:
		return Win0
	case winner == 1:
		return Win1
	case g.Rules.Repetition && g.occurrences(p) >= 3:
		return DrawRepetition
	case g.Rules.PlyCap > 0 && len(g.moves) >= g.Rules.PlyCap:
		return DrawCap
	}
	return Undecided
}

// occurrences counts how often the position has been on the board. A wall never leaves, so it looks back to the last wall only.
func (g *Game) occurrences(p Position) int {
	n := 0
	for i := len(g.positions) - 1; i >= 0; i -= 2 {
		q := g.positions[i]
		if q.h != p.h || q.v != p.v {
			break
		}
		if q == p {
			n++
		}
	}
	return n
}
