package arena

import (
	"fmt"
	"io"
	"strings"

	"rampart/quoridor"
)

// Games are saved in the manner of PGN: tags, an empty line, numbered moves in Quoridor notation, the result, an empty line.
//
//	[Board "5x5"]
//	[Walls "3"]
//	[Player0 "racer"]
//	[Player1 "random"]
//	[Pair "1"]
//	[Game "1"]
//	[Opening "2"]
//	[Seed "7960286522194355700"]
//	[PlyCap "62"]
//	[Repetition "no"]
//	[Result "1-0"]
//
//	1. c2 a4h 2. c3 b4 3. c4 c4h 4. d4 a4v 5. d5 1-0
//
// Player 0's moves come first in a numbered pair; "1..." precedes a move of player 1 at the start. The tag Start holds the
// starting position if it is not the board's. The result is "1-0" or "0-1" for a win of player 0 or 1, "1/2-1/2" for a draw, and
// "*" for a game that is not over; which rule made a draw follows from the moves and the rules.

// resultTexts are the results as they stand in a saved game.
var resultTexts = map[quoridor.Result]string{
	quoridor.Undecided:      "*",
	quoridor.Win0:           "1-0",
	quoridor.Win1:           "0-1",
	quoridor.DrawCap:        "1/2-1/2",
	quoridor.DrawRepetition: "1/2-1/2",
}

// WriteTo writes the game as text that [GameReader] reads back.
func (g *Game) WriteTo(w io.Writer) (int64, error) {
	n, err := io.WriteString(w, g.text())
	return int64(n), err
}

func (g *Game) text() string {
	var s strings.Builder
	tag := func(name string, value any) { fmt.Fprintf(&s, "[%s \"%s\"]\n", name, escapeTag(fmt.Sprint(value))) }
	repetition := "no"
	if g.Rules.Repetition {
		repetition = "yes"
	}
	tag("Board", fmt.Sprintf("%dx%d", g.Board.W, g.Board.H))
	tag("Walls", g.Board.Walls)
	tag("Player0", g.Players[0])
	tag("Player1", g.Players[1])
	tag("Pair", g.Pair+1)
	tag("Game", g.Number+1)
	tag("Opening", g.OpeningPlies)
	tag("Seed", g.Seed)
	tag("PlyCap", g.Rules.PlyCap)
	tag("Repetition", repetition)
	if start := g.PositionAt(0); start != g.Board.Start() {
		tag("Start", g.Board.Format(start))
	}
	tag("Result", resultTexts[g.Result()])
	s.WriteByte('\n')
	writeMoves(&s, g)
	s.WriteByte('\n')
	return s.String()
}

// writeMoves writes the numbered moves and the result, in lines of at most 100 characters.
func writeMoves(s *strings.Builder, g *Game) {
	const width = 100
	column := 0
	word := func(text string) {
		if column > 0 && column+1+len(text) > width {
			s.WriteByte('\n')
			column = 0
		}
		if column > 0 {
			s.WriteByte(' ')
			column++
		}
		s.WriteString(text)
		column += len(text)
	}
	number := 1
	for i, m := range g.Moves() {
		switch side := g.PositionAt(i).Side(); {
		case side == 0:
			word(fmt.Sprintf("%d. %s", number, m))
		case i == 0:
			word(fmt.Sprintf("%d... %s", number, m))
		default:
			word(m.String())
		}
		number += g.PositionAt(i).Side()
	}
	word(resultTexts[g.Result()])
	s.WriteByte('\n')
}

// escapeTag makes text fit between the quotes of a tag.
func escapeTag(text string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ", "\r", " ").Replace(text)
}

// unescapeTag undoes escapeTag.
func unescapeTag(text string) string {
	return strings.NewReplacer(`\\`, `\`, `\"`, `"`).Replace(text)
}
