package nn

import (
	"fmt"
	"testing"

	"rampart/quoridor"
)

// sizes are the networks and boards that the benchmarks run.
var sizes = []struct {
	board *quoridor.Board
	cfg   Config
}{
	{quoridor.MustBoard(5, 5, 2), Config{Channels: 32, Blocks: 4, Hidden: 64}},
	{quoridor.MustBoard(9, 9, 10), Config{Channels: 64, Blocks: 6, Hidden: 64}},
}

func BenchmarkEvaluate(b *testing.B) {
	for _, s := range sizes {
		for _, backend := range Backends() {
			for _, n := range []int{1, 64} {
				b.Run(fmt.Sprintf("%dx%d/%v/%s/batch=%d", s.board.W, s.board.H, s.cfg, backend, n), func(b *testing.B) {
					e := open(b, backend, newModel(b, s.board, s.cfg, 1))
					pos := positions(s.board, n, 1)
					r := newResults(s.board, pos)
					b.ReportAllocs()
					for b.Loop() {
						if err := e.Evaluate(pos, r.moves, r.logits, r.wdl); err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(float64(n*b.N)/b.Elapsed().Seconds(), "positions/s")
				})
			}
		}
	}
}

func BenchmarkStep(b *testing.B) {
	for _, s := range sizes {
		for _, n := range []int{64, 256} {
			b.Run(fmt.Sprintf("%dx%d/%v/batch=%d", s.board.W, s.board.H, s.cfg, n), func(b *testing.B) {
				tr, err := NewTrainer(s.board, n, newWeights(b, s.cfg, 1), DefaultTrainerOptions())
				if err != nil {
					b.Fatal(err)
				}
				batch := examples(b, s.board, n, 1)
				b.ReportAllocs()
				for b.Loop() {
					if _, err := tr.Step(batch, 1e-4); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(n*b.N)/b.Elapsed().Seconds(), "samples/s")
			})
		}
	}
}
