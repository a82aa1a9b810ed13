package data

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rampart/quoridor"
)

// tester is what testing.TB and rapid.T have in common.
type tester interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

// newRand returns the random source with the number.
func newRand(n uint64) *rand.Rand { return rand.New(rand.NewPCG(n, 0)) }

// randomGame plays a legal game at random, mostly forward, with random policies of every shape at most plies.
func randomGame(rng *rand.Rand, b *quoridor.Board, rules quoridor.Rules, generation uint32, id uint64) *Game {
	g := &Game{Generation: generation, ID: id, Seed: rng.Uint64(), Rules: rules}
	game := quoridor.NewGame(b, b.Start(), rules)
	g.Opening = rng.IntN(5)
	visits := uint32(16 << rng.IntN(4))
	for game.Result() == quoridor.Undecided {
		p := game.Position()
		moves := b.Moves(nil, &p)
		if ply := game.Plies(); ply >= g.Opening && rng.IntN(8) > 0 {
			s := Search{Ply: ply, Visits: visits, Value: FixedValue(rng.Float64()*2 - 1), Policy: randomPolicy(rng, moves)}
			if rng.IntN(4) == 0 {
				s.Flags, s.Visits = FlagFast|FlagNoTrain, visits/4
			}
			g.Searches = append(g.Searches, s)
		}
		if err := game.Play(randomMove(rng, b, &p, moves)); err != nil {
			panic(err)
		}
	}
	g.Moves = slices.Clone(game.Moves())
	g.Opening = min(g.Opening, len(g.Moves))
	g.Result = game.Result()
	return g
}

// randomMove steps forward three times out of four, so that games end.
func randomMove(rng *rand.Rand, b *quoridor.Board, p *quoridor.Position, moves []quoridor.Move) quoridor.Move {
	best := moves[rng.IntN(len(moves))]
	if rng.IntN(4) == 0 {
		return best
	}
	distance := quoridor.Unreachable + 1
	for _, m := range moves {
		if !m.IsPawn() {
			break
		}
		after := b.Play(*p, m)
		if d := b.Distance(&after, p.Side()); d < distance {
			best, distance = m, d
		}
	}
	return best
}

// randomPolicy returns a policy that is flat, peaked, sparse or a single move.
func randomPolicy(rng *rand.Rand, moves []quoridor.Move) []Prob {
	probs := make([]float32, len(moves))
	power := []int{1, 4, 16, 64}[rng.IntN(4)]
	for i := range probs {
		u := rng.Float32()
		probs[i] = 1
		for range power {
			probs[i] *= u
		}
	}
	if rng.IntN(8) == 0 {
		clear(probs)
	}
	probs[rng.IntN(len(probs))] = 1
	policy, err := AppendPolicy(nil, moves, probs)
	if err != nil {
		panic(err)
	}
	return policy
}

// testRules alternates between the rule set of the test shards and others.
func testRules(b *quoridor.Board, id uint64) quoridor.Rules {
	r := quoridor.Rules{PlyCap: b.DefaultPlyCap()}
	switch id % 5 {
	case 3:
		r.Repetition = true
	case 4:
		r.PlyCap = 6
	}
	return r
}

func testHeader(b *quoridor.Board) Header {
	return Header{Board: b, Rules: testRules(b, 0), Model: "00000012", Config: [32]byte{1, 2, 3, 31: 255}}
}

// testGames makes n games of one generation.
func testGames(seed uint64, b *quoridor.Board, n int) []*Game {
	rng := newRand(seed)
	games := make([]*Game, n)
	for i := range games {
		games[i] = randomGame(rng, b, testRules(b, uint64(i)), 7, uint64(i)+1000)
	}
	return games
}

// writeShard writes the games into a sealed shard, with a block after each number of games in cuts.
func writeShard(t tester, path string, h Header, games []*Game, cuts ...int) {
	t.Helper()
	w, err := Create(path, h)
	if err != nil {
		t.Fatal(err)
	}
	appendAll(t, w, games, cuts...)
	if err := w.Seal(); err != nil {
		t.Fatal(err)
	}
}

func appendAll(t tester, w *Writer, games []*Game, cuts ...int) {
	t.Helper()
	for i, g := range games {
		if err := w.Append(g); err != nil {
			t.Fatal(err)
		}
		if slices.Contains(cuts, i+1) {
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// readShard returns every game of a sealed shard.
func readShard(t tester, path string) []*Game {
	t.Helper()
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var games []*Game
	for g, err := range r.All() {
		if err != nil {
			t.Fatal(err)
		}
		games = append(games, g)
	}
	return games
}

func sameGames(t tester, got, want []*Game) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("games differ (-want +got):\n%s", cmp.Diff(want, got))
	}
}

func readFile(t tester, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func writeFile(t tester, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

func tempShard(t testing.TB) string {
	return filepath.Join(t.TempDir(), fmt.Sprintf("%08d%s", 1, Suffix))
}

var (
	board5 = quoridor.MustBoard(5, 5, 2)
	board9 = quoridor.MustBoard(9, 9, 10)
)
