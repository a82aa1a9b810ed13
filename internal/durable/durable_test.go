package durable

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// onlyFile checks that the folder holds the named file and no leftovers.
func onlyFile(t *testing.T, dir, name string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 1 || list[0].Name() != name {
		t.Fatalf("folder holds %v, want only %s", list, name)
	}
}

func TestWriteFileReplaces(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	for _, want := range []string{"first", "", "a longer second"} {
		if err := WriteFile(path, []byte(want)); err != nil {
			t.Fatal(err)
		}
		if got := read(t, path); got != want {
			t.Fatalf("got %q, want %q", got, want)
		}
		onlyFile(t, dir, "a")
	}
}

func TestWriteFileHasTheUsualPermissions(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // permissions mean nothing there
	}
	dir := t.TempDir()
	ours, plain := filepath.Join(dir, "ours"), filepath.Join(dir, "plain")
	if err := errors.Join(WriteFile(ours, nil), os.WriteFile(plain, nil, filePerm)); err != nil {
		t.Fatal(err)
	}
	if got, want := mode(t, ours), mode(t, plain); got != want {
		t.Errorf("mode %v, want that of a file written plainly, %v", got, want)
	}
}

func mode(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode()
}

func TestFailedWriteKeepsTheOldFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	if err := WriteFile(path, []byte("old")); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	err := Write(path, func(w io.Writer) error {
		fmt.Fprint(w, "half of the n")
		return broken
	})
	if !errors.Is(err, broken) {
		t.Fatalf("got %v, want the function's error", err)
	}
	if got := read(t, path); got != "old" {
		t.Fatalf("got %q, want the old content", got)
	}
	onlyFile(t, dir, "a")
}

func TestMissingFolder(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "no", "such", "a")
	if err := WriteFile(path, nil); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("got %v, want fs.ErrNotExist", err)
	}
	for range 2 { // the second time everything is there
		if err := MkdirAll(filepath.Dir(path)); err != nil {
			t.Fatal(err)
		}
	}
	if err := WriteFile(path, []byte("x")); err != nil {
		t.Fatal(err)
	}
	if err := MkdirAll(path); err == nil {
		t.Fatal("MkdirAll made a folder where a file is")
	}
	if got := read(t, path); got != "x" {
		t.Fatalf("got %q", got)
	}
}

func TestRenameAndRemove(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "sub", "b")
	if err := errors.Join(WriteFile(a, []byte("x")), MkdirAll(filepath.Dir(b)), Rename(a, b)); err != nil {
		t.Fatal(err)
	}
	if got := read(t, b); got != "x" {
		t.Fatalf("got %q", got)
	}
	if err := errors.Join(Remove(b), Remove(filepath.Dir(b))); err != nil {
		t.Fatal(err)
	}
	if err := Remove(a); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("got %v, want fs.ErrNotExist", err)
	}
}

// TestWritable: what Write would refuse is told, and nothing is made.
func TestWritable(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	if err := WriteFile(path, []byte("x")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, path string
		ok         bool
	}{
		{"a file", path, true},
		{"no file", filepath.Join(dir, "b"), true},
		{"a folder", dir, false},
		{"in no folder", filepath.Join(dir, "no", "b"), false},
		{"in a file", filepath.Join(path, "b"), false},
	} {
		if err := Writable(c.path); (err == nil) != c.ok || !c.ok && !strings.Contains(err.Error(), c.path+": ") {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	onlyFile(t, dir, "a")
	if got := read(t, path); got != "x" {
		t.Errorf("got %q", got)
	}
}
