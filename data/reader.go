package data

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"sort"

	"rampart/internal/durable"
)

// Reader reads a sealed shard. It is not safe for concurrent use; any number of readers may read one shard.
type Reader struct {
	name   string
	index  *index
	blocks *blockReader
	closer io.Closer

	// The block read last, so that reading games in order decompresses each block once.
	block   int // -1 for none
	decoder *gameDecoder
	packed  []*packedGame // the games of the block taken out so far
	failed  error         // why no more can be taken out
}

// Open opens a sealed shard and reads its header and index. A shard that is not sealed or not whole is refused with [ErrTruncated], a file
// that is no shard with [ErrMagic], one of another version with [ErrVersion], a damaged one with [ErrChecksum] or [ErrFormat];
// [Recover] saves what is whole in it.
func Open(path string) (*Reader, error) {
	f, size, err := openFile(path)
	if err != nil {
		return nil, err
	}
	r, err := NewReader(f, size, path)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	r.closer = f
	return r, nil
}

// openFile opens a file to read a shard from, and returns its size. What is no regular file is no shard.
func openFile(path string) (*os.File, int64, error) {
	f, info, err := durable.Open(path)
	if errors.Is(err, durable.ErrNotRegular) {
		return nil, 0, fmt.Errorf("%s: %w: %w", path, ErrMagic, durable.ErrNotRegular)
	}
	if err != nil {
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// NewReader reads a sealed shard of the given size from file. The name stands in errors.
func NewReader(file io.ReaderAt, size int64, name string) (*Reader, error) {
	h, err := readHeader(file, size)
	if err != nil {
		return nil, fileError(name, 0, err)
	}
	x, err := readIndex(file, size)
	if err != nil {
		return nil, fileError(name, -1, err)
	}
	if x.header.id != h.id {
		return nil, fileError(name, 0, fmt.Errorf("%w: the index belongs to shard %08x, the header is of %08x", ErrIndex, x.header.id, h.id))
	}
	return &Reader{name: name, index: x, blocks: newBlockReader(file, h.id), block: -1}, nil
}

// Header returns the shard's header.
func (r *Reader) Header() Header { return r.index.header.Header }

// Len returns the number of games.
func (r *Reader) Len() int { return len(r.index.entries) }

// Entry returns what the index says about game i, from 0.
func (r *Reader) Entry(i int) Entry { return r.index.entries[i] }

// Entries returns an entry for each game. The slice belongs to the reader.
func (r *Reader) Entries() []Entry { return r.index.entries }

// Close closes the file that Open opened.
func (r *Reader) Close() error {
	if r.closer == nil {
		return nil
	}
	return r.closer.Close()
}

// Game returns game i, from 0, replayed and checked. It reads the game's block only. The error is an [*Error].
func (r *Reader) Game(i int) (*Game, error) {
	if i < 0 || i >= r.Len() {
		return nil, &Error{r.name, -1, -1, i, fmt.Errorf("%w: the shard has %d games", ErrGame, r.Len())}
	}
	n := sort.Search(len(r.index.blocks), func(k int) bool { return r.index.blocks[k].first > i }) - 1
	place := r.index.blocks[n]
	fault := func(game int, err error) *Error { return &Error{r.name, n, place.offset, game, err} }
	if r.block != n {
		if err := r.load(n, place); err != nil {
			return nil, fault(-1, err)
		}
	}
	for len(r.packed) <= i-place.first {
		if r.failed == nil {
			var packed *packedGame
			if packed, r.failed = r.decoder.next(); r.failed == nil {
				r.packed = append(r.packed, packed)
				continue
			}
		}
		return nil, fault(i, r.failed)
	}
	// Unpacking consumes; the original stays for the next time.
	packed := *r.packed[i-place.first]
	g, err := r.decoder.unpack(&packed)
	if err != nil {
		return nil, fault(i, err)
	}
	if got, want := g.entry(), r.index.entries[i]; got != want {
		return nil, fault(i, fmt.Errorf("%w: the game is %+v, the index says %+v", ErrIndex, got, want))
	}
	return g, nil
}

// load reads block n and makes it the current one.
func (r *Reader) load(n int, place blockPlace) error {
	r.block, r.packed, r.failed = -1, r.packed[:0], nil
	b, err := r.blocks.read(place.offset, place.offset+place.size)
	if err != nil {
		return err
	}
	if b.size() != place.size || b.games != place.games {
		return fmt.Errorf("%w: block of %d games in %d bytes, the index says %d in %d", ErrIndex, b.games, b.size(), place.games, place.size)
	}
	if err := checkPlace(b, n, place.first); err != nil {
		return err
	}
	content, err := r.blocks.content(b)
	if err != nil {
		return err
	}
	if r.decoder, err = newGameDecoder(&r.index.header.Header, content); err != nil {
		return err
	}
	r.block = n
	return nil
}

// All yields every game in order. In place of one that is bad it yields nil and the error, once for a block that cannot be read at all, and
// goes on with the next if the loop does.
func (r *Reader) All() iter.Seq2[*Game, error] {
	return func(yield func(*Game, error) bool) {
		for _, place := range r.index.blocks {
			for i := place.first; i < place.first+place.games; i++ {
				g, err := r.Game(i)
				if !yield(g, err) {
					return
				}
				if e := new(Error); errors.As(err, &e) && e.Game < 0 {
					break
				}
			}
		}
	}
}
