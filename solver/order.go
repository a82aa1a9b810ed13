package solver

import "rampart/quoridor"

// moveList is the legal moves of a position with the order in which to try them.
type moveList struct {
	n     int
	moves [quoridor.MaxMoves]quoridor.Move
	score [quoridor.MaxMoves]uint32
}

// next returns the best of the moves from place i on, and moves it there.
func (l *moveList) next(i int) quoridor.Move {
	best := i
	for j := i + 1; j < l.n; j++ {
		if l.score[j] > l.score[best] {
			best = j
		}
	}
	l.moves[i], l.moves[best] = l.moves[best], l.moves[i]
	l.score[i], l.score[best] = l.score[best], l.score[i]
	return l.moves[i]
}

// Scores of moves before history is added, which stays below 1<<25.
const (
	scoreTable   = 1 << 31 // the best move of an earlier visit
	scoreForward = 1 << 26 // a pawn move for each step that it shortens the way
	scoreOnPath  = 1 << 22 // a wall on the opponent's shortest way
)

// order fills the list: first the move that the table knows, then pawn moves that shorten the way, then walls on the opponent's
// shortest way, each by how often they decided positions before.
func (p *Prover) order(l *moveList, pos *quoridor.Position, first quoridor.Move) {
	l.n = len(p.board.Moves(l.moves[:0], pos))
	side := pos.Side()
	var own, other [quoridor.NumCells]uint8
	p.board.Distances(pos, side, &own)
	onPath := walls{}
	if pos.WallsLeft(side) > 0 {
		p.board.Distances(pos, side^1, &other)
		onPath = p.pathWalls(pos, pos.Pawn(side^1), &other)
	}
	from := int(own[pos.Pawn(side)])
	for i, m := range l.moves[:l.n] {
		s := p.history[side][m]
		switch {
		case m.IsPawn():
			if gain := from - int(own[m.Cell()]); gain >= 0 {
				s += uint32(gain+1) * scoreForward
			}
		default:
			x, y, horizontal := m.Anchor()
			set := onPath.v
			if horizontal {
				set = onPath.h
			}
			if has(set, x, y) {
				s += scoreOnPath
			}
		}
		if m == first {
			s = scoreTable
		}
		l.score[i] = s
	}
}

// pathWalls returns the walls that would cut one shortest way from the cell; dist holds the distances to the goal row.
func (p *Prover) pathWalls(pos *quoridor.Position, c quoridor.Cell, dist *[quoridor.NumCells]uint8) walls {
	s := p.pawns.shape
	placed := wallsOf(pos)
	var cut walls
	for at := s.square(c); dist[s.cell(at)] > 0; {
		for d := range directions {
			n := s.neighbour(at, d)
			if n < 0 || dist[s.cell(n)] >= dist[s.cell(at)] || !s.open(placed, at, d) {
				continue
			}
			low := s.cell(min(at, n))
			bit := uint64(1) << (low.Y()*8 + low.X())
			if d&1 == 0 {
				cut.h |= bit | bit>>1&^lastColumn
			} else {
				cut.v |= bit | bit>>8
			}
			at = n
			break
		}
	}
	return walls{cut.h & s.anchors, cut.v & s.anchors}
}
