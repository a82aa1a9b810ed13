package play

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"rampart/arena"
	"rampart/mcts"
	"rampart/quoridor"
)

// session plays the lines against the racer on 5x5 with 2 walls and returns what is printed.
func session(t *testing.T, person int, lines ...string) (string, *quoridor.Game) {
	t.Helper()
	b := quoridor.MustBoard(5, 5, 2)
	racer, err := arena.MustParse("racer").New(b)
	if err != nil {
		t.Fatal(err)
	}
	racer.NewGame(1)
	g := quoridor.NewGame(b, b.Start(), quoridor.Rules{PlyCap: 60})
	var out bytes.Buffer
	terminal := &Terminal{Game: g, Names: [2]string{"you", "you"}, In: strings.NewReader(strings.Join(lines, "\n")), Out: &out}
	terminal.Players[1-person], terminal.Names[1-person] = racer, "racer"
	terminal.Hint = func(ctx context.Context, g *quoridor.Game) (mcts.Result, error) {
		s, err := mcts.NewSearch(mcts.Uniform{B: b}, mcts.DefaultConfig(mcts.PUCT))
		if err != nil {
			return mcts.Result{}, err
		}
		return s.Run(ctx, g.Position(), -1, nil)
	}
	if err := terminal.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	return out.String(), g
}

func TestTerminalPlays(t *testing.T) {
	out, g := session(t, 0, "c2", "quit")
	if g.Plies() != 2 || g.Moves()[0].String() != "c2" || !strings.Contains(out, "racer (player 1) plays") {
		t.Errorf("%d plies, moves %v:\n%s", g.Plies(), g.Moves(), out)
	}
	if out, g := session(t, 1, "c4", "quit"); g.Plies() != 3 || !strings.Contains(out, "racer (player 0) plays") {
		t.Errorf("as player 1: %d plies:\n%s", g.Plies(), out)
	}
}

func TestTerminalUndo(t *testing.T) {
	if _, g := session(t, 0, "c2", "undo", "B2H", "quit"); g.Plies() != 2 || g.Moves()[0].String() != "b2h" {
		t.Errorf("after undo: moves %v", g.Moves())
	}
	if out, g := session(t, 1, "undo", "quit"); g.Plies() != 1 || !strings.Contains(out, "nothing to take back") {
		t.Errorf("undo before the first move: %d plies:\n%s", g.Plies(), out)
	}
}

// TestTerminalBadInput: what is no legal move is explained and changes nothing.
func TestTerminalBadInput(t *testing.T) {
	for line, want := range map[string]string{
		"c3": "pawn cannot go", "z9": "not a move", "e5h": "not a wall", "b2h\nb2v": "crosses", "b2h\na2h": "overlaps", "": "player 0>", "c2 c3": "not a move",
	} {
		before := strings.Count(line, "\n")
		out, g := session(t, 0, strings.Split(line+"\nquit", "\n")...)
		if !strings.Contains(out, want) || g.Plies() != 2*before {
			t.Errorf("%q: %d plies, output lacks %q:\n%s", line, g.Plies(), want, out)
		}
	}
}

func TestTerminalCommands(t *testing.T) {
	out, _ := session(t, 0, "moves", "hint", "position", "help", "board")
	for _, want := range []string{"c2 d1 b1 a1h", "try ", "5x5 c1 c5 - 2,2 0", "Type a move", "stopped at: 5x5 c1 c5 - 2,2 0"} {
		if !strings.Contains(out, want) {
			t.Errorf("output lacks %q:\n%s", want, out)
		}
	}
}

// TestTerminalStops: a session whose context ends does not wait for input.
func TestTerminalStops(t *testing.T) {
	b := quoridor.MustBoard(5, 5, 2)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	in, hold := io.Pipe()
	defer hold.Close()
	terminal := &Terminal{Game: quoridor.NewGame(b, b.Start(), quoridor.Rules{}), In: in, Out: io.Discard}
	if err := terminal.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
