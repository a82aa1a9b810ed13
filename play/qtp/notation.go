package qtp

import (
	"fmt"
	"strings"

	"rampart/quoridor"
)

// formatCell writes a square of ours in the protocol's coordinates.
func formatCell(b *quoridor.Board, x, y int) string {
	return fmt.Sprintf("%c%d", 'A'+x, b.H-y)
}

// formatMove writes a move of ours: "E8", or "E7 h" for a wall.
func formatMove(b *quoridor.Board, m quoridor.Move) string {
	if m.IsPawn() {
		return formatCell(b, m.Cell().X(), m.Cell().Y())
	}
	x, y, horizontal := m.Anchor()
	if horizontal {
		return formatCell(b, x, y) + " h"
	}
	return formatCell(b, x, y) + " v"
}

// parseCell reads a square of the protocol as our column and row.
func parseCell(b *quoridor.Board, text string) (x, y int, ok bool) {
	if len(text) != 2 {
		return 0, 0, false
	}
	x, y = int(text[0]|0x20)-'a', b.H-int(text[1]-'0')
	return x, y, x >= 0 && x < b.W && y >= 0 && y < b.H
}

// parseWall reads a wall of the protocol.
func parseWall(b *quoridor.Board, square, orientation string) (quoridor.Move, bool) {
	x, y, ok := parseCell(b, square)
	if !ok || x >= b.W-1 || y >= b.H-1 {
		return quoridor.NoMove, false
	}
	switch strings.ToLower(orientation) {
	case "h", "horizontal":
		return quoridor.HWall(x, y), true
	case "v", "vertical":
		return quoridor.VWall(x, y), true
	}
	return quoridor.NoMove, false
}

// colors are the players by seat.
var colors = [2]string{"black", "white"}

// parseColor returns the seat of a color.
func parseColor(text string) (int, bool) {
	switch strings.ToLower(text) {
	case "b", "black":
		return 0, true
	case "w", "white":
		return 1, true
	}
	return 0, false
}

// render draws the position as the protocol's users see it, the row with the largest number above, without empty lines.
func render(b *quoridor.Board, p quoridor.Position) string {
	h, v := p.HWalls(), p.VWalls()
	at := func(walls uint64, x, y int) bool {
		return x >= 0 && y >= 0 && x < b.W-1 && y < b.H-1 && walls>>(y*8+x)&1 == 1
	}
	var s strings.Builder
	letters := " "
	for x := range b.W {
		letters += fmt.Sprintf("   %c", 'A'+x)
	}
	edge := "  " + strings.Repeat("+---", b.W) + "+\n"
	s.WriteString(letters + "\n" + edge)
	for y := range b.H { // our row 1 is the uppermost
		fmt.Fprintf(&s, "%d ", b.H-y)
		for x := range b.W {
			if at(v, x-1, y) || at(v, x-1, y-1) {
				s.WriteByte('H')
			} else {
				s.WriteByte('|')
			}
			switch quoridor.CellAt(x, y) {
			case p.Pawn(0):
				s.WriteString(" B ")
			case p.Pawn(1):
				s.WriteString(" W ")
			default:
				s.WriteString("   ")
			}
		}
		fmt.Fprintf(&s, "| %d", b.H-y)
		if y < 2 {
			fmt.Fprintf(&s, "  %s walls: %d", colors[y], p.WallsLeft(y))
		}
		s.WriteByte('\n')
		if y == b.H-1 {
			break
		}
		s.WriteString("  ")
		for x := range b.W {
			s.WriteByte('+')
			if at(h, x, y) || at(h, x-1, y) {
				s.WriteString("===")
			} else {
				s.WriteString("---")
			}
		}
		s.WriteString("+\n")
	}
	s.WriteString(edge + letters)
	return s.String()
}
