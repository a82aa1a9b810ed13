package arena

import (
	"context"
	"math/rand/v2"

	"rampart/quoridor"
)

func init() {
	Register(Kind{
		Name:    "waller",
		Usage:   "waller",
		Summary: "looks one ply ahead: 10 times the difference of the distances plus 0.3 for each wall left",
		Parse:   func(*Args) (func(*quoridor.Board) (Player, error), error) { return NewWaller, nil },
	})
}

// NewWaller returns a player that looks one ply ahead and maximises 10*(distance of the opponent - own distance) + 0.3*(own
// walls left), distances counted by walls alone. A wall is considered only if it lengthens the opponent's shortest path and not
// its own, so it must stand on a shortest path of the opponent. Equally good moves are equally likely.
//
// The evaluation and the pruning are those of a published Java engine, whose one-ply player also forbade the last column and
// row of walls; here every wall of the rules is considered, and every jump.
func NewWaller(b *quoridor.Board) (Player, error) {
	return &waller{grid: newGrid(b), random: newRand(0)}, nil
}

type waller struct {
	grid   *grid
	random *rand.Rand
}

func (w *waller) NewGame(seed uint64) { w.random = newRand(seed) }

// wallerScore is the evaluation, times ten to stay whole.
func wallerScore(mine, his, wallsLeft int) int { return 100*(his-mine) + 3*wallsLeft }

func (w *waller) Move(_ context.Context, g *quoridor.Game) (quoridor.Move, error) {
	b, p := g.Board, g.Position()
	me := p.Side()
	var mine, his [quoridor.NumCells]uint8
	b.Distances(&p, me, &mine)
	b.Distances(&p, me^1, &his)
	myDistance, hisDistance := int(mine[p.Pawn(me)]), int(his[p.Pawn(me^1)])

	var buffer, wallBuffer [quoridor.MaxMoves]quoridor.Move
	best, distance := advances(buffer[:0], b, &p, &mine)
	bestScore := wallerScore(distance, hisDistance, p.WallsLeft(me))

	h, v := b.LegalWalls(&p)
	cutH, cutV := w.grid.pathCuts(p.HWalls(), p.VWalls(), p.Pawn(me^1), &his)
	for _, m := range walls(wallBuffer[:0], h&cutH, v&cutV) {
		after := b.Play(p, m)
		hisAfter := b.Distance(&after, me^1)
		if hisAfter <= hisDistance || b.Distance(&after, me) > myDistance {
			continue
		}
		score := wallerScore(myDistance, hisAfter, after.WallsLeft(me))
		if score > bestScore {
			bestScore, best = score, best[:0]
		}
		if score == bestScore {
			best = append(best, m)
		}
	}
	return pick(w.random, best), nil
}
