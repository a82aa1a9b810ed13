package solver

// This file is the solver's reference: the pawns' game under fixed walls, worked out with nothing but lists of squares. The bit
// operations of field.go must give the same. Boards of more than 64 squares use it, for want of a word to hold them.

// plainField is what walls leave of the board.
type plainField struct {
	s      *shape
	next   [][]int // open neighbours of every square
	jumps  map[[2]int][]int
	domain [2][]bool // squares on which each player's pawn may stand undecided: it can reach its goal row and is not there
}

func newPlainField(s *shape, a walls) *plainField {
	f := &plainField{s: s, next: make([][]int, s.cells), jumps: make(map[[2]int][]int)}
	for c := range s.cells {
		for d := range directions {
			if s.open(a, c, d) {
				f.next[c] = append(f.next[c], s.neighbour(c, d))
				f.addJumps(a, c, d)
			}
		}
	}
	f.domain[0] = f.reach(s.cells - s.w)
	f.domain[1] = f.reach(0)
	return f
}

// addJumps lists where a pawn on c gets that meets the opponent in direction d: straight on or, if that is barred, aside.
func (f *plainField) addJumps(a walls, c, d int) {
	over := f.s.neighbour(c, d)
	key := [2]int{c, over}
	if f.s.open(a, over, d) {
		f.jumps[key] = []int{f.s.neighbour(over, d)}
		return
	}
	for _, side := range []int{(d + 1) % directions, (d + 3) % directions} {
		if f.s.open(a, over, side) {
			f.jumps[key] = append(f.jumps[key], f.s.neighbour(over, side))
		}
	}
}

// reach returns the squares from which the goal row that starts at first can be reached, without the row itself.
func (f *plainField) reach(first int) []bool {
	seen := make([]bool, f.s.cells)
	var queue []int
	for c := first; c < first+f.s.w; c++ {
		seen[c] = true
		queue = append(queue, c)
	}
	for len(queue) > 0 {
		c := queue[0]
		queue = queue[1:]
		for _, n := range f.next[c] {
			if !seen[n] {
				seen[n] = true
				queue = append(queue, n)
			}
		}
	}
	for c := first; c < first+f.s.w; c++ {
		seen[c] = false
	}
	return seen
}

// alive tells whether any undecided position is legal.
func (f *plainField) alive() bool {
	for p0, ok := range f.domain[0] {
		for p1, ok1 := range f.domain[1] {
			if ok && ok1 && p0 != p1 {
				return true
			}
		}
	}
	return false
}

// targets returns the squares that the pawn on me may move to.
func (f *plainField) targets(me, opponent int) []int {
	var to []int
	for _, c := range f.next[me] {
		if c == opponent {
			to = append(to, f.jumps[[2]int{me, c}]...)
		} else {
			to = append(to, c)
		}
	}
	return to
}

// solve works out the values of all pawn pairs, both sides to move, level by level. best[side][pair] is the least value, for the
// opponent, of the positions that the side can reach by a wall, or codeIllegal if there is none. dst[side][pair] receives the
// values.
func (f *plainField) solve(best, dst [2][]code) error {
	s := f.s
	for side := range 2 {
		for i := range dst[side] {
			dst[side][i] = codeIllegal
			p := [2]int{i % s.slots, i/s.slots + s.w}
			if f.domain[0][p[0]] && f.domain[1][p[1]] && p[0] != p[1] {
				dst[side][i] = codeDraw
			}
		}
	}
	last := lastLevel(best)
	for n, idle := 1, false; !idle || n <= last; n++ {
		idle = true
		for _, level := range []code{winCode(n), lossCode(n)} {
			var decided [][2]int
			for side := range 2 {
				for i, v := range dst[side] {
					if v == codeDraw && f.value(best, dst, side, i) == level {
						decided = append(decided, [2]int{side, i})
					}
				}
			}
			for _, d := range decided {
				dst[d[0]][d[1]] = level
				idle = false
			}
		}
		if !idle && n >= maxMoves {
			return ErrTooLong
		}
	}
	return nil
}

// lastLevel returns the largest number of moves after which a wall in best can decide a position.
func lastLevel(best [2][]code) int {
	last := 0
	for _, side := range best {
		for _, c := range side {
			if c != codeIllegal && c != codeDraw {
				last = max(last, min(int(c)+1, 255-int(c)))
			}
		}
	}
	return last
}

// value returns what the successors say of a position.
func (f *plainField) value(best, dst [2][]code, side, index int) code {
	s := f.s
	p := [2]int{index % s.slots, index/s.slots + s.w}
	least := best[side][index]
	for _, c := range f.targets(p[side], p[side^1]) {
		q := p
		q[side] = c
		child := codeLost
		if q[0] < s.slots && q[1] >= s.w {
			child = dst[side^1][(q[1]-s.w)*s.slots+q[0]]
		}
		least = min(least, child)
	}
	return parent(least)
}
