package solver

import (
	"context"

	"rampart/quoridor"
)

// table holds the values of the positions below a root: all pawn pairs and both sides to move under the root's walls and under
// every set of walls that the players' walls left can make of them.
//
// A wall is never taken back, so the positions fall into layers by the number of walls placed, and a layer needs only itself
// and the layer below it: the values are worked out from the most walls to the fewest.
type table struct {
	shape  *shape
	root   walls
	left   [2]int // walls that the players have left at the root
	group  group
	layers []*layer
	budget *budget
	stride int // bytes of a block's half

	checkpoint string // file to save to when stopped, or ""
}

// newTable returns a table without layers for the positions below the given walls and stocks.
func newTable(s *shape, root walls, left [2]int, limit int64) *table {
	gr := s.groupOf(root, left)
	return &table{
		shape: s, root: root, left: left, group: gr,
		budget: &budget{limit: limit},
		stride: (s.pairs + vector - 1) / vector * vector,
	}
}

func (t *table) blockSize() int { return 2 * t.stride }

// locate returns the layer and split of a position, or false if the position does not lie below the root.
func (t *table) locate(p *quoridor.Position) (l *layer, split int, ok bool) {
	a := wallsOf(p)
	if !a.contains(t.root) {
		return nil, 0, false
	}
	placed := a.count() - t.root.count()
	by0 := t.left[0] - p.WallsLeft(0)
	by1 := t.left[1] - p.WallsLeft(1)
	if by0 < 0 || by1 < 0 || by0+by1 != placed || placed >= len(t.layers) {
		return nil, 0, false
	}
	l = t.layers[placed]
	return l, by0 - l.first, l.arena != nil
}

// lookup returns the value of an undecided position, or false if the table does not hold it.
func (t *table) lookup(p *quoridor.Position) (code, bool) {
	l, split, ok := t.locate(p)
	if !ok {
		return 0, false
	}
	key, g := t.shape.canonical(t.group, wallsOf(p))
	class := l.find(key)
	if class < 0 {
		return 0, false
	}
	side := p.Side()
	if g&turn != 0 {
		side ^= 1
		split = l.turned(split)
	}
	return l.block(class, split)[side*t.stride+int(t.shape.image[g][t.shape.index(p)])], true
}

// turned returns the split in which the players' shares are exchanged. It has a meaning only where both started with the same
// stock.
func (l *layer) turned(split int) int { return l.placed - 2*l.first - split }

// covers tells whether the table holds the values of a position and of all its successors.
func (t *table) covers(p *quoridor.Position) bool {
	l, _, ok := t.locate(p)
	if !ok || l.placed+1 >= len(t.layers) || p.WallsLeft(p.Side()) == 0 {
		return ok
	}
	return t.layers[l.placed+1].arena != nil
}

// solve works the table out. Layers are given up, deepest first, if memory runs out and keep is false; the layers of the root
// and of its first wall always stay.
func (t *table) solve(ctx context.Context, workers int, keep bool, progress func(Progress)) error {
	if err := t.enumerate(ctx); err != nil {
		return err
	}
	return t.induct(ctx, workers, keep, progress)
}
