package data

import (
	"errors"
	"fmt"
	"os"
)

// Merged says what Merge did.
type Merged struct {
	Games      int // games in the new shard
	Duplicates int // games left out because an earlier one has the same generation and number
}

// Merge copies the games of shards, sealed or open, in the order given, into a new sealed shard at to. The shards must be of one board ([ErrBoard]);
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
		h, err := headerOf(path)
		if err != nil {
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

// headerOf reads the header of a shard and nothing else.
func headerOf(path string) (Header, error) {
	f, err := os.Open(path)
	if err != nil {
		return Header{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return Header{}, err
	}
	h, err := readHeader(f, info.Size())
	if err != nil {
		return Header{}, fileError(path, 0, err)
	}
	return h.Header, nil
}

// add appends the games of a shard.
func (m *Merged) add(out *Writer, path string) error {
	return Visit(path, func(_ *Header, g *Game) error {
		if out.Has(g.Generation, g.ID) {
			m.Duplicates++
			return nil
		}
		m.Games++
		return out.Append(g)
	})
}
