package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"rampart/arena"
	"rampart/data"
	"rampart/internal/durable"
	"rampart/play"
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
		"match racer random --records missing/games.rgz",
		"match racer random --board 5x5 --walls 2 --pairs 1 --ply-cap 5001",
		"ladder racer random --board 5x5 --walls 2 --pairs 1 --ply-cap 99999999999",
		"match racer random --ply-cap 4097 --records games.rgz",
		"match perfect:memory=1 racer --pairs 1",
		"match racer random --no-such-flag",
		"match racer random --board 5x5 --walls 2 --pairs 1 --workers 1025",
		"ladder racer random --board 5x5 --walls 2 --pairs 1 --workers 1025",
		"ladder racer",
		"ladder racer racer",
		"ladder racer random --bootstrap -1",
		"ladder racer random --bootstrap 0 --board 5x5 --walls 2 --pairs 1",
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

// TestPlyCaps: a match that is saved as text can be played on in every front end.
func TestPlyCaps(t *testing.T) {
	if arena.MostPlyCap != play.MostNodes {
		t.Errorf("matches take ply caps up to %d, games up to %d", arena.MostPlyCap, play.MostNodes)
	}
}

// TestFailedMatchFiles: after a failure there is no file without games, and what is said of the others is true.
func TestFailedMatchFiles(t *testing.T) {
	const (
		save    = " --save DIR/games.txt"
		records = " --records DIR/games.rgz"
		match   = "match racer random --board 5x5 --walls 3 --pairs 40"
		ladder  = "ladder racer random --board 5x5 --walls 3 --pairs 40"
	)
	for _, c := range []struct {
		name, line string
		file       string // whose disk is full
		writes     int    // that it still takes
		want       string // of the message, after the reason
		code       int
		left       map[string]int // games by file
	}{
		{"no start", "match perfect:memory=1 racer --pairs 1" + save + records, "", 0, "", exitBadInput, nil},
		{"no start of a ladder", "ladder perfect:memory=1 racer --pairs 1" + save, "", 0, "", exitBadInput, nil},
		{"text, first game", match + save, "games.txt", 0, " (the disk is full)", exitFailure, nil},
		{"text, first game of a ladder", ladder + save, "games.txt", 0, " (the disk is full)", exitFailure, nil},
		{
			"text, third game", match + save, "games.txt", 2,
			"; DIR/games.txt holds 2 game(s): give another name or remove it to start again (the disk is full)", exitFailure,
			map[string]int{"games.txt": 2},
		},
		{"records, header", match + records, "games.rgz.open", 0, " (the disk is full)", exitFailure, nil},
		{"records, first block", match + records, "games.rgz.open", 1, " (the disk is full)", exitFailure, nil},
		{
			"records, second block", match + records, "games.rgz.open", 2,
			"; DIR/games.rgz.open holds 64 game(s): give another name or remove it to start again (the disk is full)", exitFailure,
			map[string]int{"games.rgz.open": 64},
		},
		{
			"records beside a text", match + save + records, "games.rgz.open", 0,
			"; DIR/games.txt holds 1 game(s): give another name or remove it to start again (the disk is full)", exitFailure,
			map[string]int{"games.txt": 1},
		},
	} {
		dir := t.TempDir()
		writes := 0
		restore := durable.SetFault(func(op durable.Op, path string) error {
			if op != durable.OpWrite || path != filepath.Join(dir, c.file) {
				return nil
			}
			if writes++; writes <= c.writes {
				return nil
			}
			return &fs.PathError{Op: "write", Path: path, Err: syscall.ENOSPC}
		})
		root := newRootCommand()
		root.SetArgs(strings.Fields(strings.ReplaceAll(c.line, "DIR", dir)))
		root.SetOut(io.Discard)
		root.SetErr(io.Discard)
		err := root.ExecuteContext(t.Context())
		restore()
		want := strings.ReplaceAll(c.want, "DIR", dir)
		if c.code == exitFailure {
			want = syscall.ENOSPC.Error() + want
		}
		if err == nil || exitCode(err) != c.code || !strings.HasSuffix(explain(err), want) {
			t.Errorf("%s: exit code %d, %v", c.name, exitCode(err), explain(err))
		}
		if got := gamesIn(t, dir); fmt.Sprint(got) != fmt.Sprint(c.left) {
			t.Errorf("%s: games left %v, want %v", c.name, got, c.left)
		}
	}
}

// gamesIn returns the number of games in each file of the folder.
func gamesIn(t *testing.T, dir string) map[string]int {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	games := map[string]int{}
	for _, entry := range list {
		path := filepath.Join(dir, entry.Name())
		if filepath.Ext(path) != ".txt" {
			err = data.Visit(path, func(*data.Header, *data.Game) error { games[entry.Name()]++; return nil })
		} else {
			var content []byte
			if content, err = os.ReadFile(path); err == nil {
				var all []*arena.Game
				all, err = arena.ReadGames(bytes.NewReader(content))
				games[entry.Name()] = len(all)
			}
		}
		if err != nil {
			t.Errorf("%s: %v", entry.Name(), err)
		}
	}
	return games
}

// TestStoppedMatchFiles: a match that is interrupted says what it leaves, and one that has not begun leaves nothing.
func TestStoppedMatchFiles(t *testing.T) {
	dir := t.TempDir()
	ctx, stop := context.WithCancel(t.Context())
	stop()
	root := newRootCommand()
	root.SetArgs([]string{"match", "racer", "random", "--save", filepath.Join(dir, "games.txt"), "--records", filepath.Join(dir, "games.rgz")})
	root.SetOut(io.Discard)
	root.SetErr(io.Discard)
	err := root.ExecuteContext(ctx)
	if err == nil || explain(err) != "stopped; the result holds the pairs that were finished" || len(gamesIn(t, dir)) != 0 {
		t.Errorf("%v, files %v", err, gamesIn(t, dir))
	}
}
