package solver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"rampart/internal/durable"
)

// Progress tells how far a computation is.
type Progress struct {
	Layer, Layers int     // walls placed in the layer being worked out, and number of layers; layers are done from the last to 0
	Done, Total   int     // wall classes of the layer
	Positions     uint64  // positions worked out so far, all layers
	Rate          float64 // positions per second
	Bytes, Limit  int64   // memory in use and allowed
	Elapsed       time.Duration
	CheckpointErr error // why the checkpoint could not be written on the way or removed at the end, or nil; the work goes on without
}

// saveEvery is how often a checkpoint is written while all goes well.
var saveEvery = 10 * time.Minute

// induct works out all layers from the last to the first, going on from the checkpoint if there is one. When it is stopped it
// leaves a checkpoint; when it is done it removes it.
func (t *table) induct(ctx context.Context, workers int, keep bool, progress func(Progress)) error {
	from, err := len(t.layers)-1, error(nil)
	if t.checkpoint != "" {
		if from, err = t.resume(t.checkpoint); err != nil {
			return err
		}
	}
	m := &meter{start: time.Now(), report: progress, table: t}
	defer m.stop()
	saved := time.Now()
	for k := from; k >= 0; k-- {
		t.allowRelease(k, keep)
		err := t.inductLayer(ctx, k, workers, m)
		stopped := err != nil && ctx.Err() != nil
		switch {
		case stopped && t.checkpoint != "":
			if failed := t.save(t.checkpoint, k); failed != nil {
				return errors.Join(err, &SaveError{failed})
			}
			return fmt.Errorf("%w: %w", ErrSaved, err)
		case err != nil:
			return err
		case t.checkpoint != "" && k > 0 && time.Since(saved) >= saveEvery:
			failed := t.save(t.checkpoint, k) // the last one stands, and the work is worth more than its checkpoint
			if failed == nil {
				saved = time.Now()
			}
			m.checkpointed(failed)
		}
	}
	t.budget.release = nil
	m.checkpointed(removeCheckpoint(t.checkpoint))
	return nil
}

// removeCheckpoint removes the file, if there is one.
func removeCheckpoint(path string) error {
	if path == "" {
		return nil
	}
	if err := durable.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// allowRelease lets layers deeper than the one that layer k needs be given up for memory, deepest first.
func (t *table) allowRelease(k int, keep bool) {
	t.budget.release = nil
	if keep {
		return
	}
	t.budget.release = func() bool {
		for d := len(t.layers) - 1; d > k+1; d-- {
			if l := t.layers[d]; l.arena != nil {
				l.arena.drop()
				t.budget.used -= l.overhead()
				l.forget()
				return true
			}
		}
		return false
	}
}

// batch is the number of classes that a worker takes at a time.
const batch = 16

// inductLayer works out the values of layer k from those of layer k+1.
func (t *table) inductLayer(ctx context.Context, k, workers int, m *meter) error {
	l := t.layers[k]
	var below *layer
	if k+1 < len(t.layers) {
		below = t.layers[k+1]
	}
	if l.arena == nil {
		l.begin(newArena(t.budget, t.blockSize()))
	}
	m.enter(k, len(l.keys))
	var next atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	for range workers {
		group.Go(func() error {
			w := newWorker(t, l, below)
			for ctx.Err() == nil {
				first := int(next.Add(batch)) - batch
				if first >= len(l.keys) {
					return nil
				}
				last := min(first+batch, len(l.keys))
				if l.done[first/batch] {
					m.advance(last-first, 0)
					continue
				}
				for class := first; class < last; class++ {
					if err := w.class(class); err != nil {
						return err
					}
				}
				l.done[first/batch] = true
				m.advance(last-first, (last-first)*l.splits*2*t.shape.pairs)
			}
			return ctx.Err()
		})
	}
	return group.Wait()
}

// meter counts the work done and reports it about once a second.
type meter struct {
	table  *table
	start  time.Time
	report func(Progress)

	mu        sync.Mutex
	last      time.Time
	layer     int
	total     int
	done      int
	positions uint64
	failed    error // of the checkpoint
}

// checkpointed notes how the last checkpoint went.
func (m *meter) checkpointed(failed error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.failed = failed
}

func (m *meter) enter(layer, total int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.layer, m.total, m.done = layer, total, 0
}

func (m *meter) advance(classes, positions int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.done += classes
	m.positions += uint64(positions)
	if now := time.Now(); m.report != nil && now.Sub(m.last) >= time.Second {
		m.last = now
		m.send()
	}
}

func (m *meter) stop() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.report != nil {
		m.send()
	}
}

func (m *meter) send() {
	elapsed := time.Since(m.start)
	m.report(Progress{
		Layer: m.layer, Layers: len(m.table.layers), Done: m.done, Total: m.total,
		Positions: m.positions, Rate: float64(m.positions) / elapsed.Seconds(),
		Bytes: m.table.budget.inUse(), Limit: m.table.budget.limit, Elapsed: elapsed, CheckpointErr: m.failed,
	})
}

// worker works out classes of one layer.
type worker struct {
	table        *table
	layer, below *layer
	out          writer
	game         *pawnGame // nil on boards of more than 64 squares

	children [symmetries][]uint32 // classes below, by the symmetry that leads to them
	sources  [2][]uint32          // blocks that the players' walls lead to
	previous [2][]uint32          // the same for the split before
	image    []code               // least values in a child's frame
	best     [2][]code
	values   []code
	last     []code
}

func newWorker(t *table, l, below *layer) *worker {
	w := &worker{
		table: t, layer: l, below: below, out: writer{arena: l.arena},
		image: make([]code, t.stride), values: make([]code, t.blockSize()), last: make([]code, t.blockSize()),
	}
	for side := range w.best {
		w.best[side] = make([]code, t.stride)
	}
	if t.shape.cells <= wordCells {
		w.game = newPawnGame(t.shape)
	}
	return w
}

// class works out the blocks of a class for every split.
func (w *worker) class(class int) error {
	l := w.layer
	w.findChildren(l.keys[class])
	solve := w.solver(l.keys[class])
	for split := range l.splits {
		w.findSources(split)
		at := class*l.splits + split
		if split > 0 && slices.Equal(w.sources[0], w.previous[0]) && slices.Equal(w.sources[1], w.previous[1]) {
			l.blocks[at] = l.blocks[at-1]
			continue
		}
		for side := range 2 {
			w.merge(side)
			w.previous[side] = append(w.previous[side][:0], w.sources[side]...)
		}
		pairs, stride := w.table.shape.pairs, w.table.stride
		dst := [2][]code{w.values[:pairs], w.values[stride : stride+pairs]}
		if err := solve([2][]code{w.best[0][:pairs], w.best[1][:pairs]}, dst); err != nil {
			return err
		}
		if split > 0 && bytes.Equal(w.values, w.last) {
			l.blocks[at] = l.blocks[at-1]
			continue
		}
		n, err := w.out.append(w.values)
		if err != nil {
			return err
		}
		l.blocks[at] = n
		w.values, w.last = w.last, w.values
	}
	return nil
}

// solver returns the function that solves the pawns' game under the walls.
func (w *worker) solver(key walls) func(best, dst [2][]code) error {
	if w.game == nil {
		return newPlainField(w.table.shape, key).solve
	}
	w.game.reset(w.table.shape, key)
	return w.game.solve
}

// findChildren lists the classes of the layer below that one more wall leads to.
func (w *worker) findChildren(key walls) {
	for g := range w.children {
		w.children[g] = w.children[g][:0]
	}
	if w.below == nil {
		return
	}
	t := w.table
	forEachWall(t.shape.fits(key), key, func(child walls) {
		child, g := t.shape.canonical(t.group, child)
		if n := w.below.find(child); n >= 0 {
			w.children[g] = append(w.children[g], uint32(n))
		}
	})
}

// findSources lists the blocks that each player's walls lead to, by symmetry, in the order of children.
func (w *worker) findSources(split int) {
	t, l, below := w.table, w.layer, w.below
	by0 := l.first + split
	left := [2]int{t.left[0] - by0, t.left[1] - (l.placed - by0)}
	for side := range 2 {
		w.sources[side] = w.sources[side][:0]
		if left[side] == 0 || below == nil {
			continue
		}
		after := by0 + 1 - side - below.first // player 0's share counts his own wall
		for g, classes := range w.children {
			at := after
			if symmetry(g)&turn != 0 {
				at = below.turned(after)
			}
			for _, class := range classes {
				w.sources[side] = append(w.sources[side], below.blocks[int(class)*below.splits+at])
			}
		}
	}
}

// merge puts into best the least value, for the opponent, that the side's walls lead to. Walls that are not legal lead to
// codeIllegal, the greatest.
func (w *worker) merge(side int) {
	t := w.table
	best := w.best[side]
	fill(best, codeIllegal)
	sources := w.sources[side]
	if len(sources) == 0 {
		return
	}
	for g, classes := range w.children {
		if len(classes) == 0 {
			continue
		}
		dst := best
		if g != 0 {
			dst = w.image
			fill(dst, codeIllegal)
		}
		half := (side ^ 1 ^ g>>1) * t.stride // the opponent moves; the turn exchanges the players
		for _, block := range sources[:len(classes)] {
			minBytes(dst, w.below.arena.block(block)[half:half+t.stride])
		}
		sources = sources[len(classes):]
		if g != 0 {
			for i, to := range t.shape.image[g] {
				best[i] = min(best[i], dst[to])
			}
		}
	}
}
