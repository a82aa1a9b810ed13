package data

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
)

// Merged says what Merge did.
type Merged struct {
	Games      int // games in the new shard
	Duplicates int // games left out because the same game, with the same content, is there already
}

// Merge copies the games of shards, sealed or open, in the order given, into a new sealed shard at to. The shards must be of one board ([ErrBoard]);
// what else their headers say is kept as far as they agree, and each game keeps its own rules. If one of them is
// damaged, no shard is made: recover it first. Nor is one made of different games with the same generation and number, as different runs
// have them: those are a game's identity in a shard, and the error ([ErrConflict]) names both.
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
	m := merger{out: out, origins: map[gameKey]origin{}}
	for _, path := range from {
		if err := m.add(path); err != nil {
			return m.merged, errors.Join(err, discard(out))
		}
	}
	return m.merged, seal(out)
}

// merger copies games into a shard.
type merger struct {
	out     *Writer
	origins map[gameKey]origin // of the games in it
	merged  Merged
}

// origin says where a game came from, and its content.
type origin struct {
	path   string
	game   int
	digest [sha256.Size]byte
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
	f, size, err := openFile(path)
	if err != nil {
		return Header{}, err
	}
	defer f.Close()
	h, err := readHeader(f, size)
	if err != nil {
		return Header{}, fileError(path, 0, err)
	}
	return h.Header, nil
}

// add appends the games of a shard.
func (m *merger) add(path string) error {
	n := -1
	return Visit(path, func(_ *Header, g *Game) error {
		n++
		digest := g.digest()
		if before, there := m.origins[g.key()]; there {
			if before.digest == digest {
				m.merged.Duplicates++
				return nil
			}
			err := fmt.Errorf("%w: game %v is another one in %s, game %d; a shard has room for one of them", ErrConflict, g.key(), before.path, before.game)
			return &Error{path, -1, -1, n, err}
		}
		m.origins[g.key()] = origin{path, n, digest}
		m.merged.Games++
		return m.out.Append(g)
	})
}

// digest returns a hash of all that the game's record holds beside its generation and number.
func (g *Game) digest() [sha256.Size]byte {
	var b []byte
	number := func(n uint64) { b = binary.LittleEndian.AppendUint64(b, n) }
	for _, n := range []uint64{
		g.Seed, uint64(g.Rules.PlyCap), uint64(rulesByte(g.Rules)), uint64(g.Opening), uint64(g.Result), uint64(len(g.Moves)), uint64(len(g.Searches)),
	} {
		number(n)
	}
	for _, m := range g.Moves {
		b = append(b, byte(m))
	}
	for i := range g.Searches {
		s := &g.Searches[i]
		for _, n := range []uint64{uint64(s.Ply), uint64(s.Visits), uint64(s.Value), uint64(s.Flags), uint64(len(s.Policy))} {
			number(n)
		}
		for _, p := range s.Policy {
			number(uint64(p.Move)<<16 | uint64(p.P))
		}
	}
	return sha256.Sum256(b)
}
