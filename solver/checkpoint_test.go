package solver

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"rampart/internal/durable"
	"rampart/quoridor"
)

// stopped writes the checkpoint of a board that was stopped after the first batch of classes of the layer with k walls.
func stopped(t testing.TB, b *quoridor.Board, file string, k int) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	tab := newTable(newShape(b), walls{}, [2]int{b.Walls, b.Walls}, DefaultMemory)
	tab.checkpoint = file
	if err := tab.enumerate(ctx); err != nil {
		t.Fatal(err)
	}
	for d := len(tab.layers) - 1; d > k; d-- {
		if err := tab.inductLayer(ctx, d, 1, &meter{table: tab}); err != nil {
			t.Fatal(err)
		}
	}
	l := tab.layers[k]
	l.begin(newArena(tab.budget, tab.blockSize()))
	var below *layer
	if k+1 < len(tab.layers) {
		below = tab.layers[k+1]
	}
	w := newWorker(tab, l, below)
	for class := range min(batch, len(l.keys)) {
		if err := w.class(class); err != nil {
			t.Fatal(err)
		}
	}
	l.done[0] = true
	if err := tab.save(file, k); err != nil {
		t.Fatal(err)
	}
}

func TestCheckpointResumes(t *testing.T) {
	ctx := context.Background()
	b := quoridor.MustBoard(4, 4, 2)
	fresh, err := New(b, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want, err := fresh.MoveValues(ctx, nil, b.Start())
	if err != nil {
		t.Fatal(err)
	}
	for k := range 5 {
		file := filepath.Join(t.TempDir(), "solve.ckpt")
		stopped(t, b, file, k)
		s, err := New(b, Options{Checkpoint: file})
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.MoveValues(ctx, nil, b.Start())
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("stopped in layer %d: %v, %v", k, got, err)
		}
		if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the checkpoint is still there: %v", err)
		}
	}
}

func TestStoppingLeavesACheckpoint(t *testing.T) {
	b := quoridor.MustBoard(5, 5, 2)
	file := filepath.Join(t.TempDir(), "solve.ckpt")
	ctx, cancel := context.WithCancel(context.Background())
	s, err := New(b, Options{Workers: 1, Checkpoint: file, Progress: func(Progress) { cancel() }})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Value(ctx, b.Start()); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	again, err := New(b, Options{Checkpoint: file})
	if err != nil {
		t.Fatal(err)
	}
	if v, err := again.Value(context.Background(), b.Start()); err != nil || v != (Value{Loss, 18}) {
		t.Errorf("%v, %v", v, err)
	}
}

// TestWorkersAreBounded: nobody gets as many goroutines as he can write.
func TestWorkersAreBounded(t *testing.T) {
	for workers, ok := range map[int]bool{-1: false, 0: true, MostWorkers: true, MostWorkers + 1: false} {
		if _, err := New(quoridor.MustBoard(3, 3, 1), Options{Workers: workers}); (err == nil) != ok {
			t.Errorf("%d workers: %v", workers, err)
		}
	}
}

// TestStoppingTellsWhatWasSaved: of a stopped computation the error says whether the checkpoint was written, not written or not come to.
func TestStoppingTellsWhatWasSaved(t *testing.T) {
	b := quoridor.MustBoard(5, 5, 2)
	full := errors.New("disk full")
	solve := func(ctx context.Context, stop func(), file string) error {
		s, err := New(b, Options{Workers: 1, Checkpoint: file, Progress: func(Progress) { stop() }})
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Value(ctx, b.Start())
		return err
	}
	search := func(ctx context.Context, stop func(), file string) error {
		p, err := NewProver(b, SearchOptions{Memory: 1 << 22, Checkpoint: file, Progress: func(SearchProgress) { stop() }})
		if err != nil {
			t.Fatal(err)
		}
		_, err = p.Prove(ctx, b.Start(), 40)
		return err
	}
	for _, c := range []struct {
		name          string
		run           func(ctx context.Context, stop func(), file string) error
		early, broken bool
		saved         bool
	}{
		{"solve", solve, false, false, true},
		{"solve, disk full", solve, false, true, false},
		{"solve, stopped before the first layer", solve, true, false, false},
		{"search", search, false, false, true},
		{"search, disk full", search, false, true, false},
	} {
		file := filepath.Join(t.TempDir(), "solve.ckpt")
		ctx, stop := context.WithCancel(context.Background())
		if c.early {
			stop()
		}
		restore := func() {}
		if c.broken {
			restore = durable.SetFault(func(durable.Op, string) error { return full })
		}
		err := c.run(ctx, stop, file)
		restore()
		stop()
		_, missing := os.Stat(file)
		if !errors.Is(err, context.Canceled) || errors.Is(err, ErrSaved) != c.saved || (missing == nil) != c.saved {
			t.Errorf("%s: %v; the file: %v", c.name, err, missing)
		}
		if errors.As(err, new(*SaveError)) != c.broken || errors.Is(err, full) != c.broken {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestWorkGoesOnWithoutItsCheckpoint: a checkpoint on the way that cannot be written is told of and tried again; it ends nothing.
func TestWorkGoesOnWithoutItsCheckpoint(t *testing.T) {
	every := saveEvery
	saveEvery = 0
	full := errors.New("disk full")
	tries := 0
	restore := durable.SetFault(func(durable.Op, string) error { tries++; return full })
	defer func() { saveEvery = every; restore() }()
	b := quoridor.MustBoard(3, 5, 1)
	var last Progress
	file := filepath.Join(t.TempDir(), "solve.ckpt")
	s, err := New(b, Options{Checkpoint: file, Progress: func(p Progress) { last = p }})
	if err != nil {
		t.Fatal(err)
	}
	if v, err := s.Value(t.Context(), b.Start()); err != nil || v != (Value{Loss, 12}) {
		t.Errorf("%v, %v", v, err)
	}
	if !errors.Is(last.CheckpointErr, full) || tries < 2 {
		t.Errorf("%d tries, told of: %v", tries, last.CheckpointErr)
	}
	var told error
	p, err := NewProver(b, SearchOptions{Memory: 1 << 22, Checkpoint: file, Progress: func(now SearchProgress) { told = now.CheckpointErr }})
	if err != nil {
		t.Fatal(err)
	}
	_, near, err := quoridor.ParsePosition("3x5 b4 a5 - 1,1 0")
	if err != nil {
		t.Fatal(err)
	}
	if v, err := p.Prove(t.Context(), near, 5); err != nil || v != (Value{Win, 1}) || !errors.Is(told, full) {
		t.Errorf("%v, %v, told of: %v", v, err, told)
	}
}

func TestBadCheckpoints(t *testing.T) {
	b := quoridor.MustBoard(3, 5, 1)
	dir := t.TempDir()
	file := filepath.Join(dir, "solve.ckpt")
	stopped(t, b, file, 0)
	good, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	solve := func(b *quoridor.Board, content []byte) error {
		t.Helper()
		if err := os.WriteFile(file, content, 0o644); err != nil {
			t.Fatal(err)
		}
		s, err := New(b, Options{Checkpoint: file})
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Value(context.Background(), b.Start())
		if err != nil {
			if kept, readErr := os.ReadFile(file); readErr != nil || !bytes.Equal(kept, content) {
				t.Fatalf("a refused checkpoint was changed: %v", readErr)
			}
		}
		return err
	}
	for _, n := range []int{0, 5, len(checkpointMagic), len(checkpointMagic) + 9, len(good) / 2, len(good) - 1} {
		if err := solve(b, good[:n]); !errors.Is(err, ErrCheckpoint) {
			t.Errorf("cut to %d of %d bytes: %v", n, len(good), err)
		}
	}
	for at := 0; at < len(good); at += 3 {
		bad := bytes.Clone(good)
		bad[at] ^= 1 << (at % 8)
		if err := solve(b, bad); err == nil {
			s, err := New(b, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if v, err := s.Value(context.Background(), b.Start()); err != nil || v != (Value{Loss, 12}) {
				t.Errorf("bit flipped at %d: wrong value %v", at, v)
			}
		} else if !errors.Is(err, ErrCheckpoint) && !errors.Is(err, ErrMemory) {
			t.Errorf("bit flipped at %d: %v", at, err)
		}
	}
	if err := solve(b, append(bytes.Clone(good), 'x')); !errors.Is(err, ErrCheckpoint) {
		t.Errorf("a byte too many: %v", err)
	}
	if err := solve(quoridor.MustBoard(3, 5, 2), good); !errors.Is(err, ErrCheckpoint) {
		t.Errorf("another board's: %v", err)
	}
	if err := solve(b, good); err != nil {
		t.Errorf("the good one: %v", err)
	}
}
