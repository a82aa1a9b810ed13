package mcts

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"rampart/quoridor"
)

// hashed is an evaluator with arbitrary but fixed opinions: logits and value come from hashes in the mover's frame, so that turned
// positions are judged alike.
type hashed struct {
	b     *quoridor.Board
	scale float64
}

func (h hashed) Board() *quoridor.Board { return h.b }

func (h hashed) Evaluate(pos []quoridor.Position, moves [][]quoridor.Move, logits [][]float32, wdl [][3]float32) error {
	for i, p := range pos {
		seed := p.Hash()
		if p.Side() == 1 {
			seed = h.b.Turn(p).Hash()
		}
		random := rand.New(rand.NewPCG(seed, 1))
		win := random.Float32()
		wdl[i] = [3]float32{win * 0.9, 0.1, 0.9 - win*0.9}
		byAction := make([]float32, h.b.NumActions())
		for a := range byAction {
			byAction[a] = float32(random.NormFloat64() * h.scale)
		}
		for j, m := range moves[i] {
			logits[i][j] = byAction[h.b.Action(&p, m)]
		}
	}
	return nil
}

func parse(t testing.TB, text string) (*quoridor.Board, quoridor.Position) {
	t.Helper()
	b, p, err := quoridor.ParsePosition(text)
	if err != nil {
		t.Fatal(err)
	}
	return b, p
}

func newSearch(t testing.TB, eval Evaluator, mode Mode, simulations int) *Search {
	t.Helper()
	cfg := DefaultConfig(mode)
	cfg.Simulations = simulations
	s, err := NewSearch(eval, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func run(t testing.TB, s *Search, p quoridor.Position, pliesLeft int, random *rand.Rand) Result {
	t.Helper()
	r, err := s.Run(context.Background(), p, pliesLeft, random)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

var modes = []Mode{Gumbel, PUCT}

func TestHalvingSchedule(t *testing.T) {
	for _, c := range []struct {
		m, simulations int
		want           []int32
	}{
		{1, 3, []int32{0, 1, 2}},
		{2, 5, []int32{0, 0, 1, 1, 2}},
		{4, 8, []int32{0, 0, 0, 0, 1, 1, 2, 2}},
		{4, 10, []int32{0, 0, 0, 0, 1, 1, 2, 2, 3, 3}},
		{8, 24, []int32{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6}},
		{16, 4, []int32{0, 0, 0, 0}},
		{3, 6, []int32{0, 0, 0, 1, 1, 2}},
	} {
		if got := halvingSchedule(nil, c.m, c.simulations); !slices.Equal(got, c.want) {
			t.Errorf("m %d, %d simulations: %v, want %v", c.m, c.simulations, got, c.want)
		}
	}
}

// TestForcedWins finds wins in one and in two moves for both sides, with an evaluator that knows nothing.
func TestForcedWins(t *testing.T) {
	for _, c := range []struct{ name, position, move string }{
		{"win in one", "5x5 c4 a4 - 0,0 0", "c5"},
		{"win in one by a jump", "5x5 c3 c4 - 0,0 0", "c5"},
		{"win in two", "5x5 c3 a4 - 0,0 0", "c4"},
		{"race won by two plies", "9x9 e7 a5 - 0,0 0", "e8"},
	} {
		for _, mode := range modes {
			b, p := parse(t, c.position)
			for range 2 {
				s := newSearch(t, Uniform{b}, mode, 400)
				r := run(t, s, p, -1, nil)
				want, err := b.ParseMove(c.move)
				if err != nil || r.Move != want || r.Value < 0.5 {
					t.Errorf("%s, %s: %s with value %.3f in %s, want %s (%v)", c.name, mode, r.Move, r.Value, b.Format(p), want, err)
				}
				p, c.move = b.Turn(p), b.TurnMove(want).String()
			}
		}
	}
}

// TestFrame: the search of a turned position is the turned search, number for number.
func TestFrame(t *testing.T) {
	for _, mode := range modes {
		b, p := parse(t, "5x5 c2 d4 b2h 1,2 0")
		for range 12 {
			s := newSearch(t, hashed{b, 2}, mode, 64)
			r := run(t, s, p, -1, nil)
			turned := run(t, s, b.Turn(p), -1, nil)
			for i := range turned.Moves {
				turned.Moves[i].Move = b.TurnMove(turned.Moves[i].Move)
			}
			turned.Move = b.TurnMove(turned.Move)
			sortStats(turned.Moves)
			if !reflect.DeepEqual(r, turned) {
				t.Fatalf("%s: search of %s:\n%+v\nturned:\n%+v", mode, b.Format(p), r, turned)
			}
			if p = b.Play(p, r.Move); b.Winner(&p) >= 0 {
				break
			}
		}
	}
}

// TestTreeAddsUp recomputes every sum of the tree from its leaves.
func TestTreeAddsUp(t *testing.T) {
	for _, mode := range modes {
		b, p := parse(t, "4x5 c2 b4 a3h 2,1 1")
		s := newSearch(t, hashed{b, 1}, mode, 500)
		r := run(t, s, p, 12, rand.New(rand.NewPCG(1, 2)))
		if r.Simulations != 500 {
			t.Errorf("%s: %d simulations", mode, r.Simulations)
		}
		checkTree(t, s, 500)
	}
}

// checkTree recomputes every sum of the tree from its leaves, and makes sure that nothing is left of simulations under way. Above a node whose
// outcome was proved on the way, sums hold what was backed up before too, and are left out.
func checkTree(t *testing.T, s *Search, simulations int32) {
	t.Helper()
	// Of the node's own value and all below, for its side to move; adds tells whether nothing there was proved.
	var check func(index int32) (visits int32, sum float64, adds bool)
	check = func(index int32) (int32, float64, bool) {
		n := &s.nodes[index]
		edges := s.edgesOf(n)
		var visits int32
		sum, all := 0.0, !n.exact || len(edges) == 0
		for i := range edges {
			e := &edges[i]
			if e.child < 0 || e.visits <= 0 || e.pending != 0 {
				t.Fatalf("edge %d of node %d: child %d, visits %d, pending %d", i, index, e.child, e.visits, e.pending)
			}
			below, value, adds := check(e.child)
			all = all && adds
			if child := &s.nodes[e.child]; child.exact {
				below, value, adds = e.visits, float64(child.outcome)*float64(e.visits), true
			}
			if e.known != s.nodes[e.child].exact && s.cfg.Prove {
				t.Fatalf("edge %s: known %v, the node's outcome %v", e.move, e.known, s.nodes[e.child].exact)
			}
			if below != e.visits || adds && math.Abs(value+e.sum) > 1e-9 || e.squares < e.sum*e.sum/float64(e.visits)-1e-9 {
				t.Fatalf("edge %s: %d visits, sum %g, squares %g, but below it %d and %g", e.move, e.visits, e.sum, e.squares, below, value)
			}
			visits += e.visits
			sum += e.sum
		}
		if !n.exact && visits != n.visits || n.pending != 0 {
			t.Fatalf("node %d has %d visits and %d pending, its edges %d visits", index, n.visits, n.pending, visits)
		}
		return visits + 1, sum + float64(n.value), all
	}
	if visits, _, _ := check(0); visits != simulations+1 || s.underWay != 0 {
		t.Errorf("%d visits at the root, want %d; %d under way", visits, simulations+1, s.underWay)
	}
}

// TestSelectionAgainstDefinition compares the quick selection rules with their definitions over all edges.
func TestSelectionAgainstDefinition(t *testing.T) {
	b, p := parse(t, "5x5 c2 d4 b2h 1,2 0")
	for _, mode := range modes {
		s := newSearch(t, hashed{b, 2}, mode, 300)
		run(t, s, p, -1, nil)
		compared := 0
		for i := range s.nodes {
			n := &s.nodes[i]
			edges, rest := s.edgesOf(n), s.untriedOf(n)
			if i == 0 || n.exact || len(edges)+len(rest) == 0 {
				continue
			}
			scores := make([]float64, len(edges)+len(rest))
			got := 0
			if mode == PUCT {
				got = s.cfg.selectPUCT(n, edges, rest)
				mass := 0.0
				for _, e := range edges {
					mass += float64(e.prior)
				}
				visits := float64(n.visits)
				c := s.cfg.CPUCT + s.cfg.CPUCTLog*math.Log((visits+s.cfg.CBase)/s.cfg.CBase)
				for j := range scores {
					q, prior, tried := float64(n.value)-s.cfg.FPUReduction*math.Sqrt(mass), float32(0), int32(0)
					if j < len(edges) {
						q, prior, tried = edges[j].q(), edges[j].prior, edges[j].visits
					} else {
						prior = rest[j-len(edges)].prior
					}
					scores[j] = q + c*float64(prior)*math.Sqrt(max(1, visits))/float64(1+tried)
				}
			} else {
				got = s.cfg.selectImproved(n, edges, rest, s.weights)
				s.cfg.improvedPolicy(n, edges, rest, scores)
				for j, e := range edges {
					scores[j] -= float64(e.visits) / float64(1+n.visits)
				}
			}
			if best := slices.Max(scores); best-scores[got] > 1e-6 {
				t.Fatalf("%s: node %d: edge %d with score %g chosen, the best has %g", mode, i, got, scores[got], best)
			}
			compared++
		}
		if compared < 50 {
			t.Errorf("%s: only %d nodes compared", mode, compared)
		}
	}
}

// TestImprovedPolicyImproves: with exact Q for every action, the improved policy's expected Q is never below the prior's (the paper's
// theorem), and it is a distribution.
func TestImprovedPolicyImproves(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	cfg := DefaultConfig(Gumbel)
	for range 1000 {
		list := make([]untried, 2+random.IntN(40))
		for i := range list {
			list[i].prior = float32(random.NormFloat64() * 3)
		}
		if err := setPriors(list); err != nil {
			t.Fatal(err)
		}
		edges := make([]edge, len(list))
		n := node{numEdges: uint8(len(edges))}
		for i := range edges {
			edges[i] = edge{prior: list[i].prior, visits: 1 + int32(random.IntN(9))}
			edges[i].sum = (2*random.Float64() - 1) * float64(edges[i].visits)
			n.visits += edges[i].visits
		}
		policy := make([]float64, len(edges))
		cfg.improvedPolicy(&n, edges, nil, policy)
		sum, before, after := 0.0, 0.0, 0.0
		for i := range edges {
			sum += policy[i]
			before += float64(edges[i].prior) * edges[i].q()
			after += policy[i] * edges[i].q()
		}
		if math.Abs(sum-1) > 1e-9 || after < before-1e-6 {
			t.Fatalf("policy sums to %g, expected Q %g before and %g after", sum, before, after)
		}
	}
}

// TestPlyCap: with few plies left a quiet position is a draw, and a win within them is still seen.
func TestPlyCap(t *testing.T) {
	for _, mode := range modes {
		b, p := parse(t, "5x5 a1 e5 - 0,0 0")
		if r := run(t, newSearch(t, hashed{b, 1}, mode, 200), p, 2, nil); math.Abs(r.Value) > 0.02 {
			t.Errorf("%s: value %g two plies before the cap, want about 0", mode, r.Value)
		}
		b, p = parse(t, "5x5 c3 a5 - 0,0 0")
		if r := run(t, newSearch(t, Uniform{b}, mode, 200), p, 3, nil); r.Move.String() != "c4" || r.Value < 0.2 {
			t.Errorf("%s: %s with value %g, want c4 and a win", mode, r.Move, r.Value)
		}
	}
}

// TestShufflingEnds searches a position in which both can only walk, many times deeper than it is wide.
func TestShufflingEnds(t *testing.T) {
	for _, mode := range modes {
		b, p := parse(t, "3x9 b1 b9 - 0,0 0")
		if r := run(t, newSearch(t, Uniform{b}, mode, 20000), p, -1, nil); r.Simulations != 20000 {
			t.Errorf("%s: %d simulations", mode, r.Simulations)
		}
	}
}

func TestNoise(t *testing.T) {
	b, p := parse(t, "5x5 c2 d4 b2h 1,2 0")
	for _, mode := range modes {
		s := newSearch(t, hashed{b, 1}, mode, 32)
		quiet := run(t, s, p, -1, nil)
		if again := run(t, s, p, -1, nil); !reflect.DeepEqual(quiet, again) {
			t.Errorf("%s: two searches without noise differ", mode)
		}
		noisy := run(t, s, p, -1, rand.New(rand.NewPCG(3, 3)))
		if same := run(t, s, p, -1, rand.New(rand.NewPCG(3, 3))); !reflect.DeepEqual(noisy, same) {
			t.Errorf("%s: two searches with the same noise differ", mode)
		}
		if reflect.DeepEqual(quiet.Moves, noisy.Moves) {
			t.Errorf("%s: noise changes nothing", mode)
		}
		for i := range noisy.Moves { // the reported prior is the evaluator's
			j := slices.IndexFunc(quiet.Moves, func(m MoveStats) bool { return m.Move == noisy.Moves[i].Move })
			if math.Abs(noisy.Moves[i].Prior-quiet.Moves[j].Prior) > 1e-7 {
				t.Errorf("%s: prior of %s is %g with noise, %g without", mode, noisy.Moves[i].Move, noisy.Moves[i].Prior, quiet.Moves[j].Prior)
			}
		}
	}
}

// broken answers with the given logit and value everywhere.
type broken struct {
	b     *quoridor.Board
	logit float32
	wdl   [3]float32
}

func (e broken) Board() *quoridor.Board { return e.b }
func (e broken) Evaluate(_ []quoridor.Position, _ [][]quoridor.Move, logits [][]float32, wdl [][3]float32) error {
	for i := range logits {
		for j := range logits[i] {
			logits[i][j] = e.logit
		}
		wdl[i] = e.wdl
	}
	return nil
}

func TestBadEvaluations(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	even := [3]float32{0.5, 0, 0.5}
	b, p := parse(t, "5x5 c2 d4 b2h 1,2 0")
	for _, mode := range modes {
		for name, eval := range map[string]broken{
			"NaN logits": {b, nan, even}, "infinite logits": {b, inf, even}, "NaN value": {b, 0, [3]float32{nan, 0, 0}}, "value out of range": {b, 0, [3]float32{3, 0, 0}},
		} {
			if _, err := newSearch(t, eval, mode, 8).Run(context.Background(), p, -1, nil); !errors.Is(err, ErrEvaluation) {
				t.Errorf("%s, %s: error %v", mode, name, err)
			}
		}
		r := run(t, newSearch(t, broken{b, -inf, even}, mode, 8), p, -1, nil) // all mass on illegal moves
		for _, m := range r.Moves {
			if math.Abs(m.Prior-1/float64(len(r.Moves))) > 1e-6 || math.IsNaN(m.Policy) {
				t.Errorf("%s: prior %g, policy %g of %s with no mass on legal moves", mode, m.Prior, m.Policy, m.Move)
			}
		}
	}
}

func TestFinishedGameIsRefused(t *testing.T) {
	b, p := parse(t, "5x5 c5 d4 - 1,2 1")
	s := newSearch(t, Uniform{b}, PUCT, 8)
	if _, err := s.Run(context.Background(), p, -1, nil); !errors.Is(err, ErrPosition) {
		t.Errorf("error %v", err)
	}
}

// TestStopsWithContext: a search whose context has ended still answers with a legal move.
func TestStopsWithContext(t *testing.T) {
	b, p := parse(t, "9x9 e1 e9 - 10,10 0")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, mode := range modes {
		s := newSearch(t, Uniform{b}, mode, 1<<20)
		r, err := s.Run(ctx, p, -1, nil)
		if err != nil || r.Simulations != 1 || !b.IsLegal(&p, r.Move) {
			t.Errorf("%s: %d simulations, move %s, error %v", mode, r.Simulations, r.Move, err)
		}
	}
}

// TestMemoryStaysFlat runs ten thousand searches with one Search: its slices stop growing, and only the result is allocated.
func TestMemoryStaysFlat(t *testing.T) {
	b, p := parse(t, "5x5 c1 c5 - 2,2 0")
	for _, mode := range modes {
		s := newSearch(t, Uniform{b}, mode, 16)
		run(t, s, p, -1, nil)
		nodes, edges, rest := cap(s.nodes), cap(s.edges), cap(s.untried)
		for range 10_000 {
			if err := s.Begin(p, -1); err != nil {
				t.Fatal(err)
			}
			for {
				leaf, moves := s.Select(nil)
				if leaf == nil {
					break
				}
				clear(s.logits[:len(moves)])
				if err := s.Expand(s.logits[:len(moves)], [3]float32{0.5, 0, 0.5}, nil); err != nil {
					t.Fatal(err)
				}
			}
		}
		if cap(s.nodes) != nodes || cap(s.edges) > 2*edges || cap(s.untried) != rest {
			t.Errorf("%s: the tree grew from %d nodes and %d edges to %d and %d", mode, nodes, edges, cap(s.nodes), cap(s.edges))
		}
	}
}

func TestConfigValidate(t *testing.T) {
	for _, change := range []func(*Config){
		func(c *Config) { c.Mode = "alphabeta" },
		func(c *Config) { c.Simulations = 0 },
		func(c *Config) { c.Considered = 0 },
		func(c *Config) { c.CVisit = math.NaN() },
		func(c *Config) { c.CScale = 0 },
		func(c *Config) { c.CPUCT = -1 },
		func(c *Config) { c.CPUCTLog = -1 },
		func(c *Config) { c.CBase = 0 },
		func(c *Config) { c.LCBStdevs = math.NaN() },
		func(c *Config) { c.LCBMinShare = 0 },
		func(c *Config) { c.ForcedPlayouts = -1 },
		func(c *Config) { c.TreeMiB = 0 },
		func(c *Config) { c.TreeMiB = 1 << 20 },
		func(c *Config) { c.FPUReduction = 3 },
		func(c *Config) { c.RootNoise = 2 },
		func(c *Config) { c.RootNoiseSum = 0 },
	} {
		cfg := DefaultConfig(Gumbel)
		change(&cfg)
		if err := cfg.Validate(); !errors.Is(err, ErrConfig) {
			t.Errorf("%+v: error %v", cfg, err)
		}
	}
}

func BenchmarkSearch(b *testing.B) {
	board, p := parse(b, "9x9 e3 e6 c3h,f5v 8,8 0")
	for _, mode := range modes {
		b.Run(string(mode), func(b *testing.B) {
			s := newSearch(b, Uniform{board}, mode, 200)
			b.ReportAllocs()
			for b.Loop() {
				run(b, s, p, -1, nil)
			}
			b.ReportMetric(float64(200*b.N)/b.Elapsed().Seconds(), "simulations/s")
		})
	}
}
