package qtp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"rampart/play"
	"rampart/quoridor"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// boards calls f for every size.
func boards(f func(b *quoridor.Board)) {
	for w := 3; w <= quoridor.MaxSize; w++ {
		for h := quoridor.MinHeight; h <= quoridor.MaxSize; h++ {
			f(quoridor.MustBoard(w, h, 1))
		}
	}
}

// TestEverySquareAndWallRoundTrips: on every size each move has a name of its own, which reads back in upper and lower case.
func TestEverySquareAndWallRoundTrips(t *testing.T) {
	boards(func(b *quoridor.Board) {
		seen := map[string]bool{}
		for x := range b.W {
			for y := range b.H {
				name := formatMove(b, quoridor.PawnMove(quoridor.CellAt(x, y)))
				for _, text := range []string{name, strings.ToLower(name)} {
					if gotX, gotY, ok := parseCell(b, text); !ok || gotX != x || gotY != y {
						t.Errorf("%s: %s reads as %d, %d, %t", b, text, gotX, gotY, ok)
					}
				}
				seen[name] = true
			}
		}
		for x := range b.W - 1 {
			for y := range b.H - 1 {
				for _, m := range []quoridor.Move{quoridor.HWall(x, y), quoridor.VWall(x, y)} {
					square, orientation, _ := strings.Cut(formatMove(b, m), " ")
					for _, text := range []string{orientation, map[string]string{"h": "Horizontal", "v": "VERTICAL"}[orientation]} {
						if got, ok := parseWall(b, square, text); !ok || got != m {
							t.Errorf("%s: %s %s reads as %s", b, square, text, got)
						}
					}
					seen[square+orientation] = true
				}
			}
		}
		if want := b.Cells() + 2*b.Anchors(); len(seen) != want {
			t.Errorf("%s: %d names for %d moves", b, len(seen), want)
		}
	})
}

// TestWallBlocksWhatItsNameSays: a horizontal wall lies below its square and the one to the right, a vertical one to the right of its square and of
// the one below, in the protocol's coordinates. This is said here by means of names and paths alone.
func TestWallBlocksWhatItsNameSays(t *testing.T) {
	boards(func(b *quoridor.Board) {
		for column := range b.W - 1 {
			for row := 2; row <= b.H; row++ { // as the protocol counts
				square := fmt.Sprintf("%c%d", 'A'+column, row)
				h, _ := parseWall(b, square, "h")
				v, _ := parseWall(b, square, "v")
				for _, c := range []struct {
					wall         quoridor.Move
					column, row  int
					column2, up2 int
				}{
					{h, column, row, column, row - 1},
					{h, column + 1, row, column + 1, row - 1},
					{v, column, row, column + 1, row},
					{v, column, row - 1, column + 1, row - 1},
				} {
					if !separates(t, b, c.wall, c.column, c.row, c.column2, c.up2) {
						t.Errorf("%s: wall %s of ours, %s there, does not separate %c%d and %c%d", b, c.wall, square, 'A'+c.column, c.row, 'A'+c.column2, c.up2)
					}
				}
			}
		}
	})
}

// separates tells whether a pawn cannot step from one square to the other, given as the protocol counts them, because of the wall.
func separates(t *testing.T, b *quoridor.Board, wall quoridor.Move, x1, row1, x2, row2 int) bool {
	t.Helper()
	from, to := quoridor.CellAt(x1, b.H-row1), quoridor.CellAt(x2, b.H-row2)
	mover := 0
	if from.Y() == b.H-1 { // player 0 would have won there
		mover = 1
	}
	away := quoridor.CellAt(0, 0)
	for _, c := range []quoridor.Cell{quoridor.CellAt(b.W-1, b.H-1), quoridor.CellAt(0, b.H-1), quoridor.CellAt(b.W-1, 0), quoridor.CellAt(0, 0), quoridor.CellAt(0, 1), quoridor.CellAt(b.W-1, 1)} {
		if dx, dy := c.X()-from.X(), c.Y()-from.Y(); c != to && dx*dx+dy*dy > 1 && c.Y() != []int{0, b.H - 1}[mover] {
			away = c
			break
		}
	}
	pawns := [2]quoridor.Cell{away, away}
	pawns[mover] = from
	free, err := b.NewPosition(0, 0, pawns, [2]int{}, mover)
	if err != nil {
		t.Fatal(err)
	}
	x, y, horizontal := wall.Anchor()
	var hWalls, vWalls uint64
	if horizontal {
		hWalls = 1 << (y*8 + x)
	} else {
		vWalls = 1 << (y*8 + x)
	}
	walled, err := b.NewPosition(hWalls, vWalls, pawns, [2]int{}, mover)
	if err != nil {
		t.Fatal(err)
	}
	return b.IsLegal(&free, quoridor.PawnMove(to)) && !b.IsLegal(&walled, quoridor.PawnMove(to))
}

// converse sends the lines and returns the answers.
func converse(t testing.TB, b *quoridor.Board, input string) []string {
	t.Helper()
	return converseWith(t, Config{Board: b, Version: "1", NewEngine: func(b *quoridor.Board) (play.Engine, error) { return play.NewEngine("racer", b, 1) }}, input)
}

func converseWith(t testing.TB, c Config, input string) []string {
	t.Helper()
	var out strings.Builder
	if err := Serve(context.Background(), c, strings.NewReader(input), &out); err != nil {
		t.Fatal(err)
	}
	if out.Len() == 0 {
		return nil
	}
	text, ok := strings.CutSuffix(out.String(), "\n\n")
	if !ok {
		t.Fatalf("the output does not end with an empty line: %q", out.String())
	}
	return strings.Split(text, "\n\n")
}

// TestFirstStepOfPlayer0: black's first step is E8 there and e2 here [open_spiel 964].
func TestFirstStepOfPlayer0(t *testing.T) {
	b := quoridor.MustBoard(9, 9, 10)
	if m, err := b.ParseMove("e2"); err != nil || formatMove(b, m) != "E8" {
		t.Errorf("%s, %v", formatMove(b, m), err)
	}
	if m, err := b.ParseMove("e3h"); err != nil || formatMove(b, m) != "E7 h" {
		t.Errorf("%s, %v", formatMove(b, m), err)
	}
}

// TestIllegalMoveChangesNothing: it is an error, and the board is as before [titanium].
func TestIllegalMoveChangesNothing(t *testing.T) {
	for _, bad := range []string{
		"playmove black E7", "playmove black E9", "playmove black E10", "playmove black Z1", "playmove white E2", "playwall white A5 h",
		"playwall black E5 h", "playwall black D5 h", "playwall black F5 h", "playwall black E5 v", "playwall black I5 h", "playwall black E1 h", "genmove white",
	} {
		setup := "playwall black E5 h\nplaymove white E2\n"
		plain := converse(t, quoridor.MustBoard(9, 9, 10), setup+"showboard\n")
		got := converse(t, quoridor.MustBoard(9, 9, 10), setup+bad+"\nshowboard\n")
		if !strings.HasPrefix(got[2], "? illegal move: ") || got[3] != plain[2] {
			t.Errorf("%s: %q\n%s", bad, got[2], got[3])
		}
	}
}

// TestGenmovePlaysItsMove: the board has changed, and the other side is to move.
func TestGenmovePlaysItsMove(t *testing.T) {
	got := converse(t, quoridor.MustBoard(5, 5, 0), "genmove black\ngenmove black\ngenmove white\nundo 2\nplaymove black C4\n")
	want := []string{"= C4", "? illegal move: it is the turn of white", "= C2", "=", "="}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestGameToTheEnd: the winner is told, and no move is accepted afterwards.
func TestGameToTheEnd(t *testing.T) {
	got := converse(t, quoridor.MustBoard(3, 3, 0), "winner\nplaymove black A3\nplaymove white A1\nplaymove black A2\nwinner\nplaymove white B1\nplaymove black B2\nplaymove white C1\nplaymove black B1\nwinner\nplaymove white C2\ngenmove white\nundo\nwinner\n")
	if got[0] != "= false" || got[4] != "= false" || got[9] != "= true black" || !strings.HasPrefix(got[10], "? illegal move: the game is over") || got[11][0] != '?' || got[13] != "= false" {
		t.Errorf("%q", got)
	}
}

// TestNewGameStartsClean: no walls of the last one, and a wall count of 0 means 0 [danielborowski 4].
func TestNewGameStartsClean(t *testing.T) {
	for _, fresh := range []string{"clear_board", "walls 10", "boardsize 9"} {
		got := converse(t, quoridor.MustBoard(9, 9, 10), "showboard\nplaywall black E5 h\n"+fresh+"\nshowboard\n")
		if got[0] != got[3] {
			t.Errorf("%s:\n%s", fresh, got[3])
		}
	}
	got := converse(t, quoridor.MustBoard(9, 9, 10), "walls 0\nplaywall black E5 h\nshowboard\n")
	if got[1] != "? illegal move: no walls left" && !strings.Contains(got[1], "no walls left") || !strings.Contains(got[2], "black walls: 0") {
		t.Errorf("%q", got)
	}
}

// TestPrintedStocks: they are the state's after each wall [kaggle-environments 1179].
func TestPrintedStocks(t *testing.T) {
	got := converse(t, quoridor.MustBoard(5, 5, 2), "playwall black A5 h\nshowboard\nplaywall white A2 v\nshowboard\nundo\nshowboard\n")
	for i, want := range map[int][2]int{1: {1, 2}, 3: {1, 1}, 5: {1, 2}} {
		if !strings.Contains(got[i], fmt.Sprintf("black walls: %d", want[0])) || !strings.Contains(got[i], fmt.Sprintf("white walls: %d", want[1])) {
			t.Errorf("%s\nwant %v", got[i], want)
		}
	}
}

// TestShowboard: what is drawn is what blocks, in both orientations.
func TestShowboard(t *testing.T) {
	got := converse(t, quoridor.MustBoard(4, 3, 2), "playwall black A3 h\nplaywall white C2 v\nshowboard\n")
	want := `=
    A   B   C   D
  +---+---+---+---+
3 |   |   | B |   | 3  black walls: 1
  +===+===+---+---+
2 |   |   |   H   | 2  white walls: 1
  +---+---+---+---+
1 |   |   | W H   | 1
  +---+---+---+---+
    A   B   C   D`
	if got[2] != want {
		t.Errorf("%s", got[2])
	}
}

// TestSyntax: ids, comments, tabs, control characters, empty and long lines, as GTP has them.
func TestSyntax(t *testing.T) {
	for input, want := range map[string]string{
		"":                               "",
		"\n  \n# nothing\n":              "",
		"7 name\r\n":                     "=7 Rampart",
		"name # a comment\n":             "= Rampart",
		"\tna\x01me\n":                   "= Rampart",
		"12 dance\n":                     "?12 unknown command",
		"12\n":                           "? unknown command",
		"99999999999999 name\n":          "? unknown command",
		"known_command genmove\n":        "= true",
		"known_command dance\n":          "= false",
		"known_command\n":                "? invalid syntax: known_command takes 1 to 1 arguments, not 0",
		"name x\n":                       "? invalid syntax: name takes 0 to 0 arguments, not 1",
		"protocol_version\n":             "= 1",
		"version\n":                      "= 1",
		"boardsize nine\n":               "? invalid syntax",
		"boardsize 10\n":                 "? unacceptable size: 3 to 9",
		"boardsize 2\n":                  "? unacceptable size: 3 to 9",
		"walls many\n":                   "? invalid syntax",
		"playmove green E8\n":            "? invalid syntax",
		"playwall green E8 h\n":          "? invalid syntax",
		"playwall black E8 diagonal\n":   "? invalid syntax",
		"genmove green\n":                "? invalid syntax",
		"undo\n":                         "? cannot undo",
		"undo 0\n":                       "? invalid syntax",
		"undo x\n":                       "? invalid syntax",
		"quit\nname\n":                   "=",
		strings.Repeat("x", 5000) + "\n": "? the line is too long: at most 4096 bytes",
		"PLAYMOVE black E8\n":            "? unknown command",
		"playmove BLACK e8\nwinner\n":    "=|= false",
		"playwall b E8 horizontal\nundo": "=|=",
		"walls 65\n":                     "? unsupported board: ",
	} {
		if got := strings.Join(converse(t, quoridor.MustBoard(9, 9, 10), input), "|"); got != want && (want != "? unsupported board: " || !strings.HasPrefix(got, want)) {
			t.Errorf("%.40q: %q, want %q", input, got, want)
		}
	}
}

// broken is an engine that fails, or answers with a move that is not legal.
type broken struct{ err error }

func (broken) Name() string { return "broken" }
func (broken) Close() error { return nil }
func (e broken) Think(context.Context, *quoridor.Game, play.Limits, func(*play.Report)) (*play.Report, error) {
	return &play.Report{Move: quoridor.HWall(0, 0)}, e.err
}

// TestEngineFails: the failure is an answer, it is still the same side's turn, and the caller may play on.
func TestEngineFails(t *testing.T) {
	for _, failure := range []error{nil, errors.New("two\nlines")} {
		c := Config{Board: quoridor.MustBoard(5, 5, 0), NewEngine: func(*quoridor.Board) (play.Engine, error) { return broken{failure}, nil }}
		got := converseWith(t, c, "genmove black\nplaymove black C4\n")
		if len(got) != 2 || !strings.HasPrefix(got[0], "? the engine failed: ") || got[1] != "=" {
			t.Errorf("%q", got)
		}
	}
	c := Config{Board: quoridor.MustBoard(5, 5, 0), NewEngine: func(*quoridor.Board) (play.Engine, error) { return nil, errors.New("no engine here") }}
	if got := converseWith(t, c, "genmove black\nname"); len(got) != 2 || got[0] != "? no engine here" {
		t.Errorf("%q", got)
	}
}

// TestInterrupt: the end of the context ends a conversation that waits for a line.
func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	in, hold := io.Pipe()
	defer hold.Close()
	if err := Serve(ctx, Config{Board: quoridor.MustBoard(5, 5, 0)}, in, io.Discard); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// FuzzServe: whatever comes in, each answer has the protocol's form.
func FuzzServe(f *testing.F) {
	f.Add("boardsize 5\nwalls 2\nclear_board\nplaymove black c4\nplaywall white a2 h\ngenmove black\nundo\nwinner\nshowboard\nquit\n")
	f.Add("1 name\n2 known_command x\nlist_commands\n\x00\xff\n")
	f.Add("undo 99999999999999999999\nboardsize -1\nwalls 99999999\nplaywall b \x80\x81 h\n")
	f.Fuzz(func(t *testing.T, input string) {
		if strings.Count(input, "genmove") > 20 {
			t.Skip("more than 20 searches: too slow for a fuzzer")
		}
		for _, answer := range converse(t, quoridor.MustBoard(5, 5, 2), input) {
			if answer[0] != '=' && answer[0] != '?' || strings.Contains(answer, "panic") {
				t.Errorf("%q", answer)
			}
		}
	})
}
