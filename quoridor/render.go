package quoridor

import (
	"fmt"
	"strings"
)

// Render draws the position in plain text, row H on top, with coordinates: "0" and "1" are the pawns, "." the free squares,
// "|" and "=" the walls. The last line tells the walls left and who is to move.
func (b *Board) Render(p Position) string {
	var s strings.Builder
	for y := b.H - 1; y >= 0; y-- {
		fmt.Fprintf(&s, "%d  %s\n", y+1, b.renderRow(&p, y))
		if y > 0 {
			fmt.Fprintf(&s, "   %s\n", b.renderGroove(&p, y-1))
		}
	}
	s.WriteString("   ")
	for x := range b.W {
		fmt.Fprintf(&s, " %c  ", 'a'+x)
	}
	out := trimLines(s.String())
	status := fmt.Sprintf("walls left: player 0 %d, player 1 %d; ", p.left[0], p.left[1])
	if winner := b.Winner(&p); winner >= 0 {
		return out + status + fmt.Sprintf("player %d has won\n", winner)
	}
	return out + status + fmt.Sprintf("player %d to move\n", p.side)
}

// renderRow draws the squares of row y and the vertical walls between them.
func (b *Board) renderRow(p *Position, y int) string {
	var s strings.Builder
	for x := range b.W {
		switch c := CellAt(x, y); c {
		case p.pawn[0]:
			s.WriteString(" 0 ")
		case p.pawn[1]:
			s.WriteString(" 1 ")
		default:
			s.WriteString(" . ")
		}
		if x < b.W-1 && p.v&b.cut[CellAt(x, y)][east] != 0 {
			s.WriteByte('|')
		} else {
			s.WriteByte(' ')
		}
	}
	return s.String()
}

// renderGroove draws what lies between row y and the row above it.
func (b *Board) renderGroove(p *Position, y int) string {
	var s strings.Builder
	for x := range b.W {
		if p.h&b.cut[CellAt(x, y)][north] != 0 {
			s.WriteString("===")
		} else {
			s.WriteString("   ")
		}
		switch bit := anchorBit(x, y); {
		case x == b.W-1:
		case p.h&bit != 0:
			s.WriteByte('=')
		case p.v&bit != 0:
			s.WriteByte('|')
		default:
			s.WriteByte(' ')
		}
	}
	return s.String()
}

func trimLines(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n") + "\n"
}
