package faults

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"rampart/internal/durable"
	"rampart/train"
)

// loop goes on with a run in this process.
func loop(t *testing.T, dir string) error {
	t.Helper()
	config, err := train.ParseConfig(unbrokenRun(t).config, train.Config{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := train.Open(train.Folder(dir), &config)
	if err != nil {
		return err
	}
	r.Workers = 2
	return errors.Join(r.Loop(context.Background()), r.Close())
}

// TestEveryOperationFails makes the operations on the disk fail one after the other, as they do on a full, a write-protected and a failing disk: the
// run stops with that error, loses nothing, and goes on as if nothing had happened.
func TestEveryOperationFails(t *testing.T) {
	unbrokenRun(t)
	var count atomic.Int64
	restore := durable.SetFault(func(durable.Op, string) error { count.Add(1); return nil })
	if err := loop(t, filepath.Join(fastDir(t), "run")); err != nil {
		t.Fatal(err)
	}
	restore()
	total := count.Load()
	step := int64(1)
	if !*all {
		step = max(1, total/12)
	}
	faults := []error{syscall.ENOSPC, syscall.EACCES, syscall.EIO}
	tried := 0
	for at := 1 + int64(*seed)%step; at <= total; at += step {
		fault := faults[tried%len(faults)]
		tried++
		dir := filepath.Join(fastDir(t), "run")
		count.Store(0)
		var what string
		restore := durable.SetFault(func(op durable.Op, path string) error {
			if n := count.Add(1); n < at || n >= at+3 { // for a while, so that cleaning up fails too
				return nil
			} else if n == at {
				rel, _ := filepath.Rel(dir, path)
				what = fmt.Sprintf("operation %d, %s of %s: %v", at, op, rel, fault)
			}
			return &fs.PathError{Op: string(op), Path: path, Err: fault}
		})
		err := loop(t, dir)
		restore()
		if !errors.Is(err, fault) {
			t.Errorf("%s: the run ends with %v", what, err)
		}
		if err := loop(t, dir); err != nil {
			t.Errorf("%s: the run does not resume: %v", what, err)
			continue
		}
		same(t, what, dir)
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d of %d operations failed", tried, total)
}

// mount makes a file system in memory of the size; ok is false where this user or system cannot.
func mount(t *testing.T, kib int) (dir string, ok bool) {
	t.Helper()
	dir = t.TempDir()
	if runtime.GOOS != "linux" || exec.Command("mount", "-t", "tmpfs", "-o", fmt.Sprintf("size=%dk", kib), "tmpfs", dir).Run() != nil {
		return dir, false
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", dir).CombinedOutput(); err != nil {
			t.Errorf("umount: %v: %s", err, out)
		}
	})
	return dir, true
}

func remount(t *testing.T, dir, options string) {
	t.Helper()
	if out, err := exec.Command("mount", "-o", "remount,"+options, dir).CombinedOutput(); err != nil {
		t.Fatalf("remount: %v: %s", err, out)
	}
}

// TestFullDisk runs on real file systems that are too small: each run stops with one line and exit code 1, and goes on when there is room. Where no
// file system can be mounted TestEveryOperationFails stands alone.
func TestFullDisk(t *testing.T) {
	unbrokenRun(t)
	stops := 0
	for kib, part := 20, sizeSteps(); ; kib += kib / part {
		disk, ok := mount(t, kib)
		if !ok {
			t.Log("no file system can be mounted here")
			return
		}
		dir := filepath.Join(disk, "run")
		r := command(t, 0, append([]string{"run", "--dir", dir}, settings...)...)
		if r.code == 0 {
			break
		}
		stops++
		what := fmt.Sprintf("%d KiB", kib)
		lines := strings.Split(strings.TrimSpace(r.out), "\n")
		if last := lines[len(lines)-1]; r.code != 1 || !strings.Contains(last, "no space left") || !strings.Contains(last, "make room") {
			t.Errorf("%s: exit code %d:\n%s", what, r.code, r.out)
		}
		if _, err := os.Stat(filepath.Join(dir, "champion.json")); err == nil {
			var before immutable
			before.check(t, what, dir)
		}
		remount(t, disk, "size=100m")
		must(t, append([]string{"run", "--dir", dir}, settings...)...)
		same(t, what, dir)
	}
	t.Logf("%d sizes too small", stops)
	if stops < 5 {
		t.Errorf("only %d sizes were too small", stops)
	}
}

// TestNoPermission: a run that may not write stops with one line before anything happens, and goes on when it may. Permissions mean nothing to root, who
// gets a file system mounted for reading only instead.
func TestNoPermission(t *testing.T) {
	unbrokenRun(t)
	disk, mounted := mount(t, 100_000)
	dir := filepath.Join(disk, "run")
	forbid := func() { remount(t, disk, "ro") }
	allow := func() { remount(t, disk, "rw") }
	if !mounted {
		if os.Geteuid() == 0 {
			t.Log("root without the right to mount: TestEveryOperationFails stands alone")
			return
		}
		set := func(mode fs.FileMode) func() {
			return func() {
				for _, d := range []string{dir, filepath.Join(dir, "games")} {
					if err := os.Chmod(d, mode); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		forbid, allow = set(0o500), set(0o755)
	}
	start(t, dir)
	must(t, "selfplay", "--dir", dir, "--workers", "2")
	before := fingerprint(t, dir)
	forbid()
	r := command(t, 0, "run", "--dir", dir, "--workers", "2")
	allow()
	if r.code == 0 || strings.Count(strings.TrimSpace(r.out), "\n") > 0 || !strings.Contains(r.out, dir) {
		t.Errorf("exit code %d:\n%s", r.code, r.out)
	}
	if d := fingerprint(t, dir).Differences(before); len(d) > 0 {
		t.Errorf("changed: %v", d)
	}
	must(t, "run", "--dir", dir, "--workers", "2")
	same(t, "without permission for a while", dir)
}

// TestSecondWriter: while a process works in a folder another is refused with one line and exit code 2, and changes nothing; when the first is
// killed the folder is free.
func TestSecondWriter(t *testing.T) {
	dir := fastDir(t)
	start(t, dir)
	first, err := train.Open(train.Folder(dir), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"run"}, {"selfplay"}, {"run", "--set", "gate.pairs=5"}} {
		r := command(t, 0, append(args, "--dir", dir)...)
		if r.code != 2 || !strings.Contains(r.out, "in use by another process") || strings.Count(strings.TrimSpace(r.out), "\n") > 0 {
			t.Errorf("%v: exit code %d:\n%s", args, r.code, r.out)
		}
	}
	if s, err := train.Folder(dir).ReadStatus(); err != nil || !s.Busy {
		t.Errorf("status %+v, %v", s, err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	// Two at once: one of them does all the work, or they take turns.
	done := make(chan result, 2)
	for range 2 {
		go func() {
			var out strings.Builder
			c := exec.Command(program, "run", "--dir", dir, "--workers", "2")
			c.Stdout, c.Stderr = &out, &out
			_ = c.Run() // the exit code tells
			done <- result{out: out.String(), code: c.ProcessState.ExitCode()}
		}()
	}
	for range 2 {
		if r := <-done; r.code != 0 && (r.code != 2 || !strings.Contains(r.out, "in use")) {
			t.Errorf("exit code %d:\n%s", r.code, r.out)
		}
	}
	must(t, "run", "--dir", dir, "--workers", "2")
	same(t, "two writers", dir)
}

// TestMovedClock: files whose times lie in the past and in the future change nothing. That the clock may jump while a run is at work is
// train.TestClockMoves.
func TestMovedClock(t *testing.T) {
	random := newRandom(6)
	dir := midway(t, true)
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		when := time.Unix(random.Int64N(4102444800), 0) // up to the year 2100
		return os.Chtimes(path, when, when)
	})
	if err != nil {
		t.Fatal(err)
	}
	must(t, "run", "--dir", dir, "--workers", "2")
	same(t, "files of other times", dir)
}

// sizeSteps returns by which part of itself the size of a disk grows from one try to the next.
func sizeSteps() int {
	if *all {
		return 8
	}
	return 3
}
