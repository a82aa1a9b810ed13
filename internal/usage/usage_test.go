package usage

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestMeasure(t *testing.T) {
	dir := t.TempDir()
	for i, name := range []string{"a", "b"} {
		if err := os.WriteFile(filepath.Join(dir, name), make([]byte, 100+i), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	u := Measure(dir)
	if u.Folder != 201 || u.Files != 2 || u.Goroutines < 1 || u.Heap <= 0 {
		t.Errorf("%+v", u)
	}
	if runtime.GOOS == "linux" && (u.Resident < u.Heap || u.Free <= 0 || u.OpenFiles < 3) {
		t.Errorf("%+v", u)
	}
	if there, coming := Free(dir), Free(filepath.Join(dir, "not", "yet")); there >= 0 && coming < 0 {
		t.Errorf("free %d, for a folder that will be made %d", there, coming)
	}
}

// TestOpenFiles: a file that is opened counts until it is closed.
func TestOpenFiles(t *testing.T) {
	before := openFiles()
	f, err := os.Create(filepath.Join(t.TempDir(), "a"))
	if err != nil {
		t.Fatal(err)
	}
	if n := openFiles(); before >= 0 && n != before+1 {
		t.Errorf("%d open files, %d before", n, before)
	}
	f.Close()
	if n := openFiles(); n != before {
		t.Errorf("%d open files after, %d before", n, before)
	}
}
