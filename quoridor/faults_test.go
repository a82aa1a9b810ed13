package quoridor

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestOneWallTypedAndGeneratedCutsTheSameEdges: what is typed is what is generated and played, and it cuts the two edges that the notation
// names and no other.
func TestOneWallTypedAndGeneratedCutsTheSameEdges(t *testing.T) {
	for _, b := range allBoards() {
		if b.Walls == 0 {
			continue
		}
		start := b.Start()
		for _, m := range b.Moves(nil, &start) {
			if !m.IsWall() {
				continue
			}
			typed, err := b.ParseLegal(&start, m.String())
			if err != nil || typed != m {
				t.Fatalf("%s: %s is read as %s (%v)", b, m, typed, err)
			}
			x, y := int(m.String()[0]-'a'), int(m.String()[1]-'1')
			want := [][2]Cell{{CellAt(x, y), CellAt(x+1, y)}, {CellAt(x, y+1), CellAt(x+1, y+1)}} // right of the square and of the one above
			if m.String()[2] == 'h' {
				want = [][2]Cell{{CellAt(x, y), CellAt(x, y+1)}, {CellAt(x+1, y), CellAt(x+1, y+1)}} // above the square and its right neighbour
			}
			if got := cutEdges(b, b.Play(start, typed)); !slices.Equal(got, want) {
				t.Fatalf("%s: %s cuts %v, want %v", b, m, got, want)
			}
		}
	}
}

// cutEdges lists the pairs of neighbouring squares between which a lone pawn cannot step, in either direction.
func cutEdges(b *Board, p Position) (cut [][2]Cell) {
	p.pawn[p.side^1] = noCell
	steps := func(from, to Cell) bool {
		p.pawn[p.side] = from
		var list [5]Move
		return slices.Contains(list[:b.pawnMoves(&list, &p)], PawnMove(to))
	}
	for y := range b.H {
		for x := range b.W {
			for _, d := range [][2]int{{1, 0}, {0, 1}} {
				if x+d[0] >= b.W || y+d[1] >= b.H {
					continue
				}
				a, c := CellAt(x, y), CellAt(x+d[0], y+d[1])
				if there, back := steps(a, c), steps(c, a); !there && !back {
					cut = append(cut, [2]Cell{a, c})
				} else if there != back {
					panic(fmt.Sprintf("%s and %s are open one way only", a, c))
				}
			}
		}
	}
	return cut
}

// TestLastPlugIsRefused: the wall that would close off a goal row, or wall a pawn in, is neither generated nor accepted; one that only
// lengthens a path is.
func TestLastPlugIsRefused(t *testing.T) {
	for _, c := range []struct {
		position, plug string
		closes         bool
	}{
		{"4x4 c1 b4 a3h 2,2 0", "c3h", true},
		{"4x4 c1 b4 a3h 2,2 1", "c3h", true},
		{"4x4 c2 c4 c1h 2,2 0", "a1h", true},
		{"5x5 c1 c5 a4h,c4h,d1v 3,3 0", "d3v", true},
		{"5x5 c1 c5 a4h,c4h,d3v 3,3 1", "d1v", true},
		{"3x3 a1 c3 a1h 2,2 1", "b1v", true},
		{"3x3 a1 b3 b1h 2,2 0", "a1v", false},
		{"9x9 a1 e9 a1h 9,9 1", "b1v", true},
	} {
		b, p, err := ParsePosition(c.position)
		if err != nil {
			t.Fatal(err)
		}
		m, err := b.ParseMove(c.plug)
		if err != nil {
			t.Fatal(err)
		}
		closes := obviouslyClosed(b, &p, m)
		if closes != c.closes {
			t.Errorf("%s: %s closes a path: %v", c.position, c.plug, closes)
		}
		if legal := slices.Contains(b.Moves(nil, &p), m); legal == closes {
			t.Errorf("%s: %s is generated: %v, closes a path: %v", c.position, c.plug, legal, closes)
		}
		g := NewGame(b, p, Rules{})
		if err := g.Play(m); closes != errors.Is(err, ErrIllegalMove) || closes != (g.Position() == p) {
			t.Errorf("%s: %s played: %v", c.position, c.plug, err)
		}
	}
}

// obviouslyClosed tells whether a pawn has no path after the wall, by walking.
func obviouslyClosed(b *Board, p *Position, wall Move) bool {
	after := b.Play(*p, wall)
	cut := cutEdges(b, after)
	for player, goal := range []int{b.H - 1, 0} {
		reached := map[Cell]bool{after.pawn[player]: true}
		for grown := true; grown; {
			grown = false
			for from := range reached {
				for _, d := range [][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
					x, y := from.X()+d[0], from.Y()+d[1]
					if x < 0 || y < 0 || x >= b.W || y >= b.H {
						continue
					}
					to := CellAt(x, y)
					if !reached[to] && !slices.Contains(cut, [2]Cell{min(from, to), max(from, to)}) {
						reached[to], grown = true, true
					}
				}
			}
		}
		open := false
		for c := range reached {
			open = open || c.Y() == goal
		}
		if !open {
			return true
		}
	}
	return false
}

// TestPrintedStocksFollowTheWalls: the stocks in the text and in the drawing are the position's after every move, and a stock of 0 allows no
// wall.
func TestPrintedStocksFollowTheWalls(t *testing.T) {
	for _, b := range []*Board{MustBoard(3, 3, 0), MustBoard(4, 4, 1), MustBoard(5, 5, 2), MustBoard(9, 9, 10)} {
		want := [2]int{b.Walls, b.Walls}
		p := b.Start()
		for ply := 0; ply < 40 && b.Winner(&p) < 0; ply++ {
			moves := b.Moves(nil, &p)
			m := moves[len(moves)-1] // a wall as long as there is one
			if m.IsWall() && want[p.Side()] == 0 {
				t.Fatalf("%s: %s with no wall left", b.Format(p), m)
			}
			if m.IsWall() {
				want[p.Side()]--
			}
			p = b.Play(p, m)
			text, drawn := fmt.Sprintf(" %d,%d ", want[0], want[1]), fmt.Sprintf("walls left: player 0 %d, player 1 %d;", want[0], want[1])
			if p.WallsLeft(0) != want[0] || p.WallsLeft(1) != want[1] || !strings.Contains(b.Format(p), text) || !strings.Contains(b.Render(p), drawn) {
				t.Fatalf("after %s: %q and\n%s\nwant%sand %q", m, b.Format(p), b.Render(p), text, drawn)
			}
		}
	}
}

// TestOverlappingWallsAreRefused: of any two walls the second is refused, typed, played, replayed and in a position's text, exactly if the two
// have their middle or half of their length in common.
func TestOverlappingWallsAreRefused(t *testing.T) {
	for _, b := range []*Board{MustBoard(4, 4, 2), MustBoard(5, 7, 2), MustBoard(9, 9, 10)} {
		start := b.Start()
		all := b.Moves(nil, &start)
		all = all[len(b.PawnMoves(nil, &start)):]
		for _, first := range all {
			p := b.Play(start, first)
			for _, second := range all {
				refused := shareSpace(first, second)
				_, typed := b.ParseLegal(&p, second.String())
				if typed != nil && !refused && obviouslyClosed(b, &p, second) {
					continue
				}
				_, replayed := Replay(b, start, Rules{}, []Move{first, second})
				_, _, read := ParsePosition(fmt.Sprintf("%dx%d %s %s %s,%s 0,0 0", b.W, b.H, p.Pawn(0), p.Pawn(1), first, second))
				for way, err := range map[string]error{"typed": typed, "played": NewGame(b, p, Rules{}).Play(second), "replayed": replayed, "read": read} {
					if (err != nil) != refused {
						t.Fatalf("%s: %s after %s, %s: %v", b, second, first, way, err)
					}
				}
				if slices.Contains(b.Moves(nil, &p), second) == refused {
					t.Fatalf("%s: %s after %s is generated: %v", b, second, first, !refused)
				}
			}
		}
	}
}

// shareSpace tells whether two walls cross, overlap or are one.
func shareSpace(one, other Move) bool {
	x, y, horizontal := one.Anchor()
	x2, y2, horizontal2 := other.Anchor()
	dx, dy := x-x2, y-y2
	switch {
	case horizontal != horizontal2:
		return dx == 0 && dy == 0
	case horizontal:
		return dy == 0 && dx*dx <= 1
	}
	return dx == 0 && dy*dy <= 1
}

// TestWhatIsDrawnIsWhatBlocks: for every wall, in both orientations, the characters between two squares of the drawing tell whether a pawn can step
// there.
func TestWhatIsDrawnIsWhatBlocks(t *testing.T) {
	for _, b := range []*Board{MustBoard(4, 5, 1), MustBoard(9, 9, 10)} {
		start := b.Start()
		for _, m := range b.Moves(nil, &start) {
			p := b.Play(start, m)
			drawn := strings.Split(b.Render(p), "\n")
			at := func(line, column int) byte {
				if text := drawn[line]; column < len(text) {
					return text[column]
				}
				return ' '
			}
			var shown [][2]Cell
			for y := range b.H {
				for x := range b.W {
					line, column := 2*(b.H-1-y), 4+4*x
					if x+1 < b.W && at(line, column+2) != ' ' {
						shown = append(shown, [2]Cell{CellAt(x, y), CellAt(x+1, y)})
					}
					if y+1 < b.H && at(line-1, column) != ' ' {
						shown = append(shown, [2]Cell{CellAt(x, y), CellAt(x, y+1)})
					}
				}
			}
			if want := cutEdges(b, p); !slices.Equal(shown, want) {
				t.Fatalf("%s: between %v and nowhere else is drawn what cuts %v:\n%s", m, shown, want, strings.Join(drawn, "\n"))
			}
		}
	}
}
