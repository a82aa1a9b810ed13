package race

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"rampart/quoridor"
	"rampart/solver"
)

// randomPosition returns an unfinished position with random walls and pawns and the stocks.
func randomPosition(b *quoridor.Board, random *rand.Rand, walls int, left [2]int) quoridor.Position {
	for {
		stocked, err := quoridor.NewBoard(b.W, b.H, min(b.Anchors(), walls))
		if err != nil {
			panic(err)
		}
		p := stocked.Start()
		for range walls {
			moves := stocked.Moves(nil, &p)
			first := 0
			for first < len(moves) && moves[first].IsPawn() {
				first++
			}
			if first == len(moves) {
				break
			}
			p = stocked.Play(p, moves[first+random.IntN(len(moves)-first)])
		}
		cell := func() quoridor.Cell { return quoridor.CellAt(random.IntN(b.W), random.IntN(b.H)) }
		q, err := b.NewPosition(p.HWalls(), p.VWalls(), [2]quoridor.Cell{cell(), cell()}, left, random.IntN(2))
		if err == nil && b.Winner(&q) < 0 {
			return q
		}
	}
}

// check compares what the race solver says about a position with its exact value, and returns whether it was known.
func check(t *testing.T, s *Solver, p quoridor.Position, want solver.Value) bool {
	t.Helper()
	outcome, plies, known := s.Probe(&p)
	exact := p.WallsLeft(0)+p.WallsLeft(1) == 0
	if exact && !known {
		t.Fatalf("%s: not known, though nobody has walls", s.board.Format(p))
	}
	if known && (outcome != int(want.Outcome) || exact && plies != want.Plies || plies < want.Plies) {
		t.Fatalf("%s: outcome %d in %d, want %s", s.board.Format(p), outcome, plies, want)
	}
	for _, left := range []int{-1, want.Plies - 1, want.Plies, plies, plies + 3} {
		quick, within, told := s.Outcome(&p, left)
		wanted := int(want.Outcome)
		if left >= 0 && want.Plies > left {
			wanted = 0
		}
		if told && !known || exact && !told || told && quick != wanted {
			t.Fatalf("%s, %d plies left: outcome %d (%v), want %d of %s", s.board.Format(p), left, quick, told, wanted, want)
		}
		if told && (quick == 0 && within != 0 || quick != 0 && (within < want.Plies || left >= 0 && within > left)) {
			t.Fatalf("%s, %d plies left: outcome %d within %d plies, it takes %d", s.board.Format(p), left, quick, within, want.Plies)
		}
	}
	return known
}

// TestAgainstSolver: positions without walls in stock have the value and the length that the table solver gives, on all small
// boards and, by its slow list code, on 9x9.
func TestAgainstSolver(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	counts := map[solver.Outcome]int{}
	for _, size := range [][3]int{{2, 3, 40}, {3, 3, 60}, {3, 5, 60}, {5, 3, 60}, {4, 4, 60}, {5, 5, 60}, {4, 7, 40}, {2, 9, 40}, {9, 3, 40}, {8, 3, 40}, {7, 9, 12}, {8, 8, 12}, {9, 9, 4}} {
		b := quoridor.MustBoard(size[0], size[1], 0)
		exact, err := solver.New(b, solver.Options{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		s := New(b)
		for range size[2] {
			p := randomPosition(b, random, random.IntN(b.Anchors()+1), [2]int{})
			for range 60 { // pawn pairs under the same walls, with the induction begun by the ones before
				v, err := exact.Value(context.Background(), p)
				if err != nil {
					t.Fatal(err)
				}
				check(t, s, p, v)
				counts[v.Outcome]++
				cell := func() quoridor.Cell { return quoridor.CellAt(random.IntN(b.W), random.IntN(b.H)) }
				for {
					q, err := b.NewPosition(p.HWalls(), p.VWalls(), [2]quoridor.Cell{cell(), cell()}, [2]int{}, random.IntN(2))
					if err == nil && b.Winner(&q) < 0 {
						p = q
						break
					}
				}
			}
		}
	}
	t.Logf("outcomes met: %v", counts)
	if counts[solver.Win] == 0 || counts[solver.Loss] == 0 {
		t.Error("too few kinds of positions")
	}
}

// TestOneHasWalls: if the winner of the race has walls and the other none, the solver finds a win, in at most as many plies.
func TestOneHasWalls(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	known, total := 0, 0
	for _, size := range [][2]int{{3, 3}, {3, 4}, {4, 4}, {5, 4}, {3, 6}} {
		b := quoridor.MustBoard(size[0], size[1], 2)
		exact, err := solver.New(b, solver.Options{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		s := New(b)
		for range 150 {
			left := [2]int{}
			left[random.IntN(2)] = 1 + random.IntN(2)
			p := randomPosition(b, random, random.IntN(4), left)
			v, err := exact.Value(context.Background(), p)
			if err != nil {
				t.Fatal(err)
			}
			if check(t, s, p, v) {
				known++
			}
			total++
		}
	}
	t.Logf("%d of %d known", known, total)
	if known < total/4 {
		t.Errorf("only %d of %d positions are known", known, total)
	}
}

// TestBothHaveWalls: nothing is said of positions in which both can place walls.
func TestBothHaveWalls(t *testing.T) {
	b := quoridor.MustBoard(9, 9, 10)
	s, p := New(b), b.Start()
	if _, _, known := s.Probe(&p); known {
		t.Error("Probe knows the start of the game")
	}
	if _, _, known := s.Outcome(&p, -1); known {
		t.Error("Outcome knows the start of the game")
	}
}

// slow works out the race under the position's walls by asking the rules about every pawn pair until nothing changes: plies to a win
// (positive) or loss (negative) of the side to move, absent for a draw.
func slow(b *quoridor.Board, p quoridor.Position) map[quoridor.Position]int {
	type open struct {
		pos   quoridor.Position
		after []quoridor.Position
	}
	var all []open
	for x := range b.Cells() {
		for y := range b.Cells() {
			for side := range 2 {
				pawns := [2]quoridor.Cell{quoridor.CellAt(x%b.W, x/b.W), quoridor.CellAt(y%b.W, y/b.W)}
				if q, err := b.NewPosition(p.HWalls(), p.VWalls(), pawns, [2]int{}, side); err == nil && b.Winner(&q) < 0 {
					o := open{pos: q}
					for _, m := range b.PawnMoves(nil, &q) {
						o.after = append(o.after, b.Play(q, m))
					}
					all = append(all, o)
				}
			}
		}
	}
	values := map[quoridor.Position]int{}
	for n, idle := 1, 0; idle < 2; n++ {
		idle++
		rest := all[:0]
		for _, o := range all {
			lost, won := true, false
			for _, after := range o.after {
				v := values[after]
				won = won || b.Winner(&after) >= 0 || v < 0
				lost = lost && v > 0
			}
			switch {
			case won && n&1 != 0:
				values[o.pos] = n
			case lost && n&1 == 0:
				values[o.pos] = -n
			default:
				rest = append(rest, o)
				continue
			}
			idle = 0
		}
		all = rest
	}
	return values
}

// TestAgainstSlowCode compares every pawn pair under random walls on 9x9 with slow, obvious code on the rules themselves.
func TestAgainstSlowCode(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	b := quoridor.MustBoard(9, 9, 10)
	for i := range 6 {
		s, p := New(b), randomPosition(b, random, 4*i, [2]int{})
		values := slow(b, p)
		for x := range b.Cells() {
			for y := range b.Cells() {
				for side := range 2 {
					pawns := [2]quoridor.Cell{quoridor.CellAt(x%b.W, x/b.W), quoridor.CellAt(y%b.W, y/b.W)}
					q, err := b.NewPosition(p.HWalls(), p.VWalls(), pawns, [2]int{}, side)
					if err != nil || b.Winner(&q) >= 0 {
						continue
					}
					want := solver.Value{}
					switch v := values[q]; {
					case v > 0:
						want = solver.Value{Outcome: solver.Win, Plies: v}
					case v < 0:
						want = solver.Value{Outcome: solver.Loss, Plies: -v}
					}
					check(t, s, q, want)
				}
			}
		}
	}
}

// TestCacheChangesNothing: answers do not depend on what was asked before.
func TestCacheChangesNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	b := quoridor.MustBoard(9, 9, 10)
	used := New(b)
	used.sets = used.sets[:2]
	var positions []quoridor.Position
	for range 40 {
		left := [2]int{}
		left[random.IntN(2)] = random.IntN(2)
		positions = append(positions, randomPosition(b, random, random.IntN(20), left))
	}
	for range 400 {
		p := positions[random.IntN(len(positions))]
		fresh := New(b)
		left := random.IntN(40) - 1
		a, m1, known := used.Outcome(&p, left)
		c, m2, told := fresh.Outcome(&p, left)
		o1, n1, k1 := used.Probe(&p)
		o2, n2, k2 := fresh.Probe(&p)
		if a != c || m1 != m2 || known != told || o1 != o2 || n1 != n2 || k1 != k2 {
			t.Fatalf("%s: the cache changes the answer", b.Format(p))
		}
	}
}

// racePositions returns positions of random walls in which the pawns are on their way.
func racePositions(n, walls int) (*quoridor.Board, []quoridor.Position) {
	random := rand.New(rand.NewPCG(5, 5))
	b := quoridor.MustBoard(9, 9, 10)
	var list []quoridor.Position
	for range n {
		list = append(list, randomPosition(b, random, walls, [2]int{}))
	}
	return b, list
}

// BenchmarkNewWalls asks about positions with ever new walls, the worst case; BenchmarkSameWalls about the pawn pairs of one.
func BenchmarkNewWalls(b *testing.B) {
	for _, walls := range []int{0, 10, 20} {
		b.Run(fmt.Sprintf("walls=%d", walls), func(b *testing.B) {
			board, list := racePositions(1000, walls)
			s := New(board)
			s.sets = s.sets[:1]
			for i := 0; b.Loop(); i++ {
				s.Outcome(&list[i%len(list)], -1)
			}
		})
	}
}

func BenchmarkSameWalls(b *testing.B) {
	board, list := racePositions(1, 20)
	p := list[0]
	s := New(board)
	for b.Loop() {
		s.Outcome(&p, -1)
	}
}

func BenchmarkInduction(b *testing.B) {
	board, list := racePositions(1000, 20)
	var g induction
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		p := &list[i%len(list)]
		g.reset(board, p)
		g.value(p)
	}
}

// TestWallSetsAreToldApart: a solver that has room for one set of walls does not take one for another that differs in a single wall, of either kind.
func TestWallSetsAreToldApart(t *testing.T) {
	b := quoridor.MustBoard(5, 5, 4)
	used := New(b)
	used.sets = used.sets[:1]
	outcomes := map[int]bool{}
	for range 2 {
		for _, text := range []string{
			"5x5 c2 b4 - 0,0 0", "5x5 c2 b4 b2h 0,0 0", "5x5 c2 b4 b2h,c2v 0,0 0", "5x5 c2 b4 b2h,c2v,a2v 0,0 0", "5x5 c2 b4 b2h,d2h 0,0 0",
			"5x5 c2 b4 b2h,d2h,a2v 0,0 0", "5x5 c2 b4 c2v 0,0 0", "5x5 c2 b4 c2v,a3h 0,0 0",
		} {
			_, p, err := quoridor.ParsePosition(text)
			if err != nil {
				t.Fatal(err)
			}
			outcome, plies, _ := used.Probe(&p)
			if want, wantPlies, _ := New(b).Probe(&p); outcome != want || plies != wantPlies {
				t.Errorf("%s: %d in %d after other walls, want %d in %d", text, outcome, plies, want, wantPlies)
			}
			outcomes[outcome*plies] = true
		}
	}
	if len(outcomes) < 3 {
		t.Errorf("the walls make no difference: %v", outcomes)
	}
}
