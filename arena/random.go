package arena

import (
	"context"
	"math/rand/v2"

	"rampart/quoridor"
)

func init() {
	Register(Kind{
		Name:    "random",
		Usage:   "random",
		Summary: "any legal move, all equally likely",
		Parse:   func(*Args) (func(*quoridor.Board) (Player, error), error) { return NewRandom, nil },
	})
}

// NewRandom returns the player that makes any legal move, all equally likely.
func NewRandom(*quoridor.Board) (Player, error) { return &randomPlayer{random: newRand(0)}, nil }

type randomPlayer struct{ random *rand.Rand }

func (r *randomPlayer) NewGame(seed uint64) { r.random = newRand(seed) }

func (r *randomPlayer) Move(_ context.Context, g *quoridor.Game) (quoridor.Move, error) {
	var buffer [quoridor.MaxMoves]quoridor.Move
	p := g.Position()
	return pick(r.random, g.Board.Moves(buffer[:0], &p)), nil
}
