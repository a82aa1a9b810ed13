package race

import (
	"math/bits"

	"rampart/quoridor"
)

// pairSet is a set of pawn pairs: element c is the set of squares of player 0's pawn for player 1's pawn on c. The last stays empty.
type pairSet [quoridor.NumCells + 1]set

// link is an open edge from a square to a neighbour, and the jumps over it.
type link struct {
	to     uint8
	at     set      // to, as a set
	over   [2]uint8 // where a pawn on the square gets that jumps over the neighbour; nowhere if there is no first or second way
	attack set      // the same for a pawn on the neighbour that jumps over the square
}

// induction decides all pawn pairs under fixed walls level by level, from the ends of the game. At level n, first the positions won in 2n-1
// plies: a move leads to one lost in 2n-2. Then those lost in 2n: every move leads to one won in 2n-1 or less. What is undecided
// when nothing more can happen is a draw.
type induction struct {
	field
	h, v uint64 // walls

	rows  []uint8 // squares on which player 1's pawn may stand undecided
	next  [quoridor.NumCells][]link
	links [quoridor.NumCells * directions]link // memory of next

	level     int // the last that was decided
	complete  bool
	undecided [2]pairSet
	notWon    [2]pairSet // positions that the side to move has not won, finished ones included
	lost      [2]pairSet // positions lost at the last level
	domain    set        // squares on which player 0's pawn may stand undecided

	plies [2][quoridor.NumCells * quoridor.NumCells]uint16 // plies of the decided positions; odd for a win of the side to move
}

// reset begins the induction for the position's walls.
func (g *induction) reset(b *quoridor.Board, p *quoridor.Position) {
	g.h, g.v = p.HWalls(), p.VWalls()
	g.field = newField(b, p)
	g.domain = g.reach(g.goal[0]).without(g.goal[0])
	g.rows = g.rows[:0]
	g.reach(g.goal[1]).without(g.goal[1]).each(func(c int) { g.rows = append(g.rows, uint8(c)) })
	g.linkRows()
	g.level, g.complete = 0, false
	clear(g.plies[0][:])
	clear(g.plies[1][:])
	g.undecided, g.notWon, g.lost = [2]pairSet{}, [2]pairSet{}, [2]pairSet{}
	for _, r := range g.rows {
		pairs := g.domain.without(squares[r])
		g.undecided[0][r], g.undecided[1][r] = pairs, pairs
		g.lost[1][r] = g.goal[0].without(squares[r]) // player 0 has arrived
		g.notWon[0][r], g.notWon[1][r] = pairs, pairs.or(g.lost[1][r])
	}
	g.goal[1].each(func(c int) { // player 1 has arrived
		g.lost[0][c] = g.domain.without(squares[c])
		g.notWon[0][c] = g.lost[0][c]
	})
}

// linkRows fills in the links of the rows.
func (g *induction) linkRows() {
	links := g.links[:0]
	for _, r := range g.rows {
		first := len(links)
		for d := range directions {
			to := g.neighbour(int(r), d)
			if to < 0 {
				continue
			}
			l := link{to: uint8(to), at: squares[to], over: g.jumps(to, d)}
			for _, c := range g.jumps(int(r), d^2) {
				if c != nowhere {
					l.attack = l.attack.or(squares[c])
				}
			}
			links = append(links, l)
		}
		g.next[r] = links[first:len(links):len(links)]
	}
}

// jumps returns where a pawn gets that meets the opponent on a square going in direction d: straight on if it can, else aside.
func (g *induction) jumps(over, d int) [2]uint8 {
	to := [2]uint8{nowhere, nowhere}
	if c := g.neighbour(over, d); c >= 0 {
		to[0] = uint8(c)
		return to
	}
	for i, side := range [2]int{(d + 1) % directions, (d + 3) % directions} {
		if c := g.neighbour(over, side); c >= 0 {
			to[i] = uint8(c)
		}
	}
	return to
}

// value returns the outcome for the side to move and the plies to the end, and decides as many levels as that takes.
func (g *induction) value(p *quoridor.Position) (outcome, plies int) {
	side, c0, c1 := p.Side(), int(p.Pawn(0)), int(p.Pawn(1))
	at := c1*quoridor.NumCells + c0
	for g.plies[side][at] == 0 && !g.complete {
		g.decideLevel()
	}
	plies = int(g.plies[side][at])
	switch {
	case plies == 0:
		return 0, 0
	case plies&1 != 0:
		return 1, plies
	}
	return -1, plies
}

// decideLevel decides the positions of the next level.
func (g *induction) decideLevel() {
	g.level++
	n := g.level
	progress := false
	var won [2]pairSet
	for side := range 2 {
		g.before(side, &won[side], &g.lost[side^1], nil)
		if g.decide(side, &won[side], 2*n-1) {
			progress = true
		}
		for _, r := range g.rows {
			g.notWon[side][r] = g.notWon[side][r].without(won[side][r])
		}
	}
	if n == 1 { // finished positions count once
		g.goal[1].each(func(c int) { g.lost[0][c] = set{} })
	}
	for side := range 2 {
		lost := &g.lost[side]
		g.before(side, lost, &g.notWon[side^1], &won[side^1]) // a position is lost when its last other move turns out to lead to a win
		for _, r := range g.rows {
			lost[r] = g.undecided[side][r].without(lost[r])
		}
		if g.decide(side, lost, 2*n) {
			progress = true
		}
	}
	g.complete = !progress
}

// decide restricts the set to undecided positions, notes their plies and tells whether there are any.
func (g *induction) decide(side int, s *pairSet, plies int) bool {
	any := false
	undecided := &g.undecided[side]
	for _, r := range g.rows {
		x := s[r].and(undecided[r])
		s[r] = x
		if x.empty() {
			continue
		}
		any = true
		undecided[r] = undecided[r].without(x)
		row := g.plies[side][int(r)*quoridor.NumCells:][:quoridor.NumCells]
		for lo := x.lo; lo != 0; lo &= lo - 1 {
			row[bits.TrailingZeros64(lo)] = uint16(plies)
		}
		for hi := x.hi; hi != 0; hi &= hi - 1 {
			row[loCells+bits.TrailingZeros64(hi)] = uint16(plies)
		}
	}
	return any
}

// before fills the rows of dst with the pairs from which the side can move its pawn into the set, which holds pairs with the
// other side to move. Rows whose successors are none of the changed pairs are filled with everything; nil for changed looks at all.
func (g *induction) before(side int, dst, pairs, changed *pairSet) {
	if side == 0 {
		g.before0(dst, pairs, changed)
	} else {
		g.before1(dst, pairs, changed)
	}
}

func (g *induction) before0(dst, pairs, changed *pairSet) {
	for _, r := range g.rows {
		if changed != nil && changed[r].empty() {
			dst[r] = g.domain
			continue
		}
		t := pairs[r]
		if t.empty() {
			dst[r] = set{}
			continue
		}
		from := g.steps(t)
		for i := range g.next[r] {
			if l := &g.next[r][i]; !l.attack.and(t).empty() {
				from = from.or(l.at)
			}
		}
		dst[r] = from.and(g.domain).without(squares[r])
	}
}

func (g *induction) before1(dst, pairs, changed *pairSet) {
	for _, r := range g.rows {
		next := g.next[r]
		if changed != nil {
			var any set
			for i := range next {
				l := &next[i]
				any = any.or(changed[l.to]).or(changed[l.over[0]]).or(changed[l.over[1]])
			}
			if any.empty() {
				dst[r] = g.domain
				continue
			}
		}
		var from set
		for i := range next {
			l := &next[i]
			jump := pairs[l.over[0]].or(pairs[l.over[1]])
			from = from.or(pairs[l.to]).or(jump.and(l.at))
		}
		dst[r] = from.and(g.domain).without(squares[r])
	}
}
