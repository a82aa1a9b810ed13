package quoridor

import (
	"context"
	"errors"
	"testing"
)

// TestPerftTable: a table of any size, even of one entry, never changes a count.
func TestPerftTable(t *testing.T) {
	for _, b := range []*Board{MustBoard(3, 3, 1), MustBoard(4, 4, 2), MustBoard(5, 3, 2), MustBoard(9, 9, 10)} {
		for _, bytes := range []int{0, 1000, 1 << 20} {
			table := b.NewPerftTable(bytes)
			for depth := 0; depth <= 4 && (b.W < 9 || depth < 4); depth++ {
				got, err := table.PerftContext(t.Context(), b.Start(), depth)
				if want := b.Perft(b.Start(), depth); err != nil || got != want {
					t.Errorf("%s, table of %d bytes, depth %d: %d nodes, want %d; %v", b, bytes, depth, got, want, err)
				}
			}
		}
	}
}

// TestPerftContext: it counts the same, and a count that would not end in this life stops with the context.
func TestPerftContext(t *testing.T) {
	b := MustBoard(5, 5, 2)
	for depth := range 6 {
		if got, err := b.PerftContext(t.Context(), b.Start(), depth); err != nil || got != b.Perft(b.Start(), depth) {
			t.Errorf("depth %d: %d, %v", depth, got, err)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := b.PerftContext(ctx, b.Start(), 30); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
	table := b.NewPerftTable(1000)
	if _, err := table.PerftContext(ctx, b.Start(), 30); !errors.Is(err, context.Canceled) {
		t.Errorf("with a table, after the end: %v", err)
	}
	got, err := table.PerftContext(t.Context(), b.Start(), 4)
	if want := b.Perft(b.Start(), 4); err != nil || got != want {
		t.Errorf("with the same table: %d nodes, want %d; %v", got, want, err)
	}
}
