package data

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"syscall"
	"testing"

	"rampart/internal/durable"
)

// faultyFile is a file whose disk fills up or fails.
type faultyFile struct {
	*os.File
	room     int64 // bytes that still fit; -1 for no limit
	syncErr  error
	truncErr error
}

func (f *faultyFile) WriteAt(p []byte, at int64) (int, error) {
	if f.room < 0 || int64(len(p)) <= f.room {
		return f.File.WriteAt(p, at)
	}
	n, err := f.File.WriteAt(p[:f.room], at)
	return n, errors.Join(syscall.ENOSPC, err)
}

func (f *faultyFile) Sync() error {
	if f.syncErr != nil {
		return f.syncErr
	}
	return f.File.Sync()
}

func (f *faultyFile) Truncate(n int64) error {
	if f.truncErr != nil {
		return f.truncErr
	}
	return f.File.Truncate(n)
}

// faultyWriter returns a writer with one block of two games on disk, and its file.
func faultyWriter(t *testing.T, games []*Game) (*Writer, *faultyFile) {
	t.Helper()
	w, err := Create(tempShard(t), testHeader(board5))
	if err != nil {
		t.Fatal(err)
	}
	f := &faultyFile{File: w.file.(*durable.File).File, room: -1}
	w.file = f
	appendAll(t, w, games[:2], 2)
	return w, f
}

// TestDiskFull: a write that does not fit costs nothing that was on disk, and goes on when there is room again.
func TestDiskFull(t *testing.T) {
	games := testGames(21, board5, 6)
	w, f := faultyWriter(t, games)
	appendAll(t, w, games[2:4])
	before := readFile(t, w.Path()+OpenSuffix)
	for _, room := range []int64{0, 1, blockHeader, blockHeader + 20} {
		f.room = room
		if err := w.Flush(); !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("room for %d bytes: %v", room, err)
		}
		if !bytes.Equal(readFile(t, w.Path()+OpenSuffix), before) {
			t.Fatalf("room for %d bytes: the file has changed", room)
		}
		if w.Durable() != 2 || w.Len() != 4 {
			t.Fatalf("%d games on disk of %d, want 2 of 4", w.Durable(), w.Len())
		}
		if err := w.Seal(); !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("Seal: %v", err)
		}
	}
	f.room = -1
	appendAll(t, w, games[4:])
	if err := w.Seal(); err != nil {
		t.Fatal(err)
	}
	sameGames(t, readShard(t, w.Path()), games)
}

// TestDiskFullWhileSealing: the index does not fit, the games stay.
func TestDiskFullWhileSealing(t *testing.T) {
	games := testGames(22, board5, 2)
	w, f := faultyWriter(t, games)
	f.room = 10
	if err := w.Seal(); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("Seal: %v", err)
	}
	f.room = -1
	if err := w.Seal(); err != nil {
		t.Fatal(err)
	}
	sameGames(t, readShard(t, w.Path()), games)
}

// TestDiskFullInAppend: the game whose block cannot be written is not taken, and can be appended again.
func TestDiskFullInAppend(t *testing.T) {
	games := testGames(23, board5, 2+BlockGames)
	w, f := faultyWriter(t, games)
	appendAll(t, w, games[2:1+BlockGames])
	last := games[1+BlockGames]
	for range 3 {
		f.room = 100
		if err := w.Append(last); !errors.Is(err, syscall.ENOSPC) {
			t.Fatal(err)
		}
		if w.Len() != len(games)-1 || w.Has(last.Generation, last.ID) {
			t.Fatalf("%d games, want %d", w.Len(), len(games)-1)
		}
	}
	f.room = -1
	if err := w.Append(last); err != nil {
		t.Fatal(err)
	}
	if w.Durable() != len(games) {
		t.Fatalf("%d games on disk, want %d", w.Durable(), len(games))
	}
	if err := w.Seal(); err != nil {
		t.Fatal(err)
	}
	sameGames(t, readShard(t, w.Path()), games)
	// The same bytes as if nothing had happened.
	plain := tempShard(t)
	writeShard(t, plain, testHeader(board5), games, 2)
	if !bytes.Equal(readFile(t, plain), readFile(t, w.Path())) {
		t.Fatal("the shard differs from one that was written without a fault")
	}
}

// TestRefusedGameLeavesNothing: a game whose last search is bad is refused after its other searches were coded; the shard holds none of them.
func TestRefusedGameLeavesNothing(t *testing.T) {
	games := testGames(8, board5, 3)
	bad := *games[1]
	bad.Searches = slices.Clone(bad.Searches)
	last := &bad.Searches[len(bad.Searches)-1]
	last.Policy = slices.Clone(last.Policy)
	last.Policy[0].P--
	path := tempShard(t)
	w, err := Create(path, testHeader(board5))
	if err != nil {
		t.Fatal(err)
	}
	appendAll(t, w, games[:1])
	if err := w.Append(&bad); !errors.Is(err, ErrPolicy) || w.Has(bad.Generation, bad.ID) {
		t.Fatalf("%v, want ErrPolicy", err)
	}
	appendAll(t, w, games[1:])
	if err := w.Seal(); err != nil {
		t.Fatal(err)
	}
	sameGames(t, readShard(t, path), games)
}

// TestFailedSync: after it nothing more is written, and what is whole in the file can be reopened.
func TestFailedSync(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(*faultyFile)
	}{
		{"sync", func(f *faultyFile) { f.syncErr = syscall.EIO }},
		{"write and truncate", func(f *faultyFile) { f.room, f.truncErr = 7, syscall.EIO }},
	} {
		t.Run(c.name, func(t *testing.T) {
			games := testGames(24, board5, 4)
			w, f := faultyWriter(t, games)
			appendAll(t, w, games[2:3])
			c.spoil(f)
			if err := w.Flush(); err == nil {
				t.Fatal("no error")
			}
			f.room, f.syncErr, f.truncErr = -1, nil, nil
			for name, err := range map[string]error{"Flush": w.Flush(), "Append": w.Append(games[3]), "Seal": w.Seal()} {
				if !errors.Is(err, syscall.EIO) {
					t.Errorf("%s after the fault: %v, want the same error", name, err)
				}
			}
			if err := w.Close(); !errors.Is(err, syscall.EIO) {
				t.Errorf("Close: %v", err)
			}
			again, found, err := Reopen(w.Path())
			if err != nil {
				t.Fatal(err)
			}
			if found.Games < 2 {
				t.Fatalf("found %+v, want the two games acknowledged", found)
			}
			appendAll(t, again, games[again.Len():])
			if err := again.Seal(); err != nil {
				t.Fatal(err)
			}
			sameGames(t, readShard(t, w.Path()), games)
		})
	}
}

// TestNothingIsOverwritten: Create and Seal leave a file that exists alone.
func TestNothingIsOverwritten(t *testing.T) {
	games := testGames(25, board5, 2)
	path := tempShard(t)
	for _, name := range []string{path, path + OpenSuffix} {
		writeFile(t, name, []byte("precious"))
		if _, err := Create(path, testHeader(board5)); !errors.Is(err, fs.ErrExist) {
			t.Fatalf("%s exists: %v", name, err)
		}
		if got := readFile(t, name); string(got) != "precious" {
			t.Fatalf("%s holds %q", name, got)
		}
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	w, err := Create(path, testHeader(board5))
	if err != nil {
		t.Fatal(err)
	}
	appendAll(t, w, games)
	writeFile(t, path, []byte("precious"))
	if err := w.Seal(); !errors.Is(err, fs.ErrExist) {
		t.Fatalf("Seal: %v", err)
	}
	if got := readFile(t, path); string(got) != "precious" {
		t.Fatalf("the file holds %q", got)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := w.Seal(); err != nil {
		t.Fatal(err)
	}
	sameGames(t, readShard(t, path), games)
	for name, err := range map[string]error{"Seal": w.Seal(), "Flush": w.Flush(), "Append": w.Append(games[0]), "Close": w.Close()} {
		if err == nil {
			t.Errorf("%s after Seal: no error", name)
		}
	}
}

func TestBadHeaders(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(*Header)
	}{
		{"no board", func(h *Header) { h.Board = nil }},
		{"negative ply cap", func(h *Header) { h.Rules.PlyCap = -1 }},
		{"huge ply cap", func(h *Header) { h.Rules.PlyCap = MaxPlies + 1 }},
		{"long name", func(h *Header) { h.Model = string(make([]byte, maxModel+1)) }},
	} {
		path := tempShard(t)
		h := testHeader(board5)
		c.spoil(&h)
		if _, err := Create(path, h); !errors.Is(err, ErrHeader) {
			t.Errorf("%s: %v, want ErrHeader", c.name, err)
		}
		if _, err := os.Stat(path + OpenSuffix); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: a file was made", c.name)
		}
	}
}

// memFile is a file in memory, so that thousands of reopenings need no disk.
type memFile struct{ content []byte }

func (f *memFile) ReadAt(p []byte, at int64) (int, error) {
	return bytes.NewReader(f.content).ReadAt(p, at)
}

func (f *memFile) WriteAt(p []byte, at int64) (int, error) {
	if end := int(at) + len(p); end > len(f.content) {
		f.content = append(f.content, make([]byte, end-len(f.content))...)
	}
	return copy(f.content[at:], p), nil
}

func (f *memFile) Truncate(n int64) error { f.content = f.content[:n]; return nil }
func (f *memFile) Sync() error            { return nil }
func (f *memFile) Close() error           { return nil }

// TestReopenAfterEveryKill: the file of a writer that was killed while writing ends anywhere in a block or in the index. Reopening finds every
// game whose block was whole, and the shard that it finishes is the one that an unbroken writer makes.
func TestReopenAfterEveryKill(t *testing.T) {
	games, sealed, _, ends := smallShard(t)
	for n := ends[0]; n <= len(sealed); n++ {
		f := &memFile{bytes.Clone(sealed[:n])}
		w, found, err := reopen("killed.rgz", f, int64(n))
		if err != nil {
			t.Fatalf("cut to %d: %v", n, err)
		}
		want := len(wholeGames(games, ends, n))
		end := ends[found.Blocks]
		if found.Games != want || w.Len() != want || w.Durable() != want || found.Cut != int64(n-end) || (found.Why != nil) != (n > end) {
			t.Fatalf("cut to %d: found %+v, want %d games and %d bytes cut", n, found, want, n-end)
		}
		if !bytes.Equal(f.content, sealed[:end]) {
			t.Fatalf("cut to %d: the file has %d bytes, want %d", n, len(f.content), end)
		}
		if n%16 != 0 && n != end {
			continue
		}
		for i := want; i < len(games); i++ {
			appendAll(t, w, games[i:i+1])
			if i == 1 || i == 2 {
				if err := w.Flush(); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := errors.Join(w.Flush(), w.write(w.done.marshal(), w.done.end())); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(f.content, sealed) {
			t.Fatalf("cut to %d: the finished shard differs", n)
		}
	}
}

// TestReopenRefusesDamage: damage that a cut-off write cannot have made is not cut off but reported, and the file is left as it is.
func TestReopenRefusesDamage(t *testing.T) {
	_, _, open, ends := smallShard(t)
	for at := range open {
		damaged := bytes.Clone(open)
		damaged[at] ^= 0x10
		f := &memFile{bytes.Clone(damaged)}
		_, found, err := reopen("damaged.rgz", f, int64(len(damaged)))
		switch {
		case at >= ends[2]: // the last block: no way to tell it from one that was being written
			if err != nil || found.Games != 3 || found.Why == nil {
				t.Fatalf("byte %d: found %+v, %v", at, found, err)
			}
		case at >= ends[0] && !errors.Is(err, ErrDamaged), !IsFault(err):
			t.Fatalf("byte %d: %v", at, err)
		case !bytes.Equal(f.content, damaged):
			t.Fatalf("byte %d: the file was changed", at)
		}
	}
	if _, _, err := Reopen(filepath.Join(t.TempDir(), "none.rgz")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
}

// TestCloseAndReopen: Close writes what is pending.
func TestCloseAndReopen(t *testing.T) {
	games := testGames(26, board5, 5)
	path := tempShard(t)
	w, err := Create(path, testHeader(board5))
	if err != nil {
		t.Fatal(err)
	}
	appendAll(t, w, games[:3])
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	w, found, err := Reopen(path)
	if err != nil || found != (Found{Games: 3, Blocks: 1}) {
		t.Fatalf("found %+v, %v", found, err)
	}
	if w.Header() != testHeader(board5) {
		t.Errorf("header %+v", w.Header())
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	// A torn write and a seal that was cut off are cut away on a real file too.
	for _, tail := range []string{blockMagic + "torn", indexMagic + "and so on"} {
		writeFile(t, path+OpenSuffix, append(readFile(t, path+OpenSuffix), tail...))
		if w, found, err = Reopen(path + OpenSuffix); err != nil || found.Games != 3 || found.Cut != int64(len(tail)) || !errors.Is(found.Why, ErrTruncated) {
			t.Fatalf("found %+v, %v", found, err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if w, _, err = Reopen(path); err != nil {
		t.Fatal(err)
	}
	if err := w.Append(games[1]); !errors.Is(err, ErrDuplicate) {
		t.Errorf("a game that is there already: %v", err)
	}
	var entries []Entry
	for _, g := range games[:3] {
		entries = append(entries, g.entry())
	}
	if !reflect.DeepEqual(w.Entries(), entries) {
		t.Errorf("entries %+v, want %+v", w.Entries(), entries)
	}
	appendAll(t, w, games[3:])
	if err := w.Seal(); err != nil {
		t.Fatal(err)
	}
	sameGames(t, readShard(t, path), games)
}
