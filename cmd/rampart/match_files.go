package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"rampart/arena"
	"rampart/data"
	"rampart/internal/durable"
)

// gameFiles takes the games of a match as text and as records, where the flags ask for it. The files are made with the first game, so that a
// match that cannot begin leaves none.
type gameFiles struct {
	save, records string // paths, "" for none
	header        data.Header

	text  *durable.File
	size  int64 // of the games in it
	texts int
	shard *data.Writer
	err   error // the first one
}

// newGameFiles makes sure that the files do not exist and can be made.
func newGameFiles(flags *matchFlags, config arena.MatchConfig) (*gameFiles, error) {
	f := &gameFiles{save: flags.save, records: flags.records, header: data.Header{Board: config.Board, Rules: config.Rules}}
	if f.save != "" {
		if err := checkNew("--save", f.save, f.save); err != nil {
			return nil, err
		}
	}
	if f.records == "" {
		return f, nil
	}
	if most := data.MaxPlies; config.Rules.PlyCap > most {
		return nil, badInput(fmt.Errorf("--ply-cap %d: with --records at most %d", config.Rules.PlyCap, most))
	}
	return f, checkNew("--records", f.records, f.records, f.records+data.OpenSuffix)
}

// checkNew refuses a file one of whose names is taken or cannot be written.
func checkNew(flag, path string, names ...string) error {
	for _, name := range names {
		if exists(name) {
			return createError(flag, path, fs.ErrExist)
		}
		if err := durable.Writable(name); err != nil {
			return createError(flag, path, err)
		}
	}
	return nil
}

func createError(flag, path string, err error) error {
	if errors.Is(err, fs.ErrExist) {
		return badInput(fmt.Errorf("%s %s: the file exists; give another name or remove it", flag, path))
	}
	return badInput(fmt.Errorf("%s: %w", flag, err))
}

// write takes a game; the first error stays until close.
func (f *gameFiles) write(g *arena.Game) {
	if f.err == nil && f.save != "" {
		f.err = f.writeText(g)
	}
	if f.err == nil && f.records != "" {
		f.err = f.writeRecord(g)
	}
}

// writeText appends the game to the text, wholly or not at all.
func (f *gameFiles) writeText(g *arena.Game) error {
	if f.text == nil {
		file, err := durable.OpenFile(f.save, os.O_WRONLY|os.O_CREATE|os.O_EXCL)
		if err != nil {
			return createError("--save", f.save, err)
		}
		f.text = file
	}
	var text bytes.Buffer
	_, err := g.WriteTo(&text)
	if err == nil {
		_, err = f.text.Write(text.Bytes())
	}
	if err != nil {
		return fmt.Errorf("--save: %w", errors.Join(err, f.text.Truncate(f.size)))
	}
	f.size += int64(text.Len())
	f.texts++
	return nil
}

// writeRecord appends the game to the shard.
func (f *gameFiles) writeRecord(g *arena.Game) error {
	if f.shard == nil {
		shard, err := data.Create(f.records, f.header)
		if err != nil {
			return createError("--records", f.records, err)
		}
		f.shard = shard
	}
	err := f.shard.Append(&data.Game{
		ID: uint64(f.shard.Len()), Seed: g.Seed, Rules: g.Rules, Opening: g.OpeningPlies, Moves: g.Moves(), Result: g.Result(),
	})
	if err != nil {
		return fmt.Errorf("--records %s: %w", f.records, err)
	}
	return nil
}

// close completes the files. If the match or the writing of its games has failed, it removes a file without games, and its error says besides
// the reason what is in those that stay.
func (f *gameFiles) close(failure error) error {
	text, textErr := f.closeText()
	records, recordsErr := f.closeRecords()
	writing := f.err
	if writing == nil { // else the same reason once more
		writing = errors.Join(textErr, recordsErr)
	}
	if failure == nil && writing == nil {
		return nil
	}
	return toldError{errors.Join(failure, writing, text, records)}
}

// closeText completes the text and says what is in it.
func (f *gameFiles) closeText() (left, err error) {
	if f.text == nil {
		return nil, nil
	}
	if err = f.text.Close(); err != nil {
		err = fmt.Errorf("--save: %w", err)
	}
	if f.texts == 0 {
		return nil, errors.Join(err, durable.Remove(f.save))
	}
	return leftFile(f.save, f.texts), err
}

// closeRecords seals the shard, or where that is not possible closes it with the games that are on disk, and says what is in it.
func (f *gameFiles) closeRecords() (left, err error) {
	if f.shard == nil {
		return nil, nil
	}
	if f.shard.Len() > 0 {
		if err = f.shard.Seal(); err == nil {
			return leftFile(f.records, f.shard.Len()), nil
		}
		err = fmt.Errorf("--records %s: %w", f.records, err)
	}
	f.shard.Close() // what it says has been said
	open := f.records + data.OpenSuffix
	if f.shard.Durable() == 0 {
		return nil, errors.Join(err, durable.Remove(open))
	}
	return leftFile(open, f.shard.Durable()), err
}

// leftFile is what is told of a file after a failure.
func leftFile(path string, games int) error {
	return fmt.Errorf("%s holds %d game(s): give another name or remove it to start again", path, games)
}
