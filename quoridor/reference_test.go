package quoridor

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// reference is a slow, obvious rules engine that shares no code with the package but its types: the board is a graph, a wall
// deletes two edges, legality is a search.
type reference struct {
	w, h   int
	edge   map[[4]int]bool // x, y, x2, y2, both ways
	hWalls map[[2]int]bool
	vWalls map[[2]int]bool
	pawn   [2][2]int
	left   [2]int
	side   int
}

func newReference(w, h, walls int) *reference {
	r := &reference{
		w: w, h: h, edge: map[[4]int]bool{}, hWalls: map[[2]int]bool{}, vWalls: map[[2]int]bool{},
		pawn: [2][2]int{{w / 2, 0}, {w / 2, h - 1}}, left: [2]int{walls, walls},
	}
	for x := range w {
		for y := range h {
			if x+1 < w {
				r.setEdge(x, y, x+1, y, true)
			}
			if y+1 < h {
				r.setEdge(x, y, x, y+1, true)
			}
		}
	}
	return r
}

func (r *reference) setEdge(x, y, x2, y2 int, open bool) {
	r.edge[[4]int{x, y, x2, y2}] = open
	r.edge[[4]int{x2, y2, x, y}] = open
}

func (r *reference) setWall(x, y int, horizontal, place bool) {
	if horizontal {
		r.hWalls[[2]int{x, y}] = place
		r.setEdge(x, y, x, y+1, !place)
		r.setEdge(x+1, y, x+1, y+1, !place)
	} else {
		r.vWalls[[2]int{x, y}] = place
		r.setEdge(x, y, x+1, y, !place)
		r.setEdge(x, y+1, x+1, y+1, !place)
	}
}

// distance is the length of the player's shortest path, or -1.
func (r *reference) distance(player int) int {
	goal := (1 - player) * (r.h - 1)
	seen := map[[2]int]int{r.pawn[player]: 0}
	for queue := [][2]int{r.pawn[player]}; len(queue) > 0; queue = queue[1:] {
		c := queue[0]
		if c[1] == goal {
			return seen[c]
		}
		for _, d := range [][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
			n := [2]int{c[0] + d[0], c[1] + d[1]}
			if _, known := seen[n]; !known && r.edge[[4]int{c[0], c[1], n[0], n[1]}] {
				seen[n] = seen[c] + 1
				queue = append(queue, n)
			}
		}
	}
	return -1
}

// wallFits tells whether the wall neither overlaps nor crosses one that is there.
func (r *reference) wallFits(x, y int, horizontal bool) bool {
	at := func(m map[[2]int]bool, x, y int) bool { return m[[2]int{x, y}] }
	if at(r.hWalls, x, y) || at(r.vWalls, x, y) {
		return false
	}
	if horizontal {
		return !at(r.hWalls, x-1, y) && !at(r.hWalls, x+1, y)
	}
	return !at(r.vWalls, x, y-1) && !at(r.vWalls, x, y+1)
}

func (r *reference) wallIsLegal(x, y int, horizontal bool) bool {
	if r.left[r.side] == 0 || !r.wallFits(x, y, horizontal) {
		return false
	}
	r.setWall(x, y, horizontal, true)
	legal := r.distance(0) >= 0 && r.distance(1) >= 0
	r.setWall(x, y, horizontal, false)
	return legal
}

func (r *reference) pawnTargets() [][2]int {
	var out [][2]int
	me, other := r.pawn[r.side], r.pawn[1-r.side]
	for _, d := range [][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
		n := [2]int{me[0] + d[0], me[1] + d[1]}
		if !r.edge[[4]int{me[0], me[1], n[0], n[1]}] {
			continue
		}
		if n != other {
			out = append(out, n)
			continue
		}
		if over := [2]int{n[0] + d[0], n[1] + d[1]}; r.edge[[4]int{n[0], n[1], over[0], over[1]}] {
			out = append(out, over)
			continue
		}
		for _, s := range [][2]int{{d[1], d[0]}, {-d[1], -d[0]}} {
			if beside := [2]int{n[0] + s[0], n[1] + s[1]}; r.edge[[4]int{n[0], n[1], beside[0], beside[1]}] {
				out = append(out, beside)
			}
		}
	}
	return out
}

func (r *reference) moves() []string {
	var out []string
	for _, c := range r.pawnTargets() {
		out = append(out, string([]byte{'a' + byte(c[0]), '1' + byte(c[1])}))
	}
	for x := range r.w - 1 {
		for y := range r.h - 1 {
			for _, horizontal := range []bool{true, false} {
				if r.wallIsLegal(x, y, horizontal) {
					out = append(out, string([]byte{'a' + byte(x), '1' + byte(y), map[bool]byte{true: 'h', false: 'v'}[horizontal]}))
				}
			}
		}
	}
	slices.Sort(out)
	return out
}

func (r *reference) play(m Move) {
	if m.IsPawn() {
		r.pawn[r.side] = [2]int{m.Cell().X(), m.Cell().Y()}
	} else {
		x, y, horizontal := m.Anchor()
		r.setWall(x, y, horizontal, true)
		r.left[r.side]--
	}
	r.side = 1 - r.side
}

// TestMovesAgainstReference compares every move list and distance along random games with the reference: the first check of
// the page that the project comes from, every wall of a position by two methods that share no code, on 250,000 walls and more.
func TestMovesAgainstReference(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 1))
	walls := 0
	for _, size := range [][3]int{{2, 3, 2}, {3, 3, 1}, {3, 5, 3}, {4, 7, 3}, {5, 3, 3}, {5, 5, 2}, {6, 6, 4}, {7, 4, 5}, {8, 3, 3}, {8, 8, 8}, {9, 9, 10}, {9, 9, 20}, {9, 4, 8}, {4, 9, 8}} {
		b := MustBoard(size[0], size[1], size[2])
		for range 12 {
			r, p := newReference(size[0], size[1], size[2]), b.Start()
			for ply := 0; ply < 60 && b.Winner(&p) < 0; ply++ {
				moves := b.Moves(nil, &p)
				var names []string
				for _, m := range moves {
					names = append(names, m.String())
					if !b.IsLegal(&p, m) {
						t.Fatalf("%s: %s is in the list but not legal", b.Format(p), m)
					}
				}
				slices.Sort(names)
				if want := r.moves(); !slices.Equal(names, want) {
					t.Fatalf("%s:\ngot  %v\nwant %v", b.Format(p), names, want)
				}
				if b.CountMoves(&p) != len(moves) {
					t.Fatalf("%s: CountMoves %d, want %d", b.Format(p), b.CountMoves(&p), len(moves))
				}
				for player := range 2 {
					var field [NumCells]uint8
					b.Distances(&p, player, &field)
					if got, want := b.Distance(&p, player), r.distance(player); got != want || int(field[p.Pawn(player)]) != want {
						t.Fatalf("%s: distance of player %d is %d (field %d), want %d", b.Format(p), player, got, field[p.Pawn(player)], want)
					}
				}
				if p.left[p.side] > 0 {
					walls += 2 * b.Anchors()
				}
				m := moves[random.IntN(len(moves))]
				if random.IntN(2) == 0 { // as many walls as pawn moves, so that the board fills up
					m = moves[random.IntN(len(b.PawnMoves(nil, &p)))]
				}
				p = b.Play(p, m)
				r.play(m)
			}
		}
	}
	if walls < 100*128 {
		t.Errorf("only %d walls were compared", walls)
	}
}

// TestRandomGamesStayConnected is the second check of that page at a hundred times its size: 40,000 random games, and after
// every ply a search that shares no code with the package finds both players a path. No game is ever without a move.
func TestRandomGamesStayConnected(t *testing.T) {
	games := 40_000
	if testing.Short() {
		games = 1_000
	}
	b := MustBoard(9, 9, 10)
	random := rand.New(rand.NewPCG(8, 1))
	var buffer [MaxMoves]Move
	plies := 0
	for range games {
		p := b.Start()
		reach := [2][81]bool{reachable(p, 8), reachable(p, 0)}
		for ply := 0; ply < 400 && b.Winner(&p) < 0; ply++ {
			moves := b.Moves(buffer[:0], &p)
			if len(moves) == 0 {
				t.Fatalf("%s: no legal move", b.Format(p))
			}
			m := moves[random.IntN(len(moves))]
			p = b.Play(p, m)
			if m.IsWall() {
				reach = [2][81]bool{reachable(p, 8), reachable(p, 0)}
			}
			if !reach[0][p.Pawn(0)] || !reach[1][p.Pawn(1)] {
				t.Fatalf("%s: a player is cut off", b.Format(p))
			}
			plies++
		}
	}
	t.Logf("%d games, %d plies", games, plies)
}

// reachable fills outwards, cell by cell on a 9x9 board, from a goal row.
func reachable(p Position, goalRow int) (seen [81]bool) {
	wall := func(set uint64, x, y int) bool { return x >= 0 && x < 8 && y >= 0 && y < 8 && set>>(8*y+x)&1 == 1 }
	var stack []int
	push := func(x, y int) {
		if x >= 0 && x < 9 && y >= 0 && y < 9 && !seen[9*y+x] {
			seen[9*y+x] = true
			stack = append(stack, 9*y+x)
		}
	}
	for x := range 9 {
		push(x, goalRow)
	}
	for len(stack) > 0 {
		x, y := stack[len(stack)-1]%9, stack[len(stack)-1]/9
		stack = stack[:len(stack)-1]
		if !wall(p.h, x, y) && !wall(p.h, x-1, y) {
			push(x, y+1)
		}
		if !wall(p.h, x, y-1) && !wall(p.h, x-1, y-1) {
			push(x, y-1)
		}
		if !wall(p.v, x, y) && !wall(p.v, x, y-1) {
			push(x+1, y)
		}
		if !wall(p.v, x-1, y) && !wall(p.v, x-1, y-1) {
			push(x-1, y)
		}
	}
	return seen
}
