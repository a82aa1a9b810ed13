package quoridor

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// allBoards lists every size with a few wall counts.
func allBoards() (list []*Board) {
	for w := MinWidth; w <= MaxSize; w++ {
		for h := MinHeight; h <= MaxSize; h++ {
			for _, walls := range []int{0, 1, min(3, (w-1)*(h-1)), (w - 1) * (h - 1)} {
				list = append(list, MustBoard(w, h, walls))
			}
		}
	}
	return list
}

// eachRandomPosition calls use with the positions of random games, in which half the moves are pawn moves.
func eachRandomPosition(b *Board, games, plies int, seed uint64, use func(p Position, moves []Move)) {
	random := rand.New(rand.NewPCG(seed, uint64(b.W*100+b.H)))
	for range games {
		p := b.Start()
		for ply := 0; ply < plies && b.Winner(&p) < 0; ply++ {
			moves := b.Moves(nil, &p)
			use(p, moves)
			n := len(moves)
			if random.IntN(2) == 0 {
				n = len(b.PawnMoves(nil, &p))
			}
			p = b.Play(p, moves[random.IntN(n)])
		}
	}
}

func TestInitialPositions(t *testing.T) {
	for _, b := range allBoards() {
		p := b.Start()
		walls := 0
		for _, m := range b.Moves(nil, &p) {
			if m.IsWall() {
				walls++
			}
		}
		want := 2 * b.Anchors()
		if b.Walls == 0 {
			want = 0
		}
		if b.W == 2 {
			want = b.Anchors() // a horizontal wall would close the whole width
			if b.Walls == 0 {
				want = 0
			}
		}
		if walls != want {
			t.Errorf("%s: %d walls at the start, want %d", b, walls, want)
		}
	}
	b := MustBoard(9, 9, 10)
	p := b.Start()
	if n := b.CountMoves(&p); n != 131 {
		t.Errorf("9x9 has %d first moves, want 131", n)
	}
	if m := b.Moves(nil, &p)[0]; m.String() != "e2" {
		t.Errorf("first step of player 0 prints %s, want e2", m)
	}
}

func TestActionRoundTrip(t *testing.T) {
	for _, b := range allBoards() {
		eachRandomPosition(b, 2, 40, 3, func(p Position, moves []Move) {
			seen := map[int]bool{}
			for _, m := range moves {
				a := b.Action(&p, m)
				if a < 0 || a >= b.NumActions() || seen[a] {
					t.Fatalf("%s: action of %s is %d (seen %v)", b.Format(p), m, a, seen[a])
				}
				seen[a] = true
				if back, ok := b.MoveOf(&p, a); !ok || back != m {
					t.Fatalf("%s: action %d of %s decodes to %s", b.Format(p), a, m, back)
				}
			}
			for a := range b.NumActions() {
				m, ok := b.MoveOf(&p, a)
				if !ok {
					continue
				}
				if parsed, err := b.ParseMove(m.String()); err != nil || parsed != m {
					t.Fatalf("%s: action %d gives %s: %v", b.Format(p), a, m, err)
				}
				if got := b.Action(&p, m); got != a {
					t.Fatalf("%s: action %d gives %s, which is action %d", b.Format(p), a, m, got)
				}
			}
		})
	}
}

// TestReplyAction: a reply is indexed as the mover sees it. A wall has the index that it has for the mover, a pawn move that of the
// opponent's step on the turned board, and turning the position changes nothing.
func TestReplyAction(t *testing.T) {
	for _, b := range allBoards() {
		eachRandomPosition(b, 1, 40, 7, func(p Position, moves []Move) {
			next := b.Play(p, moves[0])
			if b.Winner(&next) >= 0 {
				return
			}
			turned := b.Turn(p)
			for _, m := range b.Moves(nil, &next) {
				a := b.ReplyAction(&p, m)
				if a < 0 || a >= b.NumActions() || a != b.ReplyAction(&turned, b.TurnMove(m)) {
					t.Fatalf("%s: reply %s is %d, on the turned board %d", b.Format(p), m, a, b.ReplyAction(&turned, b.TurnMove(m)))
				}
				own := b.Action(&next, m) // in the opponent's frame
				switch {
				case m.IsWall() && a != b.Action(&p, m):
					t.Fatalf("%s: reply %s is %d, the mover's own wall %d", b.Format(p), m, a, b.Action(&p, m))
				case m.IsPawn() && (pawnDeltas[a].dx != -pawnDeltas[own].dx || pawnDeltas[a].dy != -pawnDeltas[own].dy):
					t.Fatalf("%s: reply %s is %v, to the opponent %v", b.Format(p), m, pawnDeltas[a], pawnDeltas[own])
				}
			}
		})
	}
}

// TestSymmetry checks that turning and mirroring are involutions that map legal moves onto legal moves, and that the action map
// does not see the turn.
func TestSymmetry(t *testing.T) {
	for _, b := range allBoards() {
		eachRandomPosition(b, 2, 40, 5, func(p Position, moves []Move) {
			turned, mirrored := b.Turn(p), b.Mirror(p)
			if b.Turn(turned) != p || b.Mirror(mirrored) != p {
				t.Fatalf("%s: twice turned or mirrored is not itself", b.Format(p))
			}
			var viaTurn, viaMirror []Move
			for _, m := range moves {
				if b.TurnMove(b.TurnMove(m)) != m || b.MirrorMove(b.MirrorMove(m)) != m {
					t.Fatalf("move %s twice turned or mirrored is not itself", m)
				}
				viaTurn, viaMirror = append(viaTurn, b.TurnMove(m)), append(viaMirror, b.MirrorMove(m))
				if b.Action(&p, m) != b.Action(&turned, b.TurnMove(m)) {
					t.Fatalf("%s: action of %s changes when the board is turned", b.Format(p), m)
				}
				if b.MirrorAction(b.Action(&p, m)) != b.Action(&mirrored, b.MirrorMove(m)) {
					t.Fatalf("%s: mirrored action of %s does not match", b.Format(p), m)
				}
				if after := b.Play(p, m); b.Turn(after) != b.Play(turned, b.TurnMove(m)) || b.Mirror(after) != b.Play(mirrored, b.MirrorMove(m)) {
					t.Fatalf("%s: playing %s does not commute with the symmetries", b.Format(p), m)
				}
			}
			for name, pair := range map[string][2][]Move{"turned": {viaTurn, b.Moves(nil, &turned)}, "mirrored": {viaMirror, b.Moves(nil, &mirrored)}} {
				slices.Sort(pair[0])
				slices.Sort(pair[1])
				if !slices.Equal(pair[0], pair[1]) {
					t.Fatalf("%s: %s moves %v, want %v", b.Format(p), name, pair[1], pair[0])
				}
			}
			if c := p.Compare(mirrored); c != -mirrored.Compare(p) || (c == 0) != (p == mirrored) {
				t.Fatalf("%s: Compare is not an order", b.Format(p))
			}
		})
	}
}

func TestTextRoundTrip(t *testing.T) {
	for _, b := range allBoards() {
		eachRandomPosition(b, 2, 40, 6, func(p Position, _ []Move) {
			text := b.Format(p)
			b2, p2, err := ParsePosition(strings.ToUpper(text))
			if err != nil || p2 != p || b2.W != b.W || b2.H != b.H || b2.Walls != b.Walls {
				t.Fatalf("%q reads back as %q on %v: %v", text, b.Format(p2), b2, err)
			}
		})
	}
}

// TestHashSeparates makes sure that all parts of a position enter its hash: no two of the positions met here share one.
func TestHashSeparates(t *testing.T) {
	seen := map[uint64]Position{}
	add := func(p Position) {
		if q, ok := seen[p.Hash()]; ok && q != p {
			t.Fatalf("%+v and %+v have the same hash", p, q)
		}
		seen[p.Hash()] = p
	}
	eachRandomPosition(MustBoard(9, 9, 10), 200, 60, 9, func(p Position, _ []Move) {
		add(p)
		p.left[0]++ // the same walls with another stock
		add(p)
		p.left[0]--
		p.left[1]++
		add(p)
		p.left[1]--
		p.side ^= 1
		add(p)
	})
}

func TestParsePositionErrors(t *testing.T) {
	for _, c := range []struct {
		text, names string
		kind        error
	}{
		{"", "6", ErrNotation},
		{"9x9 e1 e9 - 10,10", "fields", ErrNotation},
		{"9by9 e1 e9 - 10,10 0", "size", ErrNotation},
		{"10x9 e1 e9 - 10,10 0", "size", ErrBoard},
		{"9x9 j1 e9 - 10,10 0", "pawn of player 0", ErrNotation},
		{"9x9 e1 e0 - 10,10 0", "pawn of player 1", ErrNotation},
		{"9x9 e1 e9 e3 10,10 0", "walls", ErrNotation},
		{"9x9 e1 e9 i3h 10,10 0", "walls", ErrNotation},
		{"9x9 e1 e9 e3h,f3h 10,10 0", "f3h", ErrPosition},
		{"9x9 e1 e9 e3h,e3v 10,10 0", "e3v", ErrPosition},
		{"9x9 e1 e9 e3h,e3h 10,10 0", "e3h", ErrPosition},
		{"9x9 e1 e9 - 10 0", "walls left", ErrNotation},
		{"9x9 e1 e9 - 65,10 0", "walls left", ErrNotation},
		{"9x9 e1 e9 - -1,10 0", "walls left", ErrNotation},
		{"9x9 e1 e9 - 10,10 2", "side to move", ErrNotation},
		{"9x9 e5 e5 - 10,10 0", "e5", ErrPosition},
		{"9x9 e9 e1 - 10,10 0", "goal rows", ErrPosition},
		{"3x3 b1 b3 a1h,b2v,a2h 2,2 0", "path", ErrPosition},
	} {
		_, _, err := ParsePosition(c.text)
		if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.names) {
			t.Errorf("%q: error %v, want one of kind %q that names %q", c.text, err, c.kind, c.names)
		}
	}
}

func TestNewBoardErrors(t *testing.T) {
	for _, c := range [][3]int{{1, 5, 0}, {10, 5, 0}, {5, 2, 0}, {5, 10, 0}, {5, 5, -1}, {5, 5, 17}} {
		if _, err := NewBoard(c[0], c[1], c[2]); !errors.Is(err, ErrBoard) {
			t.Errorf("%v: error %v", c, err)
		}
	}
	if first, second := MustBoard(9, 9, 10), MustBoard(9, 9, 10); first != second {
		t.Error("equal boards are not shared")
	}
}

// TestIllegalMovesChangeNothing offers every byte as a move along random games.
func TestIllegalMovesChangeNothing(t *testing.T) {
	for _, b := range []*Board{MustBoard(3, 3, 2), MustBoard(5, 5, 2), MustBoard(9, 9, 3)} {
		eachRandomPosition(b, 3, 30, 11, func(p Position, moves []Move) {
			g := NewGame(b, p, Rules{})
			for m := range 256 {
				legal := slices.Contains(moves, Move(m))
				err := g.Play(Move(m))
				if legal != (err == nil) {
					t.Fatalf("%s: %s: legal %v, error %v", b.Format(p), Move(m), legal, err)
				}
				if err != nil && (!errors.Is(err, ErrIllegalMove) || g.Position() != p) {
					t.Fatalf("%s: refused %s with %v, position now %s", b.Format(p), Move(m), err, b.Format(g.Position()))
				}
				if err == nil {
					g.Undo()
				}
			}
		})
	}
}

func TestGameResults(t *testing.T) {
	b := MustBoard(5, 5, 2)
	shuffle := []string{"b1", "b5", "c1", "c5", "b1", "b5", "c1", "c5", "b1"}
	for _, c := range []struct {
		name  string
		rules Rules
		moves []string
		want  Result
	}{
		{"win of player 0", Rules{PlyCap: 20}, []string{"c2", "b5", "c3", "a5", "c4", "b5", "c5"}, Win0},
		{"win of player 1", Rules{PlyCap: 20}, []string{"b1", "c4", "a1", "c3", "b1", "c2", "a1", "c1"}, Win1},
		{"win on the last ply before the cap", Rules{PlyCap: 7}, []string{"c2", "b5", "c3", "a5", "c4", "b5", "c5"}, Win0},
		{"cap", Rules{PlyCap: 3}, []string{"c2", "b5", "c3"}, DrawCap},
		{"third repetition", Rules{Repetition: true}, shuffle[:8], DrawRepetition},
		{"no rules", Rules{}, shuffle, Undecided},
	} {
		g := NewGame(b, b.Start(), c.rules)
		for i, text := range c.moves {
			m, err := b.ParseMove(text)
			if err == nil {
				err = g.Play(m)
			}
			if err != nil {
				t.Fatalf("%s: ply %d: %v", c.name, i+1, err)
			}
		}
		if g.Result() != c.want {
			t.Errorf("%s: %s, want %s", c.name, g.Result(), c.want)
		}
		if c.want != Undecided && !errors.Is(g.Play(PawnMove(0)), ErrIllegalMove) {
			t.Errorf("%s: a move is accepted after the end", c.name)
		}
		replayed, err := Replay(b, b.Start(), c.rules, g.Moves())
		if err != nil || replayed.Position() != g.Position() || replayed.Result() != g.Result() {
			t.Errorf("%s: replay ends in %s: %v", c.name, replayed.Result(), err)
		}
	}
	if _, err := Replay(b, b.Start(), Rules{}, []Move{HWall(0, 0), HWall(1, 0)}); err == nil || !strings.Contains(err.Error(), "ply 2") {
		t.Errorf("replay of a bad second ply: %v", err)
	}
}

func FuzzParsePosition(f *testing.F) {
	for _, s := range []string{"9x9 e1 e9 - 10,10 0", "9x9 e4 e6 e3h,c6v 9,9 1", "2x3 b1 b3 - 2,2 0", "3x3 b1 b3 a1h 0,1 1", "5x5 c1 c5 d4h,a1v 0,0 1", "9x9"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		b, p, err := ParsePosition(text)
		if err != nil {
			return
		}
		canonical := b.Format(p)
		b2, p2, err := ParsePosition(canonical)
		if err != nil || b2 != b || p2 != p {
			t.Fatalf("%q parses to %q, which does not parse back: %v", text, canonical, err)
		}
		if b.Winner(&p) < 0 && b.CountMoves(&p) == 0 {
			t.Fatalf("%q has no legal move", canonical)
		}
	})
}
