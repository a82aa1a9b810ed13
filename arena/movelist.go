package arena

import (
	"math/rand/v2"

	"rampart/quoridor"
)

// moveList holds the moves of a node with the priorities that order them, and the child that is being searched: in the list,
// because a local one would be allocated for every move.
type moveList struct {
	child    quoridor.Position
	moves    []quoridor.Move
	priority []int32
	buffer   [quoridor.MaxMoves]quoridor.Move
	ranks    [quoridor.MaxMoves]int32
}

// Priorities of moves; the history of a move adds up to historyLimit.
const (
	tablePriority   = 1 << 30
	advancePriority = 1 << 28
	killerPriority  = 1 << 27
	cutPriority     = 1 << 26
	sidePriority    = 1 << 25 // a pawn move that keeps the distance
	historyLimit    = 1 << 24
)

func (l *moveList) reset() {
	l.moves, l.priority = l.buffer[:0], l.ranks[:0]
}

func (l *moveList) add(m quoridor.Move, priority int32) {
	l.moves = append(l.moves, m)
	l.priority = append(l.priority, priority)
}

// generateAll lists every legal move of the position.
func (l *moveList) generateAll(s *searcher, p *quoridor.Position) {
	l.reset()
	l.moves = s.board.Moves(l.moves, p)
	l.priority = l.ranks[:len(l.moves)]
}

// generate lists the moves worth searching in the position: every pawn move, and
//
//   - with one ply to go the walls that can lengthen the opponent's shortest path, since no other wall can improve the
//     evaluation;
//   - before that also the walls close to a pawn, and those that touch a wall, which prepare or prevent detours.
func (l *moveList) generate(s *searcher, p *quoridor.Position, depth, ply int, tableMove quoridor.Move) {
	l.reset()
	b, me := s.board, p.Side()
	var mine, his [quoridor.NumCells]uint8
	b.Distances(p, me, &mine)
	l.addPawnMoves(s, p, &mine, ply, tableMove)
	if p.WallsLeft(me) == 0 {
		return
	}
	b.Distances(p, me^1, &his)
	g := s.eval.grid
	h, v := b.LegalWalls(p)
	cutH, cutV := g.pathCuts(p.HWalls(), p.VWalls(), p.Pawn(me^1), &his)
	var buffer [quoridor.MaxMoves]quoridor.Move
	for _, m := range walls(buffer[:0], h&cutH, v&cutV) {
		l.add(m, s.rank(me, m, ply, tableMove, cutPriority))
	}
	if depth == 1 {
		return
	}
	nearH, nearV := g.nearWalls(p)
	for _, m := range walls(buffer[:0], h&nearH&^cutH, v&nearV&^cutV) {
		l.add(m, s.rank(me, m, ply, tableMove, 0))
	}
}

func (l *moveList) addPawnMoves(s *searcher, p *quoridor.Position, mine *[quoridor.NumCells]uint8, ply int, tableMove quoridor.Move) {
	me := p.Side()
	distance := mine[p.Pawn(me)]
	var buffer [8]quoridor.Move
	for _, m := range s.board.PawnMoves(buffer[:0], p) {
		priority := int32(0)
		switch d := mine[m.Cell()]; {
		case d < distance:
			priority = advancePriority + int32(distance-d)
		case d == distance:
			priority = sidePriority
		}
		l.add(m, s.rank(me, m, ply, tableMove, priority))
	}
}

// rank returns the priority of a move whose kind has the given one.
func (s *searcher) rank(side int, m quoridor.Move, ply int, tableMove quoridor.Move, kind int32) int32 {
	switch {
	case m == tableMove:
		return tablePriority
	case m == s.killers[ply][0]:
		kind = max(kind, killerPriority+1)
	case m == s.killers[ply][1]:
		kind = max(kind, killerPriority)
	}
	return kind + min(s.history[side][m], historyLimit-1)
}

// bringBest swaps the move of the highest priority among those from i on to place i.
func (l *moveList) bringBest(i int) {
	best := i
	for j := i + 1; j < len(l.moves); j++ {
		if l.priority[j] > l.priority[best] {
			best = j
		}
	}
	l.moves[i], l.moves[best] = l.moves[best], l.moves[i]
	l.priority[i], l.priority[best] = l.priority[best], l.priority[i]
}

// shuffle brings the moves into random order.
func (l *moveList) shuffle(r *rand.Rand) {
	r.Shuffle(len(l.moves), func(i, j int) { l.moves[i], l.moves[j] = l.moves[j], l.moves[i] })
}

// toFront moves a move of the list to its front; the others keep their order.
func (l *moveList) toFront(m quoridor.Move) {
	for i, at := range l.moves {
		if at == m {
			copy(l.moves[1:i+1], l.moves[:i])
			l.moves[0] = m
			return
		}
	}
}
