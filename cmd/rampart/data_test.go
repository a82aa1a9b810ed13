package main

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestDataScripts runs the command lines in testdata/data, each beside a shard of eight games, one with a bit changed in its second block, and
// one that is open and was cut off.
func TestDataScripts(t *testing.T) {
	golden, err := os.ReadFile(filepath.Join("..", "..", "data", "testdata", "golden", "00000001.rgz"))
	if err != nil {
		t.Fatal(err)
	}
	damaged := append([]byte(nil), golden...)
	damaged[len(damaged)-600] ^= 1
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "data"),
		Setup: func(e *testscript.Env) error {
			for name, content := range map[string][]byte{
				"run/games/00000001.rgz":      golden,
				"damaged.rgz":                 damaged,
				"torn.rgz.open":               golden[:len(golden)-600],
				"run/games/00000002.rgz.open": golden[:65],
			} {
				path := filepath.Join(e.WorkDir, filepath.FromSlash(name))
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					return err
				}
				if err := os.WriteFile(path, content, 0o644); err != nil {
					return err
				}
			}
			return nil
		},
	})
}

// TestDataExitCodes: bad input is exit code 2, told from a failure.
func TestDataExitCodes(t *testing.T) {
	golden := filepath.Join("..", "..", "data", "testdata", "golden", "00000001.rgz")
	taken := filepath.Join(t.TempDir(), "taken")
	if err := os.WriteFile(taken, []byte("not a shard"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"verify", taken},
		{"verify", taken + ".none"},
		{"show", taken},
		{"show", golden, "--game", "8"},
		{"stats", taken},
		{"recover", golden, "--output", taken},
		{"recover", golden, "--output", filepath.Join(taken, "below", "a.rgz")},
		{"merge", taken, "--output", taken + ".rgz"},
		{"export", golden, "--format", "none"},
		{"export", golden, "--output", filepath.Join(t.TempDir(), "none", "a.jsonl")},
	} {
		root := newRootCommand()
		root.SetArgs(append([]string{"data"}, args...))
		root.SetOut(io.Discard)
		if err := root.Execute(); err == nil || exitCode(err) != exitBadInput {
			t.Errorf("%v: exit code of %v is not %d", args, err, exitBadInput)
		}
	}
}
