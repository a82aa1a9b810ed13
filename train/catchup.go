package train

import (
	"context"
	"fmt"

	"rampart/nn"
)

// catchUp brings a learner that begins from an older checkpoint, because newer ones were damaged, to the end of the generation before: it takes
// the steps of the generations between again, on the windows that they had. So the run goes on as if nothing had happened, as long as their
// shards are still there.
func (r *Run) catchUp(ctx context.Context, generation int) error {
	if r.trained+1 >= generation {
		return nil
	}
	r.warn(fmt.Errorf("the newest whole checkpoint is that of generation %d: the training of generations %d to %d is done again", r.trained, r.trained+1, generation-1))
	for g := r.trained + 1; g <= generation; g++ {
		paths, err := r.shardPaths(g)
		if err != nil {
			return err
		}
		if _, err := r.learner.window.Load(paths); err != nil {
			return err
		}
		if g == generation {
			break
		}
		_, err = r.learner.train(ctx, g, func(done, total int, _ nn.Stats) {
			r.progress(Progress{Stage: StageTrain, Generation: g, Done: done, Total: total, Detail: "again"})
		})
		if err != nil {
			return err
		}
		c, err := r.learner.checkpoint(g)
		if err != nil {
			return err
		}
		if err := r.Folder.writeCheckpoint(c, r.Config.Trainer.Checkpoints); err != nil {
			return err
		}
		r.trained = g
	}
	return nil
}

// tellMissing tells which shards of the training data are gone.
func (r *Run) tellMissing(generation int) error {
	missing, err := r.Folder.missingShards(r.champion.Dropped, generation)
	for _, path := range missing {
		r.warn(fmt.Errorf("%w: shard %s is missing: its games are left out of training; put it back from a backup", ErrDamaged, path))
	}
	return err
}
