package train

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rampart/data"
	"rampart/quoridor"
)

// tinyConfig is a run of a few seconds.
func tinyConfig() Config {
	c := Preset(quoridor.MustBoard(3, 4, 1))
	c.Generations, c.Games = 3, 140 // more than two blocks of a shard
	c.Net.Channels, c.Net.Blocks, c.Net.Hidden = 16, 1, 16
	c.SelfPlay.Search.Simulations = 4
	c.Trainer.Batch, c.Trainer.MinRows, c.Trainer.Checkpoints, c.Trainer.SamplesPerRow = 16, 1, 2, 0.5
	c.Trainer.RootValueFrom = 2
	c.Gate.Pairs, c.Gate.MinPairs, c.Gate.Simulations, c.Gate.OpeningPlies = 6, 2, 2, 2
	c.Yard.Every, c.Yard.Pairs, c.Yard.FinalPairs, c.Yard.Simulations, c.Yard.ExactPositions = 2, 3, 4, 2, 20
	return c
}

// fingerprint hashes every file of a run that must not depend on how often it was cut off.
func fingerprint(t *testing.T, dir string) map[string][32]byte {
	t.Helper()
	hashes := map[string][32]byte{}
	for _, pattern := range []string{"games/*.rgz", "models/*.onnx", "checkpoint/*.ckpt", "champion.json", "matches.jsonl"} {
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("no files %s in %s (%v)", pattern, dir, err)
		}
		for _, file := range files {
			content, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if filepath.Ext(file) == ".rgz" { // the games matter, not how they are divided into blocks
				content = gamesOf(t, file)
			}
			name, _ := filepath.Rel(dir, file)
			hashes[name] = sha256.Sum256(content)
		}
	}
	return hashes
}

// gamesOf returns the games of a shard as text.
func gamesOf(t *testing.T, path string) []byte {
	t.Helper()
	reader, err := data.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	var text bytes.Buffer
	for g, err := range reader.All() {
		if err != nil {
			t.Fatal(err)
		}
		if err := json.NewEncoder(&text).Encode(g); err != nil {
			t.Fatal(err)
		}
	}
	return text.Bytes()
}

func compare(t *testing.T, got, want map[string][32]byte) {
	t.Helper()
	for name, hash := range want {
		if got[name] != hash {
			t.Errorf("%s differs from that of an unbroken run", name)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d files, an unbroken run has %d", len(got), len(want))
	}
}

func loop(t *testing.T, dir string, workers int) {
	t.Helper()
	c := tinyConfig()
	r, err := Open(Folder(dir), &c)
	if err != nil {
		t.Fatal(err)
	}
	r.Workers = workers
	if err := errors.Join(r.Loop(context.Background()), r.Close()); err != nil {
		t.Fatal(err)
	}
}

// TestUnbrokenRuns: the same settings give the same run, with one worker or three, and all its games verify.
func TestUnbrokenRuns(t *testing.T) {
	first, second := t.TempDir(), t.TempDir()
	loop(t, first, 1)
	loop(t, second, 3)
	compare(t, fingerprint(t, second), fingerprint(t, first))
	verifyShards(t, first, 3, 140)
	r, err := Open(Folder(first), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if stage, _, err := r.Next(); err != nil || stage != StageDone || r.Champion().Final == nil || r.Champion().Final.Games != 8 {
		t.Errorf("next %s, champion %+v, %v", stage, r.Champion(), err)
	}
	if err := r.Loop(context.Background()); err != nil {
		t.Errorf("a finished run does not stay finished: %v", err)
	}
	r.Config.Generations++
	if err := r.Loop(context.Background()); err != nil || r.Champion().Gated != 4 || r.Champion().Final == nil || r.Champion().Final.Model != r.Champion().Generation {
		t.Errorf("a run that goes on ends with %+v, %v", r.Champion(), err)
	}
}

func verifyShards(t *testing.T, dir string, shards, games int) {
	t.Helper()
	list, err := data.Shards(Folder(dir).gamesDir())
	if err != nil || len(list) != shards {
		t.Fatalf("%d shards, want %d (%v)", len(list), shards, err)
	}
	for _, s := range list {
		reader, err := data.Open(s.Path)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for g, err := range reader.All() {
			if err != nil || g.ID != uint64(n) || int(g.Generation) != s.Number {
				t.Fatalf("%s, game %d: %+v, %v", s.Path, n, g, err)
			}
			n++
		}
		if n != games {
			t.Errorf("%s has %d games, want %d", s.Path, n, games)
		}
		if err := reader.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestInterruptedRun stops a run by its context again and again and goes on with a new process's worth of state each time: it ends as
// one that was never stopped.
func TestInterruptedRun(t *testing.T) {
	unbroken, broken := t.TempDir(), t.TempDir()
	loop(t, unbroken, 2)
	random := rand.New(rand.NewPCG(5, 5))
	interruptions := 0
	for done := false; !done; {
		c := tinyConfig()
		r, err := Open(Folder(broken), &c)
		if err != nil {
			t.Fatal(err)
		}
		r.Workers = 2
		ctx, cancel := context.WithCancel(context.Background())
		left := 1 + random.IntN(90)
		if interruptions >= 12 { // a stage longer than that would never end
			left = -1
		}
		r.Observer.Progress = func(Progress) {
			if left--; left == 0 {
				cancel()
			}
		}
		err = r.Loop(ctx)
		cancel()
		if done = err == nil; !done && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if !done {
			interruptions++
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if interruptions < 3 {
		t.Errorf("only %d interruptions", interruptions)
	}
	compare(t, fingerprint(t, broken), fingerprint(t, unbroken))
}

// TestStatusOfACopy: a folder without a lock, or with one that cannot be opened, can be looked at, and is left as it was.
func TestStatusOfACopy(t *testing.T) {
	dir := Folder(t.TempDir())
	c := tinyConfig()
	r, err := Open(dir, &c)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(r.Close(), os.Remove(dir.lockPath())); err != nil {
		t.Fatal(err)
	}
	if s, err := dir.ReadStatus(); err != nil || s.Busy || s.Unclear != nil || exists(dir.lockPath()) {
		t.Errorf("without a lock: %s, %v", s, err)
	}
	if err := os.Symlink(dir.lockPath(), dir.lockPath()); err != nil { // cannot be opened, whoever we are
		t.Fatal(err)
	}
	if s, err := dir.ReadStatus(); err != nil || s.Unclear == nil || !strings.Contains(s.String(), "whether a process works on it cannot be told") {
		t.Errorf("with a lock that cannot be opened: %s, %v", s, err)
	}
}

// TestStatus looks at a run before, while and after it is worked on.
func TestStatus(t *testing.T) {
	dir := t.TempDir()
	if _, err := Folder(dir).ReadStatus(); !errors.Is(err, ErrNoRun) {
		t.Errorf("empty folder: error %v", err)
	}
	c := tinyConfig()
	r, err := Open(Folder(dir), &c)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Do(context.Background(), StageSelfPlay); err != nil {
		t.Fatal(err)
	}
	busy, err := Folder(dir).ReadStatus()
	if err != nil || !busy.Busy || busy.Stage != StageTrain || busy.Generation != 1 || busy.Games != 140 || busy.Shards != 1 || busy.Bytes == 0 {
		t.Errorf("%+v, %v", busy, err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	idle, err := Folder(dir).ReadStatus()
	if err != nil || idle.Busy || !strings.Contains(idle.String(), "next: train of generation 1 of 3") {
		t.Errorf("%s, %v", idle, err)
	}
}

// TestEditedSettings: an edit of run.toml is told, a change that this start was asked for is not.
func TestEditedSettings(t *testing.T) {
	dir, c := Folder(t.TempDir()), tinyConfig()
	more := c
	more.Generations++
	for _, step := range []struct {
		name     string
		settings *Config
		edit     bool
		want     int // warnings
	}{
		{"begun", &c, false, 0},
		{"again", nil, false, 0},
		{"changed by this start", &more, false, 0},
		{"again after the change", nil, false, 0},
		{"edited", nil, true, 1},
		{"edited and changed", &more, true, 1},
		{"again after both", nil, false, 0},
	} {
		if step.edit {
			text := fingerprintConfig(t, string(dir))
			if err := os.WriteFile(dir.configPath(), []byte(strings.Replace(text, "games = ", "games = 1", 1)), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		r, err := Open(dir, step.settings)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.found) != step.want || step.want > 0 && !strings.Contains(r.found[0].Error(), "run.toml is not what the last start used, from line ") {
			t.Errorf("%s: warnings %v, want %d", step.name, r.found, step.want)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		if used, err := os.ReadFile(dir.usedConfigPath()); err != nil || string(used) != fingerprintConfig(t, string(dir)) {
			t.Errorf("%s: run.toml.used is not what was used (%v)", step.name, err)
		}
	}
}

func TestOpenErrors(t *testing.T) {
	good := tinyConfig()
	t.Run("locked", func(t *testing.T) {
		dir := t.TempDir()
		r, err := Open(Folder(dir), &good)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		if _, err := Open(Folder(dir), nil); !errors.Is(err, ErrLocked) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("empty without settings", func(t *testing.T) {
		if _, err := Open(Folder(t.TempDir()), nil); !errors.Is(err, ErrNoRun) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("another use", func(t *testing.T) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "letter.txt"), []byte("dear"), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(Folder(dir), &good); !errors.Is(err, ErrExists) {
			t.Errorf("error %v", err)
		}
		if entries, _ := os.ReadDir(dir); len(entries) != 1 {
			t.Errorf("the folder now holds %v", entries)
		}
	})
	t.Run("cut off before run.toml", func(t *testing.T) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, ".run.toml123"), []byte("board"), 0o644); err != nil {
			t.Fatal(err)
		}
		r, err := Open(Folder(dir), &good)
		if err != nil || !r.New {
			t.Fatalf("error %v", err)
		}
		r.Close()
		if err := os.Remove(Folder(dir).configPath()); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(Folder(dir), &good); !errors.Is(err, ErrDamaged) {
			t.Errorf("a run that lost its run.toml: error %v", err)
		}
	})
	t.Run("another board", func(t *testing.T) {
		dir := t.TempDir()
		r, err := Open(Folder(dir), &good)
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		before := fingerprintConfig(t, dir)
		other := good
		other.Board = "4x4"
		if _, err := Open(Folder(dir), &other); !errors.Is(err, ErrConfig) {
			t.Errorf("error %v", err)
		}
		if fingerprintConfig(t, dir) != before {
			t.Error("run.toml was changed")
		}
		text := strings.Replace(before, "3x4", "4x4", 1)
		if err := os.WriteFile(Folder(dir).configPath(), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(Folder(dir), nil); !errors.Is(err, ErrConfig) || !strings.Contains(err.Error(), "edited") {
			t.Errorf("edited run.toml: error %v", err)
		}
	})
	t.Run("foreign champion", func(t *testing.T) {
		dir := t.TempDir()
		r, err := Open(Folder(dir), &good)
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		if err := os.WriteFile(Folder(dir).championPath(), []byte("{}"), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(Folder(dir), nil); !errors.Is(err, ErrDamaged) {
			t.Errorf("error %v", err)
		}
	})
}

func fingerprintConfig(t *testing.T, dir string) string {
	t.Helper()
	text, err := os.ReadFile(Folder(dir).configPath())
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestStagesOneByOne does the stages by name and refuses one that is not next.
func TestStagesOneByOne(t *testing.T) {
	dir := t.TempDir()
	c := tinyConfig()
	c.Generations = 1
	r, err := Open(Folder(dir), &c)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	order := []Stage{StageSelfPlay, StageTrain, StageGate, StageFinal}
	for i, stage := range order {
		for _, wrong := range slices.Concat(order[:i], order[i+1:]) {
			if err := r.Do(context.Background(), wrong); !errors.Is(err, ErrStage) {
				t.Errorf("%s instead of %s: error %v", wrong, stage, err)
			}
		}
		if err := r.Do(context.Background(), stage); err != nil {
			t.Fatalf("%s: %v", stage, err)
		}
	}
	if stage, _, _ := r.Next(); stage != StageDone {
		t.Errorf("next is %s", stage)
	}
}
