package faults

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"rampart/data"
	"rampart/train"
)

var (
	kills = flag.Int("faults.kills", 24, "how many times the program is killed, over all stages")
	seed  = flag.Uint64("faults.seed", 1, "chooses the moments and the damage")
	all   = flag.Bool("faults.all", false, "fail every operation on the disk in turn and damage each file in every way, not only a sample")
)

// program is the path of the program under test.
var program string

func TestMain(m *testing.M) {
	flag.Parse()
	dir, err := os.MkdirTemp("", "rampart-faults")
	if err == nil {
		program = filepath.Join(dir, "rampart")
		if runtime.GOOS == "windows" {
			program += ".exe"
		}
		build := exec.Command("go", "build", "-o", program, "rampart/cmd/rampart")
		build.Stderr = os.Stderr
		err = build.Run()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// fastDir returns an empty folder, in memory if the system has such a place: kills and damage are the same there, and syncing is quick.
func fastDir(t *testing.T) string {
	t.Helper()
	const memory = "/dev/shm"
	if info, err := os.Stat(memory); err != nil || !info.IsDir() {
		return t.TempDir()
	}
	dir, err := os.MkdirTemp(memory, "rampart-faults")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

const generations = 4

// settings are those of a run that takes a fraction of a second.
var settings = []string{
	"--board", "3x3", "--walls", "1", "--net", "16x1", "--generations", fmt.Sprint(generations), "--games", "140", "--simulations", "2", "--seed", "7", "--workers", "2",
	"--set", "trainer.min_rows=1", "--set", "trainer.batch=16", "--set", "trainer.samples_per_row=0.5", "--set", "trainer.checkpoints=2",
	// Every candidate passes, so that the tests know which models are champions, whatever the processor's last bits.
	"--set", "gate.mode=winrate", "--set", "gate.min_score=0.001", "--set", "gate.pairs=4", "--set", "gate.min_pairs=2", "--set", "gate.simulations=2", "--set", "gate.opening_plies=2",
	"--set", "yardstick.every=2", "--set", "yardstick.pairs=2", "--set", "yardstick.final_pairs=2", "--set", "yardstick.simulations=2",
	"--set", "yardstick.exact_positions=10", "--set", "final_simulations=0", "--set", "supervisor.min_free=0",
}

// result is how a command ended.
type result struct {
	out    string // standard output and error together
	code   int    // exit code, -1 if it was killed
	killed bool
	took   time.Duration
}

// command runs the program to its end, or kills it after the time if that is not 0.
func command(t *testing.T, kill time.Duration, args ...string) result {
	t.Helper()
	ctx := context.Background()
	if kill > 0 {
		var stop func()
		ctx, stop = context.WithTimeout(ctx, kill)
		defer stop()
	}
	c := exec.CommandContext(ctx, program, args...)
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	began := time.Now()
	err := c.Run()
	r := result{out: out.String(), code: c.ProcessState.ExitCode(), took: time.Since(began)}
	r.killed = r.code < 0
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) && ctx.Err() == nil {
		t.Fatalf("%s: %v", strings.Join(args, " "), err)
	}
	if strings.Contains(r.out, "panic:") || strings.Contains(r.out, "goroutine ") {
		t.Fatalf("%s: the program panicked:\n%s", strings.Join(args, " "), r.out)
	}
	return r
}

// must runs the program, which must succeed, and returns its output.
func must(t *testing.T, args ...string) string {
	t.Helper()
	r := command(t, 0, args...)
	if r.code != 0 {
		t.Fatalf("%s: exit code %d:\n%s", strings.Join(args, " "), r.code, r.out)
	}
	return r.out
}

// start makes a run folder with the settings and does nothing else.
func start(t *testing.T, dir string) {
	t.Helper()
	f := train.Folder(dir)
	var config train.Config
	if _, err := f.ReadConfig(); err == nil {
		return
	}
	text := unbrokenRun(t).config
	config, err := train.ParseConfig(text, config)
	if err != nil {
		t.Fatal(err)
	}
	r, err := train.Open(f, &config)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
}

// reference is an unbroken run.
type reference struct {
	print  Print
	config []byte
	took   time.Duration
}

var unbroken *reference

// unbrokenRun makes the run that all others are compared with, once.
func unbrokenRun(t *testing.T) *reference {
	t.Helper()
	if unbroken != nil {
		return unbroken
	}
	dir := fastDir(t)
	began := time.Now()
	must(t, append([]string{"run", "--dir", dir}, settings...)...)
	ref := reference{print: fingerprint(t, dir), took: time.Since(began)}
	var err error
	if ref.config, err = os.ReadFile(filepath.Join(dir, "run.toml")); err != nil {
		t.Fatal(err)
	}
	if len(ref.print) < 3*generations {
		t.Fatalf("the unbroken run has only %d files", len(ref.print))
	}
	unbroken = &ref
	return unbroken
}

func fingerprint(t *testing.T, dir string) Print {
	t.Helper()
	p, err := Fingerprint(dir)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// same reports the files of a finished run that are not as in the unbroken one, but for those named.
func same(t *testing.T, what, dir string, but ...string) {
	t.Helper()
	if d := fingerprint(t, dir).Without(but...).Differences(unbrokenRun(t).print.Without(but...)); len(d) > 0 {
		t.Errorf("%s: the run does not end as an unbroken one: %s", what, strings.Join(d, ", "))
	}
}

// immutable remembers the files of a run that never change once they are there: sealed shards, models and journal lines of decided stages.
type immutable struct {
	seen  Print
	lines map[string]bool
	open  map[string]int // games on disk in open shards
}

var eventLine = regexp.MustCompile(`"event":"(selfplay|train)"`)

// check compares a run folder after a stop with what was there before: nothing that was acknowledged is gone, and every game verifies.
func (m *immutable) check(t *testing.T, what, dir string) {
	t.Helper()
	if m.seen == nil {
		m.seen, m.lines, m.open = Print{}, map[string]bool{}, map[string]int{}
	}
	now := fingerprint(t, dir)
	for name, hash := range m.seen {
		if got, ok := now[name]; !ok || got != hash {
			t.Errorf("%s: %s is gone or has changed", what, name)
		}
	}
	for name, hash := range now {
		if strings.HasPrefix(name, "games/") || strings.HasPrefix(name, "models/") {
			m.seen[name] = hash
		}
	}
	shards, err := data.Shards(filepath.Join(dir, "games"))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range shards {
		summary, err := data.Verify(s.Path, func(e *data.Error) {
			if !s.Open { // the last block of an open one may be half-written
				t.Errorf("%s: %v", what, e)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		if summary.Games < m.open[s.Path] && s.Open {
			t.Errorf("%s: %s has %d games, it had %d", what, s.Path, summary.Games, m.open[s.Path])
		}
		m.open[s.Path] = summary.Games
	}
	text, err := os.ReadFile(filepath.Join(dir, "metrics.jsonl"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	lines := map[string]bool{}
	for _, line := range strings.SplitAfter(string(text), "\n") {
		if strings.HasSuffix(line, "}\n") && eventLine.MatchString(line) {
			lines[line] = true
		}
	}
	for line := range m.lines {
		if !lines[line] {
			t.Errorf("%s: metrics.jsonl has lost %q", what, line)
		}
	}
	m.lines = lines
}

// copyDir copies a folder.
func copyDir(t *testing.T, to, from string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

func newRandom(stream uint64) *rand.Rand { return rand.New(rand.NewPCG(*seed, stream)) }
