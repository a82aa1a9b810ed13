package tui

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"rampart/play"
	"rampart/quoridor"
)

// Sizes in characters.
const (
	gap        = 3  // between board and panel
	leastPanel = 24 // below, the panel is left out
	below      = 3  // lines below the board
)

// View is part of [tea.Model].
func (m *Model) View() tea.View {
	v := tea.NewView(m.screen())
	v.AltScreen = true
	v.WindowTitle = "Rampart"
	return v
}

// screen draws everything as text.
func (m *Model) screen() string {
	if m.help {
		return m.fit(helpText())
	}
	board := m.drawBoard()
	width, height := lipgloss.Width(board), lipgloss.Height(board)
	if m.width < width || m.height < height+below-1 {
		return m.fit(fmt.Sprintf("the terminal has %d x %d characters;\n%dx%d needs %d x %d", m.width, m.height, m.board.W, m.board.H, width, height+below-1))
	}
	if rest := m.width - width - gap; rest >= leastPanel {
		panel := lipgloss.NewStyle().MarginLeft(gap).Render(m.panel(rest, height))
		board = lipgloss.JoinHorizontal(lipgloss.Top, board, panel)
	}
	return m.fit(board + "\n\n" + m.status() + "\n" + m.keyLine())
}

// fit cuts what does not fit on the screen.
func (m *Model) fit(text string) string {
	lines := strings.Split(text, "\n")
	lines = lines[:min(len(lines), max(1, m.height))]
	for i := range lines {
		lines[i] = ansi.Truncate(lines[i], max(1, m.width), "…")
	}
	return strings.Join(lines, "\n")
}

// status says whose turn it is, or what the last key did.
func (m *Model) status() string {
	head := m.game.Head()
	p := m.node(head).Position
	outcome := m.game.Result(head)
	switch {
	case m.typing:
		return "move: " + strong.Render(m.typed) + "_   enter plays, esc does not"
	case m.message != "":
		return bad.Render(m.message)
	case outcome.Over:
		return strong.Render(outcome.String()) + "; u takes a move back"
	case !m.atHead():
		return fmt.Sprintf("after %d of %d moves; end goes to the last", m.shown().Ply, m.node(head).Ply)
	case m.engine.busy && m.engine.wanted:
		return player[p.Side()].Render(pawnShape[p.Side()]) + " " + m.game.Setup().Name(p.Side()) + " thinks"
	case m.config.Engines[p.Side()] != nil:
		return "g lets " + m.game.Setup().Name(p.Side()) + " move; you may move in its place"
	}
	text := player[p.Side()].Render(pawnShape[p.Side()]) + " to move: " + strong.Render(m.aimed().String())
	if n := m.game.Repetition(head); n > 1 {
		text += fmt.Sprintf("   (position number %d of its kind)", n)
	}
	return text
}

func (m *Model) keyLine() string {
	return faint.Render("arrows, h/v wall, enter play, m type, u undo, a analysis, ? help, q quit")
}

func helpText() string {
	var s strings.Builder
	s.WriteString(strong.Render("Rampart: keys") + "\n\n")
	for _, b := range bindings {
		if b.label != "" {
			fmt.Fprintf(&s, "%-7s %s\n", b.label, b.text)
		}
	}
	s.WriteString("\n" + faint.Render("any key goes back"))
	return s.String()
}

// panel is what stands beside the board.
func (m *Model) panel(width, height int) string {
	lines := m.players()
	if m.showing {
		lines = append(append(lines, ""), m.analysisLines(width, (height-len(lines)-1)*2/3)...)
	}
	if rest := height - len(lines) - 1; rest > 0 {
		lines = append(append(lines, ""), m.moveList(width, rest)...)
	}
	for i := range lines {
		lines[i] = ansi.Truncate(lines[i], width, "…")
	}
	return strings.Join(lines, "\n")
}

// players says of each player the name, the walls left, the way to go and the clock, as they sit at the board.
func (m *Model) players() []string {
	v, err := m.game.View(m.game.Cursor())
	if err != nil {
		panic(err) // the cursor is a node
	}
	p := v.Node.Position
	var lines []string
	seats := []int{1, 0}
	if m.flipped {
		seats = []int{0, 1}
	}
	for _, side := range seats {
		name := m.game.Setup().Name(side)
		if !v.Result.Over && p.Side() == side {
			name = strong.Underline(true).Render(name)
		}
		line := fmt.Sprintf("%s %s", player[side].Render(pawnShape[side]), name)
		if m.game.Setup().Clock.On() {
			line += "  " + clock(m.game.Left(m.now())[side])
		}
		steps := "no steps"
		if n := len(v.Paths[side]) - 1; n >= 0 {
			steps = count(n, "step")
		}
		lines = append(lines, line, faint.Render(fmt.Sprintf("  %s left, %s to go", count(p.WallsLeft(side), "wall"), steps)))
	}
	return lines
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// clock writes a time as minutes and seconds, rounded up.
func clock(d time.Duration) string {
	seconds := int((d + time.Second - 1) / time.Second)
	return fmt.Sprintf("%d:%02d", seconds/60, seconds%60)
}

// analysisLines is the live analysis.
func (m *Model) analysisLines(width, most int) []string {
	if m.game.Result(m.game.Cursor()).Over {
		return []string{faint.Render("the game is over here")}
	}
	r := m.report
	if r == nil || m.reportAt != m.game.Cursor() {
		return []string{faint.Render("analysis begins")}
	}
	side := m.shown().Position.Side()
	lines := []string{fmt.Sprintf("%s wins %.0f %%, %d visits", player[side].Render(pawnShape[side]), 100*r.WinRate, r.Visits)}
	for _, c := range r.Moves {
		if len(lines) >= most || c.Visits == 0 && c.Share == 0 {
			break
		}
		line := fmt.Sprintf("%-4s%4.0f %% %5d ", c.Move, 100*c.WinRate, c.Visits)
		if c.Move == r.Move {
			line = strong.Render(line)
		}
		if len(c.Line) > 1 {
			line += faint.Render(moveNames(c.Line[1:]))
		}
		lines = append(lines, line)
	}
	return lines
}

func moveNames(moves []quoridor.Move) string {
	words := make([]string, len(moves))
	for i, move := range moves {
		words[i] = move.String()
	}
	return strings.Join(words, " ")
}

// moveList is the line that is shown, two moves in a row, around the position on the screen.
func (m *Model) moveList(width, rows int) []string {
	line := m.game.Line(m.game.Cursor())
	first := m.game.Setup().Start.Side()
	var lines []string
	at := 0
	for i := 1; i < len(line); {
		number := (i - 1 + first) / 2
		row := faint.Render(fmt.Sprintf("%3d. ", number+1))
		for side := range 2 {
			if i >= len(line) || side == 0 && i == 1 && first == 1 {
				row += fmt.Sprintf("%-11s", "")
				continue
			}
			text, cells := m.moveWord(line[i])
			if line[i] == m.game.Cursor() {
				at = len(lines)
			}
			row += text + strings.Repeat(" ", max(1, 11-cells))
			i++
		}
		lines = append(lines, strings.TrimRight(row, " "))
	}
	if len(lines) > rows {
		from := max(0, min(at-rows/2, len(lines)-rows))
		lines = lines[from : from+rows]
	}
	return lines
}

// moveWord writes a move of the list and tells how wide it is. What it cost is shown with the analysis, or after the game.
func (m *Model) moveWord(id play.NodeID) (string, int) {
	word := m.node(id).Move.String()
	if m.showing || m.game.Result(m.game.Head()).Over {
		if loss, known := m.game.Loss(id); known {
			word += map[play.Mark]string{play.NoMark: "", play.Inaccuracy: "?!", play.Mistake: "?", play.Blunder: "??"}[play.MarkOf(loss)]
		}
	}
	if id == m.game.Cursor() {
		return cursor.Render(word), len(word)
	}
	return word, len(word)
}
