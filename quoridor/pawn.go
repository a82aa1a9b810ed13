package quoridor

// PawnMoves appends the legal pawn moves of the side to move to dst: at most five, none if the game is over.
func (b *Board) PawnMoves(dst []Move, p *Position) []Move {
	if b.Winner(p) >= 0 {
		return dst
	}
	var to [5]Move
	return append(dst, to[:b.pawnMoves(&to, p)]...)
}

// pawnMoves fills in the pawn moves of a position that is not over and returns their number.
func (b *Board) pawnMoves(to *[5]Move, p *Position) int {
	me, opponent := p.pawn[p.side], p.pawn[p.side^1]
	walls := [2]uint64{p.h, p.v}
	n := 0
	for d := range directions {
		c := b.neighbour[me][d]
		if c == noCell || walls[d&1]&b.cut[me][d] != 0 {
			continue
		}
		if c != opponent {
			to[n] = PawnMove(c)
			n++
			continue
		}
		n = b.jumps(to, n, &walls, c, d)
	}
	return n
}

// jumps adds the moves over the opponent on cell c, who was met going in direction d: straight on if nothing is in the way
// behind him, else to each open side.
func (b *Board) jumps(to *[5]Move, n int, walls *[2]uint64, c Cell, d int) int {
	if behind := b.neighbour[c][d]; behind != noCell && walls[d&1]&b.cut[c][d] == 0 {
		to[n] = PawnMove(behind)
		return n + 1
	}
	for _, s := range [2]int{(d + 1) % directions, (d + 3) % directions} {
		if beside := b.neighbour[c][s]; beside != noCell && walls[s&1]&b.cut[c][s] == 0 {
			to[n] = PawnMove(beside)
			n++
		}
	}
	return n
}
