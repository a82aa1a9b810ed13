package data

import (
	"cmp"
	"slices"

	"rampart/quoridor"
)

// mergedRows groups the training rows of a window by position. Two positions are the same if mirroring, or turning the board and exchanging
// the players, makes them so: the mover sees the same. The rows themselves stay where they are; a group is averaged when
// it is asked for.
type mergedRows struct {
	order  []uint32 // numbers of the rows, group by group
	starts []uint32 // where each group begins in order; one more than groups
}

// view is a way to look at a position.
type view uint8

const (
	viewMirror view = 1 << iota
	viewTurn
	numViews = 4
)

func (v view) position(b *quoridor.Board, p quoridor.Position) quoridor.Position {
	if v&viewTurn != 0 {
		p = b.Turn(p)
	}
	if v&viewMirror != 0 {
		p = b.Mirror(p)
	}
	return p
}

func (v view) move(b *quoridor.Board, m quoridor.Move) quoridor.Move {
	if v&viewTurn != 0 {
		m = b.TurnMove(m)
	}
	if v&viewMirror != 0 {
		m = b.MirrorMove(m)
	}
	return m
}

// canonical returns the first of a position's views, and the view.
func canonical(b *quoridor.Board, p quoridor.Position) (quoridor.Position, view) {
	best, as := p, view(0)
	for v := view(1); v < numViews; v++ {
		if q := v.position(b, p); q.Compare(best) < 0 {
			best, as = q, v
		}
	}
	return best, as
}

// mergeRows groups the window's training rows.
func mergeRows(w *Window) *mergedRows {
	type keyed struct {
		position quoridor.Position
		row      uint32
	}
	rows := make([]keyed, 0, w.train)
	for _, c := range w.chunks {
		for i := range c.train {
			p, _ := canonical(w.board, c.train[i].position)
			rows = append(rows, keyed{p, uint32(len(rows))})
		}
	}
	slices.SortFunc(rows, func(a, b keyed) int {
		if c := a.position.Compare(b.position); c != 0 {
			return c
		}
		return cmp.Compare(a.row, b.row)
	})
	m := &mergedRows{order: make([]uint32, len(rows))}
	for i, r := range rows {
		m.order[i] = r.row
		if i == 0 || r.position != rows[i-1].position {
			m.starts = append(m.starts, uint32(i))
		}
	}
	m.starts = append(m.starts, uint32(len(rows)))
	return m
}

func (m *mergedRows) len() int { return len(m.starts) - 1 }

// row writes the average of group i to r.
func (m *mergedRows) row(w *Window, i int, r *Row) {
	group := m.order[m.starts[i]:m.starts[i+1]]
	w.single(int(group[0]), r)
	if len(group) == 1 {
		return
	}
	var policy, reply [256]float32
	var replies float32 // weight of the rows that have an answer
	var sum Row
	var member Row
	member.Moves, member.Probs, member.Reply, member.ReplyProbs = r.Moves, r.Probs, r.Reply, r.ReplyProbs
	first := *r
	for _, n := range group {
		w.single(int(n), &member)
		p, v := canonical(w.board, member.Position)
		sum.Position = p
		weight := member.Weight
		for k, move := range member.Moves {
			policy[v.move(w.board, move)] += weight * member.Probs[k]
		}
		if len(member.Reply) > 0 {
			replies += weight
		}
		for k, move := range member.Reply {
			reply[v.move(w.board, move)] += weight * member.ReplyProbs[k]
		}
		for k := range sum.WDL {
			sum.WDL[k] += weight * member.WDL[k]
		}
		sum.Value += weight * member.Value
		sum.PliesLeft += weight * member.PliesLeft
		sum.Margin += weight * member.Margin
		sum.Weight += weight
	}
	n := sum.Weight
	*r = Row{
		Position: sum.Position, Moves: member.Moves[:0], Probs: member.Probs[:0], Reply: member.Reply[:0], ReplyProbs: member.ReplyProbs[:0],
		WDL:   [3]float32{sum.WDL[0] / n, sum.WDL[1] / n, sum.WDL[2] / n},
		Value: sum.Value / n, PliesLeft: sum.PliesLeft / n, Margin: sum.Margin / n, Weight: n / float32(len(group)),
		Generation: first.Generation, ID: first.ID, Ply: first.Ply, Count: len(group),
	}
	r.Moves, r.Probs = appendShares(r.Moves, r.Probs, &policy, n)
	r.Reply, r.ReplyProbs = appendShares(r.Reply, r.ReplyProbs, &reply, replies)
}

// appendShares appends the moves that have a sum, and their sums over n.
func appendShares(moves []quoridor.Move, probs []float32, sums *[256]float32, n float32) ([]quoridor.Move, []float32) {
	for move, sum := range sums {
		if sum > 0 {
			moves, probs = append(moves, quoridor.Move(move)), append(probs, sum/n)
		}
	}
	return moves, probs
}
