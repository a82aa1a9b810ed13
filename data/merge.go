package data

import (
	"errors"
	"fmt"
)

// Merged says what Merge did.
type Merged struct {
	Games      int // games in the new shard
	Duplicates int // games left out because an earlier one has the same generation and number
}

// Merge copies the games of sealed shards, in the order given, into a new sealed shard at to. The shards must be of one board ([ErrBoard]);
// what else their headers say is kept as far as they agree, and each game keeps its own rules. If one of them is
// damaged, no shard is made: recover it first.
func Merge(to string, from []string) (Merged, error) {
	if len(from) == 0 {
		return Merged{}, fmt.Errorf("%w: no shard to merge", ErrFolder)
	}
	h, err := commonHeader(from)
	if err != nil {
		return Merged{}, err
	}
	out, err := Create(to, h)
	if err != nil {
		return Merged{}, err
	}
	var m Merged
	for _, path := range from {
		if err := m.add(out, path); err != nil {
			return m, errors.Join(err, discard(out))
		}
	}
	return m, seal(out)
}

// commonHeader returns what the headers of the shards agree on.
func commonHeader(paths []string) (Header, error) {
	var common Header
	for i, path := range paths {
		r, err := Open(path)
		if err != nil {
			return common, err
		}
		h := r.Header()
		if err := r.Close(); err != nil {
			return common, err
		}
		if i == 0 {
			common = h
			continue
		}
		if h.Board != common.Board {
			return common, fileError(path, 0, boardError(h.Board, common.Board))
		}
		if h.Model != common.Model {
			common.Model = ""
		}
		if h.Config != common.Config {
			common.Config = [32]byte{}
		}
	}
	return common, nil
}

// add appends the games of a shard.
func (m *Merged) add(out *Writer, path string) error {
	r, err := Open(path)
	if err != nil {
		return err
	}
	defer r.Close()
	for g, err := range r.All() {
		if err != nil {
			return err
		}
		if out.Has(g.Generation, g.ID) {
			m.Duplicates++
			continue
		}
		if err := out.Append(g); err != nil {
			return err
		}
		m.Games++
	}
	return nil
}
