package mcts

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"rampart/quoridor"
)

// newThreads returns a PUCT search with so many threads over one evaluator, which must be safe for concurrent use.
func newThreads(t testing.TB, eval Evaluator, threads, simulations int) *Search {
	t.Helper()
	cfg := DefaultConfig(PUCT)
	cfg.Simulations = simulations
	return newThreadsWith(t, eval, threads, cfg)
}

func newThreadsWith(t testing.TB, eval Evaluator, threads int, cfg Config) *Search {
	t.Helper()
	s, err := NewSearch(eval, cfg, slices.Repeat([]Evaluator{eval}, threads-1)...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestForcedWinsWithThreads finds wins in one and in two for both sides with any number of threads, over many orders that their steps may come in. A
// real scheduler may let one thread stand still with the winning move for as long as it likes.
func TestForcedWinsWithThreads(t *testing.T) {
	for _, c := range []struct{ position, move string }{
		{"5x5 c4 a4 - 0,0 0", "c5"},
		{"5x5 c3 c4 - 0,0 0", "c5"},
		{"5x5 c3 a4 - 0,0 0", "c4"},
		{"9x9 e7 a5 - 0,0 0", "e8"},
	} {
		for _, threads := range []int{1, 2, 8} {
			b, p := parse(t, c.position)
			want, err := b.ParseMove(c.move)
			if err != nil {
				t.Fatal(err)
			}
			for range 2 {
				for seed := range uint64(20) {
					r := interleave(t, newThreads(t, Uniform{b}, 1, 400), p, threads, rand.New(rand.NewPCG(seed, 1)))
					if r.Move != want || r.Value < 0.5 {
						t.Errorf("%d threads, order %d: %s with value %.3f in %s, want %s", threads, seed, r.Move, r.Value, b.Format(p), want)
					}
				}
				p, want = b.Turn(p), b.TurnMove(want)
			}
		}
	}
}

// interleave does what threads do, one step at a time: a walker drawn at random walks to a leaf, or, if it has one, gets its evaluation.
func interleave(t *testing.T, s *Search, p quoridor.Position, threads int, random *rand.Rand) Result {
	t.Helper()
	if err := s.Begin(p, -1); err != nil {
		t.Fatal(err)
	}
	walkers := []*walker{&s.walker}
	for len(walkers) < threads {
		w := newWalker()
		walkers = append(walkers, &w)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for !s.finished() || s.underWay > 0 {
		w := walkers[random.IntN(threads)]
		switch {
		case w.leaf >= 0:
			if err := s.judge(w, s.evals[0]); err != nil {
				t.Fatal(err)
			}
			if err := s.expandLeaf(w, w.batchLogits[0], w.batchWDL[0], nil); err != nil {
				t.Fatal(err)
			}
		case !s.finished():
			s.descend(w)
		}
	}
	return s.Result(nil)
}

// TestThreadsAgree: simulations that overlap change visits and value little on average, over the orders that they may come in.
func TestThreadsAgree(t *testing.T) {
	const simulations = 3000
	b, p := parse(t, "5x5 c2 d4 b2h 2,2 0")
	share := func(r Result) map[quoridor.Move]float64 {
		m := map[quoridor.Move]float64{}
		for _, st := range r.Moves {
			m[st.Move] = st.Policy
		}
		return m
	}
	one := run(t, newThreads(t, hashed{b, 1}, 1, simulations), p, -1, nil)
	want := share(one)
	for _, threads := range []int{1, 2, 4} {
		const orders = 20
		apart, value := 0.0, 0.0
		for seed := range uint64(orders) {
			s := newThreads(t, hashed{b, 1}, 1, simulations)
			r := interleave(t, s, p, threads, rand.New(rand.NewPCG(seed, 1)))
			checkTree(t, s, simulations)
			if r.Simulations != simulations {
				t.Errorf("%d threads, order %d: %d simulations", threads, seed, r.Simulations)
			}
			for m, x := range share(r) {
				apart += math.Abs(x-want[m]) / 2 / orders
			}
			value += r.Value / orders
		}
		if threads == 1 && apart > 0 || apart > 0.12 || math.Abs(value-one.Value) > 0.01 {
			t.Errorf("%d threads: on average %.3f of the visits elsewhere, value %.3f instead of %.3f", threads, apart, value, one.Value)
		}
	}
}

// TestThreadsAddUp: however the threads meet, every simulation counts once and nothing of the virtual losses is left. How the visits are spread is
// up to the scheduler: a thread that stands still keeps its virtual losses in the tree.
func TestThreadsAddUp(t *testing.T) {
	const simulations = 3000
	b, p := parse(t, "5x5 c2 d4 b2h 2,2 0")
	for _, threads := range []int{2, 4, 16} {
		s := newThreads(t, hashed{b, 1}, threads, simulations)
		if r := run(t, s, p, -1, nil); r.Simulations != simulations {
			t.Errorf("%d threads: %d simulations", threads, r.Simulations)
		}
		checkTree(t, s, simulations)
	}
}

// TestVirtualLoss: simulations under way count as losses, which are taken back when a walk is blocked and replaced when it is not.
func TestVirtualLoss(t *testing.T) {
	cfg := DefaultConfig(PUCT)
	edges := []edge{{visits: 10, sum: 5, prior: 0.5}, {visits: 10, sum: 4, prior: 0.5}}
	n := node{visits: 20}
	if got := cfg.selectPUCT(&n, edges, nil); got != 0 {
		t.Errorf("edge %d, want the better one", got)
	}
	n.pending, edges[0].pending = 1, 1
	if got := cfg.selectPUCT(&n, edges, nil); got != 1 {
		t.Errorf("edge %d with a simulation under way in the other, want the other", got)
	}

	b, p := parse(t, "5x5 c2 d4 b2h 2,2 0")
	s := newThreads(t, hashed{b, 100}, 1, 100) // one move has nearly all the prior
	s.cfg.CPUCT = 1e6                          // and nothing else counts
	run(t, s, p, -1, nil)
	s.cfg.Simulations = 200
	other := newWalker()
	if got := s.descend(&s.walker); got != toEvaluate || len(s.path) < 2 {
		t.Fatalf("the first walk ends at %d after %v", got, s.path)
	}
	pending := func() (sum int) {
		for i := range s.nodes {
			for _, e := range s.edgesOf(&s.nodes[i]) {
				sum += int(e.pending)
			}
			sum += int(s.nodes[i].pending)
		}
		return sum
	}
	if got := s.descend(&other); got != blocked || !slices.Equal(other.path, s.path) {
		t.Fatalf("the second walk ends at %d after %v, want it blocked after %v", got, other.path, s.path)
	}
	if got := pending(); got != 2*len(s.path) {
		t.Errorf("%d pending after a blocked walk, want the %d of the first", got, 2*len(s.path))
	}
	moves := b.Moves(nil, &s.nodes[s.leaf].pos)
	s.moves = append(s.moves[:0], moves...)
	if err := s.Expand(make([]float32, len(moves)), [3]float32{0.5, 0, 0.5}, nil); err != nil {
		t.Fatal(err)
	}
	if got := pending(); got != 0 {
		t.Errorf("%d pending in the end", got)
	}
	checkTree(t, s, 101)
}

// TestOneThreadIsTheHalves: a search by Select and Expand is the one that Run makes.
func TestOneThreadIsTheHalves(t *testing.T) {
	b, p := parse(t, "5x5 c2 d4 b2h 2,2 0")
	for _, mode := range modes {
		want := run(t, newSearch(t, hashed{b, 1}, mode, 200), p, 30, nil)
		s := newSearch(t, hashed{b, 1}, mode, 200)
		if err := s.Begin(p, 30); err != nil {
			t.Fatal(err)
		}
		for {
			leaf, moves := s.Select(nil)
			if leaf == nil {
				break
			}
			logits, wdl := make([]float32, len(moves)), make([][3]float32, 1)
			if err := s.evals[0].Evaluate([]quoridor.Position{*leaf}, [][]quoridor.Move{moves}, [][]float32{logits}, wdl); err != nil {
				t.Fatal(err)
			}
			if err := s.Expand(logits, wdl[0], nil); err != nil {
				t.Fatal(err)
			}
		}
		got := s.Result(nil)
		if got.Move != want.Move || got.Value != want.Value || got.Simulations != want.Simulations {
			t.Errorf("%s: %s with %g, want %s with %g", mode, got.Move, got.Value, want.Move, want.Value)
		}
	}
}

// meeting is an evaluator whose calls return only when so many are there at once: it shows that evaluations run side by side.
type meeting struct {
	Evaluator
	size    int
	mu      *sync.Mutex
	waiting *int
	open    *chan struct{}
	alone   *atomic.Bool // the next call passes
}

func (m meeting) Evaluate(pos []quoridor.Position, moves [][]quoridor.Move, logits [][]float32, wdl [][3]float32) error {
	if !m.alone.Swap(false) {
		m.mu.Lock()
		*m.waiting++
		gate := *m.open
		if *m.waiting == m.size {
			close(gate)
			*m.waiting, *m.open = 0, make(chan struct{})
		}
		m.mu.Unlock()
		<-gate
	}
	return m.Evaluator.Evaluate(pos, moves, logits, wdl)
}

// TestThreadsEvaluateSideBySide: after the root, which one thread evaluates, two evaluations are always under way together.
func TestThreadsEvaluateSideBySide(t *testing.T) {
	b, p := parse(t, "9x9 e4 e6 - 5,5 0")
	gate, waiting, alone := make(chan struct{}), 0, atomic.Bool{}
	alone.Store(true)
	eval := meeting{hashed{b, 1}, 2, &sync.Mutex{}, &waiting, &gate, &alone}
	s := newThreads(t, eval, 2, 200)
	run(t, s, p, -1, nil)
	checkTree(t, s, 200)
}

// TestThreadsStop: an error of one thread's evaluator ends all and is returned, and the search can be used again; so does the end of a context.
func TestThreadsStop(t *testing.T) {
	b, p := parse(t, "5x5 c2 d4 b2h 2,2 0")
	cfg := DefaultConfig(PUCT)
	cfg.Simulations = 1000
	bad := &failing{Evaluator: hashed{b, 1}, at: 20} // whichever thread comes to it
	s, err := NewSearch(bad, cfg, bad, bad)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Run(context.Background(), p, -1, nil); !errors.Is(err, errFailing) {
		t.Errorf("error %v", err)
	}
	run(t, s, p, -1, nil)
	checkTree(t, s, 1000)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r, err := s.Run(ctx, p, -1, nil)
	if err != nil || r.Simulations < 1 || r.Simulations > 3 || !b.IsLegal(&p, r.Move) {
		t.Errorf("%d simulations after the end of the context, %v", r.Simulations, err)
	}
	checkTree(t, s, int32(r.Simulations))
}

var errFailing = errors.New("the evaluator has failed")

// failing is an evaluator one of whose evaluations fails.
type failing struct {
	Evaluator
	at int64
	n  atomic.Int64
}

func (f *failing) Evaluate(pos []quoridor.Position, moves [][]quoridor.Move, logits [][]float32, wdl [][3]float32) error {
	if f.n.Add(1) == f.at {
		return errFailing
	}
	return f.Evaluator.Evaluate(pos, moves, logits, wdl)
}

// TestThreadsSettings: threads are for PUCT, over evaluators of one board.
func TestThreadsSettings(t *testing.T) {
	b, other := quoridor.MustBoard(5, 5, 2), quoridor.MustBoard(5, 5, 3)
	if _, err := NewSearch(Uniform{b}, DefaultConfig(Gumbel), Uniform{b}); !errors.Is(err, ErrConfig) {
		t.Errorf("Gumbel with two threads: %v", err)
	}
	if _, err := NewSearch(Uniform{b}, DefaultConfig(PUCT), Uniform{other}); !errors.Is(err, ErrConfig) {
		t.Errorf("two boards: %v", err)
	}
}

// TestObserve: the observer sees every evaluation, and can look at the search at any time.
func TestObserve(t *testing.T) {
	b, p := parse(t, "5x5 c2 d4 b2h 2,2 0")
	for _, threads := range []int{1, 3} {
		s := newThreads(t, hashed{b, 1}, threads, 100)
		if err := s.Begin(p, -1); err != nil {
			t.Fatal(err)
		}
		seen := 0
		err := s.Advance(context.Background(), nil, func([3]float32) {
			if seen++; seen > 1 {
				r := s.Result(nil)
				if r.Simulations < 1 || math.IsNaN(r.Value) || r.Move == quoridor.NoMove {
					t.Fatalf("%d simulations, %s with value %g", r.Simulations, r.Move, r.Value)
				}
				for _, m := range r.Moves {
					if math.IsNaN(m.Q) || math.IsNaN(m.Policy) {
						t.Fatalf("%s: Q %g, policy %g", m.Move, m.Q, m.Policy)
					}
				}
			}
		})
		if err != nil || seen < 50 {
			t.Errorf("%d threads: %d evaluations seen, %v", threads, seen, err)
		}
	}
}
