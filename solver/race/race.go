package race

import "rampart/quoridor"

// DefaultWallSets is the size of the cache that [New] makes: about 3 MiB.
const DefaultWallSets = 64

// Solver answers for the race of positions on one board. One goroutine owns it.
type Solver struct {
	board *quoridor.Board
	sets  []*induction // by hash of the walls; nil if not used yet
}

// New returns a solver for the board.
func New(b *quoridor.Board) *Solver {
	return &Solver{board: b, sets: make([]*induction, DefaultWallSets)}
}

// Probe returns the outcome for the side to move (1 win, 0 draw by endless play, -1 loss), the plies to the end, and whether the outcome
// is known: neither player has walls left, or only the winner of the race has. If neither has, the plies are exact, the
// winner hurrying and the loser delaying, and 0 for a draw. If one has, they are the most that he needs. The position must not be finished.
func (s *Solver) Probe(p *quoridor.Position) (outcome, plies int, known bool) {
	if bothHaveWalls(p) {
		return 0, 0, false
	}
	outcome, plies = s.induction(p).value(p)
	return outcome, plies, binding(p, outcome)
}

// Outcome returns the outcome for the side to move when the game is a draw after pliesLeft more plies (negative for no such cap), and the plies
// that the winner needs at most, 0 for a draw, if it can be told: whatever it tells, [Solver.Probe] tells too. It is quicker than Probe where step
// counting decides. If one player has walls and is behind by step counting, it does not look further.
func (s *Solver) Outcome(p *quoridor.Position, pliesLeft int) (outcome, plies int, known bool) {
	if bothHaveWalls(p) {
		return 0, 0, false
	}
	within := func(plies int) bool { return pliesLeft < 0 || plies <= pliesLeft }
	f := newField(s.board, p)
	if winner, plies := f.clearRun(p); winner >= 0 && within(plies) {
		outcome = 1
		if winner != p.Side() {
			outcome = -1
		}
		return outcome, plies, binding(p, outcome)
	}
	oneHasWalls := p.WallsLeft(0)+p.WallsLeft(1) > 0
	if oneHasWalls && !f.ahead(p, holder(p)) {
		return 0, 0, false
	}
	outcome, plies = s.induction(p).value(p)
	if within(plies) {
		return outcome, plies, binding(p, outcome)
	}
	return 0, 0, !oneHasWalls // the win comes too late; with a wall it might come sooner
}

// induction returns the induction for the position's walls, begun or not.
func (s *Solver) induction(p *quoridor.Position) *induction {
	h, v := p.HWalls(), p.VWalls()
	slot := &s.sets[mix(h^mix(v))%uint64(len(s.sets))]
	if *slot == nil {
		*slot = &induction{h: ^h} // not these walls
	}
	if g := *slot; g.h != h || g.v != v {
		g.reset(s.board, p)
	}
	return *slot
}

func mix(x uint64) uint64 {
	x = (x ^ x>>32) * 0x9E3779B97F4A7C15
	return x ^ x>>29
}

func bothHaveWalls(p *quoridor.Position) bool { return p.WallsLeft(0) > 0 && p.WallsLeft(1) > 0 }

// holder returns the player who has walls left, if one has.
func holder(p *quoridor.Position) int {
	if p.WallsLeft(0) > 0 {
		return 0
	}
	return 1
}

// binding tells whether the race's outcome is the game's: neither has walls, or the winner alone has.
func binding(p *quoridor.Position, outcome int) bool {
	switch {
	case p.WallsLeft(0)+p.WallsLeft(1) == 0:
		return true
	case bothHaveWalls(p) || outcome == 0:
		return false
	}
	winner := p.Side()
	if outcome < 0 {
		winner = 1 - winner
	}
	return winner == holder(p)
}

// ahead tells whether the player arrives first by step counting.
func (f *field) ahead(p *quoridor.Position, player int) bool {
	var layers [mostSteps + 1]set
	mine := f.layers(f.goal[player], squares[p.Pawn(player)], &layers)
	his := f.layers(f.goal[1-player], squares[p.Pawn(1-player)], &layers)
	if player == p.Side() {
		return mine <= his
	}
	return mine < his
}
