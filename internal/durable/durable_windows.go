package durable

import (
	"errors"
	"io"
	"os"
	"path/filepath"
)

// replace writes the content to a temporary file beside path, syncs it and renames it to path.
func replace(path string, content func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"*")
	if err != nil {
		return err
	}
	err = content(f)
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// SyncDir does nothing: Windows has no way to sync a folder, and its file systems journal names by themselves.
func SyncDir(string) error { return nil }
