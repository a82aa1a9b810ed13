package data

import (
	"errors"
	"fmt"

	"rampart/internal/durable"
)

// Recovered says what Recover saved.
type Recovered struct {
	Saved  int  // games in the new shard
	Lost   int  // games that were in the old one and are not in the new one
	Unsure bool // Lost counts only what is known: unreadable bytes of the old shard may have held more
	Faults int
}

// Recover copies every good game of the shard at from, sealed or open, whole or not, into a new sealed shard at to, and calls fault for
// each thing that is wrong with the old one, which is not changed. Even a shard whose header is damaged can be saved if it was sealed. If
// there is nothing to save no shard is made and the error wraps [ErrTruncated].
func Recover(from, to string, fault func(*Error)) (Recovered, error) {
	var r Recovered
	var out *Writer
	visit := func(h *Header, g *Game) (err error) {
		if out == nil {
			if out, err = Create(to, *h); err != nil {
				return err
			}
		}
		return out.Append(g)
	}
	w, err := walkFile(from, func(e *Error) { r.Faults++; fault(e) }, visit)
	if err == nil && out == nil {
		err = fmt.Errorf("%s: %w: there is no whole game in it", from, ErrTruncated)
	}
	if err != nil {
		return r, errors.Join(err, discard(out))
	}
	r.Saved, r.Lost, r.Unsure = w.games, w.lost, w.unknown
	return r, seal(out)
}

// seal seals a shard that was made in one go, and removes it if that fails.
func seal(w *Writer) error {
	if err := w.Seal(); err != nil {
		return errors.Join(err, discard(w))
	}
	return nil
}

// discard removes the open file of a shard that was made in one go and did not succeed; w may be nil.
func discard(w *Writer) error {
	if w == nil {
		return nil
	}
	w.file.Close()
	return durable.Remove(w.path + OpenSuffix)
}
