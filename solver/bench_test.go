package solver

import (
	"context"
	"math/rand/v2"
	"testing"

	"rampart/quoridor"
)

// BenchmarkTable works out all positions of 5x5 with 2 walls.
func BenchmarkTable(b *testing.B) {
	board := quoridor.MustBoard(5, 5, 2)
	b.ReportAllocs()
	var last Progress
	for range b.N {
		s, err := New(board, Options{Workers: 1, Progress: func(p Progress) { last = p }})
		if err != nil {
			b.Fatal(err)
		}
		if err := s.Prepare(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(last.Positions)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mpositions/s")
}

// BenchmarkMoveValues labels positions of random games, all moves of each.
func BenchmarkMoveValues(b *testing.B) {
	s := prepared(b, 5, 5, 2)
	positions := randomPositions(s.Board(), 1000)
	var values []MoveValue
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		var err error
		if values, err = s.MoveValues(context.Background(), values[:0], positions[i%len(positions)]); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "positions/s")
}

// BenchmarkProver searches 4x5 with 2 walls from an empty transposition table.
func BenchmarkProver(b *testing.B) {
	board := quoridor.MustBoard(4, 5, 2)
	b.ReportAllocs()
	var nodes uint64
	for range b.N {
		p, err := NewProver(board, SearchOptions{Memory: 64 << 20})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := p.Prove(context.Background(), board.Start(), 30); err != nil {
			b.Fatal(err)
		}
		nodes += p.Nodes()
	}
	b.ReportMetric(float64(nodes)/b.Elapsed().Seconds()/1e6, "Mnodes/s")
}

// randomPositions returns undecided positions of random games.
func randomPositions(board *quoridor.Board, n int) []quoridor.Position {
	r := rand.New(rand.NewPCG(9, 10))
	var list []quoridor.Position
	for p := board.Start(); len(list) < n; {
		list = append(list, p)
		moves := board.Moves(nil, &p)
		if p = board.Play(p, moves[r.IntN(len(moves))]); board.Winner(&p) >= 0 {
			p = board.Start()
		}
	}
	return list
}
