//go:build !windows

package durable

import (
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"
)

// replace writes the content to a temporary file beside path, syncs it and renames it to path.
func replace(path string, content func(io.Writer) error) error {
	// The temporary file must be in the same folder: $TMPDIR may be another file system, and leftovers belong where they are seen.
	f, err := renameio.NewPendingFile(path, renameio.WithPermissions(filePerm), renameio.WithTempDir(filepath.Dir(path)))
	if err != nil {
		return err
	}
	if err := content(f); err != nil {
		return errors.Join(err, f.Cleanup())
	}
	if err := f.CloseAtomicallyReplace(); err != nil {
		return errors.Join(err, f.Cleanup())
	}
	return nil
}

// SyncDir makes the names in the folder durable: files created, renamed or removed in it.
func SyncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
