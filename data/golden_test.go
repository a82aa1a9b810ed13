package data

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write the golden shard anew, which only a new version of the format may do")

// TestGolden: a shard written by version 1 is read for ever, and says what it said then. Its games stand in a file of JSON lines beside it.
func TestGolden(t *testing.T) {
	shard := filepath.Join("testdata", "golden", "00000001.rgz")
	lines := filepath.Join("testdata", "golden", "00000001.jsonl")
	games := testGames(110, board5, 8)
	if *update {
		if err := os.Remove(shard); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		writeShard(t, shard, testHeader(board5), games, 5)
	}
	var got bytes.Buffer
	if _, err := ExportJSON(&got, []string{shard}); err != nil {
		t.Fatal(err)
	}
	if *update {
		writeFile(t, lines, got.Bytes())
	}
	if !bytes.Equal(got.Bytes(), readFile(t, lines)) {
		t.Errorf("%s does not say what %s says", shard, lines)
	}
}
