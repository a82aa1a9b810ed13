package durable

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Errors of reading.
var (
	// ErrTooLarge is returned for a file that has more bytes than its reader allows.
	ErrTooLarge = errors.New("file too large")
	// ErrNotRegular is returned for what is no regular file: a folder, a device, a pipe.
	ErrNotRegular = errors.New("not a regular file")
)

// Open opens a regular file, or a link to one, for reading. Others are refused with [ErrNotRegular] before they are opened: a pipe would keep its
// reader waiting, a device may have no end.
func Open(path string) (*os.File, fs.FileInfo, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, &fs.PathError{Op: "open", Path: path, Err: ErrNotRegular}
	}
	f, err := os.Open(path)
	return f, info, err
}

// ReadFile reads a regular file of at most limit bytes. A larger one is refused with [ErrTooLarge] before it is read.
func ReadFile(path string, limit int64) ([]byte, error) {
	f, info, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info.Size() > limit {
		return nil, &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("%w: %d bytes, at most %d", ErrTooLarge, info.Size(), limit)}
	}
	return ReadAll(f, path, limit)
}

// ReadAll reads to the end of r, or to limit: more bytes are refused with [ErrTooLarge]. The name stands in that error.
func ReadAll(r io.Reader, name string, limit int64) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(b)) > limit {
		return nil, &fs.PathError{Op: "read", Path: name, Err: fmt.Errorf("%w: more than %d bytes", ErrTooLarge, limit)}
	}
	return b, err
}
