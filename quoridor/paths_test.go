package quoridor

import (
	"math/rand/v2"
	"testing"
)

// TestPathsAgainstReference: along random games, a path has the distance's length and follows open edges to the goal, what is reachable
// is what the edge sets of the slow rules connect, and a wall that cuts off is named with the first player it leaves without a path.
func TestPathsAgainstReference(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	cutOff := 0
	for range 60 {
		b := MustBoard(3+random.IntN(7), 3+random.IntN(7), 4)
		if random.IntN(2) == 0 {
			b = MustBoard(b.W, b.H, b.Anchors())
		}
		r, p := newReference(b.W, b.H, b.Walls), b.Start()
		for ply := 0; ply < 60 && b.Winner(&p) < 0; ply++ {
			for player := range 2 {
				checkPath(t, b, &p, r, player)
			}
			for i := range Move(endOfWalls) {
				if reason := b.WhyIllegal(&p, i); reason == CutsOff0 || reason == CutsOff1 {
					cutOff++
					checkCut(t, b, &p, r, i, int(reason-CutsOff0))
				}
			}
			moves := b.Moves(nil, &p)
			m := moves[random.IntN(len(moves))]
			r.play(m)
			p = b.Play(p, m)
		}
	}
	if cutOff < 1000 {
		t.Errorf("only %d walls that cut off were seen", cutOff)
	}
}

func checkPath(t *testing.T, b *Board, p *Position, r *reference, player int) {
	t.Helper()
	path := b.Path(p, player)
	if len(path) != r.distance(player)+1 || path[0] != p.Pawn(player) || path[len(path)-1].Y() != (1-player)*(b.H-1) {
		t.Fatalf("%s: path %v of player %d, distance %d", b.Format(*p), path, player, r.distance(player))
	}
	for i := 1; i < len(path); i++ {
		if a, c := path[i-1], path[i]; !r.edge[[4]int{a.X(), a.Y(), c.X(), c.Y()}] {
			t.Fatalf("%s: the path of player %d goes through a wall from %s to %s", b.Format(*p), player, a, c)
		}
	}
	if n := len(b.Reachable(p, player)); n > b.Cells() || n < len(path) {
		t.Fatalf("%s: %d cells reachable", b.Format(*p), n)
	}
}

func checkCut(t *testing.T, b *Board, p *Position, r *reference, m Move, player int) {
	t.Helper()
	x, y, horizontal := m.Anchor()
	r.setWall(x, y, horizontal, true)
	defer r.setWall(x, y, horizontal, false)
	for other := range player + 1 {
		if cut := r.distance(other) < 0; cut != (other == player) {
			t.Fatalf("%s: %s: player %d is said to be the first that is cut off", b.Format(*p), m, player)
		}
	}
	after := b.Play(*p, m)
	if b.Path(&after, player) != nil {
		t.Fatalf("%s: a path through %s", b.Format(*p), m)
	}
	inside := map[Cell]bool{}
	for _, c := range b.Reachable(&after, player) {
		inside[c] = true
	}
	for _, c := range b.Reachable(&after, player) {
		for _, d := range steps {
			x, y := c.X()+d.dx, c.Y()+d.dy
			if r.edge[[4]int{c.X(), c.Y(), x, y}] && !inside[CellAt(x, y)] {
				t.Fatalf("%s: %s: %s can be reached from %s but is left out", b.Format(*p), m, CellAt(x, y), c)
			}
		}
	}
	if !inside[p.Pawn(player)] {
		t.Fatalf("%s: the pawn's own cell is missing", b.Format(*p))
	}
}
