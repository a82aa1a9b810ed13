package solver

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"rampart/quoridor"
)

// randomWalls places up to most walls that fit.
func randomWalls(s *shape, r *rand.Rand, most int) walls {
	var a walls
	for range r.IntN(most + 1) {
		var fitting []walls
		forEachWall(s.fits(a), a, func(child walls) { fitting = append(fitting, child) })
		if len(fitting) == 0 {
			break
		}
		a = fitting[r.IntN(len(fitting))]
	}
	return a
}

// randomBest makes up what walls are worth: mostly not at all, else anything that a small table could hold.
func randomBest(r *rand.Rand, n int) [2][]code {
	var best [2][]code
	kind := r.IntN(4)
	for side := range best {
		best[side] = make([]code, n)
		for i := range best[side] {
			switch {
			case r.IntN(4) < kind:
				best[side][i] = codeIllegal
			case r.IntN(8) == 0:
				best[side][i] = codeDraw
			case r.IntN(8) == 0:
				best[side][i] = lossCode(1 + r.IntN(12))
			default:
				best[side][i] = winCode(1 + r.IntN(12))
			}
		}
	}
	return best
}

func TestPawnGameMatchesReference(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, size := range [][2]int{{2, 3}, {3, 3}, {3, 5}, {5, 3}, {4, 4}, {5, 5}, {2, 9}, {9, 3}, {7, 9}, {8, 8}} {
		s := newShape(quoridor.MustBoard(size[0], size[1], 0))
		game := newPawnGame(s)
		var got, want [2][]code
		for side := range 2 {
			got[side], want[side] = make([]code, s.pairs), make([]code, s.pairs)
		}
		for range max(2, 3000/s.pairs) {
			a := randomWalls(s, r, (s.w-1)*(s.h-1))
			best := randomBest(r, s.pairs)
			game.reset(s, a)
			if err := game.solve(best, got); err != nil {
				t.Fatal(err)
			}
			if err := newPlainField(s, a).solve(best, want); err != nil {
				t.Fatal(err)
			}
			for side := range 2 {
				if !bytes.Equal(got[side], want[side]) {
					t.Fatalf("%dx%d walls %x: side %d differs from the reference", s.w, s.h, a, side)
				}
			}
		}
	}
}

// TestPawnGameTooLong offers walls that win, but later than a code can say.
func TestPawnGameTooLong(t *testing.T) {
	s := newShape(quoridor.MustBoard(3, 3, 0))
	for name, solve := range map[string]func(best, dst [2][]code) error{
		"bit sets": func(best, dst [2][]code) error {
			g := newPawnGame(s)
			g.reset(s, walls{})
			return g.solve(best, dst)
		},
		"reference": newPlainField(s, walls{}).solve,
	} {
		var best, dst [2][]code
		for side := range 2 {
			best[side], dst[side] = make([]code, s.pairs), make([]code, s.pairs)
			fill(best[side], lossCode(maxMoves))
		}
		if err := solve(best, dst); !errors.Is(err, ErrTooLong) {
			t.Errorf("%s: %v, want %v", name, err, ErrTooLong)
		}
	}
}

func TestSymmetriesMatchRules(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, size := range [][2]int{{2, 3}, {3, 5}, {5, 4}, {9, 9}} {
		b := quoridor.MustBoard(size[0], size[1], 2)
		s := newShape(b)
		for range 200 {
			p := b.Start()
			for range r.IntN(12) {
				moves := b.Moves(nil, &p)
				q := b.Play(p, moves[r.IntN(len(moves))])
				if b.Winner(&q) >= 0 {
					break
				}
				p = q
			}
			for g, q := range map[symmetry]quoridor.Position{mirror: b.Mirror(p), turn: b.Turn(p), mirror | turn: b.Turn(b.Mirror(p))} {
				if s.apply(g, wallsOf(&p)) != wallsOf(&q) {
					t.Errorf("%s: walls under symmetry %d", b.Format(p), g)
				}
				if int(s.image[g][s.index(&p)]) != s.index(&q) {
					t.Errorf("%s: pawns under symmetry %d", b.Format(p), g)
				}
			}
		}
	}
}

func TestMinBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for n := 0; n <= 160; n += 16 {
		for range 200 {
			a, b, want := make([]byte, n), make([]byte, n), make([]byte, n)
			for i := range n {
				a[i], b[i] = byte(r.Uint32()), byte(r.Uint32())
				want[i] = min(a[i], b[i])
			}
			c := bytes.Clone(a)
			minBytes(a, b)
			minBytesPortable(c, b)
			if !bytes.Equal(a, want) || !bytes.Equal(c, want) {
				t.Fatalf("%d bytes: %x, %x, want %x", n, a, c, want)
			}
		}
	}
}

func TestCodes(t *testing.T) {
	for c := 1; c < 255; c++ {
		if c > maxMoves && c < 255-maxMoves && c != int(codeDraw) {
			continue // no value has this code
		}
		v := valueOf(code(c))
		if v.code() != code(c) {
			t.Errorf("code %d is %v, which is code %d", c, v, v.code())
		}
		if up := valueOf(parent(code(c))); c != int(codeDraw) && (up.Plies != v.Plies+1 || up.Outcome != -v.Outcome) {
			t.Errorf("%v leads up to %v", v, up)
		}
		if c > 1 && c != 129 && !v.Better(valueOf(code(c-1))) {
			t.Errorf("%v is not better than %v", v, valueOf(code(c-1)))
		}
	}
	if parent(codeLost) != winCode(1) || parent(codeDraw) != codeDraw {
		t.Error("the ends of the scale")
	}
}
