// Package oracle reads, in tests, data that programs of others have computed: a part in the package's testdata, the whole in the folder
// ../shared/oracle where that stands beside the checkout.
package oracle

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// Files returns the files that match the pattern: those in testdata, of which there must be some, and those of the whole set if it is there.
// The package under test lies directly in the checkout.
func Files(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", pattern))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files testdata/%s (%v)", pattern, err)
	}
	whole, _ := filepath.Glob(filepath.Join("..", "..", "shared", "oracle", pattern)) // the pattern was good above
	if len(whole) == 0 {
		t.Logf("../shared/oracle/%s is not there: testing the part in testdata only", pattern)
	}
	return append(files, whole...)
}

// EachLine decodes every line of a JSON lines file into a fresh T. A file without lines fails the test.
func EachLine[T any](t *testing.T, file string, use func(T)) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	n := 0
	for lines.Scan() {
		var v T
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		use(v)
		n++
	}
	if lines.Err() != nil || n == 0 {
		t.Fatalf("%s: %d lines, %v", file, n, lines.Err())
	}
}
