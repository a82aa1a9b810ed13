package train

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"rampart/arena"
	"rampart/mcts"
	"rampart/nn"
	"rampart/quoridor"
	"rampart/solver/race"
)

// Seeds of the matches of a run, so that they do not share openings.
const (
	seedGate = iota + 1
	seedYard
	seedFinal
	seedLadder
)

func (r *Run) matchSeed(kind, generation int) uint64 {
	return r.Config.Seed*1_000_003 + uint64(generation)*16 + uint64(kind)
}

// opponent returns the player that searches with the model as in play, knowing races; with one simulation it plays the first thought of the network.
func (r *Run) opponent(m *nn.Model, simulations int) arena.Opponent {
	cfg := arena.SearchConfig{Search: r.Config.gateSearch(simulations)}
	if simulations > 1 {
		cfg.Prober = func(b *quoridor.Board) mcts.Prober { return race.New(b) }
	} else {
		cfg.Search.Prove = false // the network's first thought
	}
	return arena.NewSearchOpponent(fmt.Sprintf("generation %d", m.Generation), cfg, func(*quoridor.Board) (mcts.Evaluator, error) {
		return r.newEvaluator(m)
	})
}

// match plays the match and notes its pairs.
func (r *Run) match(ctx context.Context, kind string, stage Stage, generation int, a, b arena.Opponent, c arena.MatchConfig) (*arena.MatchResult, error) {
	var lines []any
	var line pairLine
	c.Board, c.Rules, c.Workers = r.Board, r.Config.SelfPlay.Rules(r.Board), r.Workers
	c.OpeningPlies = min(c.OpeningPlies, r.Board.Cells()/2)
	c.OnGame = func(g *arena.Game) {
		if g.Number == 0 {
			line = pairLine{Kind: kind, Generation: generation, A: a.Name, B: b.Name, Pair: g.Pair, Opening: names(g.Moves()[:g.OpeningPlies])}
		}
		line.Results[g.Number], line.Moves[g.Number] = g.Result().String(), names(g.Moves()[g.OpeningPlies:])
		if g.Number == 1 {
			lines = append(lines, line)
		}
	}
	c.OnPair = func(m *arena.MatchResult) {
		r.progress(Progress{Stage: stage, Generation: generation, Done: m.Pairs.Count(), Total: c.Pairs, Detail: fmt.Sprintf("%s against %s", m.Total(), b.Name)})
	}
	result, err := arena.Match(ctx, a, b, c)
	if err != nil {
		return nil, err
	}
	return result, r.matches.append(lines...)
}

// GateReport says how a candidate fared.
type GateReport struct {
	Passed   bool        `json:"passed"`
	Champion int         `json:"champion"` // generation of the champion it met
	Tally    arena.Tally `json:"tally"`
	Pairs    arena.Pairs `json:"pairs"`
	Score    [3]float64  `json:"score"` // points a game with their 95 % interval
	Distinct int         `json:"distinct"`
	Decision string      `json:"decision"`
}

// gate lets the generation's candidate play the champion and records the outcome. A candidate that fails goes on training.
func (r *Run) gate(ctx context.Context, generation int) error {
	began := r.system.now()
	candidate, err := r.candidate(generation)
	if err != nil {
		return err
	}
	if candidate == nil { // no training yet
		return r.advance(generation, r.champion)
	}
	gated := r.Config.Gate.Mode != GateOff
	report, won := GateReport{Passed: true, Champion: r.champion.Generation, Decision: "no gate"}, "no gate"
	if gated {
		if report, err = r.judge(ctx, generation, candidate); err != nil {
			return err
		}
		won = fmt.Sprintf("%s against generation %d (%s)", report.Tally, report.Champion, report.Decision)
	}
	next := r.champion
	if report.Passed {
		next.Generation, next.Model, next.Won = generation, candidate.ID(), won
	}
	if err := r.yard(ctx, generation, next); err != nil {
		return err
	}
	if err := r.measure("gate", generation, began, report); err != nil {
		return err
	}
	if err := r.advance(generation, next); err != nil {
		return err
	}
	if !gated {
		r.event("generation %d is the new champion, without a gate", generation)
		return nil
	}
	verdict := "stays candidate"
	if report.Passed {
		verdict = "is the new champion"
	}
	r.event("generation %d: %s in %d games, %d of them distinct, against generation %d, score %.1f %% (%.1f to %.1f), %s: %s", generation, report.Tally,
		report.Tally.Games(), report.Distinct, report.Champion, 100*report.Score[0], 100*report.Score[1], 100*report.Score[2], report.Decision, verdict)
	return nil
}

// candidate reads the generation's model. One that is missing or damaged is written again from the checkpoint, which has its weights; it is nil
// if there was no training yet.
func (r *Run) candidate(generation int) (*nn.Model, error) {
	m, err := r.model(generation)
	missing := errors.Is(err, fs.ErrNotExist)
	if !missing && !errors.Is(err, nn.ErrFormat) {
		return m, err
	}
	c, readErr := r.Folder.readCheckpoint(r.Config.identity(), r.warn)
	if readErr != nil {
		return nil, readErr
	}
	if c == nil || c.Generation != generation {
		return nil, err
	}
	if missing && c.Trainer.Step == 0 {
		return nil, nil
	}
	weights, initErr := nn.NewWeights(r.Config.Net, r.Config.Seed)
	if initErr != nil {
		return nil, initErr
	}
	if e := weights.SetFlat(c.Average.Weights); e != nil {
		return nil, errors.Join(err, e)
	}
	path := r.Folder.modelPath(generation)
	if missing {
		r.warn(fmt.Errorf("%w; written again from the checkpoint", err))
	} else {
		aside, e := setAside(path)
		if e != nil {
			return nil, errors.Join(err, e)
		}
		r.warn(fmt.Errorf("%w; set aside as %s and written again from the checkpoint", err, aside))
	}
	if _, err := r.export(generation, weights, c.Trainer.Step); err != nil {
		return nil, err
	}
	return r.model(generation)
}

// judge plays the gate match.
func (r *Run) judge(ctx context.Context, generation int, candidate *nn.Model) (GateReport, error) {
	g := r.Config.Gate
	champion, err := r.championModel(r.champion)
	if err != nil {
		return GateReport{}, err
	}
	c := arena.MatchConfig{Pairs: g.Pairs, MinPairs: g.MinPairs, OpeningPlies: g.OpeningPlies, Seed: r.matchSeed(seedGate, generation)}
	if g.Mode == GateSPRT {
		c.SPRT = &arena.SPRT{Elo0: g.Elo0, Elo1: g.Elo1, Alpha: 0.05, Beta: 0.05}
	}
	m, err := r.match(ctx, "gate", StageGate, generation, r.opponent(candidate, g.Simulations), r.opponent(champion, g.Simulations), c)
	if err != nil {
		return GateReport{}, err
	}
	score := m.Score()
	report := GateReport{
		Champion: r.champion.Generation, Tally: m.Total(), Pairs: m.Pairs, Score: [3]float64{score.Value, score.Low, score.High}, Distinct: m.Distinct,
	}
	report.Passed, report.Decision = decide(g, m)
	return report, nil
}

// decide applies the gate's rule to the match.
func decide(g GateConfig, m *arena.MatchResult) (passed bool, why string) {
	score := m.Score().Value
	if g.Mode == GateWinRate {
		return score >= g.MinScore, fmt.Sprintf("needs %.0f %%", 100*g.MinScore)
	}
	switch m.Decision {
	case arena.AcceptH1:
		return true, "not worse by SPRT"
	case arena.AcceptH0:
		return false, "worse by SPRT"
	}
	return score >= 0.5, "undecided by SPRT"
}

// Yardstick is the outcome of a match against a fixed opponent.
type Yardstick struct {
	Opponent    string         `json:"opponent"`
	Simulations int            `json:"simulations"`
	Model       int            `json:"model"` // generation
	BySeat      [2]arena.Tally `json:"by_seat"`
	Score       [3]float64     `json:"score"` // points a game with their 95 % interval
	Distinct    int            `json:"distinct"`
	Games       int            `json:"games"`
	Optimal     []Optimal      `json:"optimal,omitempty"` // at the end of the run, on boards that the solver knows
}

// String returns the outcome in a line.
func (y Yardstick) String() string {
	return fmt.Sprintf("generation %d scores %.1f %% (%.1f to %.1f) in %d games, %d of them distinct, against %s at %d simulations: %s as player 0, %s as player 1",
		y.Model, 100*y.Score[0], 100*y.Score[1], 100*y.Score[2], y.Games, y.Distinct, y.Opponent, y.Simulations, y.BySeat[0], y.BySeat[1])
}

// yard plays the champion against the fixed opponent when that is due after the generation.
func (r *Run) yard(ctx context.Context, generation int, champion Champion) error {
	if every := r.Config.Yard.Every; every == 0 || generation%every != 0 {
		return nil
	}
	if _, err := r.yardMatch(ctx, "yardstick", StageGate, generation, champion, r.Config.Yard.Pairs, seedYard); err != nil {
		return err
	}
	if err := r.ladder(ctx, generation, champion); err != nil {
		return err
	}
	model, err := r.championModel(champion)
	if err != nil {
		return err
	}
	_, err = r.measureExact(ctx, generation, model, r.Config.Yard.ExactPositions, 1, 16, 64)
	return err
}

// finalExact is how many times as many positions the last champion is measured on.
const finalExact = 4

// final plays the match at the end of the run.
func (r *Run) final(ctx context.Context) error {
	y, err := r.yardMatch(ctx, "final", StageFinal, r.champion.Gated, r.champion, r.Config.Yard.FinalPairs, seedFinal)
	if err != nil {
		return err
	}
	model, err := r.championModel(r.champion)
	if err != nil {
		return err
	}
	if y.Optimal, err = r.measureExact(ctx, r.champion.Gated, model, finalExact*r.Config.Yard.ExactPositions, 1, 16, 32, 64); err != nil {
		return err
	}
	next := r.champion
	next.Final = &y
	return r.advance(r.champion.Gated, next)
}

func (r *Run) yardMatch(ctx context.Context, kind string, stage Stage, generation int, champion Champion, pairs, seed int) (Yardstick, error) {
	began := r.system.now()
	opponent, err := arena.Parse(r.Config.Yard.Opponent)
	if err != nil {
		return Yardstick{}, fmt.Errorf("yardstick: %w", err)
	}
	model, err := r.championModel(champion)
	if err != nil {
		return Yardstick{}, err
	}
	m, err := r.match(ctx, kind, stage, generation, r.opponent(model, r.Config.Yard.Simulations), opponent,
		arena.MatchConfig{Pairs: pairs, OpeningPlies: r.Config.Yard.OpeningPlies, Seed: r.matchSeed(seed, generation)})
	if err != nil {
		return Yardstick{}, err
	}
	score := m.Score()
	y := Yardstick{
		Opponent: opponent.Name, Simulations: r.Config.Yard.Simulations, Model: champion.Generation, BySeat: m.BySeat,
		Score: [3]float64{score.Value, score.Low, score.High}, Distinct: m.Distinct, Games: m.Games(),
	}
	r.event("%s: %s", kind, y)
	return y, r.measure(kind, generation, began, y)
}
