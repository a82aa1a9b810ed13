package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReadFile: a file is read up to its limit; what is larger, endless or no file is refused with its name.
func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "text")
	if err := os.WriteFile(path, []byte("12345678"), 0o644); err != nil {
		t.Fatal(err)
	}
	sparse := filepath.Join(dir, "sparse")
	if err := errors.Join(os.WriteFile(sparse, nil, 0o644), os.Truncate(sparse, 40<<30)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path  string
		limit int64
		want  error
	}{
		{path, 8, nil},
		{path, 9, nil},
		{path, 7, ErrTooLarge},
		{sparse, 1 << 20, ErrTooLarge},
		{dir, 8, ErrNotRegular},
		{os.DevNull, 8, ErrNotRegular},
		{filepath.Join(dir, "none"), 8, fs.ErrNotExist},
	} {
		text, err := ReadFile(c.path, c.limit)
		if !errors.Is(err, c.want) || err == nil && string(text) != "12345678" || err != nil && !strings.Contains(err.Error(), c.path) {
			t.Errorf("%s with limit %d: %q, error %v, want %v", c.path, c.limit, text, err, c.want)
		}
	}
}

// endless never ends.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

func TestReadAllStopsAtItsLimit(t *testing.T) {
	if b, err := ReadAll(endless{}, "zero", 1<<16); !errors.Is(err, ErrTooLarge) || b != nil || !strings.Contains(err.Error(), "zero: file too large: more than 65536 bytes") {
		t.Errorf("%d bytes, error %v", len(b), err)
	}
}
