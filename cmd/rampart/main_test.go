package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"rampart": main})
}

// TestScripts runs the command lines in testdata/script.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata/script"})
}

// TestCheckedWriter: the first error of the output is kept, so that a full disk does not pass for success.
func TestCheckedWriter(t *testing.T) {
	full := errors.New("no space left on device")
	var out bytes.Buffer
	w := &checkedWriter{w: &out}
	if fmt.Fprint(w, "text"); w.err != nil || out.String() != "text" {
		t.Errorf("%q, %v", out.String(), w.err)
	}
	w.w = failing{full}
	fmt.Fprint(w, "more")
	if w.w = io.Discard; !errors.Is(w.err, full) {
		t.Errorf("error %v", w.err)
	}
	if fmt.Fprint(w, "later"); !errors.Is(w.err, full) {
		t.Errorf("error %v after another write", w.err)
	}
}

// TestEmptyValues: a flag with an empty text, such as an unset variable gives, is refused and not taken for one that was not given.
func TestEmptyValues(t *testing.T) {
	for _, args := range [][]string{
		{"run", "--dir", ""},
		{"run", "--status="},
		{"run", "--set", ""},
		{"selfplay", "--config", ""},
		{"serve", "--listen", ""},
		{"serve", "--token", ""},
		{"serve", "--run", "a", "--run", ""},
		{"analyze", "--position", ""},
		{"analyze", "--game", ""},
		{"play", "--position", ""},
		{"play", "--against", ""},
		{"perft", "--position", ""},
		{"match", "random", "random", "--save", ""},
		{"solve", "3x3", "--checkpoint", ""},
		{"data", "export", "a", "-o", ""},
		{"model", "publish", "a", "--out", ""},
		{"bench", "nn", "--net", ""},
		{"version", "--ort-library", ""},
	} {
		root := newRootCommand()
		root.SetArgs(args)
		if err := root.Execute(); err == nil || exitCode(err) != exitBadInput || !strings.Contains(err.Error(), "is empty") {
			t.Errorf("%q: error %v", args, err)
		}
	}
}

// TestExitCodes: what the caller did wrong gives 2, anything else 1.
func TestExitCodes(t *testing.T) {
	for _, c := range []struct {
		args []string
		want int
	}{
		{[]string{"nonsense"}, exitBadInput},
		{[]string{"data", "nonsense"}, exitBadInput},
		{[]string{"bench", "nonsense"}, exitBadInput},
		{[]string{"moves", "nonsense"}, exitBadInput},
		{[]string{"moves", "--nonsense"}, exitBadInput},
		{[]string{"match", "random"}, exitBadInput},
		{[]string{"play", "--model", "nonsense"}, exitBadInput},
		{[]string{"run", "--status", t.TempDir()}, exitBadInput},
	} {
		root := newRootCommand()
		root.SetArgs(c.args)
		if err := root.Execute(); err == nil || exitCode(err) != c.want {
			t.Errorf("%q: error %v, exit code %d, want %d", c.args, err, exitCode(err), c.want)
		}
	}
	full := badInput(&fs.PathError{Op: "write", Path: "a", Err: syscall.ENOSPC})
	if exitCode(full) != exitFailure || !strings.Contains(explain(errors.Join(full, errors.New("more"))), "a: no space left on device; more (the disk is full") {
		t.Errorf("a full disk gives exit code %d and %q", exitCode(full), explain(full))
	}
	if exitCode(errors.New("disk")) != exitFailure {
		t.Error("a failure is not told from bad input")
	}
}

// TestFlagFailures: a value that a flag cannot take is told in one line without the names of Go's functions.
func TestFlagFailures(t *testing.T) {
	for line, want := range map[string]string{
		"match racer random --seed -1":                    `invalid argument "-1" for "--seed" flag: not a whole number of 0 or more (see "rampart match --help")`,
		"match racer random --pairs few":                  `invalid argument "few" for "--pairs" flag: not a whole number (see "rampart match --help")`,
		"match racer random --pairs 99999999999999999999": `invalid argument "99999999999999999999" for "--pairs" flag: out of range (see "rampart match --help")`,
		"match racer random --repetition=perhaps":         `invalid argument "perhaps" for "--repetition" flag: not true or false (see "rampart match --help")`,
		"bench nn --batch 1,x":                            `invalid argument "1,x" for "--batch" flag: not a whole number (see "rampart bench nn --help")`,
		"bench nn --time soon":                            `invalid argument "soon" for "--time" flag: invalid duration "soon" (see "rampart bench nn --help")`,
	} {
		root := newRootCommand()
		root.SetArgs(strings.Fields(line))
		if err := root.ExecuteContext(t.Context()); err == nil || exitCode(err) != exitBadInput || err.Error() != want {
			t.Errorf("%s: %v, want %s", line, err, want)
		}
	}
}

// TestInterrupts: commands that measure or count end when they are interrupted, with exit code 1 and a word that is not Go's.
func TestInterrupts(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	for _, line := range []string{
		"perft --depth 30",
		"perft --depth 30 --divide",
		"perft --depth 30 --hash 1",
		"bench rules --time 1h --depth 30",
		"bench nn --net 16x1 --board 5x5 --walls 2 --time 1h",
		"bench search --net 16x1 --board 5x5 --walls 2 --time 1h",
		"bench selfplay --model 5x5-2 --games 1000000",
		"bench train --net 16x1 --board 5x5 --walls 2 --time 1h",
		"model check 5x5-2 --positions 100000",
		"model sizes --board 5x5 --walls 2 --measure 1m",
	} {
		root := newRootCommand()
		root.SetArgs(strings.Fields(line))
		root.SetOut(io.Discard)
		if err := root.ExecuteContext(ctx); err == nil || exitCode(err) != exitFailure || explain(err) != "stopped" {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// failing is a writer that always fails.
type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
