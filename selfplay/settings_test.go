package selfplay

import (
	"math"
	"math/rand/v2"
	"testing"

	"rampart/data"
	"rampart/mcts"
	"rampart/quoridor"
)

// everything puts every setting on.
func everything(j *Job, mode mcts.Mode) {
	c := &j.Config
	c.Search = mcts.DefaultConfig(mode)
	c.Search.Simulations = 10
	c.Search.Reuse, c.Search.ForcedPlayouts = mode == mcts.PUCT, 2
	c.Race, c.FullShare, c.FastSimulations = true, 0.5, 4
	c.RandomOpenings, c.WallOpenings, c.Forks = 0.3, 0.2, 0.3
	c.Repetition, c.RepetitionGenerations = 0.6, 4
	c.ResignValue, c.ResignPlies, c.ResignSimulations, c.ResignPlayedOn = 0.3, 2, 3, 0.3
	c.Surprise = 0.5
}

// TestSameGamesWithEverything: the first 200 games are the same with 1, 2 and 8 workers, the cache on or off, with every setting on.
func TestSameGamesWithEverything(t *testing.T) {
	b := quoridor.MustBoard(5, 5, 2)
	earlier, _ := play(t, job(b, 20, 2))
	for _, mode := range []mcts.Mode{mcts.Gumbel, mcts.PUCT} {
		make := func(workers, cache int) [32]byte {
			j := job(b, 200, workers)
			everything(&j, mode)
			j.Config.Cache, j.Earlier = cache, earlier
			games, hash := play(t, j)
			for _, g := range games {
				if err := g.Check(b); err != nil {
					t.Fatalf("%s: game %d: %v", mode, g.ID, err)
				}
			}
			return hash
		}
		want := make(1, 1<<12)
		for _, x := range [][2]int{{2, 1 << 12}, {8, 64}, {2, 0}} {
			if make(x[0], x[1]) != want {
				t.Errorf("%s: %d workers with a cache of %d play other games than one", mode, x[0], x[1])
			}
		}
	}
}

// visited tells whether a search has had so many simulations, or fewer because it knows the outcome.
func visited(s data.Search, visits uint32) bool {
	v := s.RootValue()
	return s.Visits == visits || s.Visits < visits && (v == 1 || v == 0 || v == -1)
}

// TestFullShare: about that share of the searches is full; the others are marked as fast, give no rows and have few visits.
func TestFullShare(t *testing.T) {
	for _, mode := range []mcts.Mode{mcts.Gumbel, mcts.PUCT} {
		j := job(quoridor.MustBoard(5, 5, 2), 60, 2)
		j.Config.Search.Mode, j.Config.Search.Simulations = mode, 24
		j.Config.FullShare, j.Config.FastSimulations = 0.25, 6
		games, _ := play(t, j)
		full, all := 0, 0
		for _, g := range games {
			for _, s := range g.Searches {
				all++
				fast := s.Flags&data.FlagFast != 0
				if !fast {
					full++
				}
				if fast == s.Trains() || !visited(s, map[bool]uint32{true: 6, false: 24}[fast]) {
					t.Fatalf("%s: flags %v, %d visits", mode, s.Flags.Names(), s.Visits)
				}
			}
		}
		if share := float64(full) / float64(all); share < 0.2 || share > 0.3 {
			t.Errorf("%s: %.2f of the searches are full", mode, share)
		}
	}
}

// TestRaceInSelfPlay: with the race solver, positions in which nobody has walls left cost no simulation and have exact values; without, they do.
func TestRaceInSelfPlay(t *testing.T) {
	b := quoridor.MustBoard(5, 5, 1)
	for _, on := range []bool{false, true} {
		j := job(b, 60, 2)
		j.Config.Race = on
		games, _ := play(t, j)
		races := 0
		for _, g := range games {
			p, searched := b.Start(), g.Searches
			for ply, m := range g.Moves {
				if len(searched) > 0 && searched[0].Ply == ply {
					s := searched[0]
					searched = searched[1:]
					if p.WallsLeft(0)+p.WallsLeft(1) == 0 && g.Rules.PlyCap-ply > 30 {
						races++
						if v := s.RootValue(); on && (s.Visits != 0 || v != math.Trunc(v) || g.Outcome(ply) != int(v) && ply >= g.Opening+j.Config.SamplePlies) {
							t.Fatalf("game %d, ply %d: %d visits, value %g, outcome %d", g.ID, ply, s.Visits, v, g.Outcome(ply))
						}
					}
				}
				p = b.Play(p, m)
			}
		}
		if races < 50 {
			t.Errorf("only %d races", races)
		}
	}
}

// openings returns the moves of each game's opening.
func openings(games []*data.Game) [][]quoridor.Move {
	var list [][]quoridor.Move
	for _, g := range games {
		list = append(list, g.Moves[:g.Opening])
	}
	return list
}

// TestWallOpenings: such openings are walls of both players in turn, as many as asked for.
func TestWallOpenings(t *testing.T) {
	j := job(quoridor.MustBoard(7, 7, 5), 60, 2)
	j.Config.RandomOpenings, j.Config.WallOpenings, j.Config.OpeningWalls = 0, 0.5, 2
	games, _ := play(t, j)
	counts := map[int]int{}
	for _, moves := range openings(games) {
		counts[len(moves)]++
		for _, m := range moves {
			if !m.IsWall() {
				t.Errorf("%s is in an opening of walls", m)
			}
		}
	}
	if len(counts) != 3 || counts[0] < 15 || counts[2] < 5 || counts[4] < 5 {
		t.Errorf("openings by length: %v", counts)
	}
}

// TestForks: a fork follows an earlier game up to its last ply, which is random, and does not go into that game's last quarter; without earlier
// games there are none.
func TestForks(t *testing.T) {
	b := quoridor.MustBoard(7, 7, 5)
	j := job(b, 40, 2)
	j.Config.RandomOpenings, j.Config.Forks = 0, 1
	games, _ := play(t, j)
	for _, moves := range openings(games) {
		if len(moves) != 0 {
			t.Fatal("a fork without earlier games")
		}
	}
	j.Earlier = games[:5]
	forked, _ := play(t, j)
	left := 0
	for _, moves := range openings(forked) {
		best := 0
		for _, from := range j.Earlier {
			n := 0
			for n < len(moves) && n < len(from.Moves) && from.Moves[n] == moves[n] {
				n++
			}
			if n >= len(moves)-1 && len(moves)-1 <= len(from.Moves)*3/4 {
				best = max(best, len(moves))
			}
		}
		if best != len(moves) || best == 0 {
			t.Fatalf("an opening of %d plies follows no earlier game", len(moves))
		}
		left = max(left, best)
	}
	if left < 5 {
		t.Errorf("the longest fork leaves after %d plies", left)
	}
}

// TestRepetition: the share of games with the rule grows with the generations, their records say which they are, and only those end so.
func TestRepetition(t *testing.T) {
	b := quoridor.MustBoard(5, 5, 0)
	for _, c := range []struct {
		generation  uint32
		least, most int
	}{{1, 0, 0}, {3, 15, 45}, {5, 45, 75}, {50, 45, 75}} {
		j := job(b, 100, 2)
		j.Generation = c.generation
		j.Config.Repetition, j.Config.RepetitionGenerations, j.Config.Search.Simulations = 0.6, 4, 2
		games, _ := play(t, j)
		with := 0
		for _, g := range games {
			if g.Rules.Repetition {
				with++
			} else if g.Result == quoridor.DrawRepetition {
				t.Error("a draw by repetition in a game without the rule")
			}
			if err := g.Check(b); err != nil {
				t.Error(err)
			}
		}
		if with < c.least || with > c.most {
			t.Errorf("generation %d: %d of 100 games have the rule", c.generation, with)
		}
	}
}

// TestSoftResignation: from the ply on at which a game counts as decided, searches are cheap and rows light, but not in the games played on;
// the counts agree with the games.
func TestSoftResignation(t *testing.T) {
	j := job(quoridor.MustBoard(5, 5, 2), 200, 2)
	c := &j.Config
	c.Search.Simulations, c.ResignValue, c.ResignPlies, c.ResignSimulations, c.ResignWeight, c.ResignPlayedOn = 16, 0.25, 3, 5, 0.5, 0.3
	games, _ := play(t, j)
	var counted Resignations
	cheap, normal, playedOn := 0, 0, 0
	for _, g := range games {
		counted.Add(*c, g)
		d := decision{cfg: c}
		if c.playedOn(g.Seed) {
			playedOn++
		}
		for _, s := range g.Searches {
			soft := d.reached && !c.playedOn(g.Seed)
			if soft {
				cheap++
			} else {
				normal++
			}
			weight, visits := float32(1), uint32(16)
			if soft {
				weight, visits = 0.5, 5
			}
			if s.Flags.Weight() != weight || !visited(s, visits) {
				t.Fatalf("game %d, ply %d: weight %g, %d visits, decided %v", g.ID, s.Ply, s.Flags.Weight(), s.Visits, soft)
			}
			d.see(s.Ply, s.RootValue())
		}
	}
	if cheap < 20 || normal < 100 || playedOn < 40 || playedOn > 80 {
		t.Errorf("%d cheap and %d other searches, %d games played on", cheap, normal, playedOn)
	}
	if counted.Games != 200 || counted.Decided < 20 || counted.PlayedOn < 5 || counted.PlayedOn >= counted.Decided || counted.Wrong < counted.PlayedOnWrong || counted.FalsePositives() > 1 {
		t.Errorf("%+v", counted)
	}
}

// TestDecision: it takes enough plies in a row in favour of the same player.
func TestDecision(t *testing.T) {
	c := Config{ResignValue: 0.8, ResignPlies: 3}
	for _, x := range []struct {
		values []float64 // from ply 0 on, for the side to move
		want   int       // ply after which it is reached, -1 for never
		leader int
	}{
		{[]float64{0.9, -0.9, 0.9, -0.9}, 2, 0},
		{[]float64{-0.9, 0.9, -0.9}, 2, 1},
		{[]float64{0.9, -0.7, 0.9, -0.9, 0.8}, 4, 0},
		{[]float64{0.9, 0.9, 0.9, 0.9}, -1, 0}, // each side thinks that it wins
		{[]float64{0.9, -0.9}, -1, 0},
	} {
		d, reached := decision{cfg: &c}, -1
		for ply, v := range x.values {
			if d.see(ply, v); d.reached && reached < 0 {
				reached = ply
			}
		}
		if reached != x.want || reached >= 0 && d.leader != x.leader {
			t.Errorf("%v: reached after ply %d by %d, want %d by %d", x.values, reached, d.leader, x.want, x.leader)
		}
	}
}

// TestWrongResignations: a game that turns counts as wrong.
func TestWrongResignations(t *testing.T) {
	c := Config{ResignValue: 0.5, ResignPlies: 2, ResignPlayedOn: 1}
	searches := []data.Search{{Ply: 0, Value: data.FixedValue(0.9)}, {Ply: 1, Value: data.FixedValue(-0.9)}, {Ply: 2, Value: data.FixedValue(-0.9)}}
	var r Resignations
	for _, result := range []quoridor.Result{quoridor.Win0, quoridor.Win1, quoridor.DrawCap} {
		r.Add(c, &data.Game{Result: result, Searches: searches})
	}
	if want := (Resignations{Games: 3, Decided: 3, Wrong: 2, PlayedOn: 3, PlayedOnWrong: 2}); r != want || math.Abs(r.FalsePositives()-2.0/3) > 1e-9 {
		t.Errorf("%+v, want %+v", r, want)
	}
	// Only games that were played on without any change can tell.
	if r := (Resignations{Games: 20, Decided: 10, Wrong: 9, PlayedOn: 4, PlayedOnWrong: 1}); r.FalsePositives() != 0.25 {
		t.Errorf("false-positive rate %g of %+v", r.FalsePositives(), r)
	}
}

// TestSurprise: rows weigh by how far the search's policy is from the network's; their mean stays 1, and rows that do not train are left out.
func TestSurprise(t *testing.T) {
	searches := make([]data.Search, 5)
	searches[1].Flags = data.FlagFast | data.FlagNoTrain
	weigh(searches, []float64{0.1, 9, 0.3, math.NaN(), 0.2}, 0.5)
	for i, want := range []float32{0.75, 1, 1.25, 1, 1} {
		if got := searches[i].Flags.Weight(); got != want {
			t.Errorf("row %d: weight %g, want %g", i, got, want)
		}
	}
	stats := []mcts.MoveStats{{Policy: 0.9, Prior: 0.5}, {Policy: 0.1, Prior: 0.5}}
	if got, want := surprise(mcts.Result{Moves: stats}), 0.9*math.Log(1.8)+0.1*math.Log(0.2); math.Abs(got-want) > 1e-12 {
		t.Errorf("surprise %g, want %g", got, want)
	}

	j := job(quoridor.MustBoard(5, 5, 2), 40, 2)
	j.Config.Surprise = 0.5
	games, _ := play(t, j)
	sum, rows, uneven := 0.0, 0, 0
	for _, g := range games {
		for _, s := range g.Searches {
			sum += float64(s.Flags.Weight())
			rows++
			if s.Flags.Weight() != 1 {
				uneven++
			}
		}
	}
	if mean := sum / float64(rows); mean < 0.97 || mean > 1.03 || uneven < rows/2 {
		t.Errorf("mean weight %.3f, %d of %d rows uneven", mean, uneven, rows)
	}
}

// TestReuseForgets: with a kept tree a game owes nothing to the one before it.
func TestReuseForgets(t *testing.T) {
	b := quoridor.MustBoard(5, 5, 2)
	j := job(b, 30, 1)
	j.Config.Search = mcts.DefaultConfig(mcts.PUCT)
	j.Config.Search.Simulations, j.Config.Search.Reuse, j.Config.RandomOpenings = 16, true, 0
	games, _ := play(t, j)
	random := rand.New(rand.NewPCG(1, 1))
	for range 5 {
		k := j
		k.First, k.Games = uint64(random.IntN(30)), 1
		single, _ := play(t, k)
		if want := games[k.First]; single[0].Result != want.Result || len(single[0].Moves) != len(want.Moves) {
			t.Errorf("game %d differs when it is played alone", k.First)
		}
	}
}
