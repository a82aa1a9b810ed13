package selfplay

import (
	"math/rand/v2"

	"rampart/quoridor"
)

// open plays the game's opening, of the kind that is drawn. Openings never end the game.
func (p *player) open(g *quoridor.Game, random *rand.Rand) error {
	u := random.Float64()
	if u -= p.cfg.RandomOpenings; u < 0 {
		if p.cfg.OpeningPlies == 0 {
			return nil
		}
		return p.playRandom(g, random, 1+random.IntN(p.cfg.OpeningPlies))
	}
	if u -= p.cfg.WallOpenings; u < 0 {
		return p.placeWalls(g, random)
	}
	if u < p.cfg.Forks {
		return p.fork(g, random)
	}
	return nil
}

// playRandom plays so many random plies, pawn moves and walls in equal shares where both are possible.
func (p *player) playRandom(g *quoridor.Game, random *rand.Rand, plies int) error {
	for range plies {
		pawns, walls := p.split(g)
		list := pawns
		if len(walls) > 0 && random.IntN(2) == 0 {
			list = walls
		}
		if played, err := p.tryMove(g, list[random.IntN(len(list))]); !played {
			return err
		}
	}
	return nil
}

// placeWalls lets both players place random walls in turn.
func (p *player) placeWalls(g *quoridor.Game, random *rand.Rand) error {
	for range 2 * (1 + random.IntN(p.cfg.OpeningWalls)) {
		_, walls := p.split(g)
		if len(walls) == 0 {
			return nil
		}
		if played, err := p.tryMove(g, walls[random.IntN(len(walls))]); !played {
			return err
		}
	}
	return nil
}

// fork follows an earlier game of the run for a while, not into its last quarter, and leaves it with a random ply.
func (p *player) fork(g *quoridor.Game, random *rand.Rand) error {
	if len(p.earlier) == 0 {
		return nil
	}
	from := p.earlier[random.IntN(len(p.earlier))]
	for _, m := range from.Moves[:random.IntN(len(from.Moves)*3/4+1)] {
		if played, err := p.tryMove(g, m); !played {
			return err
		}
	}
	return p.playRandom(g, random, 1)
}

// split returns the legal pawn moves and walls.
func (p *player) split(g *quoridor.Game) (pawns, walls []quoridor.Move) {
	pos := g.Position()
	p.moves = g.Board.Moves(p.moves[:0], &pos)
	n := 0
	for n < len(p.moves) && p.moves[n].IsPawn() {
		n++
	}
	return p.moves[:n], p.moves[n:]
}

// tryMove plays the move unless it would end the game.
func (p *player) tryMove(g *quoridor.Game, m quoridor.Move) (played bool, err error) {
	if err := g.Play(m); err != nil {
		return false, err
	}
	if g.Result() != quoridor.Undecided {
		g.Undo()
		return false, nil
	}
	return true, nil
}
