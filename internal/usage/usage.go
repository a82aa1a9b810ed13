// Package usage measures what a process and its folder take: memory, files, goroutines, disk.
package usage

import (
	"errors"
	"io/fs"
	"path/filepath"
	"runtime"
	"runtime/metrics"
)

// Usage is a measurement. What the system does not tell is -1.
type Usage struct {
	Resident   int64 `json:"resident"` // bytes of memory of the process
	Heap       int64 `json:"heap"`     // bytes of Go objects
	Goroutines int   `json:"goroutines"`
	OpenFiles  int   `json:"open_files"`
	Folder     int64 `json:"folder"` // bytes of the files in the folder
	Files      int   `json:"files"`  // in the folder
	Free       int64 `json:"free"`   // bytes that may still be written to the folder's disk
}

// Measure measures this process and the folder.
func Measure(folder string) Usage {
	u := Usage{Resident: resident(), Heap: heap(), Goroutines: runtime.NumGoroutine(), OpenFiles: openFiles(), Free: Free(folder)}
	u.Folder, u.Files = Size(folder)
	return u
}

// Size returns the bytes and the number of the files in a folder and those below it. Files that go away meanwhile, or may not be read, are left out.
func Size(folder string) (bytes int64, files int) {
	_ = filepath.WalkDir(folder, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		if info, err := d.Info(); err == nil {
			bytes += info.Size()
			files++
		}
		return nil
	})
	return bytes, files
}

// Free returns the bytes that this user may still write to the disk that the path is on, or -1. A path that does not exist yet is on the disk
// of the folder that it will be in.
func Free(path string) int64 {
	for {
		n, err := free(path)
		if err == nil {
			return n
		}
		parent := filepath.Dir(path)
		if !errors.Is(err, fs.ErrNotExist) || parent == path {
			return -1
		}
		path = parent
	}
}

func heap() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return -1
	}
	return int64(sample[0].Value.Uint64())
}
