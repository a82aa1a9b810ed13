package main

import (
	"io"
	"strings"
	"testing"
)

// TestMatchExitCodes runs commands that must end with exit code 2 and one line.
func TestMatchExitCodes(t *testing.T) {
	for _, line := range []string{
		"match racer",
		"match racer nobody",
		"match racer alphabeta:depth=99",
		"match racer random --pairs 0",
		"match racer random --sprt 5,1",
		"match racer random --openings missing.txt",
		"match racer random --save missing/games.txt",
		"match perfect:memory=1 racer --pairs 1",
		"match racer random --no-such-flag",
		"ladder racer",
		"ladder racer racer",
		"ladder racer random --bootstrap -1",
	} {
		root := newRootCommand()
		root.SetArgs(strings.Fields(line))
		root.SetOut(io.Discard)
		root.SetErr(io.Discard)
		err := root.ExecuteContext(t.Context())
		if err == nil || exitCode(err) != exitBadInput || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", line, err)
		}
	}
}
