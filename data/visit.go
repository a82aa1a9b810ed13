package data

import (
	"errors"
	"fmt"
)

// Visit calls the function for every game of a shard, sealed or open, in order, and stops at its first error. The first fault in the shard is
// returned as an error too, after the games before it. Only what follows the last whole block of an open shard is no fault: a writer
// may be at work there.
func Visit(path string, visit func(*Header, *Game) error) error {
	var fault *Error
	w, err := walkFile(path, func(e *Error) {
		if fault == nil {
			fault = e
		}
	}, func(h *Header, g *Game) error {
		if fault != nil {
			return fault
		}
		return visit(h, g)
	})
	switch {
	case err != nil:
		return err
	case fault != nil && (w.sealed || !errors.Is(fault, ErrTruncated)):
		return fault
	}
	return nil
}

// errFound ends a visit.
var errFound = errors.New("found")

// GameOf returns game number i, from 0, of a shard, sealed or open, with the shard's header. Of a sealed shard it reads the game's block only.
func GameOf(path string, i int) (*Header, *Game, error) {
	if r, err := Open(path); err == nil {
		defer r.Close()
		h := r.Header()
		g, err := r.Game(i)
		return &h, g, err
	}
	var header *Header
	var game *Game
	n := 0
	err := Visit(path, func(h *Header, g *Game) error {
		header, game = h, g
		if n++; n > i {
			return errFound
		}
		return nil
	})
	switch {
	case errors.Is(err, errFound):
		return header, game, nil
	case err == nil:
		err = &Error{path, -1, -1, i, fmt.Errorf("%w: the shard has %d games", ErrGame, n)}
	}
	return nil, nil, err
}

// visitAll is Visit for several shards, which must be of one board.
func visitAll(paths []string, visit func(*Header, *Game) error) error {
	var first Header
	for _, path := range paths {
		err := Visit(path, func(h *Header, g *Game) error {
			if first.Board == nil {
				first = *h
			}
			if h.Board != first.Board {
				return fileError(path, -1, boardError(h.Board, first.Board))
			}
			return visit(h, g)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
