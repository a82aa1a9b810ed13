package solver

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"

	"rampart/quoridor"
)

// FuzzCheckpoint reads arbitrary content, as if its checksum were right: it is refused or taken, without a crash and
// without more memory than allowed.
func FuzzCheckpoint(f *testing.F) {
	b := quoridor.MustBoard(3, 3, 1)
	for k := range 3 {
		file := filepath.Join(f.TempDir(), "solve.ckpt")
		stopped(f, b, file, k)
		content := unpacked(f, file, checkpointMagic)
		f.Add(content[:min(len(content), 200)]) // all but the values, which may be anything
	}
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, content []byte) {
		tab := newTable(newShape(b), walls{}, [2]int{1, 1}, 1<<24)
		if err := tab.enumerate(context.Background()); err != nil {
			t.Fatal(err)
		}
		_, err := tab.readFrame(bytes.NewReader(content))
		if err != nil && !errors.Is(err, ErrCheckpoint) && !errors.Is(err, ErrMemory) {
			t.Error(err)
		}
	})
}

// FuzzSearchCheckpoint does the same for the checkpoint of a search.
func FuzzSearchCheckpoint(f *testing.F) {
	b := quoridor.MustBoard(3, 3, 1)
	p, err := NewProver(b, SearchOptions{Memory: 1 << 20})
	if err != nil {
		f.Fatal(err)
	}
	start := b.Start()
	if _, err := p.Prove(context.Background(), start, 5); !errors.Is(err, ErrUndecided) {
		f.Fatal(err)
	}
	file := filepath.Join(f.TempDir(), "search.ckpt")
	if err := p.save(file, &start); err != nil {
		f.Fatal(err)
	}
	f.Add(unpacked(f, file, searchMagic))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, content []byte) {
		if _, err := p.readFrame(bytes.NewReader(content), &start); err != nil && !errors.Is(err, ErrCheckpoint) {
			t.Error(err)
		}
	})
}

// unpacked returns what a checkpoint's frame holds.
func unpacked(t testing.TB, file, magic string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	z, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	content, err := z.DecodeAll(data[len(magic):], nil)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// TestConcurrentUse asks for positions inside and outside of the table at the same time.
func TestConcurrentUse(t *testing.T) {
	b := quoridor.MustBoard(3, 5, 2)
	s, err := New(b, Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	reference := prepared(t, 3, 5, 2)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for _, p := range randomPositions(b, 60) {
				got, err := s.Best(context.Background(), p)
				want, _ := reference.Best(context.Background(), p)
				if err != nil || got != want {
					t.Errorf("%s: %v (%v), want %v", b.Format(p), got, err, want)
				}
			}
		})
	}
	all.Wait()
}
