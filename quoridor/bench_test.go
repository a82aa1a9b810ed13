package quoridor

import (
	"bufio"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// benchPositions replays the move lists of the oracle's benchmark file.
func benchPositions(b *testing.B) (*Board, []Position) {
	f, err := os.Open("../../shared/oracle/bench_positions.txt")
	if err != nil {
		b.Skip("../shared/oracle/bench_positions.txt is not there")
	}
	defer f.Close()
	board := MustBoard(9, 9, 10)
	var list []Position
	for lines := bufio.NewScanner(f); lines.Scan(); {
		p := board.Start()
		for _, text := range strings.Fields(lines.Text()) {
			m, err := board.ParseLegal(&p, text)
			if err != nil {
				b.Fatal(err)
			}
			p = board.Play(p, m)
		}
		list = append(list, p)
	}
	return board, list
}

func BenchmarkMoves(b *testing.B) {
	board, list := benchPositions(b)
	var buffer [MaxMoves]Move
	n := 0
	b.ReportAllocs()
	for b.Loop() {
		for i := range list {
			n += len(board.Moves(buffer[:0], &list[i]))
		}
	}
	b.ReportMetric(float64(b.N*len(list))/b.Elapsed().Seconds(), "positions/s")
	b.ReportMetric(float64(n)/float64(b.N*len(list)), "moves/position")
}

func BenchmarkRandomGame(b *testing.B) {
	board := MustBoard(9, 9, 10)
	random := rand.New(rand.NewPCG(1, 2))
	var buffer [MaxMoves]Move
	plies := 0
	b.ReportAllocs()
	for b.Loop() {
		p := board.Start()
		for board.Winner(&p) < 0 {
			moves := board.Moves(buffer[:0], &p)
			p = board.Play(p, moves[random.IntN(len(moves))])
			plies++
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "games/s")
	b.ReportMetric(float64(plies)/float64(b.N), "plies/game")
}

func BenchmarkPerft4(b *testing.B) {
	board := MustBoard(9, 9, 10)
	for b.Loop() {
		if n := board.Perft(board.Start(), 4); n != 247_569_030 {
			b.Fatal(n)
		}
	}
}
