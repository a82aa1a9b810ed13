package data

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"rampart/internal/durable"
)

// OpenSuffix is added to the name of a shard that is being written.
const OpenSuffix = ".open"

// file is what a Writer needs of *durable.File.
type file interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	Truncate(size int64) error
	Sync() error
}

// Writer appends games to an open shard. It is not safe for concurrent use, and one process at a time may write a shard.
type Writer struct {
	path    string // of the sealed shard to be
	header  headerInfo
	file    file
	games   gameEncoder
	pending int   // games in the encoder that are not on disk
	done    index // blocks on disk; entries of all games, pending ones too
	known   map[gameKey]struct{}
	buffer  []byte
	content []byte
	broken  error // set when what is on disk is no longer known; nothing can be written after it
}

// Create begins a shard that will have the path once it is sealed; until then its name has OpenSuffix. A file that exists is not touched:
// the error wraps fs.ErrExist.
func Create(path string, h Header) (*Writer, error) {
	if err := h.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for _, name := range []string{path, path + OpenSuffix} {
		if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
			if err == nil {
				err = &fs.PathError{Op: "create shard", Path: name, Err: fs.ErrExist}
			}
			return nil, err
		}
	}
	info := newHeaderInfo(h)
	// The header appears whole or not at all, so that a shard can always be reopened.
	if err := durable.WriteFile(path+OpenSuffix, info.raw); err != nil {
		return nil, err
	}
	f, err := durable.OpenFile(path+OpenSuffix, os.O_RDWR)
	if err != nil {
		return nil, err
	}
	return newWriter(path, info, f), nil
}

func newWriter(path string, h headerInfo, f file) *Writer {
	return &Writer{
		path:   path,
		header: h,
		file:   f,
		games:  gameEncoder{board: h.Board, rules: h.Rules},
		done:   index{header: h},
		known:  map[gameKey]struct{}{},
	}
}

// Header returns the shard's header.
func (w *Writer) Header() Header { return w.header.Header }

// Path returns the path that the shard will have once it is sealed.
func (w *Writer) Path() string { return w.path }

// Len returns the number of games appended, on disk or not.
func (w *Writer) Len() int { return len(w.done.entries) }

// Durable returns the number of games that are on disk, the first ones appended.
func (w *Writer) Durable() int { return len(w.done.entries) - w.pending }

// Size returns the number of bytes on disk.
func (w *Writer) Size() int64 { return w.done.end() }

// Entries returns an entry for each game appended. The slice belongs to the writer and is valid until the next call of it.
func (w *Writer) Entries() []Entry { return w.done.entries }

// Has tells whether the game is in the shard.
func (w *Writer) Has(generation uint32, id uint64) bool {
	_, ok := w.known[gameKey{generation, id}]
	return ok
}

// Append checks the game and adds it; the writer keeps nothing of g. Every BlockGames games, or when a block has grown large, the games
// pending are written and synced. On an error the game has not been added: it wraps [ErrReplay], [ErrPolicy], [ErrGame],
// [ErrDuplicate] or [ErrLimit] if the game is at fault, else what the disk said, as for [Writer.Flush].
func (w *Writer) Append(g *Game) error {
	switch {
	case w.broken != nil:
		return w.broken
	case w.Has(g.Generation, g.ID):
		return fmt.Errorf("%w: %v", ErrDuplicate, g.key())
	case len(w.done.entries) >= MaxShardGames:
		return fmt.Errorf("%w: a shard holds %d games", ErrLimit, MaxShardGames)
	}
	if w.pending == 0 {
		w.games.startBlock()
	}
	before := w.games
	lengths := w.games.out.lengths()
	if err := w.games.add(g); err != nil {
		return fmt.Errorf("game %v: %w", g.key(), err)
	}
	w.done.entries = append(w.done.entries, g.entry())
	w.known[g.key()] = struct{}{}
	w.pending++
	if w.pending < BlockGames && w.games.out.size() < blockTarget {
		return nil
	}
	err := w.Flush()
	if err != nil {
		w.games.out.cutTo(lengths)
		w.games.generation, w.games.id = before.generation, before.id
		w.done.entries = w.done.entries[:len(w.done.entries)-1]
		delete(w.known, g.key())
		w.pending--
	}
	return err
}

// Flush writes the pending games as a block, which may be a short one, and syncs it. When it returns nil every game appended is on disk. If
// the block could not be written, say because the disk is full, the file is cut back to the games that are on disk; the others
// stay pending and Flush may be called again. After a failed sync nobody knows what is on disk: every later call returns the same
// error, and the shard has to be reopened.
func (w *Writer) Flush() error {
	if w.broken != nil || w.pending == 0 {
		return w.broken
	}
	w.content = w.games.out.appendTo(w.content[:0])
	first := w.Durable()
	b := blockInfo{sequence: len(w.done.blocks), first: first, games: w.pending}
	w.buffer = appendBlock(w.buffer[:0], w.header.id, b, w.content)
	offset := w.done.end()
	if err := w.write(w.buffer, offset); err != nil {
		return err
	}
	w.done.blocks = append(w.done.blocks, blockPlace{offset: offset, size: int64(len(w.buffer)), first: first, games: w.pending})
	w.pending = 0
	return nil
}

// write puts bytes at the end of the file and syncs it.
func (w *Writer) write(out []byte, offset int64) error {
	if _, err := w.file.WriteAt(out, offset); err != nil {
		if cut := w.file.Truncate(offset); cut != nil {
			w.broken = fmt.Errorf("%s: not usable since an earlier error: %w", w.path+OpenSuffix, errors.Join(err, cut))
		}
		return err
	}
	if err := w.file.Sync(); err != nil {
		w.broken = fmt.Errorf("%s: not usable since an earlier error: %w", w.path+OpenSuffix, err)
		return err
	}
	return nil
}

// Seal writes what is pending and the index, and gives the shard its final name; the writer is closed then. On an error before the renaming
// the shard stays open and Seal or Close may be called.
func (w *Writer) Seal() error {
	if err := w.Flush(); err != nil {
		return err
	}
	if _, err := os.Lstat(w.path); !errors.Is(err, fs.ErrNotExist) {
		return &fs.PathError{Op: "seal shard", Path: w.path, Err: errors.Join(fs.ErrExist, err)}
	}
	if err := w.write(w.done.marshal(), w.done.end()); err != nil {
		return err
	}
	w.broken = fmt.Errorf("%s: %w", w.path, fs.ErrClosed)
	if err := w.file.Close(); err != nil {
		return err
	}
	return durable.Rename(w.path+OpenSuffix, w.path)
}

// Close writes what is pending and closes the shard without sealing it; [Reopen] goes on with it.
func (w *Writer) Close() error {
	err := w.Flush()
	w.broken = fmt.Errorf("%s: %w", w.path, fs.ErrClosed)
	return errors.Join(err, w.file.Close())
}

// sealedPath returns the path that a shard has or will have when it is sealed.
func sealedPath(path string) string {
	return filepath.Clean(strings.TrimSuffix(path, OpenSuffix))
}
