package bench

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"time"

	"rampart/data"
	"rampart/mcts"
	"rampart/nn"
	"rampart/quoridor"
	"rampart/selfplay"
)

// SelfPlay is the speed of self-play.
type SelfPlay struct {
	Games, Plies, Searches int
	Positions              Rates // judged, by the network or from the memory of evaluations
	PerHour, PerCPUHour    float64
	Recording              float64 // processor time that writing the games to a shard takes, as a share of what playing them took
}

// MeasureSelfPlay plays so many games from nothing on so many workers.
func MeasureSelfPlay(ctx context.Context, backend string, m *nn.Model, cfg selfplay.Config, games, workers int) (r SelfPlay, err error) {
	var judged atomic.Int64
	job := selfplay.Job{
		Config: cfg, Seed: 1, Generation: 1, Games: games, Workers: workers, Positions: &judged,
		NewEvaluator: func() (mcts.Evaluator, error) { return nn.NewEvaluator(backend, m) },
	}
	var played []*data.Game
	began, cpu := time.Now(), CPUTime()
	err = selfplay.Run(ctx, job, func(g *data.Game) error {
		played = append(played, g)
		r.Games++
		r.Plies += len(g.Moves)
		r.Searches += len(g.Searches)
		return nil
	})
	t := tallied{judged.Load(), time.Since(began), CPUTime() - cpu}
	r.Positions = t.rates()
	r.PerHour = float64(r.Games) / t.wall.Hours()
	if t.cpu > 0 {
		r.PerCPUHour = float64(r.Games) / t.cpu.Hours()
	}
	if err != nil {
		return r, err
	}
	recording, err := measureRecording(m.Board, cfg, played)
	if t.cpu > 0 {
		r.Recording = recording.Seconds() / t.cpu.Seconds()
	}
	return r, err
}

// measureRecording writes the games to one shard after the other, as the generations of a run do, and returns the mean processor time of a
// shard. The first does not count: it fills caches and makes what all share.
func measureRecording(b *quoridor.Board, cfg selfplay.Config, games []*data.Game) (time.Duration, error) {
	const shards = 8
	dir, err := os.MkdirTemp("", "rampart-bench-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	h := data.Header{Board: b, Rules: cfg.Rules(b)}
	var began time.Duration
	for i := range 1 + shards {
		if i == 1 {
			began = CPUTime()
		}
		if err := writeShard(filepath.Join(dir, strconv.Itoa(i)+data.Suffix), h, games); err != nil {
			return 0, err
		}
	}
	return (CPUTime() - began) / shards, nil
}

func writeShard(path string, h data.Header, games []*data.Game) error {
	w, err := data.Create(path, h)
	if err != nil {
		return err
	}
	for _, g := range games {
		if err := w.Append(g); err != nil {
			return errors.Join(err, w.Close())
		}
	}
	return w.Seal()
}
