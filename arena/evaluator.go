package arena

import "rampart/quoridor"

// evaluator estimates a position without search: who is ahead in the race to the goal, and what the walls that are left will
// still be worth. Scores are for the side to move, in hundredths of a step.
type evaluator struct {
	board *quoridor.Board
	grid  *grid
}

// Weights of the evaluation, chosen by matches on 9x9 with 10 walls (docs/players.md). A wall is worth more than one step, so
// that it is not spent on a detour of one.
const (
	stepWorth  = 100
	wallWorth  = 120
	tempoWorth = 50   // being to move
	raceWorth  = 5000 // a path that the other side cannot lengthen any more
)

func newEvaluator(b *quoridor.Board) evaluator { return evaluator{board: b, grid: newGrid(b)} }

// score evaluates a position that is not over.
func (e *evaluator) score(p *quoridor.Position) int {
	me := p.Side()
	mine, his := e.board.Distance(p, me), e.board.Distance(p, me^1)
	myWalls, hisWalls := p.WallsLeft(me), p.WallsLeft(me^1)
	score := stepWorth*(his-mine) + wallWorth*(myWalls-hisWalls) + tempoWorth
	// The side that is ahead of an opponent without walls arrives first, unless the pawns get into each other's way.
	switch {
	case hisWalls == 0 && mine <= his:
		score += raceWorth
	case myWalls == 0 && his < mine:
		score -= raceWorth
	}
	return score
}
