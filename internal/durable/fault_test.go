package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// TestEveryOperationMayFail: whichever operation of a replacement fails, the old content stays and nothing is left over.
func TestEveryOperationMayFail(t *testing.T) {
	for _, op := range []Op{OpOpen, OpWrite, OpSync, OpRename} {
		dir := t.TempDir()
		path := filepath.Join(dir, "a")
		if err := WriteFile(path, []byte("old")); err != nil {
			t.Fatal(err)
		}
		restore := SetFault(func(o Op, p string) error {
			if o == op {
				return &fs.PathError{Op: string(o), Path: p, Err: syscall.ENOSPC}
			}
			return nil
		})
		err := WriteFile(path, []byte("new"))
		restore()
		if !IsFull(err) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: error %v", op, err)
		}
		if got := read(t, path); got != "old" {
			t.Errorf("%s: %q", op, got)
		}
		onlyFile(t, dir, "a")
	}
	if err := WriteFile(filepath.Join(t.TempDir(), "a"), nil); err != nil {
		t.Errorf("the fault stays: %v", err)
	}
}

// TestFileFaults: a write in place that fails has written half of it; the other operations nothing.
func TestFileFaults(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	f, err := OpenFile(path, os.O_RDWR|os.O_CREATE)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Write([]byte("whole ")); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	defer SetFault(func(Op, string) error { return broken })()
	if n, err := f.Write([]byte("half")); n != 2 || !errors.Is(err, broken) {
		t.Errorf("%d, %v", n, err)
	}
	if n, err := f.WriteAt([]byte("W---"), 0); n != 2 || !errors.Is(err, broken) {
		t.Errorf("%d, %v", n, err)
	}
	for _, err := range []error{f.Sync(), f.Truncate(0), Rename(path, path+"b"), Remove(path), MkdirAll(path + "dir")} {
		if !errors.Is(err, broken) {
			t.Errorf("error %v", err)
		}
	}
	if _, err := OpenFile(path, os.O_RDWR); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	if got := read(t, path); got != "W-ole ha" {
		t.Errorf("%q", got)
	}
}

func TestLeftoverOf(t *testing.T) {
	for name, want := range map[string]string{
		".run.toml123": "run.toml", ".00000001.rgz.open77": "00000001.rgz.open", ".champion.json9": "champion.json",
		"run.toml123": "", ".run.toml": "", ".123": "", ".": "", "": "", ".a.12": "", "00000001.rgz": "",
	} {
		if got, ok := LeftoverOf(name); ok != (want != "") || ok && got != want {
			t.Errorf("%q: %q, %v", name, got, ok)
		}
	}
}

// TestSweep removes what is ours, and nothing else.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{".mine1", ".mine22", ".theirs1", "mine", ".mine", ".mine1x"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, ".mine333"), 0o755); err != nil {
		t.Fatal(err)
	}
	swept, err := Sweep(dir, func(target string) bool { return target == "mine" })
	if want := []string{filepath.Join(dir, ".mine1"), filepath.Join(dir, ".mine22")}; err != nil || !slices.Equal(swept, want) {
		t.Errorf("swept %v, %v", swept, err)
	}
	left, _ := os.ReadDir(dir)
	if len(left) != 5 {
		t.Errorf("left: %v", left)
	}
	if swept, err := Sweep(filepath.Join(dir, "none"), nil); err != nil || swept != nil {
		t.Errorf("%v, %v", swept, err)
	}
}
