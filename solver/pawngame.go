package solver

import "math/bits"

// pawnGame works out the pawns' game under fixed walls: every pawn pair with either side to move, given what placing a wall is
// worth. It holds the scratch memory for that and is not safe for concurrent use.
//
// The pairs are decided level by level, all pairs of a level at once. At level n, first the positions won in 2n-1 plies: a move
// leads to a position lost in 2n-2. Then the positions lost in 2n plies: no move leads to anything but positions won in 2n-1 or
// less. What is still undecided when nothing more can happen is a draw.
type pawnGame struct {
	field
	head      [2][256]uint16 // first pair (plus 1) whose best wall has this code
	next      [2][]uint16    // next pair of the same code
	undecided [2]pairSet
	notWon    [2]pairSet // positions that the side to move has not won, decided ones included
	lost      [2]pairSet // positions lost at the last level
	wallsLose [2]pairSet // positions in which every wall loses within the level
}

func newPawnGame(s *shape) *pawnGame {
	g := &pawnGame{}
	g.s = s
	for side := range 2 {
		g.next[side] = make([]uint16, s.pairs)
	}
	return g
}

// solve fills dst[side] with the codes of all pairs under the field's walls. best[side] holds for each pair the least code of the
// positions that the side can reach by placing a wall, codeIllegal if there is none.
func (g *pawnGame) solve(best, dst [2][]code) error {
	last := g.start(best, dst)
	for n := 1; ; n++ {
		if n > maxMoves {
			return ErrTooLong
		}
		progress := g.level(n, &dst)
		if g.empty() || !progress && n > last {
			break
		}
	}
	for side := range 2 {
		g.mark(dst[side], &g.undecided[side], codeDraw)
	}
	return nil
}

// start sets up level 0 and returns the last level at which a wall can decide anything.
func (g *pawnGame) start(best, dst [2][]code) (last int) {
	for side := range 2 {
		g.bucket(side, best[side])
		fill(dst[side], codeIllegal)
		for _, r := range g.rows {
			g.undecided[side][r&63] = g.domain[0] &^ (1 << r)
			g.wallsLose[side][r&63] = 0
		}
		g.add(&g.wallsLose[side], side, codeIllegal)
		for c := 1; c < 255; c++ {
			if g.head[side][c] != 0 && c != int(codeDraw) {
				last = max(last, min(c+1, 255-c))
			}
		}
		if g.head[side][codeLost] != 0 {
			last = max(last, 1)
		}
	}
	g.notWon = g.undecided
	g.lost = [2]pairSet{}
	for _, r := range g.rows { // player 0 has arrived
		g.lost[1][r&63] = g.goal[0] &^ (1 << r)
		g.notWon[1][r&63] |= g.goal[0] &^ (1 << r)
	}
	for c := range g.s.w { // player 1 has arrived
		g.lost[0][c] = g.domain[0] &^ (1 << c)
		g.notWon[0][c] = g.lost[0][c]
	}
	return last
}

// bucket chains the pairs of equal code.
func (g *pawnGame) bucket(side int, best []code) {
	head, next := &g.head[side], g.next[side][:len(best)]
	*head = [256]uint16{}
	for i, c := range best {
		next[i] = head[c]
		head[c] = uint16(i + 1)
	}
}

// add adds the pairs whose best wall has the code to the set.
func (g *pawnGame) add(set *pairSet, side int, c code) bool {
	head := g.head[side][c]
	next, pawns := g.next[side], g.s.pawns
	for i := head; i != 0; i = next[i-1] {
		p := pawns[i-1]
		set[p[1]&63] |= 1 << (p[0] & 63)
	}
	return head != 0
}

// level decides the positions of level n and tells whether there were any.
func (g *pawnGame) level(n int, dst *[2][]code) bool {
	var won [2]pairSet
	var anyWon [2]bool
	for side := range 2 {
		g.before(side, &won[side], &g.lost[side^1])
		g.add(&won[side], side, lossCode(n-1))
		anyWon[side] = g.decide(side, dst[side], &won[side], winCode(n))
		for _, r := range g.rows {
			g.notWon[side][r&63] &^= won[side][r&63]
		}
	}
	g.clearArrived(n)
	progress := anyWon[0] || anyWon[1]
	for side := range 2 {
		more := g.add(&g.wallsLose[side], side, winCode(n))
		lost := &g.lost[side]
		if !more && !anyWon[side^1] && n > 1 {
			g.clear(lost)
			continue
		}
		g.before(side, lost, &g.notWon[side^1])
		for _, r := range g.rows {
			lost[r&63] = g.wallsLose[side][r&63] &^ lost[r&63]
		}
		if g.decide(side, dst[side], lost, lossCode(n)) {
			progress = true
		}
	}
	return progress
}

// clearArrived forgets the finished positions after the first level.
func (g *pawnGame) clearArrived(n int) {
	if n == 1 {
		for c := range g.s.w {
			g.lost[0][c] = 0
		}
	}
}

func (g *pawnGame) clear(set *pairSet) {
	for _, r := range g.rows {
		set[r&63] = 0
	}
}

// decide restricts the set to undecided positions, writes their code and tells whether there are any.
func (g *pawnGame) decide(side int, dst []code, set *pairSet, c code) bool {
	var any uint64
	undecided := &g.undecided[side]
	for _, r := range g.rows {
		set[r&63] &= undecided[r&63]
		any |= set[r&63]
		undecided[r&63] &^= set[r&63]
	}
	if any == 0 {
		return false
	}
	g.mark(dst, set, c)
	return true
}

// mark writes the code of the pairs of the set.
func (g *pawnGame) mark(dst []code, set *pairSet, c code) {
	for _, r := range g.rows {
		row := dst[(int(r)-g.s.w)*g.s.slots:]
		for x := set[r&63]; x != 0; x &= x - 1 {
			row[bits.TrailingZeros64(x)] = c
		}
	}
}

func (g *pawnGame) empty() bool {
	var any uint64
	for _, r := range g.rows {
		any |= g.undecided[0][r&63] | g.undecided[1][r&63]
	}
	return any == 0
}

// fill sets all codes to c.
func fill(dst []code, c code) {
	if c == codeIllegal {
		for len(dst) > 0 {
			dst = dst[copy(dst, illegal[:]):]
		}
		return
	}
	for i := range dst {
		dst[i] = c
	}
}

// illegal is a run of codeIllegal.
var illegal = func() (run [1024]code) {
	for i := range run {
		run[i] = codeIllegal
	}
	return run
}()
