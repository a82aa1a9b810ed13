package ugi

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"rampart/arena"
	"rampart/quoridor"
)

// childVariable makes the test binary a UGI program.
const childVariable = "RAMPART_TEST_UGI"

// child is what the test binary does then: it serves, or misbehaves in the way that its argument names.
func child(args []string) int {
	if args[0] == "serve" {
		o := DefaultOptions()
		o.Visits = 3
		if err := Serve(context.Background(), Config{Options: o}, os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		return 0
	}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		switch word, _, _ := strings.Cut(in.Text(), " "); word {
		case "ugi":
			switch args[0] {
			case "silent":
			case "noboard":
				fmt.Println("id name No board\nugiok")
			default:
				fmt.Println("option name Board type string default 9x9\noption name Walls type spin default 10\nugiok")
			}
		case "isready":
			fmt.Println("readyok")
		case "go":
			switch args[0] {
			case "crash":
				fmt.Fprintln(os.Stderr, "the ground is\nlava")
				return 3
			case "leave":
				return 0
			case "illegal":
				fmt.Println("bestmove a1")
			case "nonsense":
				fmt.Println("bestmove 0000")
			case "complain":
				fmt.Println("info string error: no")
			case "long":
				fmt.Println(strings.Repeat("x", 1<<17))
			}
		case "quit":
			if args[0] != "stubborn" {
				return 0
			}
		}
	}
	if args[0] == "stubborn" {
		select {} // even at the end of the input
	}
	return 0
}

// program names the test binary as a player.
func program(t *testing.T, how, options string) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(childVariable, "1")
	return fmt.Sprintf(`ugi:"%s" %s%s`, path, how, options)
}

// TestMatchBetweenProcesses: twenty games between two processes go without a fault, are legal, and are the same again.
func TestMatchBetweenProcesses(t *testing.T) {
	text := program(t, "serve", ":nodes=4")
	var games [2]strings.Builder
	for i := range games {
		result, err := arena.Match(context.Background(), arena.MustParse(text), arena.MustParse(text), arena.MatchConfig{
			Board: quoridor.MustBoard(5, 5, 2), Rules: quoridor.Rules{PlyCap: 40, Repetition: true}, Pairs: 10, OpeningPlies: 2, Workers: 2, Seed: 1,
			OnGame: func(g *arena.Game) {
				if _, err := quoridor.Replay(g.Board, g.PositionAt(0), g.Rules, g.Moves()); err != nil || g.Result() == quoridor.Undecided {
					t.Errorf("%v, %s", err, g.Result())
				}
				fmt.Fprintln(&games[i], g.Moves())
			},
		})
		if err != nil || result.Games() != 20 {
			t.Fatalf("%v, %v", result, err)
		}
	}
	if games[0].String() != games[1].String() {
		t.Error("the second match differs from the first")
	}
}

// TestFirstMoveAgreesWithTheEngine: what a process answers is what the same engine plays here.
func TestFirstMoveAgreesWithTheEngine(t *testing.T) {
	b := quoridor.MustBoard(5, 5, 2)
	g, err := quoridor.Replay(b, b.Start(), quoridor.Rules{PlyCap: 30}, []quoridor.Move{quoridor.PawnMove(quoridor.CellAt(2, 1))})
	if err != nil {
		t.Fatal(err)
	}
	var moves []quoridor.Move
	for _, text := range []string{program(t, "serve", ":nodes=50"), "net:5x5-2:sims=50"} {
		p, err := arena.MustParse(text).New(b)
		if err != nil {
			t.Fatal(err)
		}
		p.NewGame(1)
		m, err := p.Move(context.Background(), g)
		if err != nil {
			t.Fatal(err)
		}
		moves = append(moves, m)
		if err := p.(interface{ Close() error }).Close(); err != nil {
			t.Error(err)
		}
	}
	if moves[0] != moves[1] {
		t.Errorf("the process plays %s, the engine %s", moves[0], moves[1])
	}
}

// TestProgramsThatFail: each failure is one clear error, and no process is left.
func TestProgramsThatFail(t *testing.T) {
	b := quoridor.MustBoard(5, 5, 2)
	g := quoridor.NewGame(b, b.Start(), quoridor.Rules{})
	for how, want := range map[string]string{
		"crash":    "the program has ended (exit status 3: lava)",
		"leave":    "the program has ended (exit status 0)",
		"illegal":  "illegal move: a1",
		"nonsense": `"0000" is not a move`,
		"complain": "the program says: info string error: no",
		"long":     "the line is too long",
	} {
		p, err := arena.MustParse(program(t, how, "")).New(b)
		if err != nil {
			t.Errorf("%s: %v", how, err)
			continue
		}
		p.NewGame(1)
		for range 2 { // it stays so
			if _, err := p.Move(context.Background(), g); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %v, want %q", how, err, want)
			}
		}
		if err := p.(interface{ Close() error }).Close(); err != nil {
			t.Error(err)
		}
	}
	for how, want := range map[string]string{
		"silent :timeout=100ms": `no answer to "ugi" within 100ms`,
		"noboard ":              "no options Board and Walls",
	} {
		how, options, _ := strings.Cut(how, " ")
		if _, err := arena.MustParse(program(t, how, options)).New(b); !errors.Is(err, arena.ErrPlayer) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", how, err, want)
		}
	}
}

// TestMatchTellsWhoFailed: a crash ends the match with an error that names the program and the position.
func TestMatchTellsWhoFailed(t *testing.T) {
	_, err := arena.Match(context.Background(), arena.MustParse(program(t, "crash", "")), arena.MustParse("racer"), arena.MatchConfig{Board: quoridor.MustBoard(5, 5, 2), Pairs: 1, Workers: 1})
	if !errors.Is(err, arena.ErrMove) || !strings.Contains(err.Error(), "lava") || !strings.Contains(err.Error(), `position "5x5 `) {
		t.Errorf("error %v", err)
	}
}

// TestStoppedMatchLeavesNoProgram: the end of the context ends a program that thinks, and one that does not want to quit is ended too.
func TestStoppedMatchLeavesNoProgram(t *testing.T) {
	b := quoridor.MustBoard(5, 5, 2)
	p, err := arena.MustParse(program(t, "hang", "")).New(b)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := p.Move(ctx, quoridor.NewGame(b, b.Start(), quoridor.Rules{})); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	p, err = arena.MustParse(program(t, "stubborn", "")).New(b)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.(interface{ Close() error }).Close(); err != nil {
		t.Error(err)
	}
}

func TestBadCommands(t *testing.T) {
	for text, want := range map[string]string{
		"ugi": "a command must follow", "ugi:": "must follow", `ugi:""`: "a command must follow", `ugi:"sh`: "not closed", "ugi:no-such-program-anywhere": "no-such-program-anywhere",
		"ugi:sh:nodes=0": "nodes=0", "ugi:sh:nodes=1:time=1s": "exclude each other", "ugi:sh:depth=3": "depth",
	} {
		if _, err := arena.Parse(text); !errors.Is(err, arena.ErrPlayer) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
}
