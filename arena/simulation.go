package arena

import (
	"math/bits"
	"math/rand/v2"

	"rampart/quoridor"
)

// simulation plays random games that look a little like Quoridor: pawns mostly run along shortest paths, walls go where
// something happens.
type simulation struct {
	board *quoridor.Board
	grid  *grid

	position       quoridor.Position
	field          [2][quoridor.NumCells]uint8 // distances to each player's goal
	touchH, touchV uint64                      // walls that touch a wall
}

func newSimulation(b *quoridor.Board) *simulation { return &simulation{board: b, grid: newGrid(b)} }

// Shares of the plies of a random game, in parts of 256: steps along a shortest path, walls on the opponent's shortest path, and
// other probable walls, where there are walls left; the rest are any pawn moves. The shares of steps and walls are those of
// gorisanson's bot (70 % and 15 %), which knows no walls of the second kind; they scored better here, though not clearly so
// (docs/players.md).
const (
	advanceShare  = 179
	detourShare   = 19
	probableShare = 19

	longestRollout = 400 // plies; then the shorter path wins
)

// run plays a random game from a position that is not over and returns the winner.
func (s *simulation) run(p quoridor.Position, random *rand.Rand) int {
	s.position = p
	s.measure()
	for range longestRollout {
		me := s.position.Side()
		if s.position.WallsLeft(0)+s.position.WallsLeft(1) == 0 {
			break
		}
		dice := random.Uint64()
		share := int(dice & 0xFF)
		dice >>= 8
		if share < detourShare+probableShare && s.position.WallsLeft(me) > 0 && s.placeWall(share < detourShare, dice) {
			continue
		}
		m := s.pawnMove(share >= 256-advanceShare, dice)
		s.position = s.board.Play(s.position, m)
		if s.field[me][m.Cell()] == 0 {
			return me
		}
	}
	return s.ahead()
}

// ahead returns the player who wins a race along shortest paths.
func (s *simulation) ahead() int {
	me := s.position.Side()
	if s.field[me][s.position.Pawn(me)] <= s.field[me^1][s.position.Pawn(me^1)] {
		return me
	}
	return me ^ 1
}

// measure computes what depends on the walls.
func (s *simulation) measure() {
	s.board.Distances(&s.position, 0, &s.field[0])
	s.board.Distances(&s.position, 1, &s.field[1])
	s.touchH, s.touchV = touching(s.position.HWalls(), s.position.VWalls())
}

// pawnMove draws a pawn move: any, or one of those that lead nearest to the goal.
func (s *simulation) pawnMove(advance bool, dice uint64) quoridor.Move {
	var buffer [8]quoridor.Move
	var moves []quoridor.Move
	if advance {
		moves, _ = advances(buffer[:0], s.board, &s.position, &s.field[s.position.Side()])
	} else {
		moves = s.board.PawnMoves(buffer[:0], &s.position)
	}
	return moves[draw(dice, len(moves))]
}

// draw returns a number below n from 32 random bits.
func draw(dice uint64, n int) int { return int(dice & 0xFFFFFFFF * uint64(n) >> 32) }

// placeWall places a wall on the opponent's shortest path, or another probable one, and tells whether it did; it gives up when
// the one drawn is not legal.
func (s *simulation) placeWall(detour bool, dice uint64) bool {
	h, v := s.grid.fittingWalls(s.position.HWalls(), s.position.VWalls())
	nearH, nearV := s.probableWalls(&s.position)
	if detour {
		nearH, nearV = s.detourWalls(&s.position)
	}
	h, v = h&nearH, v&nearV
	n := bits.OnesCount64(h) + bits.OnesCount64(v)
	if n == 0 {
		return false
	}
	before := *s
	s.position = s.board.Play(s.position, nthWall(h, v, draw(dice, n)))
	s.measure()
	for player := range 2 {
		if s.field[player][s.position.Pawn(player)] == quoridor.Unreachable {
			*s = before
			return false
		}
	}
	return true
}

// nthWall returns the n-th wall of two anchor sets.
func nthWall(h, v uint64, n int) quoridor.Move {
	horizontal := true
	if c := bits.OnesCount64(h); n >= c {
		h, n, horizontal = v, n-c, false
	}
	for ; n > 0; n-- {
		h &= h - 1
	}
	i := bits.TrailingZeros64(h)
	if horizontal {
		return quoridor.HWall(i&7, i>>3)
	}
	return quoridor.VWall(i&7, i>>3)
}

// probableWalls returns the walls that stand next to a pawn or touch a wall; they need not fit.
func (s *simulation) probableWalls(p *quoridor.Position) (h, v uint64) {
	h, v = s.touchH, s.touchV
	for player := range 2 {
		cut := &s.grid.cut[p.Pawn(player)]
		h |= cut[north] | cut[south]
		v |= cut[east] | cut[west]
	}
	return h, v
}

// detourWalls returns the walls that cut a shortest path of the opponent of the side to move; they need not fit.
func (s *simulation) detourWalls(p *quoridor.Position) (h, v uint64) {
	opponent := p.Side() ^ 1
	return s.grid.pathCuts(p.HWalls(), p.VWalls(), p.Pawn(opponent), &s.field[opponent])
}

// candidates appends the moves worth trying in a position. Against an opponent with walls left these are all pawn moves and
// the probable walls that are legal; against one without, only steps along a shortest path and walls on his.
func (s *simulation) candidates(dst []quoridor.Move, p *quoridor.Position) []quoridor.Move {
	me := p.Side()
	s.position = *p
	s.measure()
	var h, v uint64
	if p.WallsLeft(me^1) > 0 {
		dst = s.board.PawnMoves(dst, p)
		h, v = s.probableWalls(p)
	} else {
		dst, _ = advances(dst, s.board, p, &s.field[me])
		h, v = s.detourWalls(p)
	}
	if p.WallsLeft(me) == 0 {
		return dst
	}
	legalH, legalV := s.board.LegalWalls(p)
	return walls(dst, h&legalH, v&legalV)
}
