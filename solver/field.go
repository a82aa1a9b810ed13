package solver

import "math/bits"

// wordCells is the number of squares up to which a set of squares fits into one word.
const wordCells = 64

// field is what walls leave of a board of up to 64 squares, as bit sets of squares.
type field struct {
	s            *shape
	openN, openE uint64                        // squares with an open edge to the north (east)
	domain       [2]uint64                     // squares on which each player's pawn may stand undecided
	goal         [2]uint64                     // goal rows
	rows         []uint8                       // the squares of domain[1]
	next         [wordCells][]link             // open neighbours of the squares of domain[1]
	links        [wordCells * directions]link  // memory of next
	jump         [wordCells][directions]uint64 // targets from a square if the opponent stands next to it in that direction; 0 if the edge is shut
}

// link is an open edge from a square to a neighbour, and the jumps over it.
type link struct {
	to     uint8    // the neighbour
	over   [2]uint8 // where a pawn on the square gets that jumps over the neighbour; nowhere if there is no first or second way
	attack uint64   // the same for a pawn on the neighbour that jumps over the square
}

// nowhere is a row of a pairSet that is always empty.
const nowhere = wordCells

// reset computes the field of the walls.
func (f *field) reset(s *shape, a walls) {
	f.s = s
	f.openN, f.openE = s.edges(a)
	for player := range 2 {
		f.goal[player] = s.goal(player)
		f.domain[player] = f.fill(f.goal[player]) &^ f.goal[player]
	}
	f.rows = f.rows[:0]
	for d := f.domain[1]; d != 0; d &= d - 1 {
		f.rows = append(f.rows, uint8(bits.TrailingZeros64(d)))
	}
	for c := range s.cells {
		for d := range directions {
			f.jump[c][d] = f.jumps(c, d)
		}
	}
	f.link()
}

// link fills in the links of the rows.
func (f *field) link() {
	links := f.links[:0]
	for _, r := range f.rows {
		c, first := int(r), len(links)
		for d := range directions {
			if !f.open(c, d) {
				continue
			}
			a := f.step(c, d)
			l := link{to: uint8(a), over: [2]uint8{nowhere, nowhere}, attack: f.jump[a][d^2]}
			for i, j := 0, f.jump[c][d]; j != 0; i, j = i+1, j&(j-1) {
				l.over[i] = uint8(bits.TrailingZeros64(j))
			}
			links = append(links, l)
		}
		f.next[c] = links[first:len(links):len(links)]
	}
}

// goal returns the player's goal row.
func (s *shape) goal(player int) uint64 {
	row := uint64(1)<<s.w - 1
	if player == 0 {
		return row << (s.cells - s.w)
	}
	return row
}

// edges returns the squares with an open edge to the north and to the east.
func (s *shape) edges(a walls) (openN, openE uint64) {
	row := uint64(1)<<s.w - 1
	var below uint64 // vertical walls of the row below
	for y := range s.h {
		h, v := a.h>>(8*y)&0xFF, a.v>>(8*y)&0xFF
		if y < s.h-1 {
			openN |= (row &^ (h | h<<1)) << (y * s.w)
		}
		openE |= (row >> 1 &^ (v | below)) << (y * s.w)
		below = v
	}
	return openN, openE
}

// grow adds every square one step away from the set.
func (f *field) grow(x uint64) uint64 {
	return x | f.steps(x)
}

// steps returns the squares one step away from squares of the set.
func (f *field) steps(x uint64) uint64 {
	w := f.s.w & 15
	return x&f.openN<<w | x>>w&f.openN | x&f.openE<<1 | x>>1&f.openE
}

// fill returns the squares that hang together with the set.
func (f *field) fill(x uint64) uint64 {
	for {
		next := f.grow(f.grow(x))
		if next == x {
			return x
		}
		x = next
	}
}

func (f *field) open(c, d int) bool {
	switch d {
	case north:
		return f.openN>>c&1 != 0
	case east:
		return f.openE>>c&1 != 0
	case south:
		return c >= f.s.w && f.openN>>(c-f.s.w)&1 != 0
	}
	return c > 0 && f.openE>>(c-1)&1 != 0
}

// step returns the square next to c; the edge must be open.
func (f *field) step(c, d int) int {
	switch d {
	case north:
		return c + f.s.w
	case east:
		return c + 1
	case south:
		return c - f.s.w
	}
	return c - 1
}

func (f *field) jumps(c, d int) uint64 {
	if !f.open(c, d) {
		return 0
	}
	over := f.step(c, d)
	if f.open(over, d) {
		return 1 << f.step(over, d)
	}
	var to uint64
	for _, side := range [2]int{(d + 1) % directions, (d + 3) % directions} {
		if f.open(over, side) {
			to |= 1 << f.step(over, side)
		}
	}
	return to
}

// alive tells whether any undecided position is legal.
func (f *field) alive() bool {
	a, b := f.domain[0], f.domain[1]
	return a != 0 && b != 0 && (a != b || a&(a-1) != 0)
}

// A pairSet is a set of pawn pairs: element p1 is the set of squares of player 0's pawn. The last element is always empty.
type pairSet [wordCells + 1]uint64

// before returns the undecided pairs from which the side can move its pawn into the set, which holds pairs with the other side
// to move and may hold decided ones. Rows outside domain[1] of dst are left alone.
func (f *field) before(side int, dst, set *pairSet) {
	if side == 0 {
		f.before0(dst, set)
	} else {
		f.before1(dst, set)
	}
}

func (f *field) before0(dst, set *pairSet) {
	for _, r := range f.rows {
		c := int(r) & 63
		t := set[c]
		if t == 0 {
			dst[c] = 0
			continue
		}
		from := f.steps(t)
		for i := range f.next[c] {
			if l := &f.next[c][i]; l.attack&t != 0 {
				from |= 1 << (l.to & 63)
			}
		}
		dst[c] = from & f.domain[0] &^ (1 << c)
	}
}

func (f *field) before1(dst, set *pairSet) {
	for _, r := range f.rows {
		c := int(r) & 63
		var from uint64
		for i := range f.next[c] {
			l := &f.next[c][i]
			from |= set[l.to] | (set[l.over[0]]|set[l.over[1]])&(1<<(l.to&63))
		}
		dst[c] = from & f.domain[0] &^ (1 << c)
	}
}
