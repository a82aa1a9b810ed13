package train

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

// childEnv makes the test binary run the loop in a folder and print its progress, to be killed by its parent. After childLines lines, if that is
// given, it waits for the kill, however late its parent reads them.
const (
	childEnv   = "RAMPART_TRAIN_TEST_CHILD"
	childLines = "RAMPART_TRAIN_TEST_LINES"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(childEnv); dir != "" {
		runChild(dir)
		return
	}
	goleak.VerifyTestMain(m)
}

func runChild(dir string) {
	c := tinyConfig()
	left, _ := strconv.Atoi(os.Getenv(childLines)) // 0 for no end
	say := func(words ...any) {
		fmt.Println(words...)
		if left--; left == 0 {
			_, _ = io.Copy(io.Discard, os.Stdin) // ends if the parent does
			os.Exit(1)
		}
	}
	r, err := Open(Folder(dir), &c)
	if err == nil {
		r.Observer.Progress = func(p Progress) { say(p.Stage, p.Generation, p.Done) }
		r.Observer.Event = func(string) { say("event") }
		err = errors.Join(r.Loop(context.Background()), r.Close())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("finished")
}

// TestKilledRun kills -9 the process of a run at ten random moments, counted in lines of progress, and resumes it each time: the games
// on disk verify, and the run ends as one that was never killed.
func TestKilledRun(t *testing.T) {
	unbroken, killed := t.TempDir(), t.TempDir()
	loop(t, unbroken, 2)
	random := rand.New(rand.NewPCG(6, 6))
	kills := 0
	for finished := false; !finished; {
		after := 1 + random.IntN(90)
		if kills >= 10 {
			after = 1 << 30
		}
		finished = runAndKill(t, killed, after)
		if !finished {
			kills++
		}
	}
	if kills < 10 {
		t.Errorf("only %d kills", kills)
	}
	compare(t, fingerprint(t, killed), fingerprint(t, unbroken))
	verifyShards(t, killed, 3, 140)
}

// runAndKill runs the loop in a process of its own and kills it after some lines of progress, anywhere in the next few. It tells whether the run
// finished first.
func runAndKill(t *testing.T, dir string, lines int) bool {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childEnv+"="+dir)
	if lines < 1<<30 {
		child.Env = append(child.Env, fmt.Sprintf("%s=%d", childLines, lines+8)) // ten times that is less than the run has
	}
	if _, err := child.StdinPipe(); err != nil { // open until the child is gone
		t.Fatal(err)
	}
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var complaints strings.Builder
	child.Stderr = &complaints
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	scanner := bufio.NewScanner(out)
	finished := false
	for n := 0; n < lines && scanner.Scan(); n++ {
		finished = finished || scanner.Text() == "finished"
	}
	if !finished {
		_ = child.Process.Kill() // an error means that it is gone already, which Wait tells
	}
	err = child.Wait()
	if finished != (err == nil) || complaints.Len() > 0 {
		t.Fatalf("finished %v, %v: %s", finished, err, complaints.String())
	}
	return finished
}
