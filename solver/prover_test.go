package solver

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"rampart/quoridor"
)

// TestProverMatchesTables compares the search with the tables, in random positions of small boards.
func TestProverMatchesTables(t *testing.T) {
	ctx := context.Background()
	r := rand.New(rand.NewPCG(7, 8))
	for _, size := range [][3]int{{3, 3, 1}, {3, 3, 4}, {3, 4, 2}, {3, 5, 2}, {5, 3, 2}, {4, 4, 1}, {5, 5, 1}, {2, 5, 3}} {
		s := prepared(t, size[0], size[1], size[2])
		b := s.Board()
		prover, err := NewProver(b, SearchOptions{Memory: 1 << 24})
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			p := b.Start()
			for range r.IntN(10) {
				moves := b.Moves(nil, &p)
				q := b.Play(p, moves[r.IntN(len(moves))])
				if b.Winner(&q) >= 0 {
					break
				}
				p = q
			}
			want, err := s.Value(ctx, p)
			if err != nil {
				t.Fatal(err)
			}
			const most = 13
			got, err := prover.Prove(ctx, p, most)
			switch {
			case want.Outcome == Draw || want.Plies > most:
				if !errors.Is(err, ErrUndecided) {
					t.Errorf("%s: %v (%v), want nothing within %d plies: %v", b.Format(p), got, err, most, want)
				}
			case err != nil || got != want:
				t.Errorf("%s: %v (%v), want %v", b.Format(p), got, err, want)
			default:
				checkLine(t, s, p, prover.Line(ctx, p, got))
			}
		}
	}
}

// checkLine checks that every move of the line is one of the best.
func checkLine(t *testing.T, s *Solver, p quoridor.Position, line []quoridor.Move) {
	t.Helper()
	for _, m := range line {
		moves, err := s.MoveValues(context.Background(), nil, p)
		if err != nil {
			t.Fatal(err)
		}
		v, err := s.Value(context.Background(), p)
		if err != nil || !slices.Contains(moves, MoveValue{m, v}) {
			t.Fatalf("%s: %s is not a best move, which is a %s (%v)", s.Board().Format(p), m, v, err)
		}
		p = s.Board().Play(p, m)
	}
	if s.Board().Winner(&p) < 0 {
		t.Errorf("the line ends too early, in %s", s.Board().Format(p))
	}
}

func TestProverLimits(t *testing.T) {
	b := quoridor.MustBoard(7, 7, 4)
	if _, err := NewProver(b, SearchOptions{Memory: 1000}); !errors.Is(err, ErrMemory) {
		t.Errorf("1000 bytes: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	prover, err := NewProver(b, SearchOptions{Memory: 1 << 22, Progress: func(p SearchProgress) {
		if p.Depth == 9 {
			cancel()
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := prover.Prove(ctx, b.Start(), 60); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestProverSmallTable gives the search so small a table that entries are replaced all the time.
func TestProverSmallTable(t *testing.T) {
	b := quoridor.MustBoard(4, 3, 2)
	prover, err := NewProver(b, SearchOptions{Memory: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	prover.table = newTranspositions(1 << 10)
	if v, err := prover.Prove(context.Background(), b.Start(), 30); err != nil || v != (Value{Loss, 10}) {
		t.Errorf("%v, %v", v, err)
	}
}

func TestSearchCheckpoint(t *testing.T) {
	b := quoridor.MustBoard(3, 5, 2)
	file := filepath.Join(t.TempDir(), "search.ckpt")
	prove := func(ctx context.Context, b *quoridor.Board, progress func(SearchProgress)) (Value, *Prover, error) {
		p, err := NewProver(b, SearchOptions{Memory: 1 << 22, Checkpoint: file, Progress: progress})
		if err != nil {
			t.Fatal(err)
		}
		v, err := p.Prove(ctx, b.Start(), 40)
		return v, p, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	_, _, err := prove(ctx, b, func(p SearchProgress) {
		if p.Depth == 17 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("the search was not stopped: %v", err)
	}
	good, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for at := 0; at < len(good); at += 1 + len(good)/200 {
		bad := bytes.Clone(good)
		bad[at] ^= 4
		for _, content := range [][]byte{bad, good[:at]} {
			if err := os.WriteFile(file, content, 0o644); err != nil {
				t.Fatal(err)
			}
			if v, _, err := prove(context.Background(), b, nil); err == nil && v != (Value{Loss, 18}) {
				t.Fatalf("damaged at %d: wrong value %v", at, v)
			} else if err != nil && !errors.Is(err, ErrCheckpoint) {
				t.Fatalf("damaged at %d: %v", at, err)
			}
		}
	}
	if err := os.WriteFile(file, good, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err := prove(context.Background(), quoridor.MustBoard(3, 5, 3), nil); !errors.Is(err, ErrCheckpoint) {
		t.Errorf("another board's: %v", err)
	}
	first := 0
	v, _, err := prove(context.Background(), b, func(p SearchProgress) {
		if first == 0 {
			first = p.Depth
		}
	})
	if err != nil || v != (Value{Loss, 18}) || first < 17 {
		t.Errorf("resumed at depth %d: %v, %v", first, v, err)
	}
	if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the checkpoint is still there: %v", err)
	}
}
