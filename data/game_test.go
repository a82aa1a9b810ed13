package data

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"rampart/quoridor"
)

func TestFixedValue(t *testing.T) {
	for _, c := range []struct {
		v    float64
		want int16
	}{{0, 0}, {1, 32767}, {-1, -32767}, {2, 32767}, {-7, -32767}, {0.5, 16384}, {math.Inf(-1), -32767}, {math.NaN(), math.MinInt16}} {
		if got := FixedValue(c.v); got != c.want {
			t.Errorf("FixedValue(%v) = %d, want %d", c.v, got, c.want)
		}
	}
	for v := -32767; v <= 32767; v++ {
		s := Search{Value: int16(v)}
		if got := FixedValue(s.RootValue()); got != s.Value {
			t.Fatalf("%d becomes %d", v, got)
		}
	}
}

func TestAppendPolicy(t *testing.T) {
	e2, e3h, a1v := quoridor.PawnMove(13), quoridor.HWall(4, 2), quoridor.VWall(0, 0)
	for _, c := range []struct {
		name  string
		moves []quoridor.Move
		probs []float32
		want  []Prob
	}{
		{"one move", []quoridor.Move{e2}, []float32{0.25}, []Prob{{e2, 65535}}},
		{"sorted by move", []quoridor.Move{a1v, e2}, []float32{1, 3}, []Prob{{e2, 49151}, {a1v, 16384}}},
		{"the tie goes to the first", []quoridor.Move{e2, e3h}, []float32{0.5, 0.5}, []Prob{{e2, 32768}, {e3h, 32767}}},
		{"thirds", []quoridor.Move{e2, e3h, a1v}, []float32{7, 7, 7}, []Prob{{e2, 21845}, {e3h, 21845}, {a1v, 21845}}},
		{"zeros are dropped", []quoridor.Move{e2, e3h, a1v}, []float32{0, 1, 1e-9}, []Prob{{e3h, 65535}}},
	} {
		got, err := AppendPolicy(nil, c.moves, c.probs)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, %v, want %v", c.name, got, err, c.want)
		}
	}

	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, c := range []struct {
		name  string
		moves []quoridor.Move
		probs []float32
	}{
		{"none", nil, nil},
		{"lengths differ", []quoridor.Move{e2}, []float32{1, 1}},
		{"all zero", []quoridor.Move{e2, e3h}, []float32{0, 0}},
		{"negative", []quoridor.Move{e2, e3h}, []float32{1, -1}},
		{"NaN", []quoridor.Move{e2, e3h}, []float32{1, nan}},
		{"infinite", []quoridor.Move{e2, e3h}, []float32{1, inf}},
		{"twice", []quoridor.Move{e2, e3h, e2}, []float32{1, 1, 1}},
		{"too many", make([]quoridor.Move, quoridor.MaxMoves+1), make([]float32, quoridor.MaxMoves+1)},
	} {
		if got, err := AppendPolicy(nil, c.moves, c.probs); !errors.Is(err, ErrPolicy) || len(got) > 0 {
			t.Errorf("%s: got %v, %v, want ErrPolicy", c.name, got, err)
		}
	}
}

// TestAppendPolicyIsClose: the sum is exact and no share is off by 1/ProbSum or more, whatever the probabilities.
func TestAppendPolicyIsClose(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, quoridor.MaxMoves).Draw(t, "n")
		moves, probs := make([]quoridor.Move, n), make([]float32, n)
		sum := 0.0
		for i := range moves {
			moves[i] = quoridor.Move(i)
			exponent := rapid.Float32Range(-30, 30).Draw(t, "exponent")
			probs[i] = float32(math.Exp(float64(exponent)))
			sum += float64(probs[i])
		}
		policy, err := AppendPolicy(nil, moves, probs)
		if err != nil {
			t.Fatal(err)
		}
		total := 0
		got := make([]int, n)
		for _, e := range policy {
			got[e.Move] = int(e.P)
			total += int(e.P)
		}
		if total != ProbSum {
			t.Fatalf("sum %d", total)
		}
		for i, p := range probs {
			if want := float64(p) / sum * ProbSum; math.Abs(float64(got[i])-want) >= 1 {
				t.Fatalf("move %d: got %d, want about %v", i, got[i], want)
			}
		}
	})
}

// plainAppendPolicy is the largest remainder method as one would write it down.
func plainAppendPolicy(moves []quoridor.Move, probs []float32) (policy []Prob) {
	type share struct {
		Prob
		remainder float64
	}
	sum := 0.0
	for _, p := range probs {
		sum += float64(p)
	}
	shares, missing := make([]share, len(moves)), ProbSum
	for i, p := range probs {
		exact := float64(p) / sum * ProbSum
		shares[i] = share{Prob{moves[i], uint16(exact)}, exact - math.Floor(exact)}
		missing -= int(exact)
	}
	slices.SortFunc(shares, func(a, b share) int { return int(a.Move) - int(b.Move) })
	slices.SortStableFunc(shares, func(a, b share) int { return cmp.Compare(b.remainder, a.remainder) })
	for i := range missing {
		shares[i].P++
	}
	slices.SortFunc(shares, func(a, b share) int { return int(a.Move) - int(b.Move) })
	for _, s := range shares {
		if s.P > 0 {
			policy = append(policy, s.Prob)
		}
	}
	return policy
}

// TestAppendPolicyByTheBook: the same as the plain method gives, with many equal probabilities too, and the moves in any order.
func TestAppendPolicyByTheBook(t *testing.T) {
	rng := newRand(31)
	for range 20_000 {
		n := 1 + rng.IntN(quoridor.MaxMoves)
		moves, probs := make([]quoridor.Move, n), make([]float32, n)
		for i, m := range rng.Perm(200)[:n] {
			moves[i], probs[i] = quoridor.Move(m), float32(rng.IntN(4))
			if rng.IntN(2) == 0 {
				probs[i] = float32(math.Exp(8 * rng.NormFloat64()))
			}
		}
		probs[0] += 0.1
		if got, err := AppendPolicy(nil, moves, probs); err != nil || !slices.Equal(got, plainAppendPolicy(moves, probs)) {
			t.Fatalf("%v %v: %v, %v, want %v", moves, probs, got, err, plainAppendPolicy(moves, probs))
		}
	}
}

func TestOutcome(t *testing.T) {
	for _, c := range []struct {
		result quoridor.Result
		ply    int
		want   int
	}{
		{quoridor.Win0, 0, 1},
		{quoridor.Win0, 1, -1},
		{quoridor.Win1, 4, -1},
		{quoridor.Win1, 5, 1},
		{quoridor.DrawCap, 3, 0},
		{quoridor.DrawRepetition, 2, 0},
	} {
		g := Game{Result: c.result}
		if got := g.Outcome(c.ply); got != c.want {
			t.Errorf("%v at ply %d: %d, want %d", c.result, c.ply, got, c.want)
		}
	}
}

// clone returns a copy that shares no memory.
func clone(g *Game) *Game {
	c := *g
	c.Moves = slices.Clone(g.Moves)
	c.Searches = slices.Clone(g.Searches)
	for i := range c.Searches {
		c.Searches[i].Policy = slices.Clone(g.Searches[i].Policy)
	}
	return &c
}

// TestBadGamesAreRefused: no bad game gets into a shard, and the refusal leaves the shard as it was.
func TestBadGamesAreRefused(t *testing.T) {
	good := testGames(1, board5, 1)[0]
	for len(good.Searches) < 3 || len(good.Searches[1].Policy) < 2 {
		t.Fatal("choose another seed: the game should have three searches, the second with two moves")
	}
	for _, c := range []struct {
		name  string
		spoil func(*Game)
		want  error
	}{
		{"no moves", func(g *Game) { g.Moves = nil }, ErrGame},
		{"too long", func(g *Game) { g.Moves = make([]quoridor.Move, MaxPlies+1) }, ErrGame},
		{"illegal move", func(g *Game) { g.Moves[1] = quoridor.PawnMove(80) }, ErrReplay},
		{"no move", func(g *Game) { g.Moves[0] = quoridor.NoMove }, ErrReplay},
		{"goes on after the end", func(g *Game) { g.Moves = append(g.Moves, g.Moves[0]) }, ErrReplay},
		{"cut off", func(g *Game) { g.Moves, g.Searches = g.Moves[:len(g.Moves)-1], nil }, ErrReplay},
		{"undecided", func(g *Game) { g.Result = quoridor.Undecided }, ErrReplay},
		{"other winner", func(g *Game) { g.Result = quoridor.Win0 + quoridor.Win1 - g.Result }, ErrReplay},
		{"drawn by the rules before", func(g *Game) { g.Rules.PlyCap = 2 }, ErrReplay},
		{"negative ply cap", func(g *Game) { g.Rules.PlyCap = -1 }, ErrGame},
		{"huge ply cap", func(g *Game) { g.Rules.PlyCap = MaxPlies + 1 }, ErrGame},
		{"negative opening", func(g *Game) { g.Opening = -1 }, ErrGame},
		{"opening beyond the end", func(g *Game) { g.Opening = len(g.Moves) + 1 }, ErrGame},
		{"ply searched twice", func(g *Game) { g.Searches[1].Ply = g.Searches[0].Ply }, ErrGame},
		{"negative ply", func(g *Game) { g.Searches[0].Ply = -1 }, ErrGame},
		{"ply beyond the end", func(g *Game) { g.Searches[len(g.Searches)-1].Ply = len(g.Moves) }, ErrGame},
		{"value NaN", func(g *Game) { g.Searches[0].Value = FixedValue(math.NaN()) }, ErrGame},
		{"unknown flag", func(g *Game) { g.Searches[0].Flags = 4 }, ErrGame},
		{"no policy", func(g *Game) { g.Searches[1].Policy = nil }, ErrPolicy},
		{"sum too small", func(g *Game) { g.Searches[1].Policy[0].P-- }, ErrPolicy},
		{"probability 0", func(g *Game) { g.Searches[1].Policy[1].P = 0 }, ErrPolicy},
		{"not ascending", func(g *Game) { p := g.Searches[1].Policy; p[0], p[1] = p[1], p[0] }, ErrPolicy},
		{"move given twice", func(g *Game) { p := g.Searches[1].Policy; p[1].Move = p[0].Move }, ErrPolicy},
		{"illegal move in policy", func(g *Game) { p := g.Searches[1].Policy; p[len(p)-1].Move = quoridor.VWall(7, 7) }, ErrPolicy},
	} {
		t.Run(c.name, func(t *testing.T) {
			bad := clone(good)
			c.spoil(bad)
			if err := bad.Check(board5); !errors.Is(err, c.want) {
				t.Fatalf("Check: %v, want %v", err, c.want)
			}
			path := tempShard(t)
			w, err := Create(path, testHeader(board5))
			if err != nil {
				t.Fatal(err)
			}
			if err := w.Append(bad); !errors.Is(err, c.want) {
				t.Fatalf("Append: %v, want %v", err, c.want)
			}
			appendAll(t, w, []*Game{good})
			if err := w.Append(good); !errors.Is(err, ErrDuplicate) {
				t.Fatalf("the same game again: %v, want ErrDuplicate", err)
			}
			if err := w.Seal(); err != nil {
				t.Fatal(err)
			}
			sameGames(t, readShard(t, path), []*Game{good})
		})
	}
}

// TestWeights: a weight is kept to the nearest eighth, within its range, and beside the other flags.
func TestWeights(t *testing.T) {
	for weight, want := range map[float64]float32{1: 1, 0.5: 0.5, 0: 0.125, 2.26: 2.25, 100: 3.875, 0.99: 1, 3: 3} {
		for _, f := range []Flags{0, FlagFast | FlagNoTrain, Flags(0).WithWeight(3)} {
			g := f.WithWeight(weight)
			if g.Weight() != want || (g^f)&^flagWeight != 0 {
				t.Errorf("%v with weight %v has %v and flags %#x", f, weight, g.Weight(), uint8(g))
			}
		}
	}
	if Flags(0).WithWeight(1) != 0 || Flags(0).Weight() != 1 {
		t.Error("weight 1 is not what records without weights have")
	}
}

// TestIllegalWallsOfRecordsAreNamed: a record with a wall that overlaps or crosses another is refused, and the ply is named.
func TestIllegalWallsOfRecordsAreNamed(t *testing.T) {
	for _, first := range []quoridor.Move{quoridor.HWall(1, 1), quoridor.VWall(1, 1)} {
		for _, second := range []quoridor.Move{quoridor.HWall(1, 1), quoridor.VWall(1, 1), first - 1, first + 1, first - 8, first + 8} {
			p := board5.Play(board5.Start(), first)
			g := Game{Moves: []quoridor.Move{quoridor.PawnMove(11), first, second}, Result: quoridor.DrawCap, Rules: quoridor.Rules{PlyCap: 3}}
			if err, want := g.Check(board5), "ply 3: illegal move: "+second.String(); board5.IsLegal(&p, second) {
				if err != nil {
					t.Errorf("%s after %s: %v", second, first, err)
				}
			} else if !errors.Is(err, ErrReplay) || !strings.Contains(err.Error(), want) {
				t.Errorf("%s after %s: error %v, want %q", second, first, err, want)
			}
		}
	}
}
