package nn

import (
	"errors"
	"math"
	"slices"
	"sync"
	"testing"

	"rampart/quoridor"
)

func open(t testing.TB, backend string, m *Model) Evaluator {
	t.Helper()
	e, err := NewEvaluator(backend, m)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

func TestBackendsAgree(t *testing.T) {
	noDistance, detours := full, tiny
	noDistance.NoDistance, detours.DetourPlanes = true, true
	for _, c := range []struct {
		board *quoridor.Board
		cfg   Config
	}{{quoridor.MustBoard(5, 5, 2), tiny}, {quoridor.MustBoard(4, 7, 5), noDistance}, {quoridor.MustBoard(9, 9, 10), detours}} {
		b := c.board
		t.Run(b.String(), func(t *testing.T) {
			m := newModel(t, b, c.cfg, 1)
			native, graph, worst := open(t, "native", m), open(t, "gorgonia", m), 0.0
			for _, n := range []int{1, 3, 8, 64} {
				onnx, err := newONNXBatch(m, n)
				if err != nil {
					t.Fatal(err)
				}
				pos := positions(b, n, uint64(n))
				want := evaluate(t, native, pos)
				worst = max(worst, compare(t, "gorgonia", want, evaluate(t, graph, pos)))
				worst = max(worst, compare(t, "onnx", want, evaluate(t, newEvaluator(NewEncoder(m.Config, b), onnx), pos)))
			}
			t.Logf("worst difference %.2g", worst)
		})
	}
}

func compare(t *testing.T, name string, want, got results) (worst float64) {
	t.Helper()
	check := func(i int, a, b float32) {
		d := math.Abs(float64(a - b))
		worst = max(worst, d)
		if !(d <= 1e-4) {
			t.Fatalf("%s, position %d: %v, native %v", name, i, b, a)
		}
	}
	for i := range want.wdl {
		for j, v := range want.wdl[i] {
			check(i, v, got.wdl[i][j])
		}
		for j, v := range want.logits[i] {
			check(i, v, got.logits[i][j])
		}
	}
	return worst
}

// The board turned with the players exchanged is the same to the mover; the
// mirror image is the same but for the names of the moves. Bit for bit.
func TestEvaluationIsInvariant(t *testing.T) {
	b := quoridor.MustBoard(5, 6, 4)
	pos := append(positions(b, 40, 2), b.Start())
	for _, name := range Backends() {
		t.Run(name, func(t *testing.T) {
			e := open(t, name, newModel(t, b, tiny, 1))
			want := evaluate(t, e, pos)
			for _, c := range []struct {
				name string
				pos  func(quoridor.Position) quoridor.Position
				move func(quoridor.Move) quoridor.Move
			}{
				{"turned", b.Turn, b.TurnMove},
				{"mirrored", b.Mirror, b.MirrorMove},
				{
					"turned and mirrored",
					func(p quoridor.Position) quoridor.Position { return b.Mirror(b.Turn(p)) },
					func(m quoridor.Move) quoridor.Move { return b.MirrorMove(b.TurnMove(m)) },
				},
			} {
				var mapped []quoridor.Position
				for _, p := range pos {
					mapped = append(mapped, c.pos(p))
				}
				got := evaluate(t, e, mapped)
				for i := range pos {
					if got.wdl[i] != want.wdl[i] {
						t.Fatalf("%s: wdl %v, was %v", c.name, got.wdl[i], want.wdl[i])
					}
					for j, m := range want.moves[i] {
						k := slices.Index(got.moves[i], c.move(m))
						if k < 0 || got.logits[i][k] != want.logits[i][j] {
							t.Fatalf("%s: the logit of %v differs", c.name, m)
						}
					}
				}
			}
		})
	}
}

// A position's result does not depend on the others of the batch.
func TestEvaluationIsIndependentOfBatch(t *testing.T) {
	b := quoridor.MustBoard(5, 5, 3)
	pos := positions(b, 70, 3)
	for _, name := range Backends() {
		t.Run(name, func(t *testing.T) {
			e := open(t, name, newModel(t, b, tiny, 1))
			want := evaluate(t, e, pos)
			for _, n := range []int{1, 2, 5, 8, 65} {
				for from := 0; from < len(pos); from += n {
					part := pos[from:min(from+n, len(pos))]
					got := evaluate(t, e, part)
					for i := range part {
						if got.wdl[i] != want.wdl[from+i] || !slices.Equal(got.logits[i], want.logits[from+i]) {
							t.Fatalf("position %d differs in batches of %d", from+i, n)
						}
					}
				}
			}
		})
	}
}

// Goroutines with an evaluator each may share a model.
func TestEvaluatorsInParallel(t *testing.T) {
	b := quoridor.MustBoard(5, 5, 3)
	m, pos := newModel(t, b, tiny, 1), positions(b, 3, 3)
	want := evaluate(t, open(t, "native", m), pos)
	var group sync.WaitGroup
	for i := range 2 * len(Backends()) {
		e := open(t, Backends()[i/2], m)
		r := newResults(b, pos)
		group.Go(func() {
			for range 3 {
				if err := e.Evaluate(pos, r.moves, r.logits, r.wdl); err != nil {
					t.Error(err)
				}
			}
			for j := range pos {
				if math.Abs(float64(r.wdl[j][0]-want.wdl[j][0])) > 1e-4 && !Approximate(Backends()[i/2]) {
					t.Errorf("%s: %v, alone %v", Backends()[i/2], r.wdl[j], want.wdl[j])
				}
			}
		})
	}
	group.Wait()
}

func TestNativeDoesNotAllocate(t *testing.T) {
	b := quoridor.MustBoard(5, 5, 3)
	e := open(t, "native", newModel(t, b, tiny, 1))
	pos := positions(b, 1, 3)
	r := newResults(b, pos)
	if n := testing.AllocsPerRun(20, func() {
		if err := e.Evaluate(pos, r.moves, r.logits, r.wdl); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestWDLIsADistribution(t *testing.T) {
	for _, logits := range [][3]float32{{0, 0, 0}, {1e30, -1e30, 0}, {-3e38, -3e38, -3e38}, {1, 2, 3}} {
		p := softmax(logits)
		sum := float64(p[0]) + float64(p[1]) + float64(p[2])
		if !(math.Abs(sum-1) < 1e-6) {
			t.Errorf("softmax(%v) = %v", logits, p)
		}
	}
}

func TestNewEvaluatorErrors(t *testing.T) {
	b := quoridor.MustBoard(5, 5, 3)
	m := newModel(t, b, tiny, 1)
	if _, err := NewEvaluator("gpu", m); !errors.Is(err, ErrBackend) {
		t.Errorf("error %v", err)
	}
	if _, err := newONNXBatch(m, -1); err == nil { // onnx-go panics
		t.Error("a batch of -1: no error")
	}
	e := open(t, "", m)
	if err := e.Evaluate(make([]quoridor.Position, 2), nil, nil, nil); !errors.Is(err, ErrBackend) {
		t.Errorf("error %v", err)
	}
}

// A model moves to another board of any size.
func TestWithBoard(t *testing.T) {
	m := newModel(t, quoridor.MustBoard(5, 5, 3), tiny, 1)
	big := quoridor.MustBoard(9, 9, 10)
	moved, err := m.WithBoard(big)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range Backends() {
		e := open(t, name, moved)
		if e.Board() != big {
			t.Fatalf("%s is on %v", name, e.Board())
		}
		evaluate(t, e, positions(big, 2, 1))
	}
	if m.Board.W != 5 {
		t.Error("the first model changed")
	}
	if _, err := m.WithBoard(quoridor.MustBoard(2, 5, 0)); !errors.Is(err, ErrIncompatible) {
		t.Errorf("2 columns: %v", err)
	}
}
