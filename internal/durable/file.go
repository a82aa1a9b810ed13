package durable

import (
	"io"
	"os"
)

// File is a file that is written in place, as journals and open shards are.
type File struct{ *os.File }

// OpenFile opens a file as os.OpenFile does.
func OpenFile(path string, flag int) (*File, error) {
	if err := check(OpOpen, path); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, flag, filePerm)
	if err != nil {
		return nil, err
	}
	return &File{f}, nil
}

// Write writes at the file's offset.
func (f *File) Write(p []byte) (int, error) { return checkedWriter{f.File, f.Name()}.Write(p) }

// WriteAt writes at the offset given.
func (f *File) WriteAt(p []byte, at int64) (int, error) {
	return checkedWriter{io.NewOffsetWriter(f.File, at), f.Name()}.Write(p)
}

// Truncate changes the size of the file.
func (f *File) Truncate(size int64) error {
	if err := check(OpCut, f.Name()); err != nil {
		return err
	}
	return f.File.Truncate(size)
}

// Sync makes the content durable.
func (f *File) Sync() error {
	if err := check(OpSync, f.Name()); err != nil {
		return err
	}
	return f.File.Sync()
}

// checkedWriter asks before each write; one that fails has written half.
type checkedWriter struct {
	io.Writer
	path string
}

func (w checkedWriter) Write(p []byte) (int, error) {
	if err := check(OpWrite, w.path); err != nil {
		n, _ := w.Writer.Write(p[:len(p)/2])
		return n, err
	}
	return w.Writer.Write(p)
}
