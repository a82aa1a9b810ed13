package mcts

import (
	"errors"
	"math/rand/v2"
	"testing"

	"rampart/quoridor"
)

// TestReuseKeepsTheSubtree compares the tree below a position before and after it becomes the root, edge by edge.
func TestReuseKeepsTheSubtree(t *testing.T) {
	b, p := parse(t, "5x5 c1 c5 - 2,2 0")
	cfg := DefaultConfig(PUCT)
	cfg.Simulations, cfg.Reuse = 400, true
	s, err := NewSearch(hashed{b, 1}, cfg)
	if err != nil {
		t.Fatal(err)
	}
	kept := 0
	for ply := 0; ply < 20 && b.Winner(&p) < 0; ply += 2 {
		r := run(t, s, p, 60-ply, nil)
		if r.Simulations > 400 {
			t.Fatalf("%d simulations", r.Simulations)
		}
		for range 2 { // the move and the most visited answer
			if p = b.Play(p, bestMove(t, s, p)); b.Winner(&p) >= 0 {
				return
			}
		}
		index, depth := s.findBelowRoot(&p)
		if index < 0 || s.nodes[index].exact || s.nodes[index].visits == 0 {
			continue
		}
		want := outline(&s.tree, index)
		if depth != 2 {
			t.Fatalf("found at depth %d", depth)
		}
		if err := s.Begin(p, 60-ply-2); err != nil {
			t.Fatal(err)
		}
		got := outline(&s.tree, 0)
		if len(got) != len(want) || len(s.nodes) > len(want)+1 {
			t.Fatalf("%d edges before, %d after", len(want), len(got))
		}
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("edge %d was %+v, is %+v", i, want[i], got[i])
			}
		}
		kept += int(s.nodes[0].visits)
		s.Forget()
		run(t, s, p, 60-ply-2, nil)
	}
	if kept < 50 {
		t.Errorf("only %d simulations were kept", kept)
	}
}

// bestMove returns the most visited move of the position's node, at the root or one ply below.
func bestMove(t *testing.T, s *Search, p quoridor.Position) quoridor.Move {
	t.Helper()
	index := int32(0)
	if s.nodes[0].pos != p {
		index, _ = s.findBelowRoot(&p)
	}
	if index < 0 || s.nodes[index].numEdges == 0 {
		return s.board.Moves(nil, &p)[0]
	}
	best := s.edgesOf(&s.nodes[index])[0]
	for _, e := range s.edgesOf(&s.nodes[index]) {
		if e.visits > best.visits {
			best = e
		}
	}
	return best.move
}

// outline lists the moves below a node, breadth first, without the indices of their nodes.
func outline(t *tree, index int32) []edge {
	var list []edge
	for queue := []int32{index}; len(queue) > 0; queue = queue[1:] {
		n := &t.nodes[queue[0]]
		for _, e := range t.edgesOf(n) {
			queue = append(queue, e.child)
			e.child = 1
			list = append(list, e)
		}
		for _, u := range t.untriedOf(n) {
			list = append(list, edge{prior: u.prior, move: u.move})
		}
	}
	return list
}

// TestReuseStartsAnew: another position, another cap or a solved one gives the same search as without reuse.
func TestReuseStartsAnew(t *testing.T) {
	b, p := parse(t, "5x5 c1 c5 - 2,2 0")
	cfg := DefaultConfig(PUCT)
	cfg.Simulations = 100
	plain, err := NewSearch(hashed{b, 1}, cfg)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Reuse = true
	reusing, err := NewSearch(hashed{b, 1}, cfg)
	if err != nil {
		t.Fatal(err)
	}
	_, other := parse(t, "5x5 b2 d4 a3h 1,2 0")
	_, winning := parse(t, "5x5 c4 a4 - 0,0 0")
	next := b.Play(p, run(t, reusing, p, 40, nil).Move)
	for _, x := range []struct {
		pos  quoridor.Position
		left int
	}{{other, 40}, {next, 20}, {winning, 40}, {p, 40}} {
		run(t, reusing, p, 40, nil)
		got, want := run(t, reusing, x.pos, x.left, nil), run(t, plain, x.pos, x.left, nil)
		if got.Move != want.Move || got.Value != want.Value || got.Simulations != want.Simulations {
			t.Errorf("%s with %d plies left: %s with value %g, want %s with %g", b.Format(x.pos), x.left, got.Move, got.Value, want.Move, want.Value)
		}
	}
}

// TestNoiseOnKeptRoot: noise enters a kept root too, once.
func TestNoiseOnKeptRoot(t *testing.T) {
	b, p := parse(t, "5x5 c1 c5 - 2,2 0")
	cfg := DefaultConfig(PUCT)
	cfg.Simulations, cfg.Reuse = 200, true
	s, err := NewSearch(hashed{b, 1}, cfg)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 1))
	p = b.Play(p, run(t, s, p, -1, random).Move)
	if err := s.Begin(p, -1); err != nil || s.done == 0 {
		t.Fatalf("%d simulations kept, %v", s.done, err)
	}
	priors := func() map[quoridor.Move]float32 {
		m := map[quoridor.Move]float32{}
		for _, e := range s.edgesOf(&s.nodes[0]) {
			m[e.move] = e.prior
		}
		for _, u := range s.untriedOf(&s.nodes[0]) {
			m[u.move] = u.prior
		}
		return m
	}
	before := priors()
	s.Select(random)
	once := priors()
	s.Select(random)
	changed := 0
	for m, prior := range priors() {
		if once[m] != prior {
			t.Errorf("the prior of %s changed twice", m)
		}
		if before[m] != prior {
			changed++
		}
	}
	if changed < len(before)/2 {
		t.Errorf("only %d of %d priors carry noise", changed, len(before))
	}
}

func TestReuseIsForPUCT(t *testing.T) {
	cfg := DefaultConfig(Gumbel)
	cfg.Reuse = true
	if err := cfg.Validate(); !errors.Is(err, ErrConfig) {
		t.Errorf("error %v", err)
	}
}

// TestMemoryStaysFlatWithReuse plays games of ten thousand searches on one kept tree: it holds no more memory after the last than after the first
// thousand.
func TestMemoryStaysFlatWithReuse(t *testing.T) {
	b := quoridor.MustBoard(5, 5, 2)
	cfg := DefaultConfig(PUCT)
	cfg.Simulations, cfg.Reuse = 16, true
	s, err := NewSearch(hashed{b, 1}, cfg)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(6, 6))
	early, kept, p := int64(0), 0, b.Start()
	for n := range 10_000 {
		if err := s.Begin(p, -1); err != nil {
			t.Fatal(err)
		}
		kept += s.done
		if err := s.Advance(t.Context(), random, nil); err != nil {
			t.Fatal(err)
		}
		if n < 1000 {
			early = max(early, s.bytes())
		} else if s.bytes() > 2*early {
			t.Fatalf("search %d: the tree holds %d bytes, at most %d in the first thousand", n, s.bytes(), early)
		}
		if p = b.Play(p, s.Result(random).Move); b.Winner(&p) >= 0 {
			p = b.Start()
		}
	}
	if kept < 10_000 {
		t.Errorf("only %d simulations were kept", kept)
	}
}
