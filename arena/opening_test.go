package arena

import (
	"errors"
	"strings"
	"testing"

	"rampart/quoridor"
)

func TestRandomOpeningsAreDistinctAndStable(t *testing.T) {
	b := quoridor.MustBoard(5, 5, 2)
	rules := quoridor.Rules{PlyCap: b.DefaultPlyCap()}
	long, err := randomOpenings(b, rules, 300, 3, 7)
	if err != nil {
		t.Fatal(err)
	}
	short, err := randomOpenings(b, rules, 20, 3, 7)
	if err != nil {
		t.Fatal(err)
	}
	seen := make(map[quoridor.Position]bool)
	for i, o := range long {
		g, err := quoridor.Replay(b, o.Start, rules, o.Moves)
		if err != nil || g.Plies() != 3 || g.Result() != quoridor.Undecided {
			t.Fatalf("opening %d: %v, %d plies, %s", i, err, g.Plies(), g.Result())
		}
		if key := sameUnderMirror(b, g.Position()); seen[key] {
			t.Errorf("opening %d is a repetition", i)
		} else {
			seen[key] = true
		}
		if i < len(short) && string(movesText(short[i].Moves)) != string(movesText(o.Moves)) {
			t.Errorf("opening %d of 20 differs from opening %d of 300", i, i)
		}
	}
	// The start has seven openings of one ply on 3x3 with one wall, up to mirroring: c1, the walls a1h, a1v, a2h, a2v, and b2.
	small := quoridor.MustBoard(3, 3, 1)
	few, err := randomOpenings(small, quoridor.Rules{PlyCap: 20}, 30, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	distinct := make(map[quoridor.Position]bool)
	for i, o := range few {
		end := sameUnderMirror(small, small.Play(o.Start, o.Moves[0]))
		if i < 6 && distinct[end] {
			t.Errorf("opening %d repeats another while there are new ones", i)
		}
		distinct[end] = true
	}
	if len(distinct) != 6 {
		t.Errorf("%d distinct openings of one ply, want 6", len(distinct))
	}
}

func movesText(moves []quoridor.Move) []byte {
	text := make([]byte, len(moves))
	for i, m := range moves {
		text[i] = byte(m)
	}
	return text
}

func TestReadOpenings(t *testing.T) {
	b := quoridor.MustBoard(5, 5, 2)
	list, err := ReadOpenings(strings.NewReader("# two positions\n\n5x5 c2 c4 - 2,2 0\n  5x5 c1 c5 a1h 1,2 1\n"), b)
	if err != nil || len(list) != 2 || b.Format(list[1].Start) != "5x5 c1 c5 a1h 1,2 1" {
		t.Errorf("%v, %v", list, err)
	}
	for text, want := range map[string]string{
		"":                      "no position",
		"# nothing\n":           "no position",
		"5x5 c2\n":              "line 1",
		"\n4x4 c1 c4 - 0,0 0\n": "line 2: a position on 4x4",
		"5x5 c5 c4 - 0,0 1\n":   "over",
		"# long\n" + strings.Repeat("x", maxLine+1): "openings, line 2: the line is too long: at most 65536 bytes",
	} {
		if _, err := ReadOpenings(strings.NewReader(text), b); !errors.Is(err, ErrConfig) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q in it", text, err, want)
		}
	}
}
