package arena

import (
	"testing"

	"rampart/quoridor"
)

// randomPositions calls check on positions of random games on boards of many shapes.
func randomPositions(t *testing.T, games int, check func(b *quoridor.Board, p quoridor.Position)) {
	t.Helper()
	random := newRand(42)
	for _, size := range [][3]int{{9, 9, 10}, {5, 5, 4}, {3, 3, 2}, {4, 7, 3}, {8, 3, 5}, {2, 5, 2}, {9, 4, 20}} {
		b := quoridor.MustBoard(size[0], size[1], min(size[2], (size[0]-1)*(size[1]-1)))
		for range games {
			g := quoridor.NewGame(b, b.Start(), quoridor.Rules{PlyCap: 60})
			for g.Result() == quoridor.Undecided {
				check(b, g.Position())
				playRandomly(g, 1, random)
			}
		}
	}
}

// anchorsOf lists the anchors of the board.
func anchorsOf(b *quoridor.Board) (list [][2]int) {
	for y := range b.H - 1 {
		for x := range b.W - 1 {
			list = append(list, [2]int{x, y})
		}
	}
	return list
}

// TestFittingAndTouchingWalls compares the bit operations with walls as segments of the anchor lattice.
func TestFittingAndTouchingWalls(t *testing.T) {
	type point [2]int
	points := func(x, y int, horizontal bool) [3]point {
		if horizontal {
			return [3]point{{x - 1, y}, {x, y}, {x + 1, y}}
		}
		return [3]point{{x, y - 1}, {x, y}, {x, y + 1}}
	}
	randomPositions(t, 3, func(b *quoridor.Board, p quoridor.Position) {
		g := newGrid(b)
		fitH, fitV := g.fittingWalls(p.HWalls(), p.VWalls())
		touchH, touchV := touching(p.HWalls(), p.VWalls())
		for _, a := range anchorsOf(b) {
			for _, horizontal := range []bool{true, false} {
				fits, touches := true, false
				for _, w := range p.Walls() {
					wx, wy, wh := w.Anchor()
					mine, other := points(a[0], a[1], horizontal), points(wx, wy, wh)
					shared := 0
					for _, q := range mine {
						for _, r := range other {
							if q == r {
								shared++
							}
						}
					}
					if wh == horizontal && shared > 1 || mine[1] == other[1] {
						fits = false
					}
					touches = touches || shared > 0
				}
				bit := anchorBit(a[0], a[1])
				gotFits, gotTouches := fitH&bit != 0, touchH&bit != 0
				if !horizontal {
					gotFits, gotTouches = fitV&bit != 0, touchV&bit != 0
				}
				if gotFits != fits || fits && gotTouches != touches {
					t.Fatalf("%s: wall at %v, horizontal %v: fits %v (want %v), touches %v (want %v)", b.Format(p), a, horizontal, gotFits, fits, gotTouches, touches)
				}
			}
		}
	})
}

// TestEveryDetourCutsThePath checks that a wall which lengthens a shortest path is among pathCuts, and that all of pathCuts cut
// a way that leads down the distance field.
func TestEveryDetourCutsThePath(t *testing.T) {
	randomPositions(t, 3, func(b *quoridor.Board, p quoridor.Position) {
		g := newGrid(b)
		for player := range 2 {
			var field [quoridor.NumCells]uint8
			b.Distances(&p, player, &field)
			cutH, cutV := g.pathCuts(p.HWalls(), p.VWalls(), p.Pawn(player), &field)
			legalH, legalV := b.LegalWalls(&p)
			var buffer [quoridor.MaxMoves]quoridor.Move
			for _, m := range walls(buffer[:0], legalH, legalV) {
				after := b.Play(p, m)
				x, y, horizontal := m.Anchor()
				cut := cutV
				if horizontal {
					cut = cutH
				}
				if b.Distance(&after, player) > b.Distance(&p, player) && cut&anchorBit(x, y) == 0 {
					t.Fatalf("%s: %s lengthens the path of player %d but does not cut it", b.Format(p), m, player)
				}
			}
		}
	})
}
