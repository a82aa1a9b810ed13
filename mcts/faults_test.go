package mcts

import (
	"math/rand/v2"
	"testing"

	"rampart/quoridor"
)

// countingSource counts what is drawn from it.
type countingSource struct {
	rand.Source
	drawn int
}

func (c *countingSource) Uint64() uint64 {
	c.drawn++
	return c.Source.Uint64()
}

// TestNoiseIsDrawnOncePerSearch: a search of many simulations draws exactly the noise of one of few, again in every search, on a kept root and with
// several threads too.
func TestNoiseIsDrawnOncePerSearch(t *testing.T) {
	b, p := parse(t, "5x5 c2 d4 b2h 1,2 0")
	for _, mode := range modes {
		var drawn []int
		for _, simulations := range []int{2, 16, 200} {
			s := newSearch(t, hashed{b, 1}, mode, simulations)
			for range 2 {
				source := &countingSource{Source: rand.NewPCG(7, 7)}
				run(t, s, p, -1, rand.New(source))
				drawn = append(drawn, source.drawn)
			}
		}
		for _, n := range drawn {
			if n != drawn[0] || n < b.CountMoves(&p) {
				t.Errorf("%s: numbers drawn in the searches: %v, for %d moves", mode, drawn, b.CountMoves(&p))
				break
			}
		}
	}
	for _, threads := range []int{1, 3} {
		cfg := DefaultConfig(PUCT)
		cfg.Simulations, cfg.Reuse = 200, true
		s := newThreadsWith(t, hashed{b, 1}, threads, cfg)
		draw := func(p quoridor.Position) (Result, int) {
			source := &countingSource{Source: rand.NewPCG(7, 7)}
			r := run(t, s, p, -1, rand.New(source))
			return r, source.drawn
		}
		r, first := draw(p)
		next := b.Play(p, r.Move)
		if index, _ := s.findBelowRoot(&next); index < 0 {
			t.Fatalf("%d threads: the position after the move is not in the tree", threads)
		}
		_, kept := draw(next)
		s.Forget()
		if _, anew := draw(next); kept != anew || first < b.CountMoves(&p) || first > 20*b.CountMoves(&p) {
			t.Errorf("%d threads: %d numbers drawn, then %d on a kept root and %d on a new one", threads, first, kept, anew)
		}
	}
}

// TestStocksAreToldApart: positions that differ in the wall stocks alone are different to the hash, the cache and the tree.
func TestStocksAreToldApart(t *testing.T) {
	b, p := parse(t, "9x9 e4 e6 e3h,c6v 10,10 0")
	cache, plain := NewCache(hashed{b, 1}, 1<<10), hashed{b, 1}
	hashes := map[uint64]bool{}
	evaluate := func(e Evaluator, q quoridor.Position) (wdl [3]float32) {
		moves := b.Moves(nil, &q)
		var answer [1][3]float32
		if err := e.Evaluate([]quoridor.Position{q}, [][]quoridor.Move{moves}, [][]float32{make([]float32, len(moves))}, answer[:]); err != nil {
			t.Fatal(err)
		}
		return answer[0]
	}
	for round := range 2 {
		for mine := range 11 {
			for theirs := range 11 {
				q, err := b.NewPosition(p.HWalls(), p.VWalls(), [2]quoridor.Cell{p.Pawn(0), p.Pawn(1)}, [2]int{mine, theirs}, 0)
				if err != nil {
					t.Fatal(err)
				}
				hashes[q.Hash()] = true
				if got, want := evaluate(cache, q), evaluate(plain, q); got != want {
					t.Fatalf("round %d, stocks %d and %d: %v from the cache, want %v", round, mine, theirs, got, want)
				}
			}
		}
	}
	if len(hashes) != 121 {
		t.Errorf("%d distinct hashes of 121 positions", len(hashes))
	}
	cfg := DefaultConfig(PUCT)
	cfg.Reuse = true
	s, err := NewSearch(hashed{b, 1}, cfg)
	if err != nil {
		t.Fatal(err)
	}
	after := b.Play(p, run(t, s, p, -1, nil).Move)
	fewer, err := b.NewPosition(after.HWalls(), after.VWalls(), [2]quoridor.Cell{after.Pawn(0), after.Pawn(1)}, [2]int{1, 1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if index, _ := s.findBelowRoot(&after); index < 0 {
		t.Error("the position after the move is not in the tree")
	}
	if index, _ := s.findBelowRoot(&fewer); index >= 0 {
		t.Error("a position with other stocks is taken for one of the tree")
	}
}

// TestEveryMoveOfAResultIsLegal: what a search chooses, and so what it hints at, is a legal move, and its list holds each legal move once, in
// random games to their end.
func TestEveryMoveOfAResultIsLegal(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 8))
	for _, text := range []string{"3x3 b1 b3 - 1,1 0", "5x5 c1 c5 - 3,3 0", "4x7 c1 c7 - 2,2 0", "9x9 e1 e9 - 10,10 0"} {
		for _, mode := range modes {
			b, p := parse(t, text)
			s := newSearch(t, hashed{b, 1}, mode, 6)
			for ply := 0; ply < 80 && b.Winner(&p) < 0; ply++ {
				r := run(t, s, p, -1, random)
				legal := b.Moves(nil, &p)
				listed := map[quoridor.Move]bool{}
				for _, m := range r.Moves {
					listed[m.Move] = true
				}
				if !b.IsLegal(&p, r.Move) || len(listed) != len(legal) || len(r.Moves) != len(legal) {
					t.Fatalf("%s: %s chosen, %d moves listed, %d are legal", b.Format(p), r.Move, len(r.Moves), len(legal))
				}
				for _, m := range legal {
					if !listed[m] {
						t.Fatalf("%s: %s is not listed", b.Format(p), m)
					}
				}
				p = b.Play(p, legal[random.IntN(len(legal))])
			}
		}
	}
}
