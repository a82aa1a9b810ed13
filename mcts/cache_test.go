package mcts

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"rampart/quoridor"
)

// TestCacheChangesNothing: searches along a game are the same with and without a cache, even one so small that entries collide all
// the time, and the cache is of use.
func TestCacheChangesNothing(t *testing.T) {
	for _, size := range []int{0, 1, 7, 1 << 12} {
		b, p := parse(t, "5x5 c1 c5 - 2,2 0")
		cache := NewCache(hashed{b, 1}, size)
		cached, plain := newSearch(t, cache, Gumbel, 48), newSearch(t, hashed{b, 1}, Gumbel, 48)
		for ply := uint64(0); ply < 12 && b.Winner(&p) < 0; ply++ {
			got := run(t, cached, p, -1, rand.New(rand.NewPCG(ply, 1)))
			want := run(t, plain, p, -1, rand.New(rand.NewPCG(ply, 1)))
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("size %d: search of %s differs with a cache", size, b.Format(p))
			}
			p = b.Play(p, got.Move)
		}
		hits, misses := cache.Stats()
		if misses == 0 || size > 1000 && hits < misses/20 {
			t.Errorf("size %d: %d hits, %d misses", size, hits, misses)
		}
	}
}

// TestCacheInBatches mixes known and unknown positions in one batch.
func TestCacheInBatches(t *testing.T) {
	b := quoridor.MustBoard(5, 5, 2)
	plain, cache := hashed{b, 1}, NewCache(hashed{b, 1}, 64)
	random := rand.New(rand.NewPCG(2, 2))
	var known []quoridor.Position
	p := b.Start()
	for range 40 {
		moves := b.Moves(nil, &p)
		if p = b.Play(p, moves[random.IntN(len(moves))]); b.Winner(&p) >= 0 {
			p = b.Start()
		}
		known = append(known, p)
	}
	for range 50 {
		n := 1 + random.IntN(9)
		var pos []quoridor.Position
		var moves [][]quoridor.Move
		var got, want [][]float32
		for range n {
			q := known[random.IntN(len(known))]
			list := b.Moves(nil, &q)
			pos, moves = append(pos, q), append(moves, list)
			got, want = append(got, make([]float32, len(list))), append(want, make([]float32, len(list)))
		}
		gotWDL, wantWDL := make([][3]float32, n), make([][3]float32, n)
		if err := cache.Evaluate(pos, moves, got, gotWDL); err != nil {
			t.Fatal(err)
		}
		if err := plain.Evaluate(pos, moves, want, wantWDL); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(gotWDL, wantWDL) {
			t.Fatal("a batch through the cache differs")
		}
	}
}

// TestSharedCache: the threads of one search share what their evaluators have said, and the search with one thread stays the same.
func TestSharedCache(t *testing.T) {
	b, p := parse(t, "5x5 c2 d4 b2h 2,2 0")
	cfg := DefaultConfig(PUCT)
	cfg.Simulations = 1000
	first := NewCache(hashed{b, 1}, 1<<12)
	second := first.Share(hashed{b, 1})
	s, err := NewSearch(first, cfg, second)
	if err != nil {
		t.Fatal(err)
	}
	run(t, s, p, -1, nil)
	checkTree(t, s, 1000)
	one, err := NewSearch(second, cfg)
	if err != nil {
		t.Fatal(err)
	}
	_, misses := second.Stats()
	got, want := run(t, one, p, -1, nil), run(t, newSearch(t, hashed{b, 1}, PUCT, 1000), p, -1, nil)
	if got.Value != want.Value || !reflect.DeepEqual(got.Moves, want.Moves) {
		t.Error("a shared memory changes the search")
	}
	if _, after := second.Stats(); after-misses > 600 {
		t.Errorf("%d positions had to be evaluated again", after-misses)
	}
}

func BenchmarkCacheHit(b *testing.B) {
	board, p := parse(b, "9x9 e3 e6 c3h,f5v 8,8 0")
	cache := NewCache(Uniform{board}, 1024)
	pos, moves, logits, wdl := []quoridor.Position{p}, [][]quoridor.Move{board.Moves(nil, &p)}, [][]float32{make([]float32, 133)}, make([][3]float32, 1)
	logits[0] = logits[0][:len(moves[0])]
	b.ReportAllocs()
	for b.Loop() {
		if err := cache.Evaluate(pos, moves, logits, wdl); err != nil {
			b.Fatal(err)
		}
	}
}
