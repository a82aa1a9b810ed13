package train

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"rampart/arena"
	"rampart/nn"
	"rampart/quoridor"
	"rampart/solver"
)

// TestDecide is the gate's rule, case by case. Pairs are counted by the candidate's points: 0, 0.5, 1, 1.5, 2.
func TestDecide(t *testing.T) {
	for _, c := range []struct {
		name     string
		mode     string
		pairs    arena.Pairs
		decision arena.Decision
		want     bool
	}{
		{"sprt: shown not to be worse", GateSPRT, arena.Pairs{1, 0, 5, 0, 9}, arena.AcceptH1, true},
		{"sprt: shown to be worse", GateSPRT, arena.Pairs{9, 0, 5, 0, 1}, arena.AcceptH0, false},
		{"sprt: undecided with half the points", GateSPRT, arena.Pairs{3, 0, 9, 0, 3}, arena.NoDecision, true},
		{"sprt: undecided with less", GateSPRT, arena.Pairs{4, 0, 9, 0, 3}, arena.NoDecision, false},
		{"winrate: enough", GateWinRate, arena.Pairs{0, 0, 9, 0, 1}, arena.NoDecision, true},
		{"winrate: not enough", GateWinRate, arena.Pairs{0, 0, 10, 1, 0}, arena.NoDecision, false},
	} {
		passed, why := decide(GateConfig{Mode: c.mode, MinScore: 0.55}, &arena.MatchResult{Pairs: c.pairs, Decision: c.decision})
		if passed != c.want || why == "" {
			t.Errorf("%s: passed %v (%s)", c.name, passed, why)
		}
	}
}

// evaluated takes a small run through the gate of its first generation, and returns what it told and the pairs of its matches.
func evaluated(t *testing.T, change func(c *Config)) (events []string, pairs []pairLine) {
	t.Helper()
	c := tinyConfig()
	c.Generations, c.Games = 1, 20
	c.Yard.Every, c.Yard.Ladder, c.Yard.LadderPairs = 1, "racer", 2
	if change != nil {
		change(&c)
	}
	r, err := Open(Folder(t.TempDir()), &c)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	r.Observer.Event = func(text string) { events = append(events, text) }
	for _, stage := range []Stage{StageSelfPlay, StageTrain, StageGate} {
		if err := r.Do(context.Background(), stage); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(r.Folder.matchesPath())
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var pair pairLine
		if err := json.Unmarshal([]byte(line), &pair); err != nil {
			t.Fatal(err)
		}
		pairs = append(pairs, pair)
	}
	return events, pairs
}

// TestEvaluationsTellDistinctGames: gate, yardstick and ladder say how many games they had and how many of those were distinct.
func TestEvaluationsTellDistinctGames(t *testing.T) {
	events, pairs := evaluated(t, nil)
	played, distinct := map[string]int{}, map[string]map[string]bool{"gate": {}, "yardstick": {}, "ladder": {}}
	for _, pair := range pairs {
		for _, moves := range pair.Moves {
			distinct[pair.Kind][fmt.Sprint(pair.Opening, moves)] = true
			played[pair.Kind]++
		}
	}
	for kind, about := range map[string]string{"gate": "generation 1: +", "yardstick": "generation 1 scores", "ladder": "ladder: "} {
		want := fmt.Sprintf("%d games, %d of them distinct", played[kind], len(distinct[kind]))
		i := slices.IndexFunc(events, func(event string) bool { return strings.Contains(event, about) })
		if played[kind] == 0 || i < 0 || !strings.Contains(events[i], want) {
			t.Errorf("%s: %q, want %q in it", kind, events, want)
		}
	}
}

// TestPlyCapOfMatchesComesFromTheSettings: the cap of self-play ends the games of gate, yardstick and ladder too, and their results say so.
func TestPlyCapOfMatchesComesFromTheSettings(t *testing.T) {
	const plyCap = 4 // nobody can win so soon on 3x4
	_, pairs := evaluated(t, func(c *Config) { c.SelfPlay.PlyCap = plyCap })
	kinds := map[string]int{}
	for _, pair := range pairs {
		kinds[pair.Kind]++
		for game, moves := range pair.Moves {
			if plies := len(pair.Opening) + len(moves); plies != plyCap || pair.Results[game] != quoridor.DrawCap.String() {
				t.Errorf("%s: %q after %d plies", pair.Kind, pair.Results[game], plies)
			}
		}
	}
	if len(kinds) != 3 {
		t.Errorf("matches: %v", kinds)
	}
}

// TestFirstThought: with one simulation the model's opponent plays what the network thinks first, also where a race decides; with more it plays
// races exactly.
func TestFirstThought(t *testing.T) {
	c := tinyConfig()
	r, err := Open(Folder(t.TempDir()), &c)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	path, err := r.Folder.ChampionModel()
	if err != nil {
		t.Fatal(err)
	}
	m, err := nn.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	eval, err := r.newEvaluator(m)
	if err != nil {
		t.Fatal(err)
	}
	if c.SelfPlay.Search.Prove || !c.gateSearch(2).Prove {
		t.Error("matches carry known outcomes up the tree, self-play does not unless it is told")
	}
	b := quoridor.MustBoard(3, 4, 0)
	exact, err := solver.New(b, solver.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	differ := 0
	for from := range 3 {
		for to := range 3 {
			p, err := b.NewPosition(0, 0, [2]quoridor.Cell{quoridor.CellAt(from, 1), quoridor.CellAt(to, 2)}, [2]int{}, 0)
			if err != nil {
				t.Fatal(err)
			}
			moves := b.Moves(nil, &p)
			logits, wdl := [][]float32{make([]float32, len(moves))}, make([][3]float32, 1)
			if err := eval.Evaluate([]quoridor.Position{p}, [][]quoridor.Move{moves}, logits, wdl); err != nil {
				t.Fatal(err)
			}
			first := moves[slices.Index(logits[0], slices.Max(logits[0]))]
			values, err := exact.MoveValues(ctx, nil, p)
			if err != nil {
				t.Fatal(err)
			}
			best := solver.Loss
			outcome := map[quoridor.Move]solver.Outcome{}
			for _, v := range values {
				outcome[v.Move], best = v.Value.Outcome, max(best, v.Value.Outcome)
			}
			if from == to { // he jumps over the other and has won, which everybody sees
				continue
			}
			for _, simulations := range []int{1, 2} {
				player, err := r.opponent(m, simulations).New(b)
				if err != nil {
					t.Fatal(err)
				}
				got, err := player.Move(ctx, quoridor.NewGame(b, p, quoridor.Rules{}))
				if err != nil {
					t.Fatal(err)
				}
				if simulations == 1 && got != first || simulations > 1 && outcome[got] != best {
					t.Errorf("%s, %d simulations: %s (%s), the first thought is %s, the best outcome %s", b.Format(p), simulations, got, outcome[got], first, best)
				}
			}
			if outcome[first] != best {
				differ++
			}
		}
	}
	if differ == 0 {
		t.Error("the network's first thought is always right: nothing was compared")
	}
}
