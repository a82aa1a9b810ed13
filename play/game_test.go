package play

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"rampart/arena"
	"rampart/quoridor"
)

// at0 is some moment.
var at0 = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func newGame(t testing.TB, w, h, walls int, change func(*Setup)) *Game {
	t.Helper()
	s := NewSetup(quoridor.MustBoard(w, h, walls))
	if change != nil {
		change(&s)
	}
	g, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// play plays moves at the head.
func playAll(t testing.TB, g *Game, moves string) {
	t.Helper()
	for _, word := range strings.Fields(moves) {
		m, err := g.Setup().Board.ParseMove(word)
		if err == nil {
			_, err = g.Play(g.Head(), m, at0)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func movesOf(g *Game, id NodeID) string {
	var names []string
	for _, m := range g.Moves(id) {
		names = append(names, m.String())
	}
	return strings.Join(names, " ")
}

func TestNewGameStartsClean(t *testing.T) {
	g := newGame(t, 9, 9, 10, nil)
	playAll(t, g, "e3h e7h e2 e8")
	fresh := newGame(t, 9, 9, 10, nil)
	if p := fresh.node(Root).Position; p != fresh.Setup().Board.Start() || len(fresh.Nodes()) != 1 {
		t.Errorf("a new game begins with %s", fresh.Setup().Board.Format(p))
	}
}

// TestPlayRefuses: what is not legal changes nothing.
func TestPlayRefuses(t *testing.T) {
	g := newGame(t, 5, 5, 2, nil)
	playAll(t, g, "b2h c4")
	b := g.Setup().Board
	for word, want := range map[string]string{
		"b2h": "overlaps", "a2h": "overlaps", "c2h": "overlaps", "b2v": "crosses", "c3": "cannot go", "c4": "cannot go", "c5": "cannot go",
	} {
		m, err := b.ParseMove(word)
		if err != nil {
			t.Fatal(err)
		}
		_, err = g.Play(g.Head(), m, at0)
		if !errors.Is(err, quoridor.ErrIllegalMove) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", word, err, want)
		}
		if len(g.Nodes()) != 3 || g.Head() != 2 || g.Cursor() != 2 {
			t.Fatalf("%s changed the game", word)
		}
	}
	if _, err := g.Play(99, 0, at0); !errors.Is(err, ErrNode) {
		t.Errorf("a node that is not there: %v", err)
	}
}

func TestCursorAndBranches(t *testing.T) {
	g := newGame(t, 5, 5, 2, nil)
	playAll(t, g, "c2 c4 b2h")
	g.Back()
	g.Back()
	if g.Cursor() != 1 || g.Head() != 3 {
		t.Fatalf("cursor %d, head %d", g.Cursor(), g.Head())
	}
	// Play goes on at the head while the cursor is elsewhere.
	playAll(t, g, "b4")
	if g.Cursor() != 1 || g.Head() != 4 {
		t.Errorf("the cursor followed a move that it was not at: cursor %d, head %d", g.Cursor(), g.Head())
	}
	// A branch.
	m, _ := g.Setup().Board.ParseMove("a4h")
	id, err := g.Play(1, m, at0)
	if err != nil || id != 5 || g.Head() != 5 || g.Cursor() != 5 {
		t.Fatalf("branch: node %d, head %d, cursor %d, %v", id, g.Head(), g.Cursor(), err)
	}
	if got := g.MainLine(); !slices.Equal(got, []NodeID{0, 1, 2, 3, 4}) {
		t.Errorf("main line %v", got)
	}
	g.ToStart()
	if got := g.Line(g.Cursor()); !slices.Equal(got, []NodeID{0, 1, 5}) {
		t.Errorf("line %v: forward goes where one was last", got)
	}
	g.Forward()
	g.Forward()
	g.Forward()
	if g.Cursor() != 5 {
		t.Errorf("forward ends at %d", g.Cursor())
	}
	if err := g.GoTo(2); err != nil {
		t.Fatal(err)
	}
	if g.ToEnd(); g.Cursor() != 4 {
		t.Errorf("the end of the line visited last is %d", g.Cursor())
	}
	if err := g.Promote(5); err != nil || !slices.Equal(g.MainLine(), []NodeID{0, 1, 5}) {
		t.Errorf("promoted: %v, %v", g.MainLine(), err)
	}
	// The same move again finds its node.
	if id, err := g.Add(1, m); id != 5 || err != nil {
		t.Errorf("the move again: node %d, %v", id, err)
	}
	if err := g.Delete(2); err != nil || len(g.Nodes()) != 3 || g.Cursor() != 1 || g.Head() != 5 {
		t.Errorf("deleted: %d nodes, cursor %d, head %d, %v", len(g.Nodes()), g.Cursor(), g.Head(), err)
	}
	for _, id := range []NodeID{2, 3, 4} {
		if _, err := g.Node(id); !errors.Is(err, ErrNode) {
			t.Errorf("node %d is still there", id)
		}
	}
	if err := g.Delete(Root); !errors.Is(err, ErrState) {
		t.Errorf("the start was deleted: %v", err)
	}
	if err := g.Delete(5); err != nil || g.Head() != 1 {
		t.Errorf("head %d after its node was deleted, %v", g.Head(), err)
	}
}

func TestUndo(t *testing.T) {
	for _, c := range []struct {
		players  [2]string
		plies    int
		undo     string // moves left after undo
		redo     string
		nothing  bool // to take back
		nothing2 bool // to play again at first
	}{
		{[2]string{Person, Person}, 3, "c2 c4", "c2 c4 b2h", false, true},
		{[2]string{Person, "racer"}, 2, "", "c2 c4", false, true},
		{[2]string{Person, "racer"}, 3, "c2 c4", "c2 c4 b2h", false, true}, // the engine is thinking
		{[2]string{"racer", Person}, 3, "c2", "c2 c4 b2h", false, true},
		{[2]string{"racer", Person}, 1, "c2", "", true, true},
		{[2]string{"racer", "racer"}, 3, "c2 c4", "c2 c4 b2h", false, true},
		{[2]string{Person, Person}, 0, "", "", true, true},
	} {
		g := newGame(t, 5, 5, 2, func(s *Setup) { s.Players = c.players })
		playAll(t, g, strings.Join(strings.Fields("c2 c4 b2h")[:c.plies], " "))
		if err := g.Redo(); errors.Is(err, ErrState) != c.nothing2 {
			t.Errorf("%v: redo: %v", c.players, err)
		}
		err := g.Undo()
		if errors.Is(err, ErrState) != c.nothing || movesOf(g, g.Head()) != c.undo || g.Cursor() != g.Head() {
			t.Errorf("%v after %d plies: undo: %q, %v", c.players, c.plies, movesOf(g, g.Head()), err)
		}
		if c.nothing {
			continue
		}
		if err := g.Redo(); err != nil || movesOf(g, g.Head()) != c.redo {
			t.Errorf("%v after %d plies: redo: %q, %v", c.players, c.plies, movesOf(g, g.Head()), err)
		}
	}
}

func TestResign(t *testing.T) {
	g := newGame(t, 5, 5, 2, nil)
	playAll(t, g, "c2")
	if err := g.Resign(2, at0); !errors.Is(err, ErrState) {
		t.Errorf("player 2 resigns: %v", err)
	}
	if err := g.Resign(0, at0); err != nil {
		t.Fatal(err)
	}
	if o := g.Result(g.Head()); o != (Outcome{true, 1, Resignation}) || o.String() != "player 0 resigned, player 1 wins" || o.Score() != "0-1" {
		t.Errorf("outcome %v", o)
	}
	if err := g.Resign(1, at0); !errors.Is(err, ErrState) {
		t.Errorf("a finished game was resigned: %v", err)
	}
	m, _ := g.Setup().Board.ParseMove("c4")
	if _, err := g.Play(g.Head(), m, at0); !errors.Is(err, quoridor.ErrIllegalMove) {
		t.Errorf("a move after the end: %v", err)
	}
	if err := g.Undo(); err != nil || g.Result(g.Head()).Over || g.Head() != 1 {
		t.Errorf("undo of a resignation: head %d, %v, %v", g.Head(), g.Result(g.Head()), err)
	}
}

// TestResultsAsTheRules compares the results and repetitions of nodes with those of quoridor.Game along random games, short of walls and long.
func TestResultsAsTheRules(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 9))
	seen := map[Reason]int{}
	for i := range 300 {
		b := quoridor.MustBoard(3+random.IntN(3), 3+random.IntN(3), random.IntN(3))
		s := NewSetup(b)
		s.Rules = quoridor.Rules{PlyCap: []int{0, 12, 40}[i%3], Repetition: i%2 == 0}
		g, err := New(s)
		if err != nil {
			t.Fatal(err)
		}
		for len(g.Nodes()) < 200 {
			r := g.Result(g.Head())
			want := g.At(g.Head())
			if r.Over != (want.Result() != quoridor.Undecided) || r.Over && (r.Winner != want.Result().Winner() || (r.Winner < 0) != want.Result().IsDraw()) {
				t.Fatalf("%v, the rules say %v", r, want.Result())
			}
			if (r.Reason == Repetition) != (want.Result() == quoridor.DrawRepetition) {
				t.Fatalf("%v, the rules say %v", r, want.Result())
			}
			p := want.Position()
			moves := b.Moves(nil, &p)
			if r.Over {
				seen[r.Reason]++
				if _, err := g.Play(g.Head(), quoridor.PawnMove(0), at0); !errors.Is(err, quoridor.ErrIllegalMove) {
					t.Fatalf("a move after %v: %v", r, err)
				}
				break
			}
			if _, err := g.Play(g.Head(), moves[random.IntN(min(len(moves), 3))], at0); err != nil {
				t.Fatal(err)
			}
		}
	}
	if seen[Goal] < 20 || seen[Repetition] < 20 || seen[PlyCap] < 20 {
		t.Errorf("seen %v", seen)
	}
}

func TestClock(t *testing.T) {
	g := newGame(t, 5, 5, 2, func(s *Setup) { s.Clock = Clock{10 * time.Second, 2 * time.Second} })
	second := func(n int) time.Time { return at0.Add(time.Duration(n) * time.Second) }
	left := func(n int, want0, want1 int) {
		t.Helper()
		if got := g.Left(second(n)); got != [2]time.Duration{time.Duration(want0) * time.Second, time.Duration(want1) * time.Second} {
			t.Errorf("after %d s: %v, want %d %d", n, got, want0, want1)
		}
	}
	move := func(n int, word string) error {
		m, err := g.Setup().Board.ParseMove(word)
		if err != nil {
			t.Fatal(err)
		}
		_, err = g.Play(g.Head(), m, second(n))
		return err
	}
	if g.Running() != -1 {
		t.Error("the clock runs before the first move")
	}
	g.StartClock(second(0))
	left(3, 7, 10)
	if err := move(4, "c2"); err != nil {
		t.Fatal(err)
	}
	left(4, 8, 10)
	left(9, 8, 5)
	if when, ok := g.FlagTime(); !ok || when != second(14) {
		t.Errorf("flag at %v", when)
	}
	// Elsewhere than at the head nothing is played.
	if _, err := g.Play(Root, quoridor.HWall(1, 1), second(9)); !errors.Is(err, ErrState) {
		t.Errorf("a branch while the clock runs: %v", err)
	}
	if g.Flag(second(13)) {
		t.Error("flag too early")
	}
	if err := move(15, "c4"); !errors.Is(err, ErrState) {
		t.Errorf("a move after the flag: %v", err)
	}
	if o := g.Result(g.Head()); o != (Outcome{true, 0, Time}) || g.Running() != -1 {
		t.Errorf("%v, running %d", o, g.Running())
	}
	// Undo reopens, and the clocks go back and stand.
	if err := g.Undo(); err != nil || g.Result(g.Head()).Over {
		t.Fatalf("%v", err)
	}
	left(20, 8, 10)
	if err := g.Undo(); err != nil {
		t.Fatal(err)
	}
	left(30, 10, 10)
	if err := move(31, "c2"); err != nil { // costs nothing: the clock stood
		t.Fatal(err)
	}
	left(31, 12, 10)
	g.StopClock(second(33))
	left(50, 12, 8)
}

func TestSetupIsChecked(t *testing.T) {
	b := quoridor.MustBoard(5, 5, 2)
	for name, change := range map[string]func(*Setup){
		"no board":        func(s *Setup) { s.Board = nil },
		"two columns":     func(s *Setup) { s.Board = quoridor.MustBoard(2, 3, 1) },
		"negative cap":    func(s *Setup) { s.Rules.PlyCap = -1 },
		"endless cap":     func(s *Setup) { s.Rules.PlyCap = 1 << 30 },
		"negative clock":  func(s *Setup) { s.Clock.Base = -1 },
		"increment alone": func(s *Setup) { s.Clock.Increment = time.Second },
		"nobody":          func(s *Setup) { s.Players[1] = "" },
		"wrong start":     func(s *Setup) { s.Start = quoridor.Position{} },
		"larger start":    func(s *Setup) { s.Start = quoridor.MustBoard(9, 9, 2).Start() },
	} {
		s := NewSetup(b)
		change(&s)
		if _, err := New(s); !errors.Is(err, ErrGame) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestMarks(t *testing.T) {
	g := newGame(t, 5, 5, 2, nil)
	playAll(t, g, "c2 c4 b2h")
	for id, rate := range []float64{0.5, 0.46, 0.6, 0.3} {
		if err := g.SetEval(NodeID(id), Eval{WinRate: rate, Visits: 100}); err != nil {
			t.Fatal(err)
		}
	}
	_ = g.SetEval(1, Eval{WinRate: 0.9, Visits: 10}) // fewer visits say less
	for id, want := range map[NodeID]Mark{1: NoMark, 2: Mistake, 3: Blunder} {
		if loss, known := g.Loss(id); !known || MarkOf(loss) != want {
			t.Errorf("node %d: loss %g, %q, want %q", id, loss, MarkOf(loss), want)
		}
	}
	if _, known := g.Loss(Root); known {
		t.Error("the start cost something")
	}
}

// TestViewCovers: every wall of the board is either legal or explained, as the rules say.
func TestViewCovers(t *testing.T) {
	g := newGame(t, 5, 5, 6, nil)
	playAll(t, g, "a1h c1h b4h d4v")
	for _, n := range g.Nodes() {
		v, err := g.View(n.ID)
		if err != nil {
			t.Fatal(err)
		}
		b, p := g.Setup().Board, n.Position
		if len(v.WallMoves)+len(v.Illegal) != 2*b.Anchors() {
			t.Fatalf("%d legal and %d illegal walls", len(v.WallMoves), len(v.Illegal))
		}
		legal := b.Moves(nil, &p)
		slices.Sort(legal)
		shown := append(slices.Clone(v.PawnMoves), v.WallMoves...)
		slices.Sort(shown)
		if !slices.Equal(legal, shown) {
			t.Errorf("shown %v, legal %v", shown, legal)
		}
		for _, w := range v.Illegal {
			if b.WhyIllegal(&p, w.Wall) != w.Reason || (w.Player >= 0) != (len(w.Cells) > 0) {
				t.Errorf("%+v", w)
			}
		}
	}
	// In a decided position nothing can be played.
	if err := g.Resign(0, at0); err != nil {
		t.Fatal(err)
	}
	v, err := g.View(g.Head())
	if err != nil || len(v.PawnMoves)+len(v.WallMoves) != 0 || len(v.Illegal) != 2*g.Setup().Board.Anchors() || v.Illegal[0].Reason != quoridor.GameOver {
		t.Errorf("%+v, %v", v, err)
	}
}

// TestSealingTheLastGapIsRefused: the wall that would close a player in is named with the player and the cells that he would have left.
func TestSealingTheLastGapIsRefused(t *testing.T) {
	g := newGame(t, 3, 3, 4, nil)
	playAll(t, g, "a2h")
	plug := quoridor.VWall(1, 1)
	if _, err := g.Play(g.Head(), plug, at0); !errors.Is(err, quoridor.ErrIllegalMove) || !strings.Contains(err.Error(), "cut off player 1") {
		t.Errorf("the plug: %v", err)
	}
	v, err := g.View(g.Head())
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(v.Illegal, func(w IllegalWall) bool { return w.Wall == plug })
	if i < 0 || v.Illegal[i].Player != 1 || !slices.Equal(v.Illegal[i].Cells, []quoridor.Cell{quoridor.CellAt(0, 2), quoridor.CellAt(1, 2)}) {
		t.Errorf("%+v", v.Illegal)
	}
}

func TestMain(m *testing.M) {
	arena.Register(NetKind)
	arena.Register(LevelKind)
	m.Run()
}
