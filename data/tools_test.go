package data

import (
	"bytes"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rampart/quoridor"
)

func collectFaults(list *[]*Error) func(*Error) { return func(e *Error) { *list = append(*list, e) } }

func TestVerifyGoodShards(t *testing.T) {
	games := testGames(90, board5, 70)
	path := tempShard(t)
	w, err := Create(path, testHeader(board5))
	if err != nil {
		t.Fatal(err)
	}
	appendAll(t, w, games)
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	want := Summary{Path: path + OpenSuffix, Header: testHeader(board5), Bytes: w.Size(), Blocks: 2, Games: len(games)}
	for _, g := range games {
		want.Plies += len(g.Moves)
		want.Searches += len(g.Searches)
		want.Rows += g.Rows()
	}
	var faults []*Error
	if got, err := Verify(path+OpenSuffix, collectFaults(&faults)); err != nil || got != want || len(faults) > 0 {
		t.Fatalf("open: %+v, %v, %v, want %+v", got, err, faults, want)
	}
	if err := w.Seal(); err != nil {
		t.Fatal(err)
	}
	want.Path, want.Sealed, want.Bytes = path, true, int64(len(readFile(t, path)))
	if got, err := Verify(path, collectFaults(&faults)); err != nil || got != want || len(faults) > 0 {
		t.Fatalf("sealed: %+v, %v, %v, want %+v", got, err, faults, want)
	}
	if _, err := Verify(filepath.Join(t.TempDir(), "none.rgz"), collectFaults(&faults)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
	if _, err := Verify(t.TempDir(), collectFaults(&faults)); !errors.Is(err, ErrMagic) {
		t.Errorf("folder: %v", err)
	}
}

// TestFaultsTellWhere: the block, the byte and the game of a fault are named.
func TestFaultsTellWhere(t *testing.T) {
	games, sealed, _, ends := smallShard(t)
	damaged := bytes.Clone(sealed)
	damaged[ends[1]+40] ^= 1
	_, faults := verifyBytes("games/00000001.rgz", damaged)
	if len(faults) != 1 || faults[0].Block != 1 || faults[0].Offset != int64(ends[1]) || !errors.Is(faults[0], ErrChecksum) {
		t.Fatalf("faults %v, want the checksum of block 1 at byte %d", faults, ends[1])
	}

	// A faulty writer: the third game's result is turned round, under right checksums.
	path := tempShard(t)
	w, err := Create(path, testHeader(board5))
	if err != nil {
		t.Fatal(err)
	}
	appendAll(t, w, games[:2])
	bad := clone(games[2])
	appendAll(t, w, []*Game{bad})
	at := len(blockContentOf(t, games[:2])[streamGames])
	scalars := w.games.out[streamGames][at:]
	// flags, generation and number are one byte each for a game that follows its predecessor
	if scalars[3] != byte(bad.Result) {
		t.Fatal("the test does not find the result")
	}
	scalars[3] = byte(quoridor.Win0 + quoridor.Win1 - bad.Result)
	w.done.entries[2].Result = quoridor.Result(scalars[3])
	appendAll(t, w, games[3:])
	if err := w.Seal(); err != nil {
		t.Fatal(err)
	}
	faults = nil
	s, err := Verify(path, collectFaults(&faults))
	if err != nil || len(faults) != 1 || faults[0].Game != 2 || faults[0].Block != 0 || !errors.Is(faults[0], ErrReplay) || s.Games != 4 {
		t.Fatalf("%+v, %v, faults %v, want ErrReplay of game 2 and four good games", s, err, faults)
	}
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	good := 0
	for g, err := range r.All() {
		if err == nil {
			good++
		} else if !errors.Is(err, ErrReplay) || g != nil {
			t.Errorf("game %v, %v", g, err)
		}
	}
	if good != 4 {
		t.Errorf("%d good games, want 4", good)
	}
}

func blockContentOf(t *testing.T, games []*Game) streams {
	t.Helper()
	s, err := splitContent(blockContent(t, games))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestRecover: what is whole is saved, and what was lost is counted.
func TestRecover(t *testing.T) {
	games, sealed, open, ends := smallShard(t)
	flip := func(content []byte, at ...int) []byte {
		content = bytes.Clone(content)
		for _, i := range at {
			content[i] ^= 4
		}
		return content
	}
	for _, c := range []struct {
		name    string
		content []byte
		want    Recovered
		games   []*Game
	}{
		{"whole", sealed, Recovered{Saved: 5}, games},
		{"open", open, Recovered{Saved: 5, Faults: 1}, games},
		{"first block", flip(sealed, ends[0]+50), Recovered{Saved: 3, Lost: 2, Faults: 1}, games[2:]},
		{"middle block", flip(sealed, ends[1]+50), Recovered{Saved: 4, Lost: 1, Faults: 1}, slices.Concat(games[:2], games[3:])},
		{"two blocks", flip(sealed, ends[0]+50, ends[2]+5), Recovered{Saved: 1, Lost: 4, Faults: 2}, games[2:3]},
		{"length of a block", flip(sealed, ends[1]+24), Recovered{Saved: 4, Lost: 1, Faults: 1}, slices.Concat(games[:2], games[3:])},
		{"header", flip(sealed, 20), Recovered{Saved: 5, Faults: 1}, games},
		{"magic", flip(sealed, 0), Recovered{Saved: 5, Faults: 1}, games},
		{"index", flip(sealed, len(sealed)-50), Recovered{Saved: 5, Faults: 1}, games},
		{"index and a block", flip(sealed, len(sealed)-50, ends[0]+50), Recovered{Saved: 3, Lost: 2, Faults: 2}, games[2:]},
		{"index and the last block", flip(sealed, len(sealed)-50, ends[2]+50), Recovered{Saved: 3, Unsure: true, Faults: 2}, games[:3]},
		{"cut in the last block", sealed[:ends[2]+30], Recovered{Saved: 3, Unsure: true, Faults: 2}, games[:3]},
	} {
		dir := t.TempDir()
		from, to := filepath.Join(dir, "old.rgz"), filepath.Join(dir, "new.rgz")
		writeFile(t, from, c.content)
		var faults []*Error
		got, err := Recover(from, to, collectFaults(&faults))
		if err != nil || got != c.want || len(faults) != c.want.Faults {
			t.Errorf("%s: %+v, %v, faults %v; want %+v", c.name, got, err, faults, c.want)
			continue
		}
		sameGames(t, readShard(t, to), c.games)
		if !bytes.Equal(readFile(t, from), c.content) {
			t.Errorf("%s: the old shard was changed", c.name)
		}
	}
	for _, c := range []struct {
		name    string
		content []byte
		want    error
	}{
		{"header alone", open[:ends[0]], ErrTruncated},
		{"cut in the first block", open[:ends[1]-1], ErrTruncated},
		{"header without a copy", flip(open, 20), ErrTruncated},
		{"text", []byte("no shard"), ErrTruncated},
	} {
		dir := t.TempDir()
		from, to := filepath.Join(dir, "old.rgz"), filepath.Join(dir, "new.rgz")
		writeFile(t, from, c.content)
		if got, err := Recover(from, to, func(*Error) {}); !errors.Is(err, c.want) {
			t.Errorf("%s: %+v, %v, want %v", c.name, got, err, c.want)
		}
		if list, _ := os.ReadDir(dir); len(list) != 1 {
			t.Errorf("%s: something was left behind: %v", c.name, list)
		}
		writeFile(t, to, []byte("precious"))
		writeFile(t, from, sealed)
		if _, err := Recover(from, to, func(*Error) {}); !errors.Is(err, fs.ErrExist) || string(readFile(t, to)) != "precious" {
			t.Errorf("%s: an existing file: %v", c.name, err)
		}
	}
}

func TestMerge(t *testing.T) {
	dir := t.TempDir()
	games := testGames(91, board5, 12)
	paths := []string{ShardPath(dir, 1), ShardPath(dir, 2), ShardPath(dir, 3)}
	h := testHeader(board5)
	writeShard(t, paths[0], h, games[:6])
	writeShard(t, paths[1], h, games[4:8])
	h.Model, h.Rules.PlyCap = "other", 99
	writeShard(t, paths[2], h, games[8:])

	to := filepath.Join(dir, "same.rgz")
	if m, err := Merge(to, paths[:2]); err != nil || m != (Merged{Games: 8, Duplicates: 2}) {
		t.Fatalf("%+v, %v", m, err)
	}
	sameGames(t, readShard(t, to), games[:8])
	to = filepath.Join(dir, "all.rgz")
	if m, err := Merge(to, paths); err != nil || m != (Merged{Games: 12, Duplicates: 2}) {
		t.Fatalf("%+v, %v", m, err)
	}
	sameGames(t, readShard(t, to), games)
	r, err := Open(to)
	if err != nil {
		t.Fatal(err)
	}
	want := testHeader(board5)
	want.Model = ""
	if r.Header() != want {
		t.Errorf("header %+v, want %+v", r.Header(), want)
	}
	r.Close()

	// An open shard gives its whole games.
	open := filepath.Join(dir, "00000004.rgz"+OpenSuffix)
	w, err := Create(sealedPath(open), testHeader(board5))
	if err != nil {
		t.Fatal(err)
	}
	appendAll(t, w, games[:3])
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if m, err := Merge(filepath.Join(dir, "open.rgz"), []string{open, paths[0]}); err != nil || m != (Merged{Games: 6, Duplicates: 3}) {
		t.Fatalf("%+v, %v", m, err)
	}

	other := filepath.Join(dir, "other.rgz")
	writeShard(t, other, testHeader(board9), testGames(92, board9, 1))
	damaged := filepath.Join(dir, "damaged.rgz")
	content := readFile(t, paths[0])
	content[len(content)/2] ^= 1
	writeFile(t, damaged, content)
	changed := func(name string, change func(*Game)) []string {
		g := clone(games[2])
		change(g)
		path := filepath.Join(dir, name+".rgz")
		writeShard(t, path, testHeader(board5), []*Game{games[8], g})
		return []string{paths[0], path}
	}
	conflicts := map[string][]string{
		"another seed":  changed("seed", func(g *Game) { g.Seed++ }),
		"another game":  changed("moves", func(g *Game) { id := g.ID; *g = *clone(games[9]); g.ID = id }),
		"other visits":  changed("visits", func(g *Game) { g.Searches[0].Visits++ }),
		"another value": changed("value", func(g *Game) { g.Searches[0].Value ^= 1 }),
	}
	before, _ := os.ReadDir(dir)
	for name, from := range conflicts {
		_, err := Merge(filepath.Join(dir, "bad.rgz"), from)
		want := from[1] + ": game 1: different games with one generation and number: game " + games[2].key().String() + " is another one in " + from[0] + ", game 2;"
		if !errors.Is(err, ErrConflict) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	for _, c := range []struct {
		name string
		from []string
		want error
	}{
		{"none", nil, ErrFolder},
		{"other board", []string{paths[0], other}, ErrBoard},
		{"damaged", []string{paths[1], damaged}, ErrChecksum},
		{"missing", []string{paths[1], filepath.Join(dir, "none.rgz")}, fs.ErrNotExist},
	} {
		if _, err := Merge(filepath.Join(dir, "bad.rgz"), c.from); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
	if after, _ := os.ReadDir(dir); len(after) != len(before) {
		t.Errorf("something was left behind: %v", after)
	}
}

// TestVisit: sealed and open shards are read, faults end the visit after the games before them, a torn end of an open shard is no fault.
func TestVisit(t *testing.T) {
	games, sealed, open, ends := smallShard(t)
	dir := t.TempDir()
	for _, c := range []struct {
		name    string
		content []byte
		want    []*Game
		fault   error
	}{
		{"1.rgz", sealed, games, nil},
		{"2.rgz.open", open, games, nil},
		{"3.rgz.open", open[:ends[2]+60], games[:3], nil},
		{"4.rgz", open, games, ErrTruncated},
		{"5.rgz.open", append(bytes.Clone(open[:ends[1]]), open[ends[2]:]...), games[:2], ErrFormat},
		{"6.rgz", []byte("rubbish here"), nil, ErrMagic},
	} {
		path := filepath.Join(dir, c.name)
		writeFile(t, path, c.content)
		var got []*Game
		err := Visit(path, func(h *Header, g *Game) error {
			if *h != testHeader(board5) {
				t.Errorf("%s: header %+v", c.name, h)
			}
			got = append(got, g)
			return nil
		})
		if c.name == "4.rgz" {
			got = games // the index is looked at first, so no game comes
		}
		sameGames(t, got, c.want)
		if !errors.Is(err, c.fault) {
			t.Errorf("%s: %v, want %v", c.name, err, c.fault)
		}
	}
	stop := errors.New("stop")
	n := 0
	err := Visit(filepath.Join(dir, "1.rgz"), func(*Header, *Game) error {
		n++
		return stop
	})
	if !errors.Is(err, stop) || n != 1 {
		t.Errorf("stopped after %d games with %v", n, err)
	}
	for _, name := range []string{"1.rgz", "2.rgz.open"} {
		for i, want := range games {
			h, g, err := GameOf(filepath.Join(dir, name), i)
			if err != nil || *h != testHeader(board5) {
				t.Fatalf("%s game %d: %v", name, i, err)
			}
			sameGames(t, []*Game{g}, []*Game{want})
		}
		if _, _, err := GameOf(filepath.Join(dir, name), len(games)); !errors.Is(err, ErrGame) {
			t.Errorf("%s: game beyond the end: %v", name, err)
		}
	}
}

// TestStats compares with sums made the obvious way.
func TestStats(t *testing.T) {
	games := testGames(93, board5, 80)
	path := tempShard(t)
	writeShard(t, path, testHeader(board5), games)
	s, err := StatsOf([]string{path}, 3)
	if err != nil {
		t.Fatal(err)
	}
	plies, searches := countPlies(games)
	positions := map[quoridor.Position]bool{}
	openings := map[string]int{}
	results := map[quoridor.Result]int{}
	rows := 0
	entropy := 0.0
	for _, g := range games {
		results[g.Result]++
		rows += g.Rows()
		replay, err := quoridor.Replay(board5, board5.Start(), g.Rules, g.Moves)
		if err != nil {
			t.Fatal(err)
		}
		text := ""
		for _, m := range g.Moves[:min(3, len(g.Moves))] {
			text += m.String() + " "
			openings[text]++
		}
		for _, search := range g.Searches {
			if search.Trains() {
				positions[replay.PositionAt(search.Ply)] = true
			}
			for _, e := range search.Policy {
				p := float64(e.P) / 65535
				entropy += p * math.Log(1/p)
			}
		}
	}
	distinct, exact := s.Distinct()
	if s.Games != 80 || s.Plies != plies || s.Searches != searches || s.Rows != rows || distinct != len(positions) || !exact {
		t.Errorf("got %d games, %d plies, %d searches, %d rows, %d distinct; want 80, %d, %d, %d, %d", s.Games, s.Plies, s.Searches, s.Rows, distinct, plies, searches, rows, len(positions))
	}
	for r, n := range results {
		if s.Results[r] != n {
			t.Errorf("%v: %d, want %d", r, s.Results[r], n)
		}
	}
	if math.Abs(s.Entropy-entropy) > 1e-6 {
		t.Errorf("entropy %v, want %v", s.Entropy, entropy)
	}
	listed := s.Openings(0)
	if len(listed) != len(openings) {
		t.Errorf("%d openings, want %d", len(listed), len(openings))
	}
	for _, o := range listed {
		text := ""
		for _, m := range o.Moves {
			text += m.String() + " "
		}
		if openings[text] != o.Games || o.Score < 0 || o.Score > 1 {
			t.Errorf("opening %s: %d games with score %v, want %d", text, o.Games, o.Score, openings[text])
		}
	}
	for _, o := range s.Openings(0.1) {
		if o.Games < 8 {
			t.Errorf("opening %v of %d games is listed", o.Moves, o.Games)
		}
	}
	if _, err := StatsOf(nil, 3); !errors.Is(err, ErrFolder) {
		t.Errorf("no shards: %v", err)
	}
}

// TestDistinctCounterIsBounded: beyond its limit the counter estimates.
func TestDistinctCounterIsBounded(t *testing.T) {
	var d distinctCounter
	const n = distinctLimit + distinctLimit/8
	for range 2 { // what was seen before does not count again
		for i := range uint64(n) {
			d.add(mix(i))
		}
	}
	if len(d.seen) > distinctLimit || d.bits == 0 {
		t.Fatalf("%d hashes are kept, the limit is %d", len(d.seen), distinctLimit)
	}
	if got := float64(d.count()); math.Abs(got/n-1) > 0.01 {
		t.Errorf("%v different hashes, want about %d", got, n)
	}
}
