package mcts

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"runtime"
	"testing"
)

// signature has one number for what searches of fixed positions find, with and without proofs. It changes only when the search is meant to find
// something else: put the new number here then, and say why in the commit.
var signature = map[bool]uint64{true: 0x916481370e647e89, false: 0xacaccb3e1b7f91e0}

// TestSignature pins the searches' moves, visits and values, with and without noise, with and without a tree that is kept.
func TestSignature(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("other processors may round sums of products otherwise")
	}
	for prove, want := range signature {
		if got := sign(t, prove); got != want {
			t.Errorf("proofs %v: the searches have signature %#x, it was %#x", prove, got, want)
		}
	}
}

func sign(t *testing.T, prove bool) uint64 {
	t.Helper()
	hash := fnv.New64a()
	for _, text := range []string{"5x5 c1 c5 - 2,2 0", "5x5 c2 d4 b2h 1,2 1", "4x7 c3 b6 a2v,b4h 2,1 0", "9x9 e4 e6 e3h,c6v 9,9 1"} {
		for _, mode := range modes {
			for _, reuse := range []bool{false, mode == PUCT} {
				b, p := parse(t, text)
				cfg := DefaultConfig(mode)
				cfg.Simulations, cfg.Reuse, cfg.Prove = 150, reuse, prove
				s, err := NewSearch(hashed{b, 1}, cfg)
				if err != nil {
					t.Fatal(err)
				}
				for ply := range 6 {
					var random *rand.Rand
					if ply%2 == 1 {
						random = rand.New(rand.NewPCG(uint64(ply), 5))
					}
					r := run(t, s, p, 40-ply, random)
					fmt.Fprintf(hash, "%s %.5f %d\n", r.Move, r.Value, r.Simulations)
					for _, m := range r.Moves {
						fmt.Fprintf(hash, "%s %d %.4f %.4f\n", m.Move, m.Visits, m.Q, m.Policy)
					}
					if p = b.Play(p, r.Move); b.Winner(&p) >= 0 {
						break
					}
				}
			}
		}
	}
	return hash.Sum64()
}
