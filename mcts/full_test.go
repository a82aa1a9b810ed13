package mcts

import "testing"

// TestFullTree: a search ends when its tree has reached its limit, says so, holds no more memory than allowed, and the next one has room again.
func TestFullTree(t *testing.T) {
	b, p := parse(t, "9x9 e4 e6 - 5,5 0")
	const limit = 2 << 20
	for _, threads := range []int{1, 3} {
		for _, reuse := range []bool{false, true} {
			cfg := DefaultConfig(PUCT)
			cfg.Simulations, cfg.Reuse, cfg.TreeMiB = 20000, reuse, limit>>20
			s := newThreadsWith(t, hashed{b, 1}, threads, cfg)
			q := p
			for ply := range 4 {
				r := run(t, s, q, -1, nil)
				if !r.TreeFull || r.Simulations >= 20000 || r.Simulations < 200 || r.TreeBytes > limit || r.TreeBytes < limit/4 || s.bytes() > limit {
					t.Errorf("%d threads, reuse %v, search %d: full %v, %d simulations, %d bytes", threads, reuse, ply, r.TreeFull, r.Simulations, r.TreeBytes)
				}
				q = b.Play(q, r.Move)
			}
		}
	}
	s := newThreads(t, hashed{b, 1}, 1, 4000)
	if r := run(t, s, p, -1, nil); r.TreeFull || len(s.nodes) != 4001 {
		t.Errorf("with room: full %v, %d nodes", r.TreeFull, len(s.nodes))
	}
}
