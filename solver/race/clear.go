package race

import "rampart/quoridor"

// mostSteps is more than the length of any shortest path.
const mostSteps = quoridor.NumCells

// clearRun looks for a player who is ahead by step counting and whom the other cannot meet on some shortest path. That player wins by
// walking it: without a meeting there is no jump, so the other needs all his steps. It returns the winner and the plies that he needs
// at most, or -1.
//
// The path is unhindered if the other's pawn cannot be next to the walker when it is the other's turn, nor on the square that the walker
// enters. Until they meet, the other is no further from his start than he has made moves.
func (f *field) clearRun(p *quoridor.Position) (winner, plies int) {
	var toGoal [2][mostSteps + 1]set // squares by distance from the player's goal
	var steps, arrival [2]int
	for player := range 2 {
		pawn := squares[p.Pawn(player)]
		steps[player] = f.layers(f.goal[player], pawn, &toGoal[player])
		arrival[player] = 2 * steps[player]
		if player == p.Side() {
			arrival[player]--
		}
	}
	a := 0
	if arrival[1] < arrival[0] {
		a = 1
	}
	if f.unhindered(squares[p.Pawn(a)], squares[p.Pawn(1-a)], steps[a], a == p.Side(), &toGoal[a]) {
		return a, arrival[a]
	}
	return -1, 0
}

// layers fills dst with the squares by distance from the set, up to the pawn's, and returns that distance.
func (f *field) layers(from, pawn set, dst *[mostSteps + 1]set) int {
	seen := set{}
	for d, front := 0, from; ; d++ {
		dst[d] = front
		if !front.and(pawn).empty() || front.empty() {
			return d
		}
		seen = seen.or(front)
		front = f.steps(front).without(seen)
	}
}

// unhindered tells whether the walker, so many steps from his goal, has a shortest path on which the other cannot meet him.
func (f *field) unhindered(walker, other set, steps int, walkerFirst bool, toGoal *[mostSteps + 1]set) bool {
	ball := other // squares that the other can have reached by the walker's next move
	if !walkerFirst {
		ball = ball.or(f.steps(ball))
	}
	at := walker.without(ball)
	for k := 1; k <= steps; k++ {
		if k < steps { // the other moves once more while the walker stands there
			ball = ball.or(f.steps(ball))
		}
		if at = f.steps(at).and(toGoal[steps-k]).without(ball); at.empty() {
			return false
		}
	}
	return true
}
