package arena

import "rampart/quoridor"

// evaluator estimates a position without search: who is ahead in the race to the goal, and what the walls that are left will
// still be worth. Scores are for the side to move, in hundredths of a step.
type evaluator struct {
	board *quoridor.Board
	grid  *grid
	worth [quoridor.NumCells]int // of a stock of walls
}

// Weights of the evaluation, chosen by matches on 9x9 with 10 walls.
const (
	stepWorth  = 100
	tempoWorth = 50   // being to move
	raceWorth  = 5000 // a race that nobody can lengthen any more
)

func newEvaluator(b *quoridor.Board) evaluator {
	e := evaluator{board: b, grid: newGrid(b)}
	for n := 1; n < len(e.worth); n++ {
		e.worth[n] = e.worth[n-1] + max(30, 110-8*n) // the last walls are the dearest
	}
	return e
}

// score evaluates a position that is not over.
func (e *evaluator) score(p *quoridor.Position) int {
	me := p.Side()
	mine, his := e.board.Distance(p, me), e.board.Distance(p, me^1)
	return e.scoreOf(mine, his, p.WallsLeft(me), p.WallsLeft(me^1))
}

// scoreOf evaluates from distances and walls left of the side to move and of the other.
func (e *evaluator) scoreOf(mine, his, myWalls, hisWalls int) int {
	score := stepWorth*(his-mine) + tempoWorth + e.worth[myWalls] - e.worth[hisWalls]
	// A path that the other side cannot lengthen any more is a promise, unless the pawns get into each other's way.
	switch {
	case hisWalls == 0 && mine <= his:
		score += raceWorth
	case myWalls == 0 && his < mine:
		score -= raceWorth
	}
	return score
}
