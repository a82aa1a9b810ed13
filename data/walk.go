package data

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// walker goes through all that can be read of a shard, sealed or open, whole or not.
type walker struct {
	name  string
	file  io.ReaderAt
	size  int64
	fault func(*Error)               // told of everything that is wrong
	visit func(*Header, *Game) error // given every good game in order, once; its error ends the walk

	header  headerInfo
	index   *index // nil if there is none or it is bad
	sealed  bool   // the file ends, or should end, with an index
	blocks  int    // read so far
	games   int    // good games so far
	lost    int    // games known to be there or to have been there that are not good
	unknown bool   // bytes were passed over that may have held any number of games

	nextBlock, nextGame int  // numbers that the next block should have
	passed              bool // bytes were passed over before it, so it may have later ones
	known               map[gameKey]struct{}
}

// walkFile walks the shard at path. The error is that of visit or one of the operating system; what is wrong with the shard goes to fault.
func walkFile(path string, fault func(*Error), visit func(*Header, *Game) error) (*walker, error) {
	f, size, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	w := &walker{name: path, file: f, size: size, fault: fault, visit: visit}
	return w, w.walk()
}

func (w *walker) report(block int, offset int64, game int, err error) {
	w.fault(&Error{w.name, block, offset, game, err})
}

func (w *walker) walk() error {
	w.known = map[gameKey]struct{}{}
	if !w.readEnds() {
		return nil
	}
	end := w.size
	if w.index != nil {
		end = w.index.end()
	}
	s := newScanner(w.file, &w.header, end)
	for {
		at := s.offset
		b, err := s.next()
		switch {
		case err == io.EOF:
			w.finish()
			return nil
		case err != nil && w.index == nil && w.atIndex(at):
			w.finish()
			return nil
		case err != nil:
			if err := w.passOver(s, at, err); err != nil {
				return err
			}
		default:
			if err := w.block(s.blocks, b, at); err != nil {
				return err
			}
		}
	}
}

// readEnds reads header and index and tells whether the blocks can be read: for that the header is needed, or its copy in the index.
func (w *walker) readEnds() bool {
	header, headerErr := readHeader(w.file, w.size)
	if headerErr != nil {
		w.report(-1, 0, -1, headerErr)
	}
	x, indexErr := readIndex(w.file, w.size)
	w.sealed = !strings.HasSuffix(w.name, OpenSuffix) || !errors.Is(indexErr, ErrTruncated)
	if errors.Is(headerErr, ErrMagic) && indexErr != nil || errors.Is(headerErr, ErrVersion) {
		return false // another kind of file, of which nothing more can be said
	}
	if indexErr == nil && headerErr == nil && x.header.id != header.id {
		indexErr = fmt.Errorf("%w: the index belongs to shard %08x, the header is of %08x", ErrIndex, x.header.id, header.id)
	}
	if indexErr != nil && w.sealed {
		w.report(-1, -1, -1, indexErr)
	}
	if indexErr == nil {
		w.index = x
	}
	switch {
	case headerErr == nil:
		w.header = header
	case indexErr == nil:
		w.header = x.header
	default:
		return false
	}
	return true
}

// atIndex tells whether an index begins at the offset.
func (w *walker) atIndex(at int64) bool {
	var mark [len(indexMagic)]byte
	n, _ := w.file.ReadAt(mark[:], at)
	return n == len(mark) && string(mark[:]) == indexMagic
}

// passOver reports a place where no whole block begins and goes on to the next one.
func (w *walker) passOver(s *scanner, at int64, cause error) error {
	more, err := s.skip()
	if err != nil && !errors.Is(err, ErrLimit) {
		return err
	}
	what := fmt.Errorf("%w; bytes %d to %d are passed over", cause, at, s.offset-1)
	if err != nil {
		what = fmt.Errorf("%w; %w; bytes %d to %d are passed over", cause, err, at, s.offset-1)
	}
	if !more && w.index == nil {
		w.unknown = true
	}
	w.report(w.nextBlock, at, -1, what)
	w.passed = true
	return nil
}

// block visits the games of a block that has been read.
func (w *walker) block(r *blockReader, b blockInfo, at int64) error {
	if !w.passed {
		if err := checkPlace(b, w.nextBlock, w.nextGame); err != nil {
			w.report(b.sequence, at, -1, err)
		}
	}
	w.blocks++
	w.passed = false
	w.lost += max(0, b.first-w.nextGame)
	w.nextBlock, w.nextGame = b.sequence+1, b.first+b.games
	bad := b.games
	place := blockPlace{offset: at, size: b.size(), first: b.first, games: b.games}
	err := eachGame(w.name, &w.header.Header, r, b, b.sequence, place, func(g *Game, i int, err error) error {
		if err == nil {
			err = w.checkGame(g, i, b.sequence, at)
		}
		if e := new(Error); errors.As(err, &e) {
			w.fault(e)
			return nil
		}
		bad--
		w.games++
		return w.visit(&w.header.Header, g)
	})
	w.lost += bad
	return err
}

// checkGame compares a game with the index and with the games before.
func (w *walker) checkGame(g *Game, i, block int, at int64) error {
	e := g.entry()
	if _, ok := w.known[e.key()]; ok {
		return &Error{w.name, block, at, i, fmt.Errorf("%w: %v", ErrDuplicate, e.key())}
	}
	w.known[e.key()] = struct{}{}
	if w.index != nil && (i >= len(w.index.entries) || w.index.entries[i] != e) {
		w.report(block, at, i, fmt.Errorf("%w: the index tells of another game", ErrIndex)) // the game itself is good
	}
	return nil
}

// finish checks the number of games.
func (w *walker) finish() {
	if w.index == nil {
		return
	}
	want := len(w.index.entries)
	w.lost += max(0, want-w.nextGame)
	if w.games+w.lost != want {
		w.report(-1, -1, -1, fmt.Errorf("%w: the index lists %d games, there are %d", ErrIndex, want, w.games+w.lost))
	}
}
