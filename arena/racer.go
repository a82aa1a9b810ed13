package arena

import (
	"context"
	"math/rand/v2"

	"rampart/quoridor"
)

func init() {
	Register(Kind{
		Name:    "racer",
		Usage:   "racer",
		Summary: "advances while its path is not the longer one, else places the wall that lengthens the opponent's path most",
		Parse:   func(*Args) (func(*quoridor.Board) (Player, error), error) { return NewRacer, nil },
	})
}

// NewRacer returns the player of quoridor.fr's rule: if its shortest path is not longer than the opponent's it advances along
// it, else it places the legal wall that lengthens the opponent's shortest path most; if no wall lengthens it, it advances.
// Equally good moves are equally likely.
func NewRacer(b *quoridor.Board) (Player, error) {
	return &racer{grid: newGrid(b), random: newRand(0)}, nil
}

type racer struct {
	grid   *grid
	random *rand.Rand
}

func (r *racer) NewGame(seed uint64) { r.random = newRand(seed) }

func (r *racer) Move(_ context.Context, g *quoridor.Game) (quoridor.Move, error) {
	b, p := g.Board, g.Position()
	me := p.Side()
	var mine, his [quoridor.NumCells]uint8
	b.Distances(&p, me, &mine)
	b.Distances(&p, me^1, &his)
	var buffer [quoridor.MaxMoves]quoridor.Move
	if mine[p.Pawn(me)] > his[p.Pawn(me^1)] {
		if best := r.longestDetours(buffer[:0], b, &p, &his); len(best) > 0 {
			return pick(r.random, best), nil
		}
	}
	best, _ := advances(buffer[:0], b, &p, &mine)
	return pick(r.random, best), nil
}

// longestDetours appends the legal walls that lengthen the opponent's shortest path most; none if no wall lengthens it.
func (r *racer) longestDetours(dst []quoridor.Move, b *quoridor.Board, p *quoridor.Position, his *[quoridor.NumCells]uint8) []quoridor.Move {
	opponent := p.Side() ^ 1
	h, v := b.LegalWalls(p)
	cutH, cutV := r.grid.pathCuts(p.HWalls(), p.VWalls(), p.Pawn(opponent), his)
	var buffer [quoridor.MaxMoves]quoridor.Move
	longest := int(his[p.Pawn(opponent)]) + 1
	for _, m := range walls(buffer[:0], h&cutH, v&cutV) {
		after := b.Play(*p, m)
		d := b.Distance(&after, opponent)
		if d > longest {
			longest, dst = d, dst[:0]
		}
		if d == longest {
			dst = append(dst, m)
		}
	}
	return dst
}
