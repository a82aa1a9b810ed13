package main

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"rampart/arena"
	"rampart/data"
)

// gameFiles takes the games of a match as text and as records, where the flags ask for it.
type gameFiles struct {
	file   *os.File
	text   *bufio.Writer
	shard  *data.Writer
	number uint64 // of the next record
	err    error  // the first one
}

// openGameFiles creates the files, which must not exist yet.
func openGameFiles(flags *matchFlags, config arena.MatchConfig) (*gameFiles, error) {
	f := &gameFiles{}
	if path := flags.save; path != "" {
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err != nil {
			return nil, createError("--save", path, err)
		}
		f.file, f.text = file, bufio.NewWriter(file)
	}
	if path := flags.records; path != "" {
		shard, err := data.Create(path, data.Header{Board: config.Board, Rules: config.Rules})
		if err != nil {
			if f.file != nil {
				err = errors.Join(err, f.file.Close())
			}
			return nil, createError("--records", path, err)
		}
		f.shard = shard
	}
	return f, nil
}

func createError(flag, path string, err error) error {
	if errors.Is(err, fs.ErrExist) {
		return badInput(fmt.Errorf("%s %s: the file exists; give another name or remove it", flag, path))
	}
	return badInput(fmt.Errorf("%s: %w", flag, err))
}

// write takes a game; the first error stays until close.
func (f *gameFiles) write(g *arena.Game) {
	if f.err != nil {
		return
	}
	if f.text != nil {
		if _, err := g.WriteTo(f.text); err != nil {
			f.err = fmt.Errorf("--save %s: %w", f.file.Name(), err)
			return
		}
	}
	if f.shard != nil {
		record := data.Game{
			ID: f.number, Seed: g.Seed, Rules: g.Rules, Opening: g.OpeningPlies, Moves: g.Moves(), Result: g.Result(),
		}
		f.number++
		if err := f.shard.Append(&record); err != nil {
			f.err = fmt.Errorf("--records %s: %w", f.shard.Path(), err)
		}
	}
}

// close completes the files and returns the first error of all that was written.
func (f *gameFiles) close() error {
	err := f.err
	if f.file != nil {
		if e := errors.Join(f.text.Flush(), f.file.Close()); e != nil && err == nil {
			err = fmt.Errorf("--save %s: %w", f.file.Name(), e)
		}
	}
	if f.shard != nil {
		if e := f.shard.Seal(); e != nil && err == nil {
			err = fmt.Errorf("--records %s: %w", f.shard.Path(), e)
		}
	}
	return err
}
