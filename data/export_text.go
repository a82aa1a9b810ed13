package data

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"rampart/quoridor"
)

// textWidth is the length of a line of moves at which the next begins.
const textWidth = 100

// ExportText writes the games of the shards as text in the manner of PGN and returns their number: tags in brackets, then the moves numbered
// in pairs, each that was searched followed by {VALUE/VISITS}, the root value for the player who moved (-1 to 1) and the number of visits,
// then the score of player 0 and player 1. An empty line ends a game.
func ExportText(w io.Writer, paths []string) (games int, err error) {
	out := bufio.NewWriter(w)
	err = visitAll(paths, func(h *Header, g *Game) error {
		games++
		_, err := io.WriteString(out, GameText(h, g))
		return err
	})
	if err != nil {
		return games, err
	}
	return games, out.Flush()
}

// GameText returns one game as ExportText writes it.
func GameText(h *Header, g *Game) string {
	var s strings.Builder
	tag := func(name, format string, args ...any) {
		fmt.Fprintf(&s, "[%s %q]\n", name, fmt.Sprintf(format, args...))
	}
	tag("Event", "self-play of generation %d", g.Generation)
	tag("Game", "%d", g.ID)
	tag("Board", "%dx%d", h.Board.W, h.Board.H)
	tag("Walls", "%d", h.Board.Walls)
	tag("Rules", "%s", rulesText(g.Rules))
	if h.Model != "" {
		tag("Model", "%s", h.Model)
	}
	tag("Seed", "%d", g.Seed)
	tag("Opening", "%d plies", g.Opening)
	tag("Result", "%s", scoreText(g.Result))
	tag("Termination", "%s", g.Result)
	s.WriteByte('\n')
	wrap(&s, moveWords(g))
	s.WriteByte('\n')
	return s.String()
}

func rulesText(r quoridor.Rules) string {
	text := "no ply cap"
	if r.PlyCap > 0 {
		text = fmt.Sprintf("ply cap %d", r.PlyCap)
	}
	if r.Repetition {
		text += ", draw by repetition"
	}
	return text
}

// scoreText returns the score as in PGN.
func scoreText(r quoridor.Result) string {
	switch r.Winner() {
	case 0:
		return "1-0"
	case 1:
		return "0-1"
	}
	return "1/2-1/2"
}

// moveWords returns the words of the move text.
func moveWords(g *Game) []string {
	var words []string
	next := 0
	for ply, m := range g.Moves {
		if ply%2 == 0 {
			words = append(words, fmt.Sprintf("%d.", ply/2+1))
		}
		words = append(words, m.String())
		if next < len(g.Searches) && g.Searches[next].Ply == ply {
			words = append(words, fmt.Sprintf("{%+.3f/%d}", g.Searches[next].RootValue(), g.Searches[next].Visits))
			next++
		}
	}
	return append(words, scoreText(g.Result))
}

// wrap writes the words with line breaks.
func wrap(s *strings.Builder, words []string) {
	column := 0
	for _, word := range words {
		switch {
		case column == 0:
		case column+1+len(word) > textWidth:
			s.WriteByte('\n')
			column = 0
		default:
			s.WriteByte(' ')
			column++
		}
		s.WriteString(word)
		column += len(word)
	}
	s.WriteByte('\n')
}
