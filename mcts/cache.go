package mcts

import (
	"math/bits"
	"sync"

	"rampart/quoridor"
)

// Cache is an [Evaluator] that remembers what another one said. It decorates that evaluator and belongs to one goroutine like it; several
// caches can share their memory ([Cache.Share]). It never changes a result: entries are compared by the whole position, and an
// evaluator's word on a position is always the same. In a search it serves as a transposition table: on 9x9 a third to a half of the
// positions of a tree are there already by another order of moves.
type Cache struct {
	inner Evaluator
	*cacheMemory

	hits, misses uint64

	// positions of a batch that are not in the cache
	index    []int
	pos      []quoridor.Position
	moves    [][]quoridor.Move
	missing  [][]float32
	verdicts [][3]float32
}

// cacheMemory is what caches share.
type cacheMemory struct {
	mu      sync.Mutex
	entries []cacheEntry
	logits  []float32 // stride numbers for each entry
	stride  int
	shift   int // hash bits to drop
}

type cacheEntry struct {
	pos   quoridor.Position
	known bool
	wdl   [3]float32
}

// NewCache returns a cache of at least one and at most the given number of positions (rounded down to a power of two) in front of the
// evaluator. An entry takes about 40 bytes and 8 bytes for each wall anchor.
func NewCache(inner Evaluator, positions int) *Cache {
	n := bits.Len(uint(max(1, positions))) - 1
	stride := 5 + 2*inner.Board().Anchors()
	return &Cache{inner: inner, cacheMemory: &cacheMemory{
		stride: stride, shift: 64 - n, entries: make([]cacheEntry, 1<<n), logits: make([]float32, stride<<n),
	}}
}

// Share returns a cache for another goroutine, in front of another evaluator of the same network and board, that shares this one's memory.
func (c *Cache) Share(inner Evaluator) *Cache {
	return &Cache{inner: inner, cacheMemory: c.cacheMemory}
}

// Board returns the evaluator's board.
func (c *Cache) Board() *quoridor.Board { return c.inner.Board() }

// Stats returns how many positions were found and how many had to be evaluated, by this cache alone.
func (c *Cache) Stats() (hits, misses uint64) { return c.hits, c.misses }

// Evaluate answers from memory where it can and asks the evaluator for the rest in one batch.
func (c *Cache) Evaluate(pos []quoridor.Position, moves [][]quoridor.Move, logits [][]float32, wdl [][3]float32) error {
	c.index, c.pos, c.moves, c.missing, c.verdicts = c.index[:0], c.pos[:0], c.moves[:0], c.missing[:0], c.verdicts[:0]
	c.mu.Lock()
	for i := range pos {
		at := c.slot(&pos[i])
		if e := &c.entries[at]; e.known && e.pos == pos[i] {
			copy(logits[i], c.logits[at*c.stride:])
			wdl[i] = e.wdl
			c.hits++
			continue
		}
		c.index = append(c.index, i)
		c.pos, c.moves, c.missing, c.verdicts = append(c.pos, pos[i]), append(c.moves, moves[i]), append(c.missing, logits[i]), append(c.verdicts, [3]float32{})
	}
	c.mu.Unlock()
	if len(c.index) == 0 {
		return nil
	}
	c.misses += uint64(len(c.index))
	if err := c.inner.Evaluate(c.pos, c.moves, c.missing, c.verdicts); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for j, i := range c.index {
		wdl[i] = c.verdicts[j]
		at := c.slot(&pos[i])
		c.entries[at] = cacheEntry{pos: pos[i], known: true, wdl: wdl[i]}
		copy(c.logits[at*c.stride:(at+1)*c.stride], logits[i])
	}
	return nil
}

func (c *cacheMemory) slot(p *quoridor.Position) int { return int(p.Hash() >> c.shift) }

// Close closes the evaluator if it can be closed.
func (c *Cache) Close() error {
	if closer, ok := c.inner.(interface{ Close() error }); ok {
		return closer.Close()
	}
	return nil
}
