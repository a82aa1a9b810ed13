package arena

import (
	"context"
	"errors"
	"slices"
	"testing"

	"rampart/quoridor"
	"rampart/solver"
)

// quickPlayers are the players of this package with settings that take microseconds.
var quickPlayers = []string{"random", "racer", "waller", "alphabeta:depth=2:table=1", "rollout:n=50"}

// TestEveryPlayerPlaysLegallyOnEveryBoard plays every player against itself.
func TestEveryPlayerPlaysLegallyOnEveryBoard(t *testing.T) {
	for _, name := range quickPlayers {
		for _, size := range [][3]int{{3, 3, 0}, {3, 3, 2}, {2, 3, 1}, {2, 9, 8}, {9, 3, 4}, {4, 6, 3}, {9, 9, 10}, {5, 5, 16}} {
			c := MatchConfig{Board: quoridor.MustBoard(size[0], size[1], size[2]), Pairs: 2, OpeningPlies: 1, Seed: 9}
			if r := mustMatch(t, name, name, c); r.Games() != 4 {
				t.Errorf("%s on %v: %d games", name, size, r.Games())
			}
		}
	}
}

// TestPlayersDependOnTheirSeedAlone asks players that have played other games before.
func TestPlayersDependOnTheirSeedAlone(t *testing.T) {
	b := quoridor.MustBoard(7, 7, 5)
	play := func(p Player, seed uint64) []quoridor.Move {
		p.NewGame(seed)
		g := quoridor.NewGame(b, b.Start(), quoridor.Rules{PlyCap: 40})
		for g.Result() == quoridor.Undecided {
			m, err := p.Move(t.Context(), g)
			if err != nil {
				t.Fatal(err)
			}
			if err := g.Play(m); err != nil {
				t.Fatal(err)
			}
		}
		return g.Moves()
	}
	for _, name := range quickPlayers {
		used, err := MustParse(name).New(b)
		if err != nil {
			t.Fatal(err)
		}
		fresh, err := MustParse(name).New(b)
		if err != nil {
			t.Fatal(err)
		}
		play(used, 1)
		if first, second := play(used, 2), play(fresh, 2); !slices.Equal(first, second) {
			t.Errorf("%s plays %v after another game, %v as its first", name, first, second)
		}
		if name == "waller" {
			continue // from the start it has one best move at each ply
		}
		if first, second := play(used, 3), play(used, 4); slices.Equal(first, second) {
			t.Errorf("%s plays the same game with two seeds: %v", name, first)
		}
	}
}

// moveAt asks a player for a move in the position.
func moveAt(t *testing.T, name, position string) (*quoridor.Board, quoridor.Position, quoridor.Move) {
	t.Helper()
	b, p, err := quoridor.ParsePosition(position)
	if err != nil {
		t.Fatal(err)
	}
	player, err := MustParse(name).New(b)
	if err != nil {
		t.Fatal(err)
	}
	player.NewGame(1)
	m, err := player.Move(t.Context(), quoridor.NewGame(b, p, quoridor.Rules{}))
	if err != nil {
		t.Fatal(err)
	}
	return b, p, m
}

func TestSearchersFindForcedWins(t *testing.T) {
	for _, test := range []struct{ name, position, want string }{
		{"a step", "5x5 c4 c2 - 1,1 0", "c5"},
		{"a step of player 1", "5x5 c4 c2 - 1,1 1", "c1"},
		{"a jump", "5x5 c3 c4 - 2,2 0", "c5"},
		{"a jump of player 1", "5x5 c2 c3 - 2,2 1", "c1"},
		{"a diagonal jump", "5x5 c4 c5 b4v 0,0 0", "d5"},
	} {
		for _, player := range []string{"alphabeta:depth=2:table=1", "rollout:n=400"} {
			b, p, m := moveAt(t, player, test.position)
			if err := b.CheckLegal(&p, m); err != nil {
				t.Errorf("%s, %s: %v", test.name, player, err)
			}
			if test.want != "" && m.String() != test.want {
				t.Errorf("%s, %s: %s, want %s", test.name, player, m, test.want)
			}
		}
	}
}

// TestSearchersAgainstExactValues asks for moves in positions that a solver has judged: forced wins in three plies, races without
// walls, and everything else where a move can spoil the result.
func TestSearchersAgainstExactValues(t *testing.T) {
	b := quoridor.MustBoard(5, 5, 2)
	exact, err := solver.New(b, solver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := exact.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		player           string
		wins, races, all float64 // least shares of moves that keep the result; wins must be the fastest
	}{
		{"alphabeta:depth=4:table=1", 1, 0.98, 0.95},
		{"rollout:n=2000", 0.98, 0.99, 0.95},
	} {
		player, err := MustParse(test.player).New(b)
		if err != nil {
			t.Fatal(err)
		}
		player.NewGame(1)
		var wins, races, all share
		random := newRand(8)
		for all.of < 250 {
			g := quoridor.NewGame(b, b.Start(), quoridor.Rules{PlyCap: 40})
			for ; g.Result() == quoridor.Undecided; playRandomly(g, 1, random) {
				p := g.Position()
				values, err := exact.MoveValues(t.Context(), nil, p)
				if err != nil {
					t.Fatal(err)
				}
				best := values[0].Value
				for _, v := range values {
					if v.Value.Better(best) {
						best = v.Value
					}
				}
				if random.IntN(4) > 0 || !slices.ContainsFunc(values, func(v solver.MoveValue) bool { return v.Value.Outcome != best.Outcome }) {
					continue
				}
				m, err := player.Move(t.Context(), quoridor.NewGame(b, p, quoridor.Rules{}))
				if err != nil {
					t.Fatal(err)
				}
				got := values[slices.IndexFunc(values, func(v solver.MoveValue) bool { return v.Move == m })].Value
				all.count(got.Outcome == best.Outcome)
				if p.WallsLeft(0)+p.WallsLeft(1) == 0 {
					races.count(got.Outcome == best.Outcome)
				}
				if best.Outcome == solver.Win && best.Plies == 3 {
					wins.count(got == best)
				}
			}
		}
		t.Logf("%s: wins in three %v, races %v, all %v", test.player, wins, races, all)
		if wins.value() < test.wins || races.value() < test.races || all.value() < test.all {
			t.Errorf("%s: wins in three %v, races %v, all %v; want at least %g, %g, %g", test.player, wins, races, all, test.wins, test.races, test.all)
		}
	}
}

// share counts how often something holds.
type share struct{ holds, of int }

func (s *share) count(holds bool) {
	s.of++
	if holds {
		s.holds++
	}
}

func (s share) value() float64 { return float64(s.holds) / float64(s.of) }

func TestRacerFollowsItsRule(t *testing.T) {
	randomPositions(t, 4, func(b *quoridor.Board, p quoridor.Position) {
		player, err := NewRacer(b)
		if err != nil {
			t.Fatal(err)
		}
		player.NewGame(1)
		got, err := player.Move(t.Context(), quoridor.NewGame(b, p, quoridor.Rules{}))
		if err != nil {
			t.Fatal(err)
		}
		if want := racerMoves(b, p); !slices.Contains(want, got) {
			t.Fatalf("%s: racer plays %s, its rule allows %v", b.Format(p), got, want)
		}
	})
}

// racerMoves are the moves that racer's rule allows, by trying every legal move.
func racerMoves(b *quoridor.Board, p quoridor.Position) []quoridor.Move {
	me := p.Side()
	behind := b.Distance(&p, me) > b.Distance(&p, me^1)
	var steps, detours []quoridor.Move
	shortest, longest := quoridor.Unreachable+1, b.Distance(&p, me^1)
	for _, m := range b.Moves(nil, &p) {
		after := b.Play(p, m)
		mine, his := b.Distance(&after, me), b.Distance(&after, me^1)
		switch {
		case m.IsPawn() && mine < shortest:
			shortest, steps = mine, []quoridor.Move{m}
		case m.IsPawn() && mine == shortest:
			steps = append(steps, m)
		case m.IsWall() && his > longest:
			longest, detours = his, []quoridor.Move{m}
		case m.IsWall() && his == longest && len(detours) > 0:
			detours = append(detours, m)
		}
	}
	if behind && len(detours) > 0 {
		return detours
	}
	return steps
}

func TestWallerMaximisesItsEvaluation(t *testing.T) {
	randomPositions(t, 4, func(b *quoridor.Board, p quoridor.Position) {
		player, err := NewWaller(b)
		if err != nil {
			t.Fatal(err)
		}
		player.NewGame(1)
		got, err := player.Move(t.Context(), quoridor.NewGame(b, p, quoridor.Rules{}))
		if err != nil {
			t.Fatal(err)
		}
		me := p.Side()
		mine, his := b.Distance(&p, me), b.Distance(&p, me^1)
		best, gotScore := -1e9, -1e9
		for _, m := range b.Moves(nil, &p) {
			after := b.Play(p, m)
			mineAfter, hisAfter := b.Distance(&after, me), b.Distance(&after, me^1)
			if m.IsWall() && (hisAfter <= his || mineAfter > mine) {
				continue
			}
			score := 10*float64(hisAfter-mineAfter) + 0.3*float64(after.WallsLeft(me))
			best = max(best, score)
			if m == got {
				gotScore = score
			}
		}
		if gotScore < best-1e-9 {
			t.Fatalf("%s: waller plays %s for %g, the best is %g", b.Format(p), got, gotScore, best)
		}
	})
}

// TestWallerUsesTheLastColumnAndRow guards against the fault of the engine that waller comes from.
func TestWallerUsesTheLastColumnAndRow(t *testing.T) {
	// Player 1 walks down the last column between walls; only the anchors of the last column cut his way.
	b, p, m := moveAt(t, "waller", "9x9 a1 i3 h1v,h3v 10,8 0")
	x, _, horizontal := m.Anchor()
	if !m.IsWall() || !horizontal || x != b.W-2 {
		t.Errorf("%s: waller plays %s, not a horizontal wall of the last column", b.Format(p), m)
	}
}

func TestThinkingPlayersStopWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	b := quoridor.MustBoard(9, 9, 10)
	for _, name := range []string{"alphabeta:time=1h", "alphabeta:depth=40", "rollout:time=1h", "rollout:n=10000000"} {
		player, err := MustParse(name).New(b)
		if err != nil {
			t.Fatal(err)
		}
		player.NewGame(1)
		if _, err := player.Move(ctx, quoridor.NewGame(b, b.Start(), quoridor.Rules{})); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTimeLimitsEndASearch(t *testing.T) {
	c := MatchConfig{Board: quoridor.MustBoard(5, 5, 2), Pairs: 1, OpeningPlies: 2, Seed: 1}
	for _, name := range []string{"alphabeta:time=1ms", "rollout:time=1ms"} {
		mustMatch(t, name, "racer", c)
	}
}

func TestPlayersRefuseBadOptions(t *testing.T) {
	for _, text := range []string{
		"alphabeta:depth=0", "alphabeta:depth=41", "alphabeta:depth=x", "alphabeta:time=0s", "alphabeta:depth=2:time=1s", "alphabeta:table=0",
		"alphabeta:n=5", "rollout:n=0", "rollout:n=10000001", "rollout:n=5:time=1s", "rollout:depth=1", "waller:x=1",
	} {
		if _, err := Parse(text); !errors.Is(err, ErrPlayer) {
			t.Errorf("%s: %v", text, err)
		}
	}
	b := quoridor.MustBoard(5, 5, 2)
	for _, c := range []AlphaBetaConfig{{Depth: -1}, {Depth: 99}, {Depth: 1, Time: 1}, {TableMiB: -1}} {
		if _, err := NewAlphaBeta(b, c); !errors.Is(err, ErrPlayer) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	for _, c := range []RolloutConfig{{Rollouts: -1}, {Rollouts: maxRollouts + 1}, {Rollouts: 1, Time: 1}} {
		if _, err := NewRollout(b, c); !errors.Is(err, ErrPlayer) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// TestStrengthIsInOrder plays the pairings in which one player should be clearly stronger, with fixed seeds; the quick ones alone in
// short mode.
func TestStrengthIsInOrder(t *testing.T) {
	small, middle := quoridor.MustBoard(5, 5, 3), quoridor.MustBoard(7, 7, 6)
	for _, test := range []struct {
		strong, weak string
		board        *quoridor.Board
		pairs        int
		slow         bool
	}{
		{"racer", "random", small, 30, false},
		{"waller", "racer", middle, 1000, false},
		{"alphabeta:depth=2:table=1", "waller", middle, 60, false},
		{"alphabeta:depth=4:table=1", "alphabeta:depth=2:table=1", middle, 60, true},
		{"rollout:n=2000", "rollout:n=200", small, 40, true},
		{"rollout:n=1000", "racer", small, 40, true},
	} {
		if test.slow && testing.Short() {
			continue
		}
		r := mustMatch(t, test.strong, test.weak, MatchConfig{Board: test.board, Pairs: test.pairs, OpeningPlies: 3, Seed: 11})
		t.Log(r)
		if low := r.Score().Low; low <= 0.5 {
			t.Errorf("%s against %s: the interval reaches down to %.3f", test.strong, test.weak, low)
		}
	}
}
