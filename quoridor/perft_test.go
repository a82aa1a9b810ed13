package quoridor

import "testing"

// TestPerftTable: a table of any size, even of one entry, never changes a count.
func TestPerftTable(t *testing.T) {
	for _, b := range []*Board{MustBoard(3, 3, 1), MustBoard(4, 4, 2), MustBoard(5, 3, 2), MustBoard(9, 9, 10)} {
		for _, bytes := range []int{0, 1000, 1 << 20} {
			table := b.NewPerftTable(bytes)
			for depth := 0; depth <= 4 && (b.W < 9 || depth < 4); depth++ {
				if got, want := table.Perft(b.Start(), depth), b.Perft(b.Start(), depth); got != want {
					t.Errorf("%s, table of %d bytes, depth %d: %d nodes, want %d", b, bytes, depth, got, want)
				}
			}
		}
	}
}
