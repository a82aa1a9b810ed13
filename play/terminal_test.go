package play

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"rampart/quoridor"
)

// session plays the lines against the engine, the racer if it is nil, on 5x5 with 2 walls and returns what is printed.
func session(t *testing.T, person int, e Engine, input ...string) (string, *Game) {
	t.Helper()
	g := newGame(t, 5, 5, 2, func(s *Setup) { s.Players[1-person] = "racer" })
	if e == nil {
		e = engine(t, "racer", g.At(Root))
	}
	var out bytes.Buffer
	terminal := &Terminal{Game: g, In: strings.NewReader(strings.Join(input, "\n")), Out: &out, Analyst: engine(t, "net:5x5-2:sims=10", g.At(Root))}
	terminal.Engines[1-person] = e
	if err := terminal.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	return out.String(), g
}

// played returns the moves that led to the head.
func played(g *Game) string {
	var words []string
	for _, m := range g.Moves(g.Head()) {
		words = append(words, m.String())
	}
	return strings.Join(words, " ")
}

func TestTerminalPlays(t *testing.T) {
	out, g := session(t, 0, nil, "c2", "quit")
	if !strings.HasPrefix(played(g), "c2 ") || !strings.Contains(out, "racer (player 1) plays") {
		t.Errorf("moves %s:\n%s", played(g), out)
	}
	if out, g := session(t, 1, nil, "c4", "quit"); len(g.Moves(g.Head())) != 3 || !strings.Contains(out, "racer (player 0) plays") {
		t.Errorf("as player 1: moves %s:\n%s", played(g), out)
	}
}

func TestTerminalUndo(t *testing.T) {
	if _, g := session(t, 0, nil, "c2", "undo", "B2H", "quit"); len(g.Moves(g.Head())) != 2 || !strings.HasPrefix(played(g), "b2h ") {
		t.Errorf("after undo: moves %s", played(g))
	}
	if _, g := session(t, 0, nil, "c2", "undo", "redo", "quit"); !strings.HasPrefix(played(g), "c2 ") {
		t.Errorf("after redo: moves %s", played(g))
	}
	for _, command := range []string{"undo", "redo"} {
		if out, g := session(t, 1, nil, command, "quit"); len(g.Moves(g.Head())) != 1 || !strings.Contains(out, "nothing to ") {
			t.Errorf("%s: moves %s:\n%s", command, played(g), out)
		}
	}
}

// TestTerminalBadInput: what is no legal move is explained and changes nothing, also a line that is far too long.
func TestTerminalBadInput(t *testing.T) {
	for line, want := range map[string]string{
		"c3": "pawn cannot go", "z9": "not a move", "e5h": "not a wall", "b2h\nb2v": "crosses", "b2h\na2h": "overlaps", "": "player 0>", "c2 c3": "not a move",
		strings.Repeat("c2 ", 100_000): "the line is too long",
	} {
		before := strings.Count(line, "\n")
		out, g := session(t, 0, nil, strings.Split(line+"\nquit", "\n")...)
		if !strings.Contains(out, want) || len(g.Moves(g.Head())) != 2*before {
			t.Errorf("%.40q: moves %s, output lacks %q:\n%s", line, played(g), want, out)
		}
	}
}

func TestTerminalCommands(t *testing.T) {
	out, _ := session(t, 0, nil, "moves", "hint", "position", "help", "board", "game", "go")
	for _, want := range []string{"c2 d1 b1 a1h", "try ", "5x5 c1 c5 - 2,2 0", "Type a move", "stopped at: 5x5 c1 c5 - 2,2 0", `[Player1 "racer"]`, "no engine is to move"} {
		if !strings.Contains(out, want) {
			t.Errorf("output lacks %q:\n%s", want, out)
		}
	}
	if out, g := session(t, 0, nil, "resign"); !strings.Contains(out, "player 0 resigned, player 1 wins after 0 plies") || !g.Result(g.Head()).Over {
		t.Error(out)
	}
}

// failing is an engine that fails so many times, and then plays the first legal move.
type failing struct{ times int }

func (*failing) Name() string { return "failing" }
func (*failing) Close() error { return nil }
func (f *failing) Think(_ context.Context, g *quoridor.Game, _ Limits, _ func(*Report)) (*Report, error) {
	if f.times--; f.times >= 0 {
		return nil, errors.New("the lamp is broken")
	}
	p := g.Position()
	return &Report{Move: g.Board.Moves(nil, &p)[0]}, nil
}

// TestTerminalEngineErrorReturnsTheTurn: after a failure the person moves in the engine's place, or lets it try again [Checkora 1798].
func TestTerminalEngineErrorReturnsTheTurn(t *testing.T) {
	out, g := session(t, 0, &failing{1}, "c2", "c4", "c3", "quit")
	if !strings.Contains(out, "the lamp is broken") || !strings.HasPrefix(played(g), "c2 c4 c3 ") || len(g.Moves(g.Head())) != 4 {
		t.Errorf("moves %s:\n%s", played(g), out)
	}
	if out, g := session(t, 0, &failing{1}, "c2", "go", "quit"); len(g.Moves(g.Head())) != 2 {
		t.Errorf("moves %s:\n%s", played(g), out)
	}
}

// TestTerminalStops: a session whose context ends does not wait for input.
func TestTerminalStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	in, hold := io.Pipe()
	defer hold.Close()
	terminal := &Terminal{Game: newGame(t, 5, 5, 2, nil), In: in, Out: io.Discard}
	if err := terminal.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
