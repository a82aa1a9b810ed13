package tui

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"rampart/play"
	"rampart/quoridor"
)

// TestPlay: arrows and letters choose, enter plays, the engine answers, and a wall of one's own or typed is the same wall.
func TestPlay(t *testing.T) {
	d, a := against(t, 5, 5, 2)
	d.keys("up enter")
	if got := d.asked(a); got != "5x5 c2 c5 - 2,2 1" {
		t.Error(got)
	}
	d.want("c2", "engine thinks")
	a.says(t, d.board, "c4")
	d.until("the answer", func() bool { return d.moves() == "c2 c4" })
	d.want("c2 c4", "to move: c2")
	d.keys("h left up enter")
	d.asked(a)
	a.says(t, d.board, "d4")
	d.until("the answer", func() bool { return d.personToMove() })
	d.keys("m D 1 v enter")
	d.asked(a)
	d.want("c2 c4 b3h d4 d1v", "engine thinks")
}

// TestWallsByEveryWay: the cursor, typing, and the engine place the same wall, and one that overlaps, crosses, cuts off or is not there is refused with the
// reason in every way [danielborowski 1, VielenGames 1, dimitrijekaranfilovic 1].
func TestWallsByEveryWay(t *testing.T) {
	d := newDesk(t, 5, 5, 4, nil)
	d.keys("m b 2 h enter")
	if d.moves() != "b2h" {
		t.Fatal(d.text())
	}
	for _, c := range []struct{ keys, reason string }{
		{"m b 2 h enter", "overlaps"},
		{"m a 2 h enter", "overlaps"},
		{"m c 2 h enter", "overlaps"},
		{"m b 2 v enter", "crosses"},
		{"m e 5 h enter", "is not a wall"},
		{"m z 9 enter", "is not a move"},
		{"m c 3 enter", "pawn cannot go"},
		{"m c 1 enter", "pawn cannot go"},
	} {
		d.keys(c.keys)
		d.want("b2h", c.reason)
	}
	d.keys("esc h down down left enter") // at b2h
	if d.moves() != "b2h" || d.aimed().String() != "b2h" || !strings.Contains(d.text(), "overlaps") || !strings.Contains(d.text(), "xxxxxxx") {
		t.Errorf("cursor at %s:\n%s", d.aimed(), d.text())
	}
	d.keys("v enter")
	d.want("b2h", "crosses")
	d.keys("m d 2 h enter m a 1 v enter")
	d.want("b2h d2h", "cut off")
	d.keys("esc v left left down enter")
	d.want("b2h d2h", "cut off")
}

// TestKeysWhileTheEngineThinks: they are answered, and do nothing to its pieces [Chess-Challenge 102].
func TestKeysWhileTheEngineThinks(t *testing.T) {
	d, a := against(t, 5, 5, 2)
	d.keys("up enter")
	d.asked(a)
	for _, keys := range []string{"enter", "h enter", "v enter", "m c 4 enter", "m b 2 h enter"} {
		d.keys("esc " + keys)
		d.want("c2", "it is not your turn")
	}
	d.keys("f s l ? ? left up")
	if d.x != 3 || d.y != 3 {
		t.Errorf("the cursor is at %d, %d", d.x, d.y)
	}
	a.says(t, d.board, "c4")
	d.until("the answer", func() bool { return d.moves() == "c2 c4" })
}

// TestUndoWhileTheEngineThinks: the thought is dropped, whatever it says, and the next one is about the new position; nothing hangs [Sanmill 447].
func TestUndoWhileTheEngineThinks(t *testing.T) {
	d, a := against(t, 5, 5, 2)
	d.keys("up enter")
	d.asked(a)
	d.keys("u")
	d.want("", "to move: c1")
	d.keys("right enter") // before the old thought has ended
	if got := d.asked(a); got != "5x5 d1 c5 - 2,2 1" {
		t.Error(got)
	}
	a.says(t, d.board, "c4")
	d.until("the answer", func() bool { return d.moves() == "d1 c4" })
	d.keys("u r")
	d.want("d1 c4", "to move")
	d.keys("u u")
	d.want("", "nothing to take back")
}

// TestMoveNow: g ends a thought, and its move is played.
func TestMoveNow(t *testing.T) {
	d, a := against(t, 5, 5, 2)
	d.keys("g")
	d.want("", "no engine is to move")
	d.keys("up enter")
	d.asked(a)
	d.keys("g")
	d.until("the answer", func() bool { return d.personToMove() })
	d.want("c2 d5", "to move")
}

// TestEngineErrorReturnsTheTurn: the person moves in its place, or lets it try again [Checkora 1798]. So does a panic, and a move that is not legal.
func TestEngineErrorReturnsTheTurn(t *testing.T) {
	for _, failure := range []func() error{
		func() error { return errors.New("the lamp is broken") },
		func() error { panic("the lamp is broken") },
	} {
		d, a := against(t, 5, 5, 2)
		a.fail = failure
		d.keys("up enter")
		d.until("the failure", func() bool { return d.stopped })
		d.want("c2", "the engine failed: ")
		if !strings.Contains(d.text(), "the lamp is broken") {
			t.Error(d.text())
		}
		d.keys("m c 4 enter")
		d.want("c2 c4", "to move: c2")
		d.keys("m c 3 enter")
		d.until("the next failure", func() bool { return d.stopped })
		a.fail = nil
		d.keys("g")
		for range 3 {
			d.asked(a)
		}
		a.says(t, d.board, "b4")
		d.until("the answer", func() bool { return d.moves() == "c2 c4 c3 b4" })
	}
	d, a := against(t, 5, 5, 2)
	d.keys("up enter")
	a.says(t, d.board, "c1")
	d.until("the failure", func() bool { return d.stopped })
	d.want("c2", "the engine failed: illegal move: c1")
}

// TestNoSearchOfAFinishedGame: neither engine nor analysis begins one [lichess-bot 1223]; undo goes on.
func TestNoSearchOfAFinishedGame(t *testing.T) {
	a, analyst := newActor(), newActor()
	d := newDesk(t, 5, 5, 0, func(c *Config, s *play.Setup) {
		c.Engines[1], c.Analyst = a, analyst
		_, p, err := quoridor.ParsePosition("5x5 c4 a3 - 0,0 0")
		if err != nil {
			t.Fatal(err)
		}
		s.Start = p
	})
	d.keys("up enter a")
	d.want("c5", "player 0 wins")
	if d.engine.busy || d.analysis.busy || len(a.asked)+len(analyst.asked) > 0 {
		t.Error("a finished game is searched")
	}
	d.keys("enter")
	d.want("c5", "the game is over")
	d.keys("u")
	d.asked(analyst)
	d.want("", "analysis begins")
}

// TestAnalysis: it is hidden until asked for, follows what is shown, and is hidden again.
func TestAnalysis(t *testing.T) {
	analyst := newActor()
	b := quoridor.MustBoard(5, 5, 2)
	c2 := quoridor.PawnMove(quoridor.CellAt(2, 1))
	analyst.report = &play.Report{Move: c2, WinRate: 0.61, Visits: 77, Judged: true, Moves: []play.Candidate{{Move: c2, Visits: 70, Share: 0.9, WinRate: 0.61, Line: []quoridor.Move{c2, quoridor.HWall(0, 0)}}}}
	d := newDesk(t, 5, 5, 2, func(c *Config, _ *play.Setup) { c.Analyst = analyst })
	if strings.Contains(d.text(), "wins") || d.analysis.busy {
		t.Error("an analysis that nobody asked for")
	}
	d.keys("a")
	d.until("a report", func() bool { return d.report != nil })
	d.want("", "● wins 61 %, 77 visits")
	d.want("", "c2    61 %    70 a1h")
	d.keys("up enter")
	if first, second := d.asked(analyst), d.asked(analyst); first != b.Format(b.Start()) || second != "5x5 c2 c5 - 2,2 1" {
		t.Errorf("%s, %s", first, second)
	}
	d.until("its report", func() bool { return d.report != nil && d.reportAt == d.game.Cursor() })
	d.want("c2", "◆ wins 61 %")
	d.keys("a")
	d.until("its end", func() bool { return !d.analysis.busy })
	if strings.Contains(d.text(), "wins") {
		t.Errorf("still shown:\n%s", d.text())
	}
	for _, step := range []struct{ key, position string }{{"a", "5x5 c2 c5 - 2,2 1"}, {"home", b.Format(b.Start())}, {"end", "5x5 c2 c5 - 2,2 1"}} {
		d.keys(step.key)
		if got := d.asked(analyst); got != step.position {
			t.Errorf("%s: %s is analysed, want %s", step.key, got, step.position)
		}
	}
	analyst.errs <- errors.New("the lamp is broken")
	d.until("the failure", func() bool { return !d.showing })
	d.want("c2", "the analysis failed: the lamp is broken")
	d = newDesk(t, 5, 5, 2, nil)
	d.keys("a")
	d.want("", "there is no network to ask")
}

// TestBrowse: looking at earlier positions changes nothing of the game, and says so.
func TestBrowse(t *testing.T) {
	d := newDesk(t, 5, 5, 2, nil)
	d.keys("up enter down enter m b 2 h enter [ [")
	d.want("c2 c4 b2h", "after 1 of 3 moves")
	d.keys("enter")
	d.want("c2 c4 b2h", "earlier position")
	d.keys("]")
	d.want("c2 c4 b2h", "after 2 of 3 moves")
	d.keys("home")
	d.want("c2 c4 b2h", "after 0 of 3 moves")
	d.keys("end")
	d.want("c2 c4 b2h", "to move: c4")
	d.keys("u")
	d.want("c2 c4", "to move: c2")
}

// TestCursorMovesAsItLies: also on a flipped board, never off the board, and less far for walls.
func TestCursorMovesAsItLies(t *testing.T) {
	d := newDesk(t, 5, 4, 2, nil)
	for _, c := range []struct{ keys, want string }{
		{"up", "c2"},
		{"left left left left", "a2"},
		{"down down", "a1"},
		{"right right right right right right", "e1"},
		{"up up up up up", "e4"},
		{"h", "d3h"},
		{"up right", "d3h"},
		{"v", "d3v"},
		{"v", "d3"},
		{"f up", "d2"},
		{"right", "c2"},
		{"f esc", "c1"},
	} {
		d.keys(c.keys)
		if got := d.aimed().String(); got != c.want {
			t.Errorf("%s: cursor at %s, want %s", c.keys, got, c.want)
		}
	}
}

// TestWhatIsDrawnIsWhatBlocks: for every wall, in both orientations, on both sides of the board, the characters between two squares tell whether a pawn can step
// there.
func TestWhatIsDrawnIsWhatBlocks(t *testing.T) {
	const w, h = 4, 5
	b := quoridor.MustBoard(w, h, 1)
	for _, flipped := range []bool{false, true} {
		for x := range w - 1 {
			for y := range h - 1 {
				for _, wall := range []quoridor.Move{quoridor.HWall(x, y), quoridor.VWall(x, y)} {
					start := b.Start()
					p := b.Play(start, wall)
					d := newDesk(t, w, h, 1, func(_ *Config, s *play.Setup) { s.Start = p })
					d.flipped = flipped
					drawn := strings.Split(ansi.Strip(d.drawBoard()), "\n")
					at := func(row, column int) string { return string([]rune(drawn[row])[column+2]) }
					g := &grid{m: d.Model}
					reach := func(from, to quoridor.Cell) bool { return steps(t, b, &p, from, to) }
					for cx := range w {
						for cy := range h {
							here := quoridor.CellAt(cx, cy)
							if cy+1 < h {
								up := quoridor.CellAt(cx, cy+1)
								row := (g.row(cy) + g.row(cy+1)) / 2
								if open := at(row, g.column(cx)+1) == " "; open != reach(here, up) {
									t.Fatalf("%s, flipped %t: between %s and %s is drawn open %t:\n%s", wall, flipped, here, up, open, strings.Join(drawn, "\n"))
								}
							}
							if cx+1 < w {
								right := quoridor.CellAt(cx+1, cy)
								column := (g.column(cx)+g.column(cx+1))/2 + 1
								if open := at(g.row(cy), column) == " "; open != reach(here, right) {
									t.Fatalf("%s, flipped %t: between %s and %s is drawn open %t:\n%s", wall, flipped, here, right, open, strings.Join(drawn, "\n"))
								}
							}
						}
					}
				}
			}
		}
	}
}

// steps tells whether a pawn could step from one square to the next, with the position's walls and the other pawn far away.
func steps(t *testing.T, b *quoridor.Board, p *quoridor.Position, from, to quoridor.Cell) bool {
	t.Helper()
	for mover := range 2 {
		for c := range quoridor.Cell(quoridor.NumCells) {
			dx, dy := c.X()-from.X(), c.Y()-from.Y()
			if c.X() >= b.W || c.Y() >= b.H || c == to || dx*dx+dy*dy <= 1 {
				continue
			}
			pawns := [2]quoridor.Cell{c, c}
			pawns[mover] = from
			q, err := b.NewPosition(p.HWalls(), p.VWalls(), pawns, [2]int{}, mover)
			if err == nil && b.Winner(&q) < 0 {
				return b.IsLegal(&q, quoridor.PawnMove(to))
			}
		}
	}
	t.Fatalf("no position to step from %s to %s", from, to)
	return false
}

// TestEveryBoardFits80x24: with panel, walls, paths and analysis; and no size of terminal is too small to draw something.
func TestEveryBoardFits80x24(t *testing.T) {
	for w := 3; w <= quoridor.MaxSize; w++ {
		for h := quoridor.MinHeight; h <= quoridor.MaxSize; h++ {
			d := newDesk(t, w, h, 3, func(_ *Config, s *play.Setup) {
				s.Names = [2]string{strings.Repeat("long name ", 20), "short"}
				s.Clock = play.Clock{Base: time.Hour}
			})
			d.keys("up enter l s")
			for _, size := range [][2]int{{80, 24}, {200, 60}, {60, 24}, {40, 20}, {36, 24}, {20, 10}, {1, 1}, {0, 0}} {
				d.take(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
				lines := strings.Split(d.text(), "\n")
				if len(lines) > max(1, size[1]) {
					t.Errorf("%dx%d in %v: %d lines", w, h, size, len(lines))
				}
				for _, line := range lines {
					if n := ansi.StringWidth(line); n > max(1, size[0]) {
						t.Errorf("%dx%d in %v: %d wide: %q", w, h, size, n, line)
					}
				}
				if size == [2]int{80, 24} && (strings.Contains(d.text(), "needs") || !strings.Contains(d.text(), "walls left") || !strings.Contains(d.text(), "q quit")) {
					t.Errorf("%dx%d in %v:\n%s", w, h, size, d.text())
				}
			}
		}
	}
}

// TestShapes: nothing is told by colour alone, so that NO_COLOR loses nothing.
func TestShapes(t *testing.T) {
	d := newDesk(t, 5, 5, 2, nil)
	d.keys("m b 2 h enter m a 4 v enter h l")
	want := `
5  · ┃ ·   ◆   ·   ·
     ┃   +   +   +
4  · ┃ ·   ·   ·   ·
     -   +   +   +
3  ·   ·   ·   ·   ·
     |━━━━━━━|   +
2  ·   ·   ○   ·   ·
     +   +═══════+
1  ·   ○   ●   ○   ·
   a   b   c   d   e`
	got := ""
	for line := range strings.SplitSeq(ansi.Strip(d.drawBoard()), "\n") {
		got += "\n" + strings.TrimRight(line, " ")
	}
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// TestClock: the person's time runs out on the screen, and nothing can be played then.
func TestClock(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	d := newDesk(t, 5, 5, 2, func(c *Config, s *play.Setup) {
		s.Clock = play.Clock{Base: time.Minute}
		c.Now = func() time.Time { return now }
	})
	now = now.Add(30500 * time.Millisecond)
	d.want("", "0:30")
	now = now.Add(time.Minute)
	d.take(tickMsg{})
	d.keys("up enter")
	d.want("", "the game is over")
	d.keys("esc")
	d.want("", "player 0 ran out of time")
}

// TestHelpAndQuit: the help names every key, any key leaves it, and q ends the program.
func TestHelpAndQuit(t *testing.T) {
	d := newDesk(t, 5, 5, 2, nil)
	d.keys("?")
	for _, b := range bindings {
		if !strings.Contains(d.text(), b.text) {
			t.Errorf("the help lacks %q:\n%s", b.text, d.text())
		}
	}
	if n := strings.Count(d.text(), "\n"); n > 23 {
		t.Errorf("the help has %d lines", n+1)
	}
	d.keys("q")
	if d.quit {
		t.Error("q in the help quits")
	}
	d.keys("q")
	d.until("the end", func() bool { return d.quit })
}

// TestTyping: only what can be part of a move is taken; esc and backspace work.
func TestTyping(t *testing.T) {
	d := newDesk(t, 5, 5, 2, nil)
	d.keys("m c é ! 9 backspace 2")
	d.want("", "move: c2_")
	d.keys("esc")
	d.want("", "to move: c1")
	d.keys("m enter")
	d.want("", "to move")
	d.keys("m")
	d.take(tea.PasteMsg{Content: "c2\x1b[31m and more"})
	d.keys("enter")
	if d.typing {
		t.Error("still typing")
	}
	d.keys("u")
	d.want("", "nothing to take back")
}

// TestRun: the whole program ends with q and with its context, and leaves no thought behind.
func TestRun(t *testing.T) {
	a := newActor()
	s := play.NewSetup(quoridor.MustBoard(5, 5, 2))
	s.Players[0] = "engine"
	g, err := play.New(s)
	if err != nil {
		t.Fatal(err)
	}
	in, keyboard := io.Pipe()
	defer in.Close()
	var out bytes.Buffer
	done := make(chan error, 1)
	go func() { done <- Run(context.Background(), Config{Game: g, Engines: [2]play.Engine{a, nil}}, in, &out) }()
	<-a.asked
	keyboard.Write([]byte("q"))
	if err := <-done; err != nil || out.Len() == 0 {
		t.Errorf("%v, %d bytes", err, out.Len())
	}
	ctx, cancel := context.WithCancel(context.Background())
	go func() { done <- Run(ctx, Config{Game: g, Engines: [2]play.Engine{a, nil}}, in, io.Discard) }()
	<-a.asked
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	keyboard.Close()
}
