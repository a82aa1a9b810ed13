package data

import (
	"bytes"
	"errors"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rampart/quoridor"
)

func TestWindowConfigValidate(t *testing.T) {
	if err := DefaultWindowConfig().Validate(); err != nil {
		t.Errorf("default: %v", err)
	}
	for _, c := range []struct {
		name  string
		spoil func(*WindowConfig)
	}{
		{"base 0", func(c *WindowConfig) { c.BaseRows = 0 }},
		{"alpha 0", func(c *WindowConfig) { c.Alpha = 0 }},
		{"alpha over 1", func(c *WindowConfig) { c.Alpha = 1.5 }},
		{"alpha NaN", func(c *WindowConfig) { c.Alpha = math.NaN() }},
		{"beta negative", func(c *WindowConfig) { c.Beta = -1 }},
		{"beta NaN", func(c *WindowConfig) { c.Beta = math.NaN() }},
		{"held out all", func(c *WindowConfig) { c.HeldOut = 1 }},
		{"held out negative", func(c *WindowConfig) { c.HeldOut = -0.1 }},
	} {
		config := DefaultWindowConfig()
		c.spoil(&config)
		if err := config.Validate(); !errors.Is(err, ErrWindow) {
			t.Errorf("%s: %v, want ErrWindow", c.name, err)
		}
		if _, err := NewWindow(board5, config); !errors.Is(err, ErrWindow) {
			t.Errorf("%s: NewWindow: %v, want ErrWindow", c.name, err)
		}
	}
}

// TestWindowSize: values worked out by hand, and no step back: a row that has left the window never comes again.
func TestWindowSize(t *testing.T) {
	c := DefaultWindowConfig()
	for _, e := range []struct{ total, want int }{
		{0, 0},
		{24999, 24999},
		{25000, 25000},
		{400000, 118333},     // 25000 * (1 + 0.4 * (16^0.75 - 1)/0.75), 16^0.75 = 8
		{6400000, 865000},    // 256^0.75 = 64
		{102400000, 6838333}, /* 4096^0.75 = 512 */
	} {
		if got := c.Size(e.total); got != e.want {
			t.Errorf("Size(%d) = %d, want %d", e.total, got, e.want)
		}
	}
	for total := 1; total < 3_000_000; total += 997 {
		if before, after := total-c.Size(total), total+997-c.Size(total+997); after < before {
			t.Fatalf("at %d rows the window goes back from %d to %d", total, before, after)
		}
	}
}

func TestHeldOut(t *testing.T) {
	for _, share := range []float64{0, 0.03, 0.5} {
		n := 0
		for generation := range uint32(20) {
			for id := range uint64(5000) {
				if HeldOut(generation, id, share) {
					n++
				}
			}
		}
		if want := share * 100_000; math.Abs(float64(n)-want) > 5*math.Sqrt(want) {
			t.Errorf("%v of the games: %d of 100000 are held out", share, n)
		}
	}
	// These must never change: a program that chooses others trains on what it measures with.
	var got []uint64
	for id := range uint64(200) {
		if HeldOut(3, id, 0.03) {
			got = append(got, id)
		}
	}
	if want := []uint64{12, 14, 22, 33, 35, 93, 122, 138, 172, 190}; !slices.Equal(got, want) {
		t.Errorf("held out of the first 200 games of generation 3: %v, want %v", got, want)
	}
}

// windowShards writes n shards of 20 games each, one generation a shard, and returns their paths and games.
func windowShards(t *testing.T, n int) (paths []string, games [][]*Game) {
	t.Helper()
	dir := t.TempDir()
	for i := range n {
		list := testGames(uint64(70+i), board5, 20)
		for _, g := range list {
			g.Generation = uint32(i)
			for k := range g.Searches {
				if s := &g.Searches[k]; s.Ply%3 == 0 {
					s.Flags = s.Flags.WithWeight(float64(s.Ply%13) / 4)
				}
			}
		}
		path := ShardPath(dir, i+1)
		writeShard(t, path, testHeader(board5), list, 7, 14)
		paths, games = append(paths, path), append(games, list)
	}
	return paths, games
}

// naiveRows makes the rows of games the obvious way.
func naiveRows(games []*Game, heldOut bool, share float64) []Row {
	var rows []Row
	for _, g := range games {
		if HeldOut(g.Generation, g.ID, share) != heldOut {
			continue
		}
		for i, s := range g.Searches {
			if s.Flags&FlagNoTrain != 0 {
				continue
			}
			replay, err := quoridor.Replay(board5, board5.Start(), g.Rules, g.Moves[:s.Ply])
			if err != nil {
				panic(err)
			}
			r := Row{
				Position: replay.Position(), Value: float32(s.Value) / 32767, PliesLeft: float32(len(g.Moves) - s.Ply),
				Generation: g.Generation, ID: g.ID, Ply: s.Ply, Count: 1, Weight: 1,
			}
			if code := s.Flags >> 3; code > 0 {
				r.Weight = float32(code) / 8
			}
			switch p := replay.Position(); g.Result.Winner() {
			case -1:
				r.WDL = [3]float32{0, 1, 0}
			case p.Side():
				r.WDL, r.Margin = [3]float32{1, 0, 0}, float32(stepsLeft(g, 1-p.Side()))
			default:
				r.WDL, r.Margin = [3]float32{0, 0, 1}, -float32(stepsLeft(g, p.Side()))
			}
			if i+1 < len(g.Searches) && g.Searches[i+1].Ply == s.Ply+1 {
				for _, e := range g.Searches[i+1].Policy {
					r.Reply = append(r.Reply, e.Move)
					r.ReplyProbs = append(r.ReplyProbs, float32(e.P)/65535)
				}
			}
			for _, e := range s.Policy {
				r.Moves = append(r.Moves, e.Move)
				r.Probs = append(r.Probs, float32(e.P)/65535)
			}
			rows = append(rows, r)
		}
	}
	return rows
}

// stepsLeft returns how far the player is from his goal at the end of the game.
func stepsLeft(g *Game, player int) int {
	replay, err := quoridor.Replay(board5, board5.Start(), g.Rules, g.Moves)
	if err != nil {
		panic(err)
	}
	p := replay.Position()
	var steps [quoridor.NumCells]uint8
	board5.Distances(&p, player, &steps)
	return int(steps[p.Pawn(player)])
}

// testWindow returns a small window over the shards, in which some of them lie outside.
func testWindow(t testing.TB, paths []string, merge bool) (*Window, LoadReport) {
	t.Helper()
	w, err := NewWindow(board5, WindowConfig{BaseRows: 300, Alpha: 0.75, Beta: 0.4, HeldOut: 0.1, MergeDuplicates: merge})
	if err != nil {
		t.Fatal(err)
	}
	report, err := w.Load(paths)
	if err != nil {
		t.Fatal(err)
	}
	return w, report
}

// trainRows and heldRows list the rows of a window.
func trainRows(w *Window) []Row {
	rows := make([]Row, w.Len())
	for i := range rows {
		w.Row(i, &rows[i])
	}
	return rows
}

func heldRows(w *Window) []Row {
	rows := make([]Row, w.HeldLen())
	for i := range rows {
		w.HeldRow(i, &rows[i])
	}
	return rows
}

func sameRows(t testing.TB, what string, got, want []Row) {
	t.Helper()
	if d := cmp.Diff(want, got, cmp.Comparer(func(a, b quoridor.Position) bool { return a == b })); d != "" {
		t.Fatalf("%s differ (-want +got):\n%s", what, d)
	}
}

// TestWindowIsTheNewestGames compares the window with the plain list of all rows.
func TestWindowIsTheNewestGames(t *testing.T) {
	paths, games := windowShards(t, 6)
	for n := range len(paths) + 1 {
		w, report := testWindow(t, paths[:n], false)
		all := slices.Concat(games[:n]...)
		total := 0
		for _, g := range all {
			total += g.Rows()
		}
		first, rows := len(all), 0
		for first > 0 && rows < w.config.Size(total) {
			first--
			rows += all[first].Rows()
		}
		sameRows(t, "training rows", trainRows(w), append([]Row{}, naiveRows(all[first:], false, 0.1)...))
		sameRows(t, "rows held out", heldRows(w), append([]Row{}, naiveRows(all[first:], true, 0.1)...))
		want := LoadReport{TotalRows: total, Rows: w.Len(), HeldOut: w.HeldLen(), Games: len(all) - first, Shards: report.Shards}
		if !cmp.Equal(report, want) || w.TotalRows() != total || w.Len()+w.HeldLen() != rows {
			t.Errorf("%d shards: report %+v, want %+v", n, report, want)
		}
		if n == len(paths) && (first == 0 || report.Shards == len(paths)) {
			t.Fatal("the test should leave shards outside the window")
		}
	}
}

// TestWindowDependsOnTheListAlone: loading shard by shard, or another list before, gives the same window as loading all at once.
func TestWindowDependsOnTheListAlone(t *testing.T) {
	paths, _ := windowShards(t, 6)
	for _, merge := range []bool{false, true} {
		fresh, want := testWindow(t, paths, merge)
		grown, _ := testWindow(t, nil, merge)
		for _, list := range [][]string{paths[:1], paths[:2], paths[:3], paths[:4], paths[:5], paths, paths[:2], paths[3:5], paths[:1], paths} {
			report, err := grown.Load(list)
			if err != nil {
				t.Fatal(err)
			}
			if len(list) == len(paths) && !cmp.Equal(report, want) {
				t.Fatalf("report %+v, want %+v", report, want)
			}
		}
		sameRows(t, "training rows", trainRows(grown), trainRows(fresh))
		sameRows(t, "rows held out", heldRows(grown), heldRows(fresh))
		a, b := newRand(9), newRand(9)
		for range 1000 {
			var x, y Row
			fresh.Sample(a, &x)
			grown.Sample(b, &y)
			sameRows(t, "samples", []Row{y}, []Row{x})
		}
	}
}

// TestSamplesAreMirrored: half the samples are mirror images, whose policies are legal there and sum to 1; mirroring again gives the row.
func TestSamplesAreMirrored(t *testing.T) {
	paths, _ := windowShards(t, 3)
	w, _ := testWindow(t, paths, false)
	index := map[gameKey]map[int]Row{}
	for _, r := range trainRows(w) {
		key := gameKey{r.Generation, r.ID}
		if index[key] == nil {
			index[key] = map[int]Row{}
		}
		index[key][r.Ply] = r
	}
	rng := newRand(10)
	mirrored := 0
	const n = 2000
	for range n {
		var r Row
		w.Sample(rng, &r)
		sum := float32(0)
		for i, m := range r.Moves {
			if !board5.IsLegal(&r.Position, m) {
				t.Fatalf("%s is not legal in %s", m, board5.Format(r.Position))
			}
			sum += r.Probs[i]
		}
		if math.Abs(float64(sum)-1) > 1e-5 {
			t.Fatalf("the policy sums to %v", sum)
		}
		dst := make([]float32, len(r.Moves)+1)
		r.Policy(append(slices.Clone(r.Moves), quoridor.NoMove), dst)
		if !slices.Equal(dst[:len(r.Moves)], r.Probs) || dst[len(r.Moves)] != 0 {
			t.Fatalf("Policy gives %v for %v", dst, r.Probs)
		}
		want := index[gameKey{r.Generation, r.ID}][r.Ply]
		if r.Mirrored {
			mirrored++
			if r.Position != board5.Mirror(want.Position) {
				t.Fatalf("%s is not the mirror image of %s", board5.Format(r.Position), board5.Format(want.Position))
			}
			r.mirror(board5)
		}
		sameRows(t, "the row mirrored back", []Row{r}, []Row{want})
	}
	if mirrored < n/2-200 || mirrored > n/2+200 {
		t.Errorf("%d of %d samples are mirrored", mirrored, n)
	}
}

// TestMergedRows compares with averaging over a map of texts.
func TestMergedRows(t *testing.T) {
	paths, _ := windowShards(t, 4)
	plain, _ := testWindow(t, paths, false)
	merged, _ := testWindow(t, paths, true)
	key := func(p quoridor.Position) string {
		var texts []string
		for _, q := range []quoridor.Position{p, board5.Mirror(p), board5.Turn(p), board5.Turn(board5.Mirror(p))} {
			texts = append(texts, board5.Format(q))
		}
		return slices.Min(texts)
	}
	groups := map[string][]Row{}
	for _, r := range trainRows(plain) {
		groups[key(r.Position)] = append(groups[key(r.Position)], r)
	}
	if merged.Len() != len(groups) {
		t.Fatalf("%d rows, want %d", merged.Len(), len(groups))
	}
	greatest := 0
	for _, r := range trainRows(merged) {
		group := groups[key(r.Position)]
		greatest = max(greatest, r.Count)
		if r.Count != len(group) {
			t.Fatalf("%s: %d rows, want %d", board5.Format(r.Position), r.Count, len(group))
		}
		var want Row
		total, replies := float32(0), float32(0)
		for _, g := range group {
			total += g.Weight
			if len(g.Reply) > 0 {
				replies += g.Weight
			}
		}
		want.Weight = total / float32(len(group))
		pawn, reply := 0.0, 0.0 // probability of pawn moves: the same in every view
		for _, g := range group {
			share := g.Weight / total
			for i := range want.WDL {
				want.WDL[i] += g.WDL[i] * share
			}
			want.Value += g.Value * share
			want.PliesLeft += g.PliesLeft * share
			want.Margin += g.Margin * share
			pawn += float64(share) * pawnShare(g.Moves, g.Probs)
			if replies > 0 {
				reply += float64(g.Weight/replies) * pawnShare(g.Reply, g.ReplyProbs)
			}
		}
		pawn -= pawnShare(r.Moves, r.Probs)
		reply -= pawnShare(r.Reply, r.ReplyProbs)
		sum := 0.0
		for i, m := range r.Moves {
			if !board5.IsLegal(&r.Position, m) {
				t.Fatalf("%s is not legal in %s", m, board5.Format(r.Position))
			}
			sum += float64(r.Probs[i])
		}
		near := func(a, b float32) bool { return math.Abs(float64(a)-float64(b)) < 1e-4 }
		if !near(r.Value, want.Value) || !near(r.PliesLeft, want.PliesLeft) || !near(r.WDL[0], want.WDL[0]) || !near(r.WDL[2], want.WDL[2]) || !near(r.Margin, want.Margin) || !near(r.Weight, want.Weight) ||
			math.Abs(pawn) > 1e-4 || math.Abs(reply) > 1e-4 || math.Abs(sum-1) > 1e-4 {
			t.Fatalf("%s: got %+v, want %+v, pawn moves differ by %v, sum %v", board5.Format(r.Position), r, want, pawn, sum)
		}
	}
	if greatest < 3 {
		t.Fatalf("at most %d rows were merged: the test says little", greatest)
	}
}

// pawnShare returns the probability of pawn moves.
func pawnShare(moves []quoridor.Move, probs []float32) (sum float64) {
	for i, m := range moves {
		if m.IsPawn() {
			sum += float64(probs[i])
		}
	}
	return sum
}

// TestDamagedShardIsLeftOut: the window is that of the other shards, and the report names the damaged one.
func TestDamagedShardIsLeftOut(t *testing.T) {
	paths, _ := windowShards(t, 4)
	want, _ := testWindow(t, []string{paths[0], paths[1], paths[3]}, false)
	whole := readFile(t, paths[2])
	for name, content := range map[string][]byte{
		"truncated":    whole[:len(whole)-5],
		"empty":        nil,
		"foreign":      []byte("this is no shard, however long it may be"),
		"bit in block": func() []byte { c := bytes.Clone(whole); c[len(c)/2] ^= 1; return c }(),
		"bit in index": func() []byte { c := bytes.Clone(whole); c[len(c)-40] ^= 1; return c }(),
	} {
		writeFile(t, paths[2], content)
		w, report := testWindow(t, paths, false)
		e := new(Error)
		if len(report.Refused) != 1 || !errors.As(report.Refused[0], &e) || e.Path != paths[2] || !IsFault(e) {
			t.Errorf("%s: refused %v", name, report.Refused)
		}
		sameRows(t, name+": training rows", trainRows(w), trainRows(want))
	}
}

func TestWindowErrors(t *testing.T) {
	paths, _ := windowShards(t, 2)
	w, report := testWindow(t, paths, false)
	if _, err := w.Load(append(slices.Clone(paths), filepath.Join(t.TempDir(), "none.rgz"))); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
	other := tempShard(t)
	writeShard(t, other, testHeader(board9), testGames(80, board9, 1))
	if _, err := w.Load([]string{other}); !errors.Is(err, ErrBoard) {
		t.Errorf("another board: %v", err)
	}
	again, err := w.Load(paths)
	if err != nil || !cmp.Equal(again, report) {
		t.Errorf("after errors: %+v, %v, want %+v", again, err, report)
	}
}

// TestSampleDoesNotAllocate: training asks for thousands of rows a second.
func TestSampleDoesNotAllocate(t *testing.T) {
	paths, _ := windowShards(t, 2)
	w, _ := testWindow(t, paths, false)
	rng := newRand(12)
	r := Row{Moves: make([]quoridor.Move, 0, quoridor.MaxMoves), Probs: make([]float32, 0, quoridor.MaxMoves)}
	if n := testing.AllocsPerRun(100, func() { w.Sample(rng, &r) }); n > 0 {
		t.Errorf("%v allocations a sample", n)
	}
}
