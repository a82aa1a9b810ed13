package quoridor

import (
	"math/rand/v2"
	"testing"
)

// TestDetoursAgainstReference: along random games each wall that fits costs the steps by which the slow rules' distance grows, whoever
// is to move and however many walls he has; walls that do not fit cost nothing.
func TestDetoursAgainstReference(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 9))
	costly, closing := 0, 0
	for range 40 {
		b := MustBoard(2+random.IntN(8), 3+random.IntN(7), 6)
		b = MustBoard(b.W, b.H, min(6, b.Anchors()))
		r, p := newReference(b.W, b.H, b.Walls), b.Start()
		for ply := 0; ply < 50 && b.Winner(&p) < 0; ply++ {
			for player := range 2 {
				var got Detours
				b.Detours(&p, player, &got)
				for i := range 64 {
					x, y := i%8, i/8
					for _, horizontal := range []bool{true, false} {
						have, want := got.V[i], r.detour(player, x, y, horizontal)
						if horizontal {
							have = got.H[i]
						}
						if have != want {
							t.Fatalf("%s: the wall at %d,%d (horizontal %v) costs player %d %d steps, want %d", b.Format(p), x, y, horizontal, player, have, want)
						}
						if want == Unreachable {
							closing++
						} else if want > 0 {
							costly++
						}
					}
				}
			}
			moves := b.Moves(nil, &p)
			m := moves[random.IntN(len(moves))]
			if pawns := b.PawnMoves(nil, &p); random.IntN(2) == 0 {
				m = pawns[random.IntN(len(pawns))]
			}
			r.play(m)
			p = b.Play(p, m)
		}
	}
	if costly < 1000 || closing < 100 {
		t.Errorf("%d walls cost steps, %d closed a way: too few to tell", costly, closing)
	}
}

// detour returns the steps that a wall costs the player, as [Board.Detours] does.
func (r *reference) detour(player, x, y int, horizontal bool) uint8 {
	if x >= r.w-1 || y >= r.h-1 || !r.wallFits(x, y, horizontal) {
		return 0
	}
	before := r.distance(player)
	r.setWall(x, y, horizontal, true)
	after := r.distance(player)
	r.setWall(x, y, horizontal, false)
	if after < 0 {
		return Unreachable
	}
	return uint8(after - before)
}

// A pawn that is walled in has no way that a wall could lengthen.
func TestDetoursWithoutPath(t *testing.T) {
	b := MustBoard(4, 4, 4)
	p := b.Start()
	p.h = 1 | 1<<2
	if b.Distance(&p, 0) != Unreachable {
		t.Fatal("the pawn is not walled in")
	}
	got := Detours{H: [64]uint8{1}}
	b.Detours(&p, 0, &got)
	if got != (Detours{}) {
		t.Errorf("%v", got)
	}
}

func BenchmarkDetours(b *testing.B) {
	board, list := benchPositions(b)
	var d Detours
	b.ReportAllocs()
	for b.Loop() {
		for i := range list {
			board.Detours(&list[i], 0, &d)
			board.Detours(&list[i], 1, &d)
		}
	}
	b.ReportMetric(float64(b.N*len(list))/b.Elapsed().Seconds(), "positions/s")
}
