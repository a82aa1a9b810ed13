// Package durable writes files so that a kill or a power cut leaves either the old content or the new, never a part.
//
// [WriteFile] and [Write] put the content into a temporary file in the same folder, sync it, rename it over the target and sync
// the folder. [Rename], [Remove] and [MkdirAll] are their counterparts in package os followed by a sync of the folders that they
// change. [File] is for files that grow in place, [Writable] tells beforehand what cannot be written, [Sweep] removes the temporary files that a kill left. When a function has returned nil its effect survives a power cut, as far as the disk keeps its word; on Windows, where
// folders cannot be synced, that holds for the content of files only.
//
// Errors name the path and wrap what the operating system said, so that errors.Is finds fs.ErrPermission or syscall.ENOSPC.
package durable

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// filePerm and dirPerm are the permissions of what is created here, before umask.
const (
	filePerm = 0o644
	dirPerm  = 0o755
)

// WriteFile replaces the content of the file at path, which need not exist, by data.
func WriteFile(path string, data []byte) error {
	return Write(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// Write replaces the content of the file at path, which need not exist, by what the function writes. If the function returns an
// error, so does Write, and the file is left as it was.
func Write(path string, content func(io.Writer) error) error {
	if err := check(OpOpen, path); err != nil {
		return err
	}
	checked := func(w io.Writer) error {
		if err := content(checkedWriter{w, path}); err != nil {
			return err
		}
		if err := check(OpSync, path); err != nil {
			return err
		}
		return check(OpRename, path)
	}
	if err := replace(path, checked); err != nil {
		return err
	}
	return SyncDir(filepath.Dir(path))
}

// Writable returns the reason why [Write] could not replace the file at path, or nil. It leaves nothing behind.
func Writable(path string) error {
	info, err := os.Stat(path)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return &fs.PathError{Op: "write", Path: path, Err: errors.New("not a file that can be replaced")}
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if err := check(OpOpen, path); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"*")
	if err != nil {
		if failed := new(fs.PathError); errors.As(err, &failed) {
			err = &fs.PathError{Op: "write", Path: path, Err: failed.Err}
		}
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// Rename moves a file, replacing one that has the new name, and syncs the folders concerned.
func Rename(from, to string) error {
	if err := check(OpRename, to); err != nil {
		return err
	}
	if err := os.Rename(from, to); err != nil {
		return err
	}
	if filepath.Dir(from) != filepath.Dir(to) {
		if err := SyncDir(filepath.Dir(from)); err != nil {
			return err
		}
	}
	return SyncDir(filepath.Dir(to))
}

// Remove deletes a file or an empty folder and syncs the folder that it was in.
func Remove(path string) error {
	if err := check(OpRemove, path); err != nil {
		return err
	}
	if err := os.Remove(path); err != nil {
		return err
	}
	return SyncDir(filepath.Dir(path))
}

// MkdirAll makes the folder and those above it that are missing, and syncs each folder that got a new entry.
func MkdirAll(path string) error {
	path = filepath.Clean(path)
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil
	}
	if parent := filepath.Dir(path); parent != path {
		if err := MkdirAll(parent); err != nil {
			return err
		}
	}
	if err := check(OpMkdir, path); err != nil {
		return err
	}
	if err := os.Mkdir(path, dirPerm); err != nil {
		if info, statErr := os.Stat(path); statErr == nil && info.IsDir() {
			return nil // someone else made it meanwhile
		}
		return err
	}
	return SyncDir(filepath.Dir(path))
}
