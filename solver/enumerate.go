package solver

import (
	"context"
)

// enumerate lists the classes of all layers below the root walls that the players' walls can lead to: sets of walls under which
// both players can still be on the way. A set that cuts everything off has only supersets that do so too.
func (t *table) enumerate(ctx context.Context) error {
	if err := t.checkSize(); err != nil {
		return err
	}
	top := newLayer(0, t.left)
	key, _ := t.shape.canonical(t.group, t.root)
	top.add(key)
	for l := top; len(l.keys) > 0; {
		if err := t.budget.take(l.overhead()); err != nil {
			return err
		}
		t.layers = append(t.layers, l)
		if l.placed == t.left[0]+t.left[1] {
			break
		}
		next, err := t.below(ctx, l)
		if err != nil {
			return err
		}
		l = next
	}
	return nil
}

// below returns the layer with one wall more.
func (t *table) below(ctx context.Context, l *layer) (*layer, error) {
	next := newLayer(l.placed+1, t.left)
	life := t.newLife()
	for i, key := range l.keys {
		if i&0xFFF == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if spare := t.budget.limit - t.budget.inUse(); next.overhead() > spare {
				return nil, t.budget.take(next.overhead())
			}
		}
		forEachWall(t.shape.fits(key), key, func(child walls) {
			child, _ = t.shape.canonical(t.group, child)
			if next.find(child) < 0 && life(child) {
				next.add(child)
			}
		})
	}
	return next, nil
}

// forEachWall calls use with the set plus each of the walls.
func forEachWall(each, set walls, use func(walls)) {
	for w := each.h; w != 0; w &= w - 1 {
		use(walls{set.h | w&-w, set.v})
	}
	for w := each.v; w != 0; w &= w - 1 {
		use(walls{set.h, set.v | w&-w})
	}
}

// newLife returns a function that tells whether any undecided position is legal under the walls.
func (t *table) newLife() func(walls) bool {
	s := t.shape
	if s.cells > wordCells {
		return func(a walls) bool { return newPlainField(s, a).alive() }
	}
	f := &field{s: s}
	for player := range 2 {
		f.goal[player] = s.goal(player)
	}
	return func(a walls) bool {
		f.openN, f.openE = s.edges(a)
		for player := range 2 {
			f.domain[player] = f.fill(f.goal[player]) &^ f.goal[player]
		}
		return f.alive()
	}
}
