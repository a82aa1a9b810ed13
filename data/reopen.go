package data

import (
	"errors"
	"fmt"
	"io"
	"os"

	"rampart/internal/durable"
)

// Found says what Reopen found in an open shard.
type Found struct {
	Games, Blocks int
	Cut           int64 // bytes at the end that were no whole block and were cut off
	Why           error // what was wrong with them; nil if Cut is 0
}

// Reopen goes on with an open shard; the path may have OpenSuffix or not. It reads and replays everything. What follows the last whole block is
// the trace of a write that was cut off, and is cut off the file, unless whole blocks come after it: then the shard
// was damaged otherwise, and the error wraps [ErrDamaged]. On an error the file is left as it was.
func Reopen(path string) (*Writer, Found, error) {
	path = sealedPath(path)
	f, err := durable.OpenFile(path+OpenSuffix, os.O_RDWR)
	if err != nil {
		return nil, Found{}, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, Found{}, errors.Join(err, f.Close())
	}
	w, found, err := reopen(path, f, info.Size())
	if err != nil {
		return nil, Found{}, errors.Join(err, f.Close())
	}
	return w, found, nil
}

func reopen(path string, f file, size int64) (*Writer, Found, error) {
	name := path + OpenSuffix
	h, err := readHeader(f, size)
	if err != nil {
		return nil, Found{}, fileError(name, 0, err)
	}
	w := newWriter(path, h, f)
	s := newScanner(f, &h, size)
	for {
		at := s.offset
		b, err := s.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			why := fileError(name, at, err)
			if err := cutTail(name, f, s, why); err != nil {
				return nil, Found{}, err
			}
			return w, Found{w.Len(), len(w.done.blocks), size - at, why}, nil
		}
		if err := w.take(name, s.blocks, b, at); err != nil {
			return nil, Found{}, err
		}
	}
	return w, Found{Games: w.Len(), Blocks: len(w.done.blocks)}, nil
}

// cutTail cuts the file at the scanner's offset, where no whole block begins, if none begins later.
func cutTail(name string, f file, s *scanner, why *Error) error {
	at := s.offset
	var mark [len(indexMagic)]byte
	if n, _ := f.ReadAt(mark[:], at); n == len(mark) && string(mark[:]) == indexMagic {
		why.Err = fmt.Errorf("%w while it was being sealed", ErrTruncated)
	} else {
		more, err := s.skip()
		if err != nil {
			return fileError(name, at, err)
		}
		if more {
			return fileError(name, at, fmt.Errorf("%w: %w; whole blocks follow at byte %d: save them with \"rampart data recover\"", ErrDamaged, why.Err, s.offset))
		}
	}
	if err := f.Truncate(at); err != nil {
		return err
	}
	return f.Sync()
}

// take adds the games of a block that is on disk to the writer's index.
func (w *Writer) take(name string, r *blockReader, b blockInfo, at int64) error {
	place := blockPlace{offset: at, size: b.size(), first: w.Len(), games: b.games}
	if err := checkPlace(b, len(w.done.blocks), w.Len()); err != nil {
		return fileError(name, at, err)
	}
	w.done.blocks = append(w.done.blocks, place)
	return eachGame(name, &w.header.Header, r, b, len(w.done.blocks)-1, place, func(g *Game, i int, err error) error {
		if err != nil {
			return err
		}
		e := g.entry()
		if w.Has(e.Generation, e.ID) {
			return &Error{name, len(w.done.blocks) - 1, at, i, fmt.Errorf("%w: %v", ErrDuplicate, e.key())}
		}
		w.done.entries = append(w.done.entries, e)
		w.known[e.key()] = struct{}{}
		return nil
	})
}

// checkPlace checks the numbers in a block's header against its place in the shard.
func checkPlace(b blockInfo, sequence, first int) error {
	if b.sequence != sequence || b.first != first {
		return fmt.Errorf("%w: block %d with games from %d stands where block %d with games from %d should", ErrFormat, b.sequence, b.first, sequence, first)
	}
	return nil
}

// eachGame calls the function for each game of the block that r has read, with the number of the game in the shard, and stops at its
// first error. A game that is bad comes as an *Error and nil; when the rest of the block cannot be read, that error comes
// with game number -1, and is the last.
func eachGame(name string, h *Header, r *blockReader, b blockInfo, block int, place blockPlace, visit func(*Game, int, error) error) error {
	fault := func(game int, err error) error { return &Error{name, block, place.offset, game, err} }
	content, err := r.content(b)
	if err != nil {
		return visit(nil, -1, fault(-1, err))
	}
	d, err := newGameDecoder(h, content)
	if err != nil {
		return visit(nil, -1, fault(-1, err))
	}
	for i := place.first; i < place.first+b.games; i++ {
		packed, err := d.next()
		if err != nil {
			return visit(nil, -1, fault(-1, fmt.Errorf("from game %d on: %w", i, err)))
		}
		g, err := d.unpack(packed)
		if err != nil {
			g, err = nil, fault(i, err)
		}
		if err := visit(g, i, err); err != nil {
			return err
		}
	}
	if err := d.end(); err != nil {
		return visit(nil, -1, fault(-1, err))
	}
	return nil
}
