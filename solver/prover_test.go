package solver

import (
	"context"
	"errors"
	"math/rand/v2"
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
			}
		}
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
