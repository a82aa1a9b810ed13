package play

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// Games are saved in the manner of PGN: tags, an empty line, numbered moves in Quoridor notation, the result.
//
//	[Board "5x5"]
//	[Walls "3"]
//	[Player0 "person"]
//	[Player1 "level:4"]
//	[PlyCap "62"]
//	[Repetition "yes"]
//	[Clock "300s+5s"]
//	[TimeLeft "281.3s,295s"]
//	[Termination "resignation"]
//	[Result "0-1"]
//
//	1. c2 {+0.120/400} c4 (1... a4h 2. c3) 2. b2h 0-1
//
// What package arena writes and "rampart data export" prints is read too. Branches stand in parentheses after the move that they replace. A
// comment VALUE/VISITS is what a search said of the position before the move, from -1 to 1 for the mover; other comments are skipped. The tag
// Start holds the starting position if it is not the board's, Clock and TimeLeft stand there only with a clock, Termination only if the
// moves alone do not end the game.

// textWidth bounds the lines of moves.
const textWidth = 100

// Text returns the game as text that [ReadText] reads back. The result is that of the main line.
func (g *Game) Text() string {
	var s strings.Builder
	tag := func(name, format string, args ...any) {
		value := fmt.Sprintf(format, args...)
		fmt.Fprintf(&s, "[%s \"%s\"]\n", name, tagEscaper.Replace(value))
	}
	b := g.setup.Board
	if g.Title != "" {
		tag("Event", "%s", g.Title)
	}
	tag("Board", "%dx%d", b.W, b.H)
	tag("Walls", "%d", b.Walls)
	for seat := range 2 {
		tag(fmt.Sprintf("Player%d", seat), "%s", g.tagName(seat))
	}
	tag("PlyCap", "%d", g.setup.Rules.PlyCap)
	tag("Repetition", "%s", map[bool]string{true: "yes", false: "no"}[g.setup.Rules.Repetition])
	if g.setup.Start != b.Start() {
		tag("Start", "%s", b.Format(g.setup.Start))
	}
	line := g.MainLine()
	last := g.node(line[len(line)-1])
	if c := g.setup.Clock; c.On() {
		left := last.Left
		tag("Clock", "%s+%s", seconds(c.Base), seconds(c.Increment))
		tag("TimeLeft", "%s,%s", seconds(left[0]), seconds(left[1]))
	}
	if last.Ending != nil {
		tag("Termination", "%s", last.Ending.Reason)
	}
	result := g.Result(last.ID).Score()
	tag("Result", "%s", result)
	s.WriteByte('\n')
	w := moveWriter{out: &s}
	g.writeFrom(&w, Root, true)
	w.word(result)
	s.WriteString("\n\n")
	return s.String()
}

// tagName is what stands in the tag of a seat: a player's text, or a person's name.
func (g *Game) tagName(seat int) string {
	if g.setup.IsEngine(seat) {
		return g.setup.Players[seat]
	}
	return g.setup.Name(seat)
}

var tagEscaper = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ", "\r", " ")

// seconds writes a time with a precision of a millisecond.
func seconds(d time.Duration) string {
	return fmt.Sprintf("%gs", float64(d.Milliseconds())/1000)
}

// writeFrom writes all that follows the node: the main line, and after each of its moves the branches that replace it.
func (g *Game) writeFrom(w *moveWriter, at NodeID, numbered bool) {
	for n := g.node(at); len(n.Children) > 0; {
		g.writeMove(w, n, n.Children[0], numbered)
		numbered = false
		for _, branch := range n.Children[1:] {
			w.open()
			g.writeMove(w, n, branch, true)
			g.writeFrom(w, branch, false)
			w.close()
			numbered = true
		}
		n = g.node(n.Children[0])
	}
}

// writeMove writes one move after the node, with what a search said of the node if it is the main move.
func (g *Game) writeMove(w *moveWriter, n *Node, child NodeID, numbered bool) {
	side := n.Position.Side()
	number := (n.Ply+g.setup.Start.Side())/2 + 1
	switch {
	case side == 0:
		w.word(fmt.Sprintf("%d.", number))
	case numbered:
		w.word(fmt.Sprintf("%d...", number))
	}
	w.word(g.node(child).Move.String())
	if n.Eval != nil && child == n.Children[0] {
		value := 2*n.Eval.WinRate - 1
		if side == 1 {
			value = -value
		}
		w.word(fmt.Sprintf("{%+.3f/%d}", math.Round(1000*value)/1000+0, n.Eval.Visits)) // + 0 turns -0 into 0
	}
}

// moveWriter writes words in lines.
type moveWriter struct {
	out    *strings.Builder
	column int
	glue   bool // the next word follows without a space
}

func (w *moveWriter) word(text string) {
	switch {
	case w.glue || w.column == 0:
	case w.column+1+len(text) > textWidth:
		w.out.WriteByte('\n')
		w.column = 0
	default:
		w.out.WriteByte(' ')
		w.column++
	}
	w.out.WriteString(text)
	w.column += len(text)
	w.glue = false
}

func (w *moveWriter) open() {
	w.word("(")
	w.glue = true
}

func (w *moveWriter) close() {
	w.out.WriteByte(')')
	w.column++
}
