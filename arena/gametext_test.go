package arena

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"rampart/quoridor"
)

// sameGame says how two games differ, "" if they do not.
func sameGame(a, b *Game) string {
	switch {
	case a.Board != b.Board || a.Rules != b.Rules || a.Result() != b.Result() || a.PositionAt(0) != b.PositionAt(0):
		return "board, rules, start or result differ"
	case fmt.Sprint(a.Moves()) != fmt.Sprint(b.Moves()):
		return fmt.Sprintf("moves differ: %v, %v", a.Moves(), b.Moves())
	case a.Players != b.Players || a.Pair != b.Pair || a.Number != b.Number || a.OpeningPlies != b.OpeningPlies || a.Seed != b.Seed:
		return "tags differ"
	}
	return ""
}

func TestSavedGamesReadBack(t *testing.T) {
	for _, c := range []MatchConfig{
		{Board: quoridor.MustBoard(5, 5, 3), Pairs: 10, OpeningPlies: 3, Seed: 1},
		{Board: quoridor.MustBoard(9, 9, 10), Pairs: 5, OpeningPlies: 4, Seed: 2, Rules: quoridor.Rules{PlyCap: 60, Repetition: true}},
		{Board: quoridor.MustBoard(4, 3, 0), Pairs: 3, Seed: 3},
	} {
		if c.Board.W == 5 {
			p := c.Board.Start()
			p = c.Board.Play(p, quoridor.PawnMove(quoridor.CellAt(2, 1))) // player 1 to move
			c.Openings = []Opening{{Start: p}, {Start: c.Board.Start()}}
		}
		var text bytes.Buffer
		var want []*Game
		c.OnGame = func(g *Game) {
			want = append(want, g)
			if _, err := g.WriteTo(&text); err != nil {
				t.Fatal(err)
			}
		}
		random := MustParse("random")
		random.Name = `one "quoted" name with \ in it`
		if _, err := Match(t.Context(), random, MustParse("racer"), c); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(text.String()) {
			if len(line) > 101 {
				t.Errorf("a line of %d characters: %s", len(line), line)
			}
		}
		got, err := ReadGames(&text)
		if err != nil || len(got) != len(want) {
			t.Fatalf("read %d games of %d: %v", len(got), len(want), err)
		}
		for i := range got {
			if diff := sameGame(got[i], want[i]); diff != "" {
				t.Errorf("game %d: %s", i, diff)
			}
		}
	}
}

const handWritten = `
[Board "5x5"]
[Walls "3"]
[Site "a kitchen table"]

; a note
1. c2 c4 {both advance
a step} 2. A1H c3 3. b2
*

[Board "3x3"]
[Walls "0"]
[PlyCap "2"]
1. b2 b1 2. c2 1-0
`

func TestHandWrittenGames(t *testing.T) {
	games, err := ReadGames(strings.NewReader(handWritten))
	if err == nil {
		t.Fatal("a game that goes on after its end was read")
	}
	if len(games) != 1 || games[0].Plies() != 5 || games[0].Result() != quoridor.Undecided {
		t.Errorf("%d games, %v", len(games), games)
	}
	if !strings.Contains(err.Error(), "line 14, game 2: ply 3") {
		t.Errorf("the error does not name line, game and first bad ply: %v", err)
	}
}

func TestDamagedGamesAreNamed(t *testing.T) {
	const tags = "[Board \"3x3\"]\n[Walls \"1\"]\n"
	for _, test := range []struct{ name, text, want string }{
		{"no board", "[Walls \"1\"]\n1. b2 *\n", "tag Board"},
		{"no walls", "[Board \"3x3\"]\n1. b2 *\n", "tag Walls is missing"},
		{"many walls", "[Board \"3x3\"]\n[Walls \"9\"]\n1. b2 *\n", "9 walls"},
		{"bad tag", "[Board 3x3]\n", "not a tag"},
		{"tag twice", tags + "[Walls \"1\"]\n1. b2 *\n", "twice"},
		{"bad number", tags + "[PlyCap \"-1\"]\n1. b2 *\n", "tag PlyCap"},
		{"bad seed", tags + "[Seed \"x\"]\n1. b2 *\n", "tag Seed"},
		{"bad repetition", tags + "[Repetition \"maybe\"]\n1. b2 *\n", "tag Repetition"},
		{"foreign start", tags + "[Start \"5x5 c1 c5 - 1,1 0\"]\n1. c2 *\n", "on 5x5"},
		{"bad notation", tags + "1. b2 j9 *\n", "line 3, game 1: ply 2"},
		{"illegal move", tags + "1. b2 b2 *\n", "line 3, game 1: ply 2"},
		{"crossing wall", tags + "1. a1h a1v *\n", "ply 2: illegal move: a1v: the wall crosses another"},
		{"end without result", tags + "1. b2\n", "before the result"},
		{"end without moves", tags, "before the moves"},
		{"wrong result", tags + "1. b2 1-0\n", "the result is given as 1-0, but the moves end with *"},
		{"tag against text", tags + "[Result \"0-1\"]\n1. b2 *\n", "tag Result says 0-1"},
		{"text after result", tags + "1. b2 * c3\n", "follows the result"},
		{"long opening", tags + "[Opening \"5\"]\n1. b2 *\n", "an opening of 5 plies"},
		{"long line", strings.Repeat("x", maxLine+1), "line 1 is longer"},
	} {
		_, err := ReadGames(strings.NewReader(test.text))
		if !errors.Is(err, ErrGameText) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q in it", test.name, err, test.want)
		}
	}
}

// FuzzReadGames reads any bytes as games. What is read must come out the same after writing and reading again.
func FuzzReadGames(f *testing.F) {
	f.Add([]byte(handWritten))
	f.Add([]byte("[Board \"3x3\"]\n[Walls \"1\"]\n[Start \"3x3 a1 c3 a1h 1,0 1\"]\n1... b3 2. a1v 1/2-1/2\n"))
	f.Add([]byte("[Board \"9x9\"]\n[Walls \"10\"]\n[PlyCap \"1\"]\n[Player0 \"\\\"\\\\\"]\n{x} 1. e2 {y} 1/2-1/2"))
	f.Fuzz(func(t *testing.T, data []byte) {
		games, err := ReadGames(bytes.NewReader(data))
		if err != nil && !errors.Is(err, ErrGameText) {
			t.Fatalf("error of another kind: %v", err)
		}
		var text bytes.Buffer
		for _, g := range games {
			_, _ = g.WriteTo(&text)
		}
		again, err := ReadGames(&text)
		if err != nil || len(again) != len(games) {
			t.Fatalf("%d games became %d: %v", len(games), len(again), err)
		}
		for i := range games {
			if diff := sameGame(games[i], again[i]); diff != "" {
				t.Fatalf("game %d: %s", i, diff)
			}
		}
	})
}
