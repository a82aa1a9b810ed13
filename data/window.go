package data

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"rampart/quoridor"
)

// Window holds the newest training rows of a run in memory: those of the newest games, as many as [WindowConfig.Size] says. A part of
// the games is held out: their rows are only for measuring. Make one with [NewWindow] and fill it with [Window.Load]. The other methods
// change nothing and may be called from several goroutines at once.
type Window struct {
	board  *quoridor.Board
	config WindowConfig

	shards map[string]*shardRows // what is known of every shard met so far
	chunks []*chunk              // in the order of the shards, oldest first
	starts []int                 // number of the first training row of each chunk
	total  int                   // rows of all shards
	lost   int                   // of them, rows of shards that are no longer there

	train, held int
	merged      *mergedRows // nil unless duplicates are merged
}

// shardRows is what the window remembers of a shard.
type shardRows struct {
	rows   int
	bad    error  // why it is left out, or nil
	loaded *chunk // nil if it is outside the window
}

// LoadReport says what the window holds after Load.
type LoadReport struct {
	TotalRows int     // rows of all shards that are whole, in the window or not
	Rows      int     // rows for training
	HeldOut   int     // rows held out
	Games     int     // games in the window, held out or not
	Shards    int     // shards in the window
	Refused   []error // one for each shard that is damaged and was left out
}

// NewWindow returns an empty window for games of the board. The error wraps [ErrWindow].
func NewWindow(b *quoridor.Board, c WindowConfig) (*Window, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	return &Window{board: b, config: c, shards: map[string]*shardRows{}}, nil
}

// Load makes the window that of the sealed shards at the paths, oldest first, and reads what it does not have of them. The window depends on
// the list alone, not on what was loaded before. Whole games are taken, from the newest back, until the size is reached. A shard
// that turns out damaged is left out as a whole and named in the report; a shard of another board gives an error that wraps
// [ErrBoard], one that cannot be opened the system's, and the window is then unchanged or, if reading had begun, empty.
func (w *Window) Load(paths []string) (LoadReport, error) {
	for _, path := range paths {
		if err := w.learn(path); err != nil {
			return LoadReport{}, err
		}
	}
	for {
		again, err := w.fill(paths)
		if err != nil {
			*w = Window{board: w.board, config: w.config, lost: w.lost, shards: map[string]*shardRows{}}
			return LoadReport{}, err
		}
		if !again {
			break
		}
	}
	w.forget(paths)
	w.merged = nil
	if w.config.MergeDuplicates {
		w.merged = mergeRows(w)
	}
	return w.report(paths), nil
}

// SetDropped says how many rows older shards had that are no longer in the lists given to Load. They count as rows made, so that the
// window's size, and what follows from the number of rows, are as if they were still there; they are outside every window.
func (w *Window) SetDropped(rows int) { w.lost = rows }

// learn reads the index of a shard that was not met before.
func (w *Window) learn(path string) error {
	if w.shards[path] != nil {
		return nil
	}
	r, err := Open(path)
	if err != nil {
		if e := new(Error); !errors.As(err, &e) {
			return err
		}
		w.shards[path] = &shardRows{bad: err}
		return nil
	}
	defer r.Close()
	if b := r.Header().Board; b != w.board {
		return fileError(path, 0, boardError(b, w.board))
	}
	s := &shardRows{}
	for _, e := range r.Entries() {
		s.rows += e.Rows
	}
	w.shards[path] = s
	return nil
}

// fill loads the chunks of the window. It returns true if a shard turned out damaged, which changes the window.
func (w *Window) fill(paths []string) (again bool, err error) {
	w.total = w.lost
	for _, path := range paths {
		w.total += w.shards[path].rows
	}
	var chunks []*chunk
	need := w.config.Size(w.total)
	for _, path := range slices.Backward(paths) {
		s := w.shards[path]
		if need <= 0 {
			s.loaded = nil
			continue
		}
		if s.bad != nil {
			continue
		}
		if err := w.load(path, s, need); err != nil {
			if e := new(Error); !errors.As(err, &e) {
				return false, err
			}
			*s = shardRows{bad: err}
			return true, nil
		}
		need -= s.rows
		chunks = append(chunks, s.loaded)
	}
	slices.Reverse(chunks)
	w.chunks = chunks
	w.starts, w.train, w.held = w.starts[:0], 0, 0
	for _, c := range chunks {
		w.starts = append(w.starts, w.train)
		w.train += len(c.train)
		w.held += len(c.held)
	}
	return false, nil
}

// load makes the shard's chunk hold its newest games with at least need rows, or all of them.
func (w *Window) load(path string, s *shardRows, need int) error {
	if s.loaded != nil && s.loaded.start() == 0 && s.rows <= need {
		return nil
	}
	r, err := Open(path)
	if err != nil {
		return err
	}
	defer r.Close()
	first := r.Len()
	for rows := 0; first > 0 && rows < need; {
		first--
		rows += r.Entry(first).Rows
	}
	if s.loaded != nil && s.loaded.start() <= first {
		s.loaded.trim(first)
		return nil
	}
	c := &chunk{first: first}
	for i := first; i < r.Len(); i++ {
		g, err := r.Game(i)
		if err != nil {
			return err
		}
		c.add(w.board, g, HeldOut(g.Generation, g.ID, w.config.HeldOut))
		if uint64(len(c.policies)) > math.MaxUint32 {
			return fileError(path, -1, fmt.Errorf("%w: the shard is too large for a window, split its games over several", ErrLimit))
		}
	}
	c.policies = slices.Clip(c.policies)
	c.train, c.held = slices.Clip(c.train), slices.Clip(c.held)
	s.loaded = c
	return nil
}

// forget drops the rows of shards that are not in the list.
func (w *Window) forget(paths []string) {
	listed := make(map[string]bool, len(paths))
	for _, path := range paths {
		listed[path] = true
	}
	for path := range w.shards {
		if !listed[path] {
			delete(w.shards, path)
		}
	}
}

func (w *Window) report(paths []string) LoadReport {
	r := LoadReport{TotalRows: w.total, Rows: w.train, HeldOut: w.held, Shards: len(w.chunks)}
	for _, c := range w.chunks {
		r.Games += c.numGames()
	}
	for _, path := range paths {
		if err := w.shards[path].bad; err != nil {
			r.Refused = append(r.Refused, err)
		}
	}
	return r
}

// TotalRows returns the number of rows of all shards in the list of the last Load, and of those that were dropped before.
func (w *Window) TotalRows() int { return w.total }

// Len returns the number of rows for training; merged duplicates count once.
func (w *Window) Len() int {
	if w.merged != nil {
		return w.merged.len()
	}
	return w.train
}

// HeldLen returns the number of rows held out.
func (w *Window) HeldLen() int { return w.held }

// Row writes training row i, from 0 for the oldest, to r and reuses r's memory. It panics if there is no such row.
func (w *Window) Row(i int, r *Row) {
	if w.merged != nil {
		w.merged.row(w, i, r)
		return
	}
	w.single(i, r)
}

// single writes training row i before merging.
func (w *Window) single(i int, r *Row) {
	n := sort.SearchInts(w.starts, i+1) - 1 // the last chunk that begins at i or before, so not an empty one
	w.chunks[n].unpack(&w.chunks[n].train[i-w.starts[n]], r)
}

// HeldRow is Row for the rows held out, which are never merged.
func (w *Window) HeldRow(i int, r *Row) {
	for _, c := range w.chunks {
		if i < len(c.held) {
			c.unpack(&c.held[i], r)
			return
		}
		i -= len(c.held)
	}
	panic(fmt.Sprintf("data: no held-out row %d", i))
}

// Sample writes a training row drawn uniformly, mirrored with probability one half, to r. What it draws depends on the window and the
// source alone. It panics if the window is empty.
func (w *Window) Sample(rng *rand.Rand, r *Row) {
	w.Row(rng.IntN(w.Len()), r)
	if rng.Uint64()&1 != 0 {
		r.mirror(w.board)
	}
}
