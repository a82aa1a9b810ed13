package selfplay

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"rampart/data"
	"rampart/mcts"
	"rampart/nn"
	"rampart/quoridor"
)

// BenchmarkSelfPlay plays whole games with random weights on one worker, some at a time so that making the evaluator does not count.
func BenchmarkSelfPlay(b *testing.B) {
	const games = 16
	for _, c := range []struct {
		board *quoridor.Board
		net   nn.Config
	}{
		{quoridor.MustBoard(5, 5, 2), nn.Config{Channels: 32, Blocks: 4, Hidden: 64}},
		{quoridor.MustBoard(9, 9, 10), nn.Config{Channels: 32, Blocks: 4, Hidden: 64}},
		{quoridor.MustBoard(9, 9, 10), nn.Config{Channels: 64, Blocks: 6, Hidden: 64}},
	} {
		b.Run(fmt.Sprintf("%dx%d/%s", c.board.W, c.board.H, c.net), func(b *testing.B) {
			w, err := nn.NewWeights(c.net, 1)
			if err != nil {
				b.Fatal(err)
			}
			m, err := nn.NewModel(nn.Meta{Board: c.board}, w)
			if err != nil {
				b.Fatal(err)
			}
			var positions atomic.Int64
			j := Job{
				Config: DefaultConfig(), Seed: 1, Generation: 1, Games: games, Workers: 1, Positions: &positions,
				NewEvaluator: func() (mcts.Evaluator, error) { return nn.NewEvaluator("native", m) },
			}
			for b.Loop() {
				if err := Run(context.Background(), j, func(*data.Game) error { return nil }); err != nil {
					b.Fatal(err)
				}
				j.First += games
			}
			b.ReportMetric(float64(positions.Load())/b.Elapsed().Seconds(), "positions/s")
		})
	}
}
