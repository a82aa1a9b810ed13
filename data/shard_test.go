package data

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"rampart/internal/durable"

	"rampart/quoridor"
)

// TestRoundTrip: whatever is written is read back, as a whole and game by game, on every board.
func TestRoundTrip(t *testing.T) {
	dir := t.TempDir()
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		w := rapid.IntRange(2, 9).Draw(t, "w")
		h := rapid.IntRange(3, 9).Draw(t, "h")
		walls := rapid.IntRange(0, min(10, (w-1)*(h-1))).Draw(t, "walls")
		board := quoridor.MustBoard(w, h, walls)
		header := Header{
			Board:  board,
			Rules:  quoridor.Rules{PlyCap: board.DefaultPlyCap(), Repetition: rapid.Bool().Draw(t, "repetition")},
			Model:  rapid.StringN(0, 50, maxModel).Draw(t, "model"),
			Config: [32]byte(rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "config")),
		}
		rng := newRand(rapid.Uint64().Draw(t, "seed"))
		var games []*Game
		var cuts []int
		known := map[uint64]bool{}
		for i := range rapid.IntRange(0, 12).Draw(t, "games") {
			id := rng.Uint64() >> rng.IntN(64)
			if known[id] {
				continue
			}
			known[id] = true
			games = append(games, randomGame(rng, board, testRules(board, uint64(i)), uint32(rng.Uint64()>>rng.IntN(64)), id))
			if rng.IntN(4) == 0 {
				cuts = append(cuts, len(games))
			}
		}
		path := ShardPath(dir, n)
		writeShard(t, path, header, games, cuts...)
		sameGames(t, readShard(t, path), games)

		r, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		if r.Header() != header || r.Len() != len(games) {
			t.Fatalf("header %+v with %d games, want %+v with %d", r.Header(), r.Len(), header, len(games))
		}
		for range 2 * len(games) {
			i := rng.IntN(len(games))
			g, err := r.Game(i)
			if err != nil {
				t.Fatal(err)
			}
			sameGames(t, []*Game{g}, games[i:i+1])
			if r.Entry(i) != g.entry() {
				t.Fatalf("entry %d is %+v, the game %+v", i, r.Entry(i), g.entry())
			}
		}
	})
}

// TestAgainstJSON: reading a shard gives what the plainest encoding gives.
func TestAgainstJSON(t *testing.T) {
	games := testGames(2, board5, 150)
	path := tempShard(t)
	writeShard(t, path, testHeader(board5), games)
	var want []*Game
	text, err := json.Marshal(games)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	sameGames(t, readShard(t, path), want)
}

// TestBlocks: a game is read with its block alone, and a block has BlockGames games.
func TestBlocks(t *testing.T) {
	games := testGames(4, board5, 2*BlockGames+5)
	path := tempShard(t)
	writeShard(t, path, testHeader(board5), games)
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var sizes []int
	for _, b := range r.index.blocks {
		sizes = append(sizes, b.games)
	}
	if !slices.Equal(sizes, []int{BlockGames, BlockGames, 5}) {
		t.Fatalf("blocks of %v games", sizes)
	}
	counting := &countingReader{content: readFile(t, path)}
	cr, err := NewReader(counting, int64(len(counting.content)), path)
	if err != nil {
		t.Fatal(err)
	}
	counting.n = 0
	if _, err := cr.Game(BlockGames + 3); err != nil {
		t.Fatal(err)
	}
	if want := r.index.blocks[1].size; counting.n != want {
		t.Errorf("reading a game read %d bytes, its block has %d", counting.n, want)
	}
}

type countingReader struct {
	content []byte
	n       int64
}

func (c *countingReader) ReadAt(p []byte, at int64) (int, error) {
	n, err := bytes.NewReader(c.content).ReadAt(p, at)
	c.n += int64(n)
	return n, err
}

// TestEqualGamesMakeEqualBytes: a writer that has worked before writes what a fresh one writes.
func TestEqualGamesMakeEqualBytes(t *testing.T) {
	dir := t.TempDir()
	games := testGames(5, board9, 70)
	var want []byte
	for i := range 3 {
		path := ShardPath(dir, i+1)
		writeShard(t, path, testHeader(board9), games, 10, 20)
		got := readFile(t, path)
		if want == nil {
			want = got
		}
		if !bytes.Equal(got, want) {
			t.Fatalf("shard %d differs from the first", i+1)
		}
	}
	// Reopened after each block, with a new encoder each time.
	path := ShardPath(dir, 4)
	w, err := Create(path, testHeader(board9))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range [][]*Game{games[:10], games[10:20], games[20:]} {
		appendAll(t, w, part)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if w, _, err = Reopen(path); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Seal(); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(readFile(t, path), want) {
		t.Fatal("a shard that was reopened differs from one that was not")
	}
}

// TestLargeGamesFillABlock: a block ends at blockTarget bytes too, and the longest game fits.
func TestLargeGamesFillABlock(t *testing.T) {
	board := quoridor.MustBoard(9, 9, 0)
	games := []*Game{longGame(board, 1), longGame(board, 2)}
	path := tempShard(t)
	writeShard(t, path, testHeader(board), games)
	sameGames(t, readShard(t, path), games)
}

// longGame steps to and fro for MaxPlies plies.
func longGame(b *quoridor.Board, id uint64) *Game {
	g := &Game{ID: id, Rules: quoridor.Rules{PlyCap: MaxPlies}, Result: quoridor.DrawCap}
	p := b.Start()
	for ply := range MaxPlies {
		home := quoridor.CellAt(4, 8*p.Side())
		to := home
		if p.Pawn(p.Side()) == home {
			to = quoridor.CellAt(4, 1+6*p.Side())
		}
		m := quoridor.PawnMove(to)
		moves := b.Moves(nil, &p)
		probs := make([]float32, len(moves))
		for i := range probs {
			probs[i] = 1
		}
		policy, err := AppendPolicy(nil, moves, probs)
		if err != nil {
			panic(err)
		}
		g.Searches = append(g.Searches, Search{Ply: ply, Policy: policy})
		g.Moves = append(g.Moves, m)
		p = b.Play(p, m)
	}
	return g
}

func TestShards(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "games")
	if list, err := Shards(dir); err != nil || len(list) > 0 {
		t.Fatalf("missing folder: %v, %v", list, err)
	}
	if _, err := FindShards(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("missing folder: %v", err)
	}
	games := testGames(6, board5, 1)
	run := t.TempDir()
	if _, err := FindShards(run); !errors.Is(err, ErrFolder) {
		t.Fatalf("empty folder: %v", err)
	}
	dir = filepath.Join(run, "games")
	for i, number := range []int{12, 3, 100000000} {
		path := ShardPath(dir, number)
		if i == 0 {
			if _, err := Create(path, testHeader(board5)); !errors.Is(err, fs.ErrNotExist) {
				t.Fatalf("missing folder: %v", err)
			}
		}
		if err := durable.MkdirAll(dir); err != nil {
			t.Fatal(err)
		}
		writeShard(t, path, testHeader(board5), games)
	}
	w, err := Create(ShardPath(dir, 13), testHeader(board5))
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for _, other := range []string{"notes.txt", "1.rgz", "000000013.rgz", "0000000x.rgz", "00000014.rgz.open.tmp", ".00000015.rgz.open123"} {
		writeFile(t, filepath.Join(dir, other), nil)
	}
	list, err := Shards(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := []Shard{
		{3, filepath.Join(dir, "00000003.rgz"), false},
		{12, filepath.Join(dir, "00000012.rgz"), false},
		{13, filepath.Join(dir, "00000013.rgz.open"), true},
		{100000000, filepath.Join(dir, "100000000.rgz"), false},
	}
	if !slices.Equal(list, want) {
		t.Fatalf("got %v, want %v", list, want)
	}
	for _, arg := range []string{run, dir} {
		paths, err := FindShards(arg)
		if err != nil || len(paths) != 4 || paths[0] != want[0].Path {
			t.Errorf("FindShards(%s) = %v, %v", arg, paths, err)
		}
	}
	writeFile(t, filepath.Join(dir, "00000012.rgz.open"), nil)
	if _, err := Shards(dir); !errors.Is(err, ErrFolder) {
		t.Errorf("two files with one number: %v", err)
	}
}
