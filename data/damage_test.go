package data

import (
	"bytes"
	"errors"
	"reflect"
	"testing"
)

// smallShard returns the bytes of a shard of three blocks with five games in all, sealed and open, and where its blocks end.
func smallShard(t *testing.T) (games []*Game, sealed, open []byte, ends []int) {
	t.Helper()
	games = testGames(11, board5, 5)
	path := tempShard(t)
	w, err := Create(path, testHeader(board5))
	if err != nil {
		t.Fatal(err)
	}
	ends = []int{int(w.Size())}
	for i := range games {
		appendAll(t, w, games[i:i+1])
		if i == 1 || i == 2 || i == 4 {
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
			ends = append(ends, int(w.Size()))
		}
	}
	open = readFile(t, path+OpenSuffix)
	if err := w.Seal(); err != nil {
		t.Fatal(err)
	}
	return games, readFile(t, path), open, ends
}

// readAny reads all that a Reader gives of the bytes: the games, and whether it found a fault.
func readAny(content []byte) (games []*Game, err error) {
	r, err := NewReader(bytes.NewReader(content), int64(len(content)), "test")
	if err != nil {
		return nil, err
	}
	for g, e := range r.All() {
		if e != nil {
			err = e
			continue
		}
		games = append(games, g)
	}
	return games, err
}

// verifyBytes verifies the bytes as if they were a file of that name.
func verifyBytes(name string, content []byte) (games []*Game, faults []*Error) {
	w := &walker{
		name: name, file: bytes.NewReader(content), size: int64(len(content)),
		fault: func(e *Error) { faults = append(faults, e) },
		visit: func(_ *Header, g *Game) error { games = append(games, g); return nil },
	}
	if err := w.walk(); err != nil {
		panic(err)
	}
	return games, faults
}

// isSubsequence tells whether got has games of all only, unchanged and in order.
func isSubsequence(got, all []*Game) bool {
	i := 0
	for _, g := range got {
		for i < len(all) && !reflect.DeepEqual(all[i], g) {
			i++
		}
		if i == len(all) {
			return false
		}
		i++
	}
	return true
}

// TestEveryTruncation: a shard cut off anywhere is refused by the reader and reported by Verify, and what is whole is saved, exactly.
func TestEveryTruncation(t *testing.T) {
	games, sealed, open, ends := smallShard(t)
	for n := range sealed {
		if _, err := readAny(sealed[:n]); !IsFault(err) {
			t.Fatalf("cut to %d of %d bytes: reader says %v", n, len(sealed), err)
		}
		got, faults := verifyBytes("cut.rgz", sealed[:n])
		if len(faults) == 0 || !IsFault(faults[0]) {
			t.Fatalf("cut to %d of %d bytes: Verify says %v", n, len(sealed), faults)
		}
		if want := wholeGames(games, ends, n); !reflect.DeepEqual(got, want) {
			t.Fatalf("cut to %d of %d bytes: %d games, want %d", n, len(sealed), len(got), len(want))
		}
	}
	for n := range open {
		got, faults := verifyBytes("cut.rgz.open", open[:n])
		atEnd := false // a whole number of blocks is what an open shard is
		for _, end := range ends {
			atEnd = atEnd || n == end
		}
		if (len(faults) == 0) != atEnd {
			t.Fatalf("open, cut to %d: Verify says %v", n, faults)
		}
		if want := wholeGames(games, ends, n); !reflect.DeepEqual(got, want) {
			t.Fatalf("open, cut to %d: %d games, want %d", n, len(got), len(want))
		}
	}
}

// wholeGames returns the games of smallShard whose blocks lie within the first n bytes.
func wholeGames(games []*Game, ends []int, n int) []*Game {
	switch {
	case n >= ends[3]:
		return games
	case n >= ends[2]:
		return games[:3]
	case n >= ends[1]:
		return games[:2]
	}
	return nil
}

// TestEveryBitFlip: a shard with any one bit changed is never read as another: the reader and Verify report a fault, and the games that
// come nevertheless are the ones written. At most one block is lost.
func TestEveryBitFlip(t *testing.T) {
	games, sealed, open, _ := smallShard(t)
	damaged := bytes.Clone(sealed)
	for at := range sealed {
		for bit := range 8 {
			damaged[at] ^= 1 << bit
			got, err := readAny(damaged)
			if !IsFault(err) || !isSubsequence(got, games) {
				t.Fatalf("byte %d bit %d: reader gives %d games, %v", at, bit, len(got), err)
			}
			got, faults := verifyBytes("flipped.rgz", damaged)
			if len(faults) == 0 || !isSubsequence(got, games) {
				t.Fatalf("byte %d bit %d: Verify gives %d games, %v", at, bit, len(got), faults)
			}
			if len(got) < 3 && !errors.Is(faults[0], ErrMagic) && !errors.Is(faults[0], ErrVersion) {
				t.Fatalf("byte %d bit %d: only %d of 5 games saved", at, bit, len(got))
			}
			damaged[at] ^= 1 << bit
		}
	}
	damaged = bytes.Clone(open)
	for at := range open {
		damaged[at] ^= 1 << (at % 8)
		got, faults := verifyBytes("flipped.rgz.open", damaged)
		if len(faults) == 0 || !isSubsequence(got, games) {
			t.Fatalf("open, byte %d: Verify gives %d games, %v", at, len(got), faults)
		}
		damaged[at] ^= 1 << (at % 8)
	}
}

// TestBlocksOutOfPlace: whole blocks that were repeated, left out, exchanged or brought in from another shard are faults.
func TestBlocksOutOfPlace(t *testing.T) {
	games, sealed, open, ends := smallShard(t)
	block := func(i int) []byte { return open[ends[i]:ends[i+1]] }
	head := open[:ends[0]]
	other := testHeader(board5)
	other.Model = "another"
	otherPath := tempShard(t)
	writeShard(t, otherPath, other, games[:2])
	foreign := readFile(t, otherPath)
	foreignHead := newHeaderInfo(other)
	foreignBlock := foreign[len(foreignHead.raw) : len(foreignHead.raw)+len(block(0))]

	join := func(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
	for _, c := range []struct {
		name    string
		content []byte
		want    error
		games   int
	}{
		{"repeated", join(head, block(0), block(1), block(1), block(2)), ErrFormat, 5},
		{"first left out", join(head, block(1), block(2)), ErrFormat, 3},
		{"middle left out", join(head, block(0), block(2)), ErrFormat, 4},
		{"exchanged", join(head, block(1), block(0), block(2)), ErrFormat, 5},
		{"foreign", join(head, foreignBlock, block(1), block(2)), ErrFormat, 3},
		{"foreign header", join(foreignHead.raw, block(0), block(1), block(2)), ErrFormat, 0},
		{"rubbish between", join(head, block(0), []byte("rubbish"), block(1), block(2)), ErrFormat, 5},
		{"rubbish at the end", join(open, []byte("rubbish")), ErrTruncated, 5},
	} {
		got, faults := verifyBytes("x.rgz.open", c.content)
		if len(faults) == 0 || !errors.Is(faults[0], c.want) {
			t.Errorf("%s: Verify says %v, want %v", c.name, faults, c.want)
		}
		if len(got) != c.games {
			t.Errorf("%s: %d games, want %d", c.name, len(got), c.games)
		}
		tail := sealed[ends[3]:]
		if got, err := readAny(join(c.content, tail)); !IsFault(err) || !isSubsequence(got, games) {
			t.Errorf("%s, sealed: %d games, %v", c.name, len(got), err)
		}
	}
}

// TestForeignFiles: what is no shard is refused as such.
func TestForeignFiles(t *testing.T) {
	_, sealed, _, _ := smallShard(t)
	newer := bytes.Clone(sealed)
	newer[8]++
	for _, c := range []struct {
		name    string
		content []byte
		want    error
	}{
		{"empty", nil, ErrTruncated},
		{"text", []byte("{\"games\": []}\n"), ErrMagic},
		{"one byte", []byte("x"), ErrMagic},
		{"line ends converted", bytes.ReplaceAll(sealed, []byte("\r\n"), []byte("\n")), ErrMagic},
		{"newer version", newer, ErrVersion},
		{"PNG", []byte("\x89PNG\r\n\x1a\n and more"), ErrMagic},
	} {
		if _, err := readAny(c.content); !errors.Is(err, c.want) {
			t.Errorf("%s: reader says %v, want %v", c.name, err, c.want)
		}
		if _, faults := verifyBytes("x.rgz", c.content); len(faults) == 0 || !errors.Is(faults[0], c.want) {
			t.Errorf("%s: Verify says %v, want %v", c.name, faults, c.want)
		}
	}
}
