package solver

import (
	"context"
	"errors"
	"testing"

	"rampart/quoridor"
)

func TestVerify(t *testing.T) {
	for _, tt := range []struct{ w, h, n, every int }{
		{3, 3, 4, 1}, {2, 5, 4, 1}, {3, 5, 2, 1}, {3, 5, 8, 40}, {4, 4, 2, 10}, {5, 5, 2, 100}, {9, 3, 1, 5}, {9, 9, 0, 1},
	} {
		s := prepared(t, tt.w, tt.h, tt.n)
		n, err := s.Verify(context.Background(), tt.every)
		if err != nil || n == 0 {
			t.Errorf("%s: %d positions checked, %v", s.Board(), n, err)
		}
	}
}

// TestVerifyFindsEveryFault changes single values of a table, at least one of each kind.
func TestVerifyFindsEveryFault(t *testing.T) {
	s := prepared(t, 3, 3, 2)
	tab := s.tables.Load().whole
	for k, l := range tab.layers {
		block := l.block(0, 0)
		for i := 0; i < len(block); i += 7 {
			if i%tab.stride >= tab.shape.pairs {
				continue
			}
			good := block[i]
			for _, bad := range []code{codeIllegal, codeDraw, winCode(9), lossCode(9)} {
				if bad == good {
					continue
				}
				block[i] = bad
				if _, err := s.Verify(context.Background(), 1); !errors.Is(err, ErrInconsistent) {
					t.Fatalf("layer %d, value %d changed from %s to %s: %v", k, i, describe(good), describe(bad), err)
				}
			}
			block[i] = good
		}
	}
	if _, err := s.Verify(context.Background(), 1); err != nil {
		t.Fatal(err)
	}
}

func TestVerifyStops(t *testing.T) {
	s := prepared(t, 3, 5, 2)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.Verify(ctx, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestSolverAnswers(t *testing.T) {
	ctx := context.Background()
	b := quoridor.MustBoard(3, 5, 3)
	s, err := New(b, Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	p := b.Start()
	v, err := s.Value(ctx, p)
	if err != nil {
		t.Fatal(err)
	}
	line, err := s.Line(ctx, p, 100)
	if err != nil || len(line) != v.Plies {
		t.Fatalf("%v, but the line has %d moves (%v)", v, len(line), err)
	}
	for _, m := range line {
		best, err := s.Best(ctx, p)
		if err != nil || best.Move != m || best.Value != v {
			t.Fatalf("%s: best %v (%v), want %v with %v", b.Format(p), best, err, m, v)
		}
		p = b.Play(p, m)
		if v, err = s.Value(ctx, p); err != nil {
			t.Fatal(err)
		}
	}
	if b.Winner(&p) < 0 || v.Plies != 0 {
		t.Errorf("the line ends in %s, %v", b.Format(p), v)
	}
	if best, err := s.Best(ctx, p); err != nil || best.Move != quoridor.NoMove || best.Value != v {
		t.Errorf("finished game: %v, %v", best, err)
	}
}

func TestLineEndsAtRepetition(t *testing.T) {
	b, p, err := quoridor.ParsePosition("8x3 e1 e3 - 3,3 0")
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(b, Options{})
	if err != nil {
		t.Fatal(err)
	}
	v, err := s.Value(context.Background(), p)
	if err != nil || v.Outcome != Draw {
		t.Fatalf("8x3 with 3 walls: %v (%v), want a draw", v, err)
	}
	line, err := s.Line(context.Background(), p, 1000)
	if err != nil || len(line) == 0 || len(line) > 100 {
		t.Errorf("line of %d moves, %v", len(line), err)
	}
}

// TestLittleMemory solves with so little memory that layers are given up, and gets the same values.
func TestLittleMemory(t *testing.T) {
	ctx := context.Background()
	b := quoridor.MustBoard(5, 5, 2)
	rich, err := New(b, Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	for limit := int64(1 << 20); ; limit += 1 << 19 {
		poor, err := New(b, Options{Workers: 1, Memory: limit})
		if err != nil {
			t.Fatal(err)
		}
		got, err := poor.MoveValues(ctx, nil, b.Start())
		if errors.Is(err, ErrMemory) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := poor.Prepare(ctx); !errors.Is(err, ErrMemory) {
			t.Fatalf("the whole table fits into %s (%v), so nothing was given up", FormatBytes(limit), err)
		}
		want, err := rich.MoveValues(ctx, nil, b.Start())
		if err != nil {
			t.Fatal(err)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%v, want %v", got[i], want[i])
			}
		}
		line, err := poor.Line(ctx, b.Start(), 100)
		if err != nil || len(line) != 18 {
			t.Errorf("line of %d moves (%v), want 18", len(line), err)
		}
		return
	}
}

func TestSolverRefuses(t *testing.T) {
	ctx := context.Background()
	s, err := New(quoridor.MustBoard(3, 3, 1), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Value(ctx, quoridor.MustBoard(9, 9, 10).Start()); !errors.Is(err, ErrBoard) {
		t.Errorf("position of 9x9 on 3x3: %v", err)
	}
	if _, err := New(quoridor.MustBoard(3, 3, 1), Options{Memory: -1}); err == nil {
		t.Error("negative memory was accepted")
	}
	huge, err := New(quoridor.MustBoard(9, 9, 10), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := huge.Value(ctx, huge.Board().Start()); !errors.Is(err, ErrMemory) {
		t.Errorf("9x9 with 10 walls: %v", err)
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if err := s.Prepare(cancelled); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
