package play

import (
	"fmt"
	"strings"

	"rampart/quoridor"
)

// Share returns the node's position and how it came about as a text that fits into an address: the starting position with "_" for the spaces, a
// slash, and the moves with dots between them.
func (g *Game) Share(id NodeID) string {
	names := make([]string, 0, 64)
	for _, m := range g.Moves(id) {
		names = append(names, m.String())
	}
	return strings.ReplaceAll(g.setup.Board.Format(g.setup.Start), " ", "_") + "/" + strings.Join(names, ".")
}

// ReadShare reads what [Game.Share] wrote. The error wraps [ErrText].
func ReadShare(text string) (*Game, error) {
	position, moves, ok := strings.Cut(text, "/")
	if !ok {
		return nil, fmt.Errorf("%w: %q is not a position and moves as in 9x9_e1_e9_-_10,10_0/e2.e8", ErrText, clip(text))
	}
	board, start, err := quoridor.ParsePosition(strings.ReplaceAll(position, "_", " "))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrText, err)
	}
	s := NewSetup(board)
	s.Start = start
	g, err := New(s)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrText, err)
	}
	if err := g.Extend(strings.FieldsFunc(moves, func(c rune) bool { return c == '.' })); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrText, err)
	}
	return g, nil
}

// Extend plays the moves one after the other from the head, without regard to clocks. The error names the ply; the moves before it are played.
func (g *Game) Extend(moves []string) error {
	at := g.head
	for _, word := range moves {
		m, err := g.setup.Board.ParseMove(word)
		if err == nil {
			var next NodeID
			if next, err = g.Add(at, m); err == nil {
				at = next
			}
		}
		if err != nil {
			_ = g.SetHead(at)
			return fmt.Errorf("ply %d: %w", g.node(at).Ply+1, err)
		}
	}
	return g.SetHead(at)
}
