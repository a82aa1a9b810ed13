package solver

import (
	"context"
	"testing"

	"rampart/quoridor"
)

// TestWallSets compares the counted sets with listed ones.
func TestWallSets(t *testing.T) {
	for _, size := range [][2]int{{2, 3}, {3, 3}, {4, 3}, {3, 5}, {4, 4}} {
		b := quoridor.MustBoard(size[0], size[1], 1)
		s := newShape(b)
		for _, root := range []walls{{}, {h: 1}, {v: 1}} {
			want := map[walls]bool{root: true}
			for n, got := range s.wallSets(root, 8) {
				if got != float64(len(want)) {
					t.Errorf("%s from %s: %v sets of %d walls, want %d", b, root, got, n, len(want))
				}
				next := map[walls]bool{}
				for a := range want {
					forEachWall(s.fits(a), a, func(child walls) { next[child] = true })
				}
				want = next
			}
		}
	}
}

// TestAliveShare makes sure that the early check for memory does not refuse what would fit.
func TestAliveShare(t *testing.T) {
	for _, size := range [][2]int{{3, 3}, {6, 3}, {3, 6}, {4, 4}, {5, 4}, {4, 5}} {
		b := quoridor.MustBoard(size[0], size[1], (size[0]-1)*(size[1]-1))
		tab := newTable(newShape(b), walls{}, [2]int{b.Walls, b.Walls}, DefaultMemory)
		if err := tab.enumerate(context.Background()); err != nil {
			t.Fatal(err)
		}
		for n, sets := range tab.shape.wallSets(walls{}, b.Anchors()/2) {
			if n >= len(tab.layers) || float64(len(tab.layers[n].keys)) < sets/4*aliveShare {
				t.Errorf("%s: fewer than %v classes of %d walls", b, sets/4*aliveShare, n)
			}
		}
	}
}
