package train

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"rampart/data"
	"rampart/nn"
	"rampart/quoridor"
	"rampart/selfplay"
)

// ErrStage is returned when a stage is asked for that is not the next one.
var ErrStage = errors.New("not the next stage")

// Loop goes through the stages until the run is done or ctx ends, whose error it then returns.
func (r *Run) Loop(ctx context.Context) error {
	for {
		stage, _, err := r.Next()
		if err != nil || stage == StageDone {
			return err
		}
		if err := r.Do(ctx, stage); err != nil {
			return err
		}
	}
}

// Do does one stage, which must be the next one.
func (r *Run) Do(ctx context.Context, stage Stage) error {
	next, generation, err := r.Next()
	if err != nil {
		return err
	}
	if stage != next {
		return fmt.Errorf("%w: %s is to be done next in %s (generation %d of %d), not %s", ErrStage, next, string(r.Folder), generation, r.Config.Generations, stage)
	}
	if err := r.tellFound(generation); err != nil {
		return err
	}
	return r.supervise(ctx, stage, generation, func(ctx context.Context) error {
		switch stage {
		case StageSelfPlay:
			return r.selfPlay(ctx, generation)
		case StageTrain:
			return r.train(ctx, generation)
		case StageGate:
			return r.gate(ctx, generation)
		case StageFinal:
			return r.final(ctx)
		}
		return nil
	})
}

// SelfPlayReport says what a self-play stage did in this process.
type SelfPlayReport struct {
	Games     int     `json:"games"`
	Plies     int     `json:"plies"`
	Positions int64   `json:"positions"` // judged, by the network or from memory
	Wins      [2]int  `json:"wins"`      // by seat
	Draws     int     `json:"draws"`
	Rate      float64 `json:"positions_per_second"`
	Entropy   float64 `json:"policy_entropy"` // mean over the searches, in nats
	Top       float64 `json:"policy_top"`     // mean probability of the likeliest move, where there is a choice

	Resignations *selfplay.Resignations `json:"resignations,omitempty"` // where soft resignation is on
}

func (s *SelfPlayReport) count(g *data.Game) {
	s.Games++
	s.Plies += len(g.Moves)
	if w := g.Result.Winner(); w >= 0 {
		s.Wins[w]++
	} else {
		s.Draws++
	}
}

// selfPlay plays the generation's games with the champion.
func (r *Run) selfPlay(ctx context.Context, generation int) error {
	model, err := r.championModel(r.champion)
	if err != nil {
		return err
	}
	shard, err := r.openShard(generation)
	if err != nil {
		return err
	}
	began, report, policies := r.system.now(), SelfPlayReport{}, policyTally{}
	before := r.positions.Load()
	have, total := shard.Len(), r.Config.Games
	settings := r.Config.SelfPlay
	settings.Search.Simulations = r.Config.simulations(generation)
	earlier, err := r.earlierGames(generation)
	if err != nil {
		return errors.Join(err, shard.Close())
	}
	if settings.ResignValue > 0 {
		report.Resignations = &selfplay.Resignations{}
	}
	job := selfplay.Job{
		Config: settings, Earlier: earlier, Seed: r.Config.Seed, Generation: uint32(generation), First: uint64(have), Games: max(0, total-have),
		Workers: r.Workers, NewEvaluator: r.evaluators(model), Positions: &r.positions,
	}
	err = selfplay.Run(ctx, job, func(g *data.Game) error {
		report.count(g)
		if report.Resignations != nil {
			report.Resignations.Add(settings, g)
		}
		policies.add(g)
		report.Positions = r.positions.Load() - before
		report.Rate = rate(report.Positions, r.since(began))
		r.progress(Progress{Stage: StageSelfPlay, Generation: generation, Done: have + report.Games, Total: total, Detail: fmt.Sprintf("%.0f positions/s", report.Rate)})
		return shard.Append(g)
	})
	if err != nil {
		return errors.Join(err, shard.Close())
	}
	if err := shard.Seal(); err != nil {
		return err
	}
	r.event("generation %d: %d games at %d simulations, %.1f plies each, player 0 won %d, player 1 %d, draws %d; %.0f positions/s",
		generation, report.Games, settings.Search.Simulations, float64(report.Plies)/float64(max(1, report.Games)), report.Wins[0], report.Wins[1], report.Draws, report.Rate)
	r.tellResignations(generation, report.Resignations)
	report.Entropy, report.Top = policies.means()
	if err := r.alarms(generation, report, policies); err != nil {
		return err
	}
	return r.measure("selfplay", generation, began, report)
}

// openShard opens the generation's shard for writing: where it was cut off, or new.
func (r *Run) openShard(generation int) (*data.Writer, error) {
	path := data.ShardPath(r.Folder.gamesDir(), generation)
	header := data.Header{Board: r.Board, Rules: r.Config.SelfPlay.Rules(r.Board), Model: r.champion.Model, Config: r.Config.Hash()}
	w, found, err := data.Reopen(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return data.Create(path, header)
	case data.IsFault(err):
		return r.replaceShard(path, header, err)
	case err != nil:
		return nil, err
	}
	if h := w.Header(); h.Board != header.Board || h.Model != header.Model || h.Rules != header.Rules || w.Len() > r.Config.Games {
		if err := w.Close(); err != nil {
			return nil, err
		}
		return r.replaceShard(path, header, fmt.Errorf("it was begun with other settings"))
	}
	if found.Cut > 0 {
		r.warn(fmt.Errorf("%d bytes after game %d were cut off: %w; their games are played again", found.Cut, found.Games, found.Why))
	}
	return w, nil
}

// replaceShard sets an unsealed shard that cannot be continued aside and begins a new one: its games are played again.
func (r *Run) replaceShard(path string, header data.Header, reason error) (*data.Writer, error) {
	aside, err := setAside(path + data.OpenSuffix)
	if err != nil {
		return nil, err
	}
	r.warn(fmt.Errorf("%s.open cannot be continued (%w); set aside as %s, its games are played again", path, reason, aside))
	return data.Create(path, header)
}

// shardPaths lists the sealed shards up to the generation.
func (r *Run) shardPaths(generation int) ([]string, error) {
	shards, err := data.Shards(r.Folder.gamesDir())
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, s := range shards {
		if !s.Open && s.Number <= generation && s.Number > r.champion.Dropped.Through {
			paths = append(paths, s.Path)
		}
	}
	return paths, nil
}

// train takes the steps that the generation's games call for, and writes the checkpoint and the candidate.
func (r *Run) train(ctx context.Context, generation int) error {
	began := r.system.now()
	if again, err := r.loadLearner(generation); again || err != nil {
		return err
	}
	if err := r.catchUp(ctx, generation); err != nil {
		r.dropLearner()
		return err
	}
	l := r.learner
	report, err := l.train(ctx, generation, func(done, total int, s nn.Stats) {
		r.progress(Progress{
			Stage: StageTrain, Generation: generation, Done: done, Total: total,
			Detail: fmt.Sprintf("policy loss %.3f, value loss %.3f, top-1 %.0f %%", s.Policy, s.Value, 100*s.PolicyTop1),
		})
	})
	if err != nil {
		r.dropLearner() // its state is between two checkpoints
		return err
	}
	if report.Steps > 0 {
		if report.HeldOut, err = l.heldOut(generation); err != nil {
			return err
		}
	}
	if report.TotalSteps > 0 { // also if none was due now: the gate has a candidate once training has begun
		if _, err := r.export(generation, l.average.Weights(), report.TotalSteps); err != nil {
			return err
		}
	}
	r.trained = generation
	c, err := l.checkpoint(generation)
	if err != nil {
		return err
	}
	if err := r.Folder.writeCheckpoint(c, r.Config.Trainer.Checkpoints); err != nil {
		return err
	}
	r.event("generation %d: %s", generation, describeLearning(report, l.window.TotalRows(), r.Config.Trainer.MinRows))
	return r.measure("train", generation, began, report)
}

func describeLearning(r LearningReport, rows, minRows int) string {
	if r.Steps == 0 && rows >= minRows {
		return fmt.Sprintf("no steps: %d rows call for no more than the %d that were taken", rows, r.TotalSteps)
	}
	if r.Steps == 0 {
		return fmt.Sprintf("no training yet: %d rows of the %d that it begins with", rows, minRows)
	}
	text := fmt.Sprintf("%d steps (%d in all), policy loss %.3f, value loss %.3f, top-1 %.0f %%", r.Steps, r.TotalSteps, r.Policy, r.Value, 100*r.Top1)
	if h := r.HeldOut; h != nil {
		text += fmt.Sprintf("; held out %.3f, %.3f, %.0f %%, calibration error %.1f %%", h.Policy, h.Value, 100*h.Top1, 100*h.Calibration)
	}
	return text
}

// loadLearner makes the learner if there is none, and shows it the shards up to the generation.
// A damaged shard of the generation itself is set aside instead, and
// again tells that self-play comes before training again.
func (r *Run) loadLearner(generation int) (again bool, err error) {
	if r.learner == nil {
		from, err := r.Folder.readCheckpoint(r.Config.identity(), r.warn)
		if err != nil {
			return false, err
		}
		first, err := r.Folder.firstWeights(r.Config, from != nil)
		if err != nil {
			return false, err
		}
		if r.learner, err = newLearner(r.Config, r.Board, first, from, r.Workers); err != nil {
			return false, err
		}
		r.trained = r.Config.firstGeneration() - 1
		if from != nil {
			r.trained = from.Generation
		}
		if err := r.tellMissing(generation); err != nil {
			return false, err
		}
	}
	paths, err := r.shardPaths(generation)
	if err != nil {
		return false, err
	}
	r.learner.window.SetDropped(r.champion.Dropped.Rows)
	report, err := r.learner.window.Load(paths)
	for _, refused := range report.Refused {
		if newest := data.ShardPath(r.Folder.gamesDir(), generation); refersTo(refused, newest) {
			return true, r.playAgain(newest, refused)
		}
		r.warn(fmt.Errorf("shard left out of training: %w", refused))
	}
	return false, err
}

func (r *Run) dropLearner() {
	if r.learner != nil {
		if err := r.learner.close(); err != nil {
			r.warn(err)
		}
		r.learner = nil
	}
}

// advance records that the generation has passed all its stages.
func (r *Run) advance(generation int, c Champion) error {
	if generation > c.Gated { // a run that goes on has not ended
		c.Final = nil
	}
	c.Gated = generation
	var err error
	if c.Dropped, err = r.drop(generation, c.Dropped); err != nil {
		return err
	}
	before := r.champion
	r.champion = c
	if err := errors.Join(r.copyChampion(), r.Folder.writeChampion(c)); err != nil {
		r.champion = before
		return err
	}
	return r.removeDropped(before)
}

// results of a match, for matches.jsonl.
type pairLine struct {
	Kind       string      `json:"kind"`
	Generation int         `json:"generation"`
	A          string      `json:"a"`
	B          string      `json:"b"`
	Pair       int         `json:"pair"`
	Opening    []string    `json:"opening"`
	Results    [2]string   `json:"results"` // of the two games; A is player 0 in the first
	Moves      [2][]string `json:"moves"`
}

func names(moves []quoridor.Move) []string {
	list := make([]string, len(moves))
	for i, m := range moves {
		list[i] = m.String()
	}
	return list
}
