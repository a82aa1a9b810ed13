package data

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/klauspost/compress/zstd"

	"rampart/quoridor"
)

// stage imitates what a search says at some stage of learning: the spread of the prior's logits and of the values of the moves visited.
type stage struct {
	name          string
	prior, values float64
}

var stages = []stage{{"untrained", 0.3, 0.02}, {"trained", 3, 0.03}, {"strong", 4, 0.06}}

// benchGames makes games as self-play does: most plies searched, policies of a Gumbel search (softmax of logits plus scaled values of the 16
// moves visited) with random numbers in place of a network.
func benchGames(b *quoridor.Board, s stage, n int) []*Game {
	rng := newRand(99)
	games := make([]*Game, n)
	for i := range games {
		g := randomGame(rng, b, testRules(b, 0), 12, uint64(i))
		g.Searches = g.Searches[:0]
		p := b.Start()
		value := 0.0
		for ply, m := range g.Moves {
			if ply >= 4 {
				value = 0.9*value + 0.2*rng.NormFloat64()
				sign := float64(1 - 2*(ply&1))
				g.Searches = append(g.Searches, Search{Ply: ply, Visits: 32, Value: FixedValue(math.Tanh(sign * value)), Policy: gumbelPolicy(rng, b, &p, s)})
			}
			p = b.Play(p, m)
		}
		g.Opening = min(4, len(g.Moves))
		games[i] = g
	}
	return games
}

func gumbelPolicy(rng *rand.Rand, b *quoridor.Board, p *quoridor.Position, s stage) []Prob {
	moves := b.Moves(nil, p)
	type candidate struct {
		logit, gumbel float64
		i             int
	}
	list := make([]candidate, len(moves))
	for i, m := range moves {
		logit := s.prior * rng.NormFloat64()
		if m.IsPawn() {
			logit += s.prior
		}
		list[i] = candidate{logit, logit - math.Log(-math.Log(rng.Float64())), i}
	}
	slices.SortFunc(list, func(a, b candidate) int {
		if a.gumbel > b.gumbel {
			return -1
		}
		return 1
	})
	probs := make([]float32, len(moves))
	greatest := math.Inf(-1)
	for k := range list {
		if k < 16 {
			list[k].logit += 58 * s.values * rng.NormFloat64()
		}
		greatest = max(greatest, list[k].logit)
	}
	for _, c := range list {
		probs[c.i] = float32(math.Exp(c.logit - greatest))
	}
	policy, err := AppendPolicy(nil, moves, probs)
	if err != nil {
		panic(err)
	}
	return policy
}

// plainStructs writes the games as fixed fields, one after the other, the obvious binary form.
func plainStructs(games []*Game) []byte {
	var out bytes.Buffer
	put := func(v any) {
		if err := binary.Write(&out, binary.LittleEndian, v); err != nil {
			panic(err)
		}
	}
	for _, g := range games {
		put(struct {
			Generation uint32
			ID, Seed   uint64
			Opening    uint16
			Plies      uint16
			Searches   uint16
			Result     uint8
		}{g.Generation, g.ID, g.Seed, uint16(g.Opening), uint16(len(g.Moves)), uint16(len(g.Searches)), uint8(g.Result)})
		put(g.Moves)
		for _, s := range g.Searches {
			put(struct {
				Ply    uint16
				Visits uint32
				Value  int16
				Flags  Flags
				Moves  uint8
			}{uint16(s.Ply), s.Visits, s.Value, s.Flags, uint8(len(s.Policy))})
			put(s.Policy)
		}
	}
	return out.Bytes()
}

func jsonLines(games []*Game) []byte {
	var out []byte
	for _, g := range games {
		line, err := json.Marshal(g)
		if err != nil {
			panic(err)
		}
		out = append(append(out, line...), '\n')
	}
	return out
}

// countPlies returns the numbers of plies and of searched plies.
func countPlies(games []*Game) (plies, searches int) {
	for _, g := range games {
		plies += len(g.Moves)
		searches += len(g.Searches)
	}
	return plies, searches
}

// sizes returns the bytes of the games as a shard, as compressed structs, as compressed JSON lines and as JSON lines.
func sizes(t testing.TB, board *quoridor.Board, games []*Game) (shard, structs, packedJSON, lines int) {
	path := tempShard(t)
	writeShard(t, path, testHeader(board), games)
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1)) // a slower level than that of shards
	if err != nil {
		t.Fatal(err)
	}
	lines = len(jsonLines(games))
	for block := range slices.Chunk(games, BlockGames) {
		structs += len(enc.EncodeAll(plainStructs(block), nil))
		packedJSON += len(enc.EncodeAll(jsonLines(block), nil))
	}
	return len(readFile(t, path)), structs, packedJSON, lines
}

// TestShardsAreCompact: a shard is smaller than what compression makes of simpler forms.
func TestShardsAreCompact(t *testing.T) {
	for _, board := range []*quoridor.Board{board5, board9} {
		for _, s := range stages {
			games := benchGames(board, s, BlockGames)
			shard, structs, packed, lines := sizes(t, board, games)
			_, n := countPlies(games)
			per := func(size int) float64 { return float64(size) / float64(n) }
			t.Logf("%v, %s: bytes per searched ply: shard %.1f, zstd over structs %.1f, zstd over JSON lines %.1f, JSON lines %.1f",
				board, s.name, per(shard), per(structs), per(packed), per(lines))
			if shard >= structs || shard >= packed {
				t.Errorf("%v, %s: a shard of %d bytes is no smaller than compressed structs (%d) or JSON lines (%d)", board, s.name, shard, structs, packed)
			}
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	for _, board := range []*quoridor.Board{board5, board9} {
		for _, s := range stages {
			b.Run(fmt.Sprintf("%dx%d/%s", board.W, board.H, s.name), func(b *testing.B) { benchWrite(b, board, s) })
		}
	}
}

func benchWrite(b *testing.B, board *quoridor.Board, s stage) {
	games := benchGames(board, s, BlockGames)
	_, n := countPlies(games)
	w := newWriter("bench.rgz", newHeaderInfo(testHeader(board)), &memFile{})
	id := uint64(0)
	b.ReportAllocs()
	for b.Loop() {
		for _, g := range games {
			id++
			g.ID = id
			if err := w.Append(g); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()*1e6/float64(b.N*n), "µs/ply")
	b.ReportMetric(float64(w.Size())/float64(b.N*n), "B/ply")
}

func BenchmarkRead(b *testing.B) {
	for _, s := range stages {
		b.Run(s.name, func(b *testing.B) {
			games := benchGames(board9, s, 4*BlockGames)
			n, _ := countPlies(games)
			path := tempShard(b)
			writeShard(b, path, testHeader(board9), games)
			b.ReportAllocs()
			for b.Loop() {
				if got := readShard(b, path); len(got) != len(games) {
					b.Fatal("games are missing")
				}
			}
			b.ReportMetric(float64(b.N*n)/b.Elapsed().Seconds(), "plies/s")
		})
	}
}

func BenchmarkReadOneGame(b *testing.B) {
	games := benchGames(board9, stages[1], 16*BlockGames)
	path := tempShard(b)
	writeShard(b, path, testHeader(board9), games)
	rng := newRand(1)
	b.ReportAllocs()
	for b.Loop() {
		r, err := Open(path)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := r.Game(rng.IntN(r.Len())); err != nil {
			b.Fatal(err)
		}
		r.Close()
	}
}

func BenchmarkWindow(b *testing.B) {
	path := tempShard(b)
	writeShard(b, path, testHeader(board9), benchGames(board9, stages[1], 8*BlockGames))
	load := func() *Window {
		w, err := NewWindow(board9, DefaultWindowConfig())
		if err != nil {
			b.Fatal(err)
		}
		if _, err := w.Load([]string{path}); err != nil {
			b.Fatal(err)
		}
		return w
	}
	b.Run("Load", func(b *testing.B) {
		rows, bytes := 0, 0
		for b.Loop() {
			w := load()
			rows = w.train + w.held
			bytes = 40*rows + len(w.chunks[0].policies)
		}
		b.ReportMetric(float64(b.N*rows)/b.Elapsed().Seconds(), "rows/s")
		b.ReportMetric(float64(bytes)/float64(rows), "B/row")
	})
	b.Run("Sample", func(b *testing.B) {
		w := load()
		rng := newRand(2)
		var r Row
		b.ReportAllocs()
		for b.Loop() {
			w.Sample(rng, &r)
		}
	})
}
