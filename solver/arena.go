package solver

import (
	"fmt"
	"sync"
)

// budget counts the bytes that the tables take. When they would exceed the limit, it asks for memory to be given up, and fails
// if nothing is left to give up. Chunks of values that were given up are used again.
type budget struct {
	mu      sync.Mutex
	limit   int64
	used    int64
	spare   [][]byte
	release func() bool // gives memory up; called with the mutex held; nil if nothing can be given up
}

// take claims n bytes.
func (b *budget) take(n int64) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.takeLocked(n)
}

func (b *budget) takeLocked(n int64) error {
	for b.used+n > b.limit {
		if len(b.spare) > 0 {
			b.used -= int64(len(b.spare[0]))
			b.spare = b.spare[1:]
			continue
		}
		if b.release == nil || !b.release() {
			return fmt.Errorf("%w: the tables need more than the %s allowed; allow more, or choose a smaller board or fewer walls", ErrMemory, FormatBytes(b.limit))
		}
	}
	b.used += n
	return nil
}

// chunk returns memory for values; all chunks of a budget have the same size. What it holds is arbitrary.
func (b *budget) chunk(size int) ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.spare) == 0 && b.used+int64(size) > b.limit && b.release != nil {
		b.release()
	}
	if n := len(b.spare); n > 0 {
		chunk := b.spare[n-1]
		b.spare = b.spare[:n-1]
		return chunk, nil
	}
	if err := b.takeLocked(int64(size)); err != nil {
		return nil, err
	}
	return make([]byte, size), nil
}

func (b *budget) inUse() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.used
}

// arena holds the value blocks of a layer, numbered from 0 in chunks. Writers fill chunks of their own.
type arena struct {
	budget *budget
	size   int // bytes of a block
	shift  int // a chunk holds 1<<shift blocks

	mu     sync.Mutex
	chunks [][]byte
}

// chunkBytes is about the size of a chunk: small boards waste little, large ones need few chunks.
const chunkBytes = 1 << 17

func newArena(b *budget, size int) *arena {
	a := &arena{budget: b, size: size}
	for size<<(a.shift+1) <= chunkBytes {
		a.shift++
	}
	return a
}

// block returns the block with the number.
func (a *arena) block(n uint32) []code {
	at := int(n&(1<<a.shift-1)) * a.size
	return a.chunks[n>>a.shift][at : at+a.size : at+a.size]
}

// extend adds a chunk and returns the number of its first block.
func (a *arena) extend() (uint32, error) {
	chunk, err := a.budget.chunk(a.size << a.shift)
	if err != nil {
		return 0, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.chunks = append(a.chunks, chunk)
	return uint32(len(a.chunks)-1) << a.shift, nil
}

// drop gives the chunks back to the budget, whose mutex must be held.
func (a *arena) drop() {
	a.budget.spare = append(a.budget.spare, a.chunks...)
	a.chunks = nil
}

// writer appends blocks to an arena. Several writers may work on one arena, each in a goroutine of its own.
type writer struct {
	arena      *arena
	next, stop uint32
	chunk      []byte
}

// append stores a copy of the block and returns its number.
func (w *writer) append(block []code) (uint32, error) {
	a := w.arena
	if w.next == w.stop {
		first, err := a.extend()
		if err != nil {
			return 0, err
		}
		a.mu.Lock()
		w.chunk = a.chunks[first>>a.shift]
		a.mu.Unlock()
		w.next, w.stop = first, first+1<<a.shift
	}
	n := w.next
	copy(w.chunk[int(n&(1<<a.shift-1))*a.size:], block)
	w.next++
	return n, nil
}

// FormatBytes writes a number of bytes with a binary unit, as in "1.5 GiB".
func FormatBytes(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.4g GiB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.4g MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%.4g KiB", float64(n)/(1<<10))
}
