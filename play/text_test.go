package play

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"rampart/arena"
	"rampart/data"
	"rampart/quoridor"
)

// sample is a game with all that a text can hold.
func sample(t testing.TB) *Game {
	g := newGame(t, 5, 5, 3, func(s *Setup) {
		s.Players, s.Names = [2]string{Person, "level:4"}, [2]string{`A "quoted" \name`, ""}
		s.Clock = Clock{5 * time.Minute, 3 * time.Second}
	})
	playAll(t, g, "c2 c4 b2h")
	for id, w := range []float64{0.56, 0.5, 0.25} {
		_ = g.SetEval(NodeID(id), Eval{WinRate: w, Visits: 400})
	}
	_, _ = g.Add(1, quoridor.HWall(0, 3))
	id, _ := g.Add(1, quoridor.VWall(0, 3))
	_, _ = g.Add(id, quoridor.PawnMove(quoridor.CellAt(2, 2)))
	g.SetLeft([2]time.Duration{281300 * time.Millisecond, 5 * time.Minute})
	if err := g.Resign(0, at0); err != nil {
		t.Fatal(err)
	}
	return g
}

const sampleText = `[Board "5x5"]
[Walls "3"]
[Player0 "A \"quoted\" \\name"]
[Player1 "level:4"]
[PlyCap "62"]
[Repetition "yes"]
[Clock "300s+3s"]
[TimeLeft "281.3s,300s"]
[Termination "resignation"]
[Result "0-1"]

1. c2 {+0.120/400} c4 {+0.000/400} (1... a4h) (1... a4v 2. c3) 2. b2h {-0.500/400} 0-1

`

func TestText(t *testing.T) {
	g := sample(t)
	if got := g.Text(); got != sampleText {
		t.Errorf("got\n%s\nwant\n%s", got, sampleText)
	}
	back, err := ReadText(sampleText)
	if err != nil {
		t.Fatal(err)
	}
	if back.Setup().Name(0) != `A "quoted" \name` || back.Setup().IsEngine(1) || back.Setup().Name(1) != "level:4" {
		t.Errorf("players %+v", back.Setup())
	}
	if got := back.Text(); got != sampleText {
		t.Errorf("read back\n%s", got)
	}
}

// TestTextRoundTrip reads back random trees from random positions.
func TestTextRoundTrip(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	for range 100 {
		b := quoridor.MustBoard(3+random.IntN(7), 3+random.IntN(7), random.IntN(5))
		s := NewSetup(b)
		p := b.Start()
		for range random.IntN(8) {
			if moves := b.Moves(nil, &p); len(moves) > 0 {
				if q := b.Play(p, moves[random.IntN(len(moves))]); b.Winner(&q) < 0 {
					p = q
				}
			}
		}
		s.Start = p
		g, err := New(s)
		if err != nil {
			t.Fatal(err)
		}
		for range random.IntN(80) {
			at := NodeID(random.IntN(len(g.Nodes())))
			p := g.node(at).Position
			if moves := b.Moves(nil, &p); len(moves) > 0 {
				_, _ = g.Add(at, moves[random.IntN(len(moves))])
			}
		}
		text := g.Text()
		back, err := ReadText(text)
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		if got := back.Text(); got != text || len(back.Nodes()) != len(g.Nodes()) {
			t.Fatalf("got\n%s\nwant\n%s", got, text)
		}
		for _, n := range g.Nodes() {
			shared, err := ReadShare(g.Share(n.ID))
			if err != nil {
				t.Fatalf("%s: %v", g.Share(n.ID), err)
			}
			if shared.node(shared.Head()).Position != n.Position || movesOf(shared, shared.Head()) != movesOf(g, n.ID) {
				t.Fatalf("%s leads elsewhere", g.Share(n.ID))
			}
		}
	}
}

// TestReadsOtherTexts: what matches save and what shards are exported as is read.
func TestReadsOtherTexts(t *testing.T) {
	b := quoridor.MustBoard(5, 5, 2)
	var saved bytes.Buffer
	_, err := arena.Match(context.Background(), arena.MustParse("racer"), arena.MustParse("waller"), arena.MatchConfig{
		Board: b, Pairs: 1, OpeningPlies: 2, Seed: 3, OnGame: func(g *arena.Game) { _, _ = g.WriteTo(&saved) },
	})
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(saved.String(), "\n[Board")
	g, err := ReadText(first)
	if err != nil {
		t.Fatalf("%v in\n%s", err, first)
	}
	if g.Setup().Name(0) != "racer" || !g.Result(g.Head()).Over || g.Title != "game 1 of pair 1" {
		t.Errorf("%q, %q, %v", g.Title, g.Setup().Name(0), g.Result(g.Head()))
	}
	replay := g.At(g.Head())
	record := data.Game{
		Generation: 3, ID: 7, Rules: g.Setup().Rules, Moves: replay.Moves(), Result: replay.Result(),
		Searches: []data.Search{{Ply: 0, Visits: 32, Value: data.FixedValue(0.5)}, {Ply: 1, Visits: 16, Value: data.FixedValue(0.5)}},
	}
	g, err = ReadText(data.GameText(&data.Header{Board: b}, &record))
	if err != nil {
		t.Fatal(err)
	}
	if e := g.node(Root).Eval; e == nil || e.WinRate != 0.75 || e.Visits != 32 {
		t.Errorf("evaluation of the start: %+v", e)
	}
	if e := g.node(1).Eval; e == nil || e.WinRate != 0.25 {
		t.Errorf("evaluation after the first move: %+v", e)
	}
	if g.Setup().Rules != record.Rules || g.Title != "self-play of generation 3, game 7" {
		t.Errorf("rules %+v, title %q", g.Setup().Rules, g.Title)
	}
}

// TestReadTextRefuses: the error names the line, and the ply if a move is not legal.
func TestReadTextRefuses(t *testing.T) {
	head := "[Board \"5x5\"]\n[Walls \"2\"]\n\n"
	for text, want := range map[string]string{
		"":                                   "begins with tags",
		"1. e2 *":                            "begins with tags",
		"[Board \"5x5\"]\n\n*":               "Walls is missing",
		"[Board \"5\"]\n\n*":                 "tag Board",
		"[Board \"10x9\"]\n[Walls \"2\"]\n*": "columns",
		"[Board 5x5]\n":                      "is not a tag",
		"[Board \"5x5\"]\n[Board \"5x5\"]\n": "given twice",
		head:                                 "ends before the result",
		head + "1. c2":                       "ends before the result",
		head + "1. c3 *":                     "line 4: ply 1: illegal move",
		head + "1. c2\nc4\nc3h c3h *":        "line 6: ply 4: illegal move",
		head + "1. c2 x9 *":                  "ply 2: bad notation",
		head + "( 1. c2 ) *":                 "before any move",
		head + "1. c2 ) *":                   "not opened",
		head + "1. c2 } c4 *":                "comment is closed",
		head + "1. c2 ( 1. b1 *":             "in a branch",
		head + "1. c2 { *":                   "not closed",
		head + "1. c2 * 1. c2 *":             "follows the result",
		head + "1. c2 1-0":                   "the moves end with *",
		head + "1. c2 1/2-1/2":               "the moves end with *",
		head + "1. c2 c4 2. c3 b4 3. c4 a4 4. d4 a3 5. d5 *":                   "the moves end with 1-0",
		head + "1. c2 c4 2. c3 b4 3. c4 a4 4. d4 a3 5. d5 a2 1-0":              "the game is over",
		"[Board \"5x5\"]\n[Walls \"2\"]\n[Result \"1-0\"]\n*":                  "tag Result",
		"[Board \"5x5\"]\n[Walls \"2\"]\n[PlyCap \"-1\"]\n*":                   "tag PlyCap",
		"[Board \"5x5\"]\n[Walls \"2\"]\n[Repetition \"2\"]\n*":                "tag Repetition",
		"[Board \"5x5\"]\n[Walls \"2\"]\n[Start \"nowhere\"]\n*":               "tag Start",
		"[Board \"5x5\"]\n[Walls \"2\"]\n[Start \"9x9 e1 e9 - 2,2 0\"]\n*":     "tag Start",
		"[Board \"5x5\"]\n[Walls \"2\"]\n[Clock \"soon\"]\n*":                  "tag Clock",
		"[Board \"5x5\"]\n[Walls \"2\"]\n[Clock \"5m\"]\n[TimeLeft \"1s\"]\n*": "tag TimeLeft",
		"[Board \"2x5\"]\n[Walls \"2\"]\n*":                                    "3 columns",
		"[Board \"5x5\"]\n[Walls \"2\"]\n[Rules \"none\"]\n*":                  "tag Rules",
	} {
		if _, err := ReadText(text); !errors.Is(err, ErrText) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
	for text, want := range map[string]string{
		"": "not a position", "x/": "6", "5x5_c1_c5_-_2,2_0/c3": "ply 1", "5x5_c1_c5_-_2,2_0/c2.c4.zz": "ply 3", "2x3_b1_b3_-_1,1_0/": "3 columns",
	} {
		if _, err := ReadShare(text); !errors.Is(err, ErrText) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

// FuzzReadText: whatever is read is written as a text that reads back the same.
func FuzzReadText(f *testing.F) {
	f.Add(sampleText)
	f.Add("[Board \"5x5\"]\n[Walls \"2\"]\n; words\n1. c2 {x} c4 (1... a4h) *")
	f.Add("[Board \"9x9\"]\n[Walls \"10\"]\n[Rules \"ply cap 202, draw by repetition\"]\n[Start \"9x9 e4 e6 e3h,c6v 9,9 1\"]\n1... e5 {-1.000/32} *")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<14 {
			return
		}
		g, err := ReadText(text)
		if err != nil {
			if !errors.Is(err, ErrText) {
				t.Fatalf("error of no kind: %v", err)
			}
			return
		}
		written := g.Text()
		back, err := ReadText(written)
		if err != nil {
			t.Fatalf("%v in what was written:\n%s", err, written)
		}
		if again := back.Text(); again != written {
			t.Fatalf("written\n%s\nread and written\n%s", written, again)
		}
	})
}

// FuzzReadShare: whatever is read is written the same in its standard form.
func FuzzReadShare(f *testing.F) {
	f.Add("9x9_e1_e9_-_10,10_0/e2.e8.e3h")
	f.Add("5x5_c1_c5_-_2,2_0/")
	f.Fuzz(func(t *testing.T, text string) {
		g, err := ReadShare(text)
		if err != nil {
			return
		}
		form := g.Share(g.Head())
		back, err := ReadShare(form)
		if err != nil || back.Share(back.Head()) != form {
			t.Fatalf("%q: %v", form, err)
		}
	})
}
