package quoridor

// Position is everything that decides how a game can go on: walls, pawns, wall stocks and the side to move. It is a plain
// value: copy it by assignment, compare it with ==, use it as a map key. The zero value is not a position; take
// [Board.Start], [NewPosition] or [ParsePosition].
type Position struct {
	h, v uint64 // horizontal and vertical walls, anchor bit y*8 + x
	pawn [2]Cell
	left [2]uint8
	side uint8
}

// NewPosition puts a position together from its parts and checks it: walls as anchor sets (bit y*8 + x), the pawns, the wall
// stocks and the side to move, each indexed by player. It returns an error that wraps [ErrPosition] if the position is
// impossible on the board. Stocks may exceed the board's number of walls, up to its number of anchors.
func (b *Board) NewPosition(h, v uint64, pawns [2]Cell, left [2]int, side int) (Position, error) {
	p := Position{h: h, v: v, pawn: pawns, left: [2]uint8{uint8(left[0]), uint8(left[1])}, side: uint8(side)}
	if left[0] < 0 || left[1] < 0 || left[0] > b.Anchors() || left[1] > b.Anchors() || side < 0 || side > 1 {
		return Position{}, positionError("walls left must be 0 to %d and the side to move 0 or 1", b.Anchors())
	}
	return p, b.check(&p)
}

// Side returns the player to move, 0 or 1.
func (p Position) Side() int { return int(p.side) }

// Pawn returns the square of the player's pawn.
func (p Position) Pawn(player int) Cell { return p.pawn[player] }

// WallsLeft returns how many walls the player can still place.
func (p Position) WallsLeft(player int) int { return int(p.left[player]) }

// HWalls returns the horizontal walls as anchor bits y*8 + x.
func (p Position) HWalls() uint64 { return p.h }

// VWalls returns the vertical walls as anchor bits y*8 + x.
func (p Position) VWalls() uint64 { return p.v }

// Winner returns the player whose pawn stands on his goal row, or -1 if the game is not decided.
func (b *Board) Winner(p *Position) int {
	if int(p.pawn[0]) >= (b.H-1)*cellStride {
		return 0
	}
	if p.pawn[1] < cellStride {
		return 1
	}
	return -1
}

// Play returns the position after the move, which must be legal ([Board.IsLegal]).
func (b *Board) Play(p Position, m Move) Position {
	switch {
	case m.IsPawn():
		p.pawn[p.side] = m.Cell()
	case m.IsHorizontal():
		p.h |= 1 << m.anchorIndex()
		p.left[p.side]--
	default:
		p.v |= 1 << m.anchorIndex()
		p.left[p.side]--
	}
	p.side ^= 1
	return p
}

// Hash returns a 64-bit hash of the whole position: walls, pawns, wall stocks and side. It is the same on every machine. Two
// positions may collide; compare positions wherever that would change a result.
func (p Position) Hash() uint64 {
	return mix(p.h ^ mix(p.v^mix(p.rest())))
}

// rest packs everything but the walls.
func (p *Position) rest() uint64 {
	return uint64(p.pawn[0]) | uint64(p.pawn[1])<<8 | uint64(p.left[0])<<16 | uint64(p.left[1])<<24 | uint64(p.side)<<32
}

// mix is the finaliser of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014), a bijection.
func mix(x uint64) uint64 {
	x += 0x9E3779B97F4A7C15
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}
