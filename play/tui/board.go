package tui

import (
	"strings"

	"charm.land/lipgloss/v2"

	"rampart/play"
	"rampart/quoridor"
)

// Styles. The colours are near those of the web page, and dark enough for a white terminal and light enough for a black one.
var (
	player    = [2]lipgloss.Style{lipgloss.NewStyle().Foreground(lipgloss.Color("33")).Bold(true), lipgloss.NewStyle().Foreground(lipgloss.Color("202")).Bold(true)}
	faint     = lipgloss.NewStyle().Foreground(lipgloss.Color("244"))
	wallStyle = lipgloss.NewStyle().Bold(true)
	good      = lipgloss.NewStyle().Foreground(lipgloss.Color("34")).Bold(true)
	bad       = lipgloss.NewStyle().Foreground(lipgloss.Color("196")).Bold(true)
	strong    = lipgloss.NewStyle().Bold(true)
	cursor    = lipgloss.NewStyle().Reverse(true)
	plain     = lipgloss.NewStyle()
)

// Shapes, so that nothing is told by colour alone.
var pawnShape = [2]string{"●", "◆"}

const (
	empty     = "·"
	target    = "○"
	pathShape = "•"
)

// piece is a character with its style.
type piece struct {
	text  string
	style lipgloss.Style
}

// grid is the board in characters: squares are three wide and one high, grooves one wide and one high. Row 0 is the uppermost.
type grid struct {
	m    *Model
	w, h int
	at   [][]piece
}

// column and row return where a square begins on the grid.
func (g *grid) column(x int) int {
	if g.m.flipped {
		x = g.m.board.W - 1 - x
	}
	return 4 * x
}

func (g *grid) row(y int) int {
	if !g.m.flipped {
		y = g.m.board.H - 1 - y
	}
	return 2 * y
}

func (g *grid) set(row, column int, text string, style lipgloss.Style) {
	g.at[row][column] = piece{text, style}
}

// drawBoard draws the position that is shown, with coordinates.
func (m *Model) drawBoard() string {
	b := m.board
	g := &grid{m: m, w: 4*b.W - 1, h: 2*b.H - 1}
	g.at = make([][]piece, g.h)
	for i := range g.at {
		g.at[i] = make([]piece, g.w)
		for j := range g.at[i] {
			g.at[i][j] = piece{" ", plain}
		}
	}
	v, err := m.game.View(m.game.Cursor())
	if err != nil {
		panic(err) // the cursor is a node
	}
	g.squares(v)
	if m.walls {
		g.anchors(v)
	}
	p := v.Node.Position
	for _, wall := range p.Walls() {
		g.wall(wall, "━", "┃", wallStyle)
	}
	g.last(v.Node)
	g.cursor(&p)
	return g.text()
}

// squares draws paths, targets and pawns.
func (g *grid) squares(v *play.View) {
	p := v.Node.Position
	for y := range g.m.board.H {
		for x := range g.m.board.W {
			g.set(g.row(y), g.column(x)+1, empty, faint)
		}
	}
	put := func(c quoridor.Cell, text string, style lipgloss.Style) {
		g.set(g.row(c.Y()), g.column(c.X())+1, text, style)
	}
	if g.m.paths {
		for side, path := range v.Paths {
			for _, c := range path {
				g.set(g.row(c.Y()), g.column(c.X())+2*side, pathShape, player[side])
			}
		}
	}
	if g.m.personToMove() && g.m.atHead() {
		for _, move := range v.PawnMoves {
			put(move.Cell(), target, player[p.Side()])
		}
	}
	for side := range 2 {
		put(p.Pawn(side), pawnShape[side], player[side])
	}
}

// anchors marks where walls can go.
func (g *grid) anchors(v *play.View) {
	can := make(map[[2]int]int)
	for _, wall := range v.WallMoves {
		x, y, horizontal := wall.Anchor()
		if horizontal {
			can[[2]int{x, y}] |= 1
		} else {
			can[[2]int{x, y}] |= 2
		}
	}
	for at, ways := range can {
		row, column := g.anchor(at[0], at[1])
		g.set(row, column, []string{"", "-", "|", "+"}[ways], good)
	}
}

// anchor returns the middle of the walls whose lower left square is given.
func (g *grid) anchor(x, y int) (row, column int) {
	return (g.row(y) + g.row(y+1)) / 2, (g.column(x)+g.column(x+1))/2 + 1
}

// wall draws a wall.
func (g *grid) wall(wall quoridor.Move, horizontal, vertical string, style lipgloss.Style) {
	x, y, isHorizontal := wall.Anchor()
	row, column := g.anchor(x, y)
	if isHorizontal {
		for i := -3; i <= 3; i++ {
			g.set(row, column+i, horizontal, style)
		}
		return
	}
	for i := -1; i <= 1; i++ {
		g.set(row+i, column, vertical, style)
	}
}

// last marks the last move: a wall in its player's colour.
func (g *grid) last(n *play.Node) {
	if n.Move.IsWall() {
		g.wall(n.Move, "━", "┃", player[1-n.Position.Side()])
	}
}

// cursor draws what enter would play.
func (g *grid) cursor(p *quoridor.Position) {
	m := g.m
	if m.kind == pawn {
		row, column := g.row(m.y), g.column(m.x)
		for i := range 3 {
			at := g.at[row][column+i]
			g.set(row, column+i, at.text, at.style.Inherit(cursor))
		}
		g.at[row][column].text, g.at[row][column+2].text = "[", "]"
		return
	}
	if m.board.IsLegal(p, m.aimed()) {
		g.wall(m.aimed(), "═", "║", good)
		return
	}
	g.wall(m.aimed(), "x", "x", bad)
}

// text puts the characters together, with coordinates left and below.
func (g *grid) text() string {
	b := g.m.board
	lines := make([]string, 0, g.h+1)
	for i, row := range g.at {
		var s strings.Builder
		label := "  "
		if i%2 == 0 {
			y := i / 2
			if !g.m.flipped {
				y = b.H - 1 - y
			}
			label = string(rune('1'+y)) + " "
		}
		s.WriteString(faint.Render(label))
		for _, at := range row {
			s.WriteString(at.style.Render(at.text))
		}
		lines = append(lines, s.String())
	}
	letters := []byte(strings.Repeat(" ", g.w))
	for x := range b.W {
		letters[g.column(x)+1] = byte('a' + x)
	}
	return strings.Join(append(lines, faint.Render("  "+string(letters))), "\n")
}
