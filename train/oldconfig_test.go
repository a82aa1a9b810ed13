package train

import (
	"os"
	"path/filepath"
	"testing"

	"rampart/selfplay"
)

// A run.toml from before many settings existed is read, and what it does not name is as it was then: off.
func TestReadsOldSettings(t *testing.T) {
	text, err := os.ReadFile("testdata/run-before-origin.toml")
	if err != nil {
		t.Fatal(err)
	}
	folder := Folder(t.TempDir())
	if err := os.WriteFile(filepath.Join(string(folder), "run.toml"), text, 0o666); err != nil {
		t.Fatal(err)
	}
	c, err := folder.ReadConfig()
	if err != nil {
		t.Fatal(err)
	}
	if c.Games != 400 || c.FinalSims != 96 || c.Gate.MinPairs != 10 {
		t.Errorf("what the file says: %+v", c)
	}
	play, now := c.SelfPlay, selfplay.DefaultConfig()
	play.Search = now.Search
	play.PlyCap = now.PlyCap
	if play != now || play.FullShare != 1 || play.Race || c.SelfPlay.Search.Prove || play.Surprise != 0 {
		t.Errorf("what it does not say: %+v", play)
	}
}
