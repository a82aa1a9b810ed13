// Package bench measures the speed of the program's parts for the command "rampart bench". It measures and reports; nothing else depends
// on it.
package bench

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"time"

	"rampart/internal/lines"
	"rampart/quoridor"
)

// Rules is the speed of the rules on one core.
type Rules struct {
	Positions        int     // distinct ones in the measurement
	MovesPerPosition float64 // legal moves of each on average
	ListsPerSecond   float64 // complete lists of legal moves

	GamesPerSecond float64 // uniform random games on 9x9 with 10 walls, all moves generated at each ply
	PliesPerGame   float64

	PerftDepth   int
	PerftNodes   uint64
	PerftSeconds float64 // without a table
}

// MeasureRules measures each part for about the given time, perft to the given depth once. Like all measurements here it ends with the error of
// the context when that ends.
func MeasureRules(ctx context.Context, b *quoridor.Board, positions []quoridor.Position, each time.Duration, depth int) (r Rules, err error) {
	r = Rules{Positions: len(positions), PerftDepth: depth}
	var buffer [quoridor.MaxMoves]quoridor.Move
	lists, moves := 0, 0
	elapsed := repeat(ctx, each, func() {
		for i := range positions {
			moves += len(b.Moves(buffer[:0], &positions[i]))
		}
		lists += len(positions)
	})
	r.ListsPerSecond, r.MovesPerPosition = float64(lists)/elapsed.Seconds(), float64(moves)/float64(lists)

	random := rand.New(rand.NewPCG(1, 2))
	games, plies := 0, 0
	elapsed = repeat(ctx, each, func() {
		for p := b.Start(); b.Winner(&p) < 0; plies++ {
			list := b.Moves(buffer[:0], &p)
			p = b.Play(p, list[random.IntN(len(list))])
		}
		games++
	})
	r.GamesPerSecond, r.PliesPerGame = float64(games)/elapsed.Seconds(), float64(plies)/float64(games)

	began := time.Now()
	r.PerftNodes, err = b.PerftContext(ctx, b.Start(), depth)
	r.PerftSeconds = time.Since(began).Seconds()
	return r, err
}

// repeat calls f, at least once, until the time is over or the context ends, and returns how long that took.
func repeat(ctx context.Context, d time.Duration, f func()) time.Duration {
	for began := time.Now(); ; {
		f()
		if took := time.Since(began); took >= d || ctx.Err() != nil {
			return took
		}
	}
}

// ReadPositions reads one list of moves a line, from the start of the board, and returns the positions they lead to. An error names the line.
func ReadPositions(r io.Reader, b *quoridor.Board) ([]quoridor.Position, error) {
	var list []quoridor.Position
	const most = 1 << 16 // bytes of a line
	in := lines.NewReader(r, most)
	for n := 1; ; n++ {
		line, err := in.Next()
		if err == io.EOF {
			return list, nil
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		p := b.Start()
		for _, text := range strings.Fields(line) {
			m, err := b.ParseLegal(&p, text)
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", n, err)
			}
			p = b.Play(p, m)
		}
		list = append(list, p)
	}
}

// RandomPositions returns positions from random games that are half pawn moves and half walls, every third ply, until there are n.
func RandomPositions(b *quoridor.Board, n int, seed uint64) []quoridor.Position {
	random := rand.New(rand.NewPCG(seed, 1))
	var list []quoridor.Position
	for len(list) < n {
		p := b.Start()
		for ply := 0; b.Winner(&p) < 0 && ply < 60 && len(list) < n; ply++ {
			if ply%3 == 0 {
				list = append(list, p)
			}
			moves := b.Moves(nil, &p)
			if random.IntN(2) == 0 {
				moves = b.PawnMoves(nil, &p)
			}
			p = b.Play(p, moves[random.IntN(len(moves))])
		}
	}
	return list
}
