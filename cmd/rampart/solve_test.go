package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"rampart/solver"
)

// TestSolveFailure: what is said of a checkpoint is true.
func TestSolveFailure(t *testing.T) {
	dir := t.TempDir()
	old, none := filepath.Join(dir, "old"), filepath.Join(dir, "none")
	if err := os.WriteFile(old, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	stopped := fmt.Errorf("5x5 c1 c5 - 2,2 0: %w", context.Canceled)
	saved := fmt.Errorf("%w: %w", solver.ErrSaved, stopped)
	full := errors.Join(stopped, &solver.SaveError{Err: &os.PathError{Op: "write", Path: none, Err: syscall.ENOSPC}})
	for _, c := range []struct {
		name       string
		err        error
		checkpoint string
		want       string
		code       int
	}{
		{"saved", saved, old, "stopped; the work so far is in " + old + ", the same command goes on from there", exitFailure},
		{"without a checkpoint", stopped, "", "stopped (--checkpoint FILE would have kept the work)", exitFailure},
		{"before the first", stopped, none, "stopped; nothing was saved in " + none, exitFailure},
		{"before another", stopped, old, "stopped; nothing new was saved, " + old + " is as it was", exitFailure},
		{
			"full disk", full, none,
			"stopped; write checkpoint: write " + none + ": no space left on device; nothing was saved in " + none + " (the disk is full)", exitFailure,
		},
		{"bad checkpoint", solver.ErrCheckpoint, old, "bad checkpoint", exitBadInput},
	} {
		err := solveFailure(c.err, c.checkpoint)
		if explain(err) != c.want || exitCode(err) != c.code {
			t.Errorf("%s: %q, exit code %d", c.name, explain(err), exitCode(err))
		}
	}
}

// TestSolveExitCodes runs commands that must be refused at their start with exit code 2 and one line.
func TestSolveExitCodes(t *testing.T) {
	dir := t.TempDir()
	for _, line := range []string{
		"solve 3x3 --walls 1 --workers -1",
		"solve 3x3 --walls 1 --workers 1025",
		"solve 3x3 --walls 1 --search --workers 1025",
		"solve --table --workers 1025",
		"solve --table --checkpoint work",
		"solve 3x3 --walls 1 --checkpoint " + dir,
		"solve 3x3 --walls 1 --checkpoint " + filepath.Join(dir, "no", "file"),
		"solve 3x3 --walls 1 --search --checkpoint " + filepath.Join(dir, "no", "file"),
	} {
		root := newRootCommand()
		root.SetArgs(append(strings.Fields(line), "--quiet"))
		err := root.ExecuteContext(t.Context())
		if err == nil || exitCode(err) != exitBadInput || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", line, err)
		}
	}
}
