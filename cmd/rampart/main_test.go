package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
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
	if exitCode(errors.New("disk")) != exitFailure {
		t.Error("a failure is not told from bad input")
	}
}

// failing is a writer that always fails.
type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
