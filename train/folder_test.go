package train

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"rampart/data"
)

// TestManifestExplainsEverything: each file of a run that was stopped, damaged and finished is explained by the manifest in it.
func TestManifestExplainsEverything(t *testing.T) {
	dir := t.TempDir()
	interruptSelfPlay(t, dir, 100)
	f := Folder(dir)
	for _, leftover := range []string{".run.toml1", "games/.00000001.rgz.open22", "models/.00000001.onnx3", "checkpoint/.00000001.ckpt4", ".champion.json5"} {
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(leftover)), []byte("half"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	explained(t, f)
	flip(t, f.championPath())
	flip(t, f.bestPath())
	if err := os.WriteFile(f.stacksPath(), []byte("stacks"), 0o644); err != nil {
		t.Fatal(err)
	}
	// The state before the first is none: from the second on there is one.
	if _, err := Open(f, nil); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "backup") {
		t.Fatalf("error %v", err)
	}
	flip(t, f.championPath())
	loop(t, dir, 2)
	explained(t, f)
	for _, leftover := range []string{".run.toml1", "games/.00000001.rgz.open22"} {
		if exists(filepath.Join(dir, leftover)) {
			t.Errorf("%s is still there", leftover)
		}
	}
	if !exists(f.bestPath() + asideSuffix) {
		t.Error("the damaged copy of the champion was not set aside")
	}
}

func explained(t *testing.T, f Folder) {
	t.Helper()
	text, err := os.ReadFile(f.manifestPath())
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(string(f), func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, _ := filepath.Rel(string(f), p)
		for _, e := range manifest {
			if ok, err := path.Match(e.pattern, filepath.ToSlash(name)); ok || err != nil {
				if !strings.Contains(string(text), "\n"+e.pattern+" ") {
					return fmt.Errorf("%s is not in the text: %w", e.pattern, err)
				}
				return err
			}
		}
		t.Errorf("%s is not explained", name)
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestSweepLeavesForeignFiles: of the hidden files in a folder only those go that this program makes.
func TestSweepLeavesForeignFiles(t *testing.T) {
	dir := t.TempDir()
	interruptSelfPlay(t, dir, 100)
	foreign := []string{".vimrc1", ".notes.txt12", "games/.00000001.rgz7", "models/.hidden9", ".run.toml"}
	for _, name := range foreign {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var told []string
	ours := filepath.Join(dir, "models", ".00000000.onnx123")
	if err := os.WriteFile(ours, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	selfPlayOnce(t, dir, func(err error) { told = append(told, err.Error()) })
	for _, name := range foreign {
		if !exists(filepath.Join(dir, name)) {
			t.Errorf("%s was removed", name)
		}
	}
	if exists(ours) || len(told) != 1 || !strings.Contains(told[0], ours) {
		t.Errorf("told %q", told)
	}
}

// TestChampionFile: the state reads back, every bit that flips in its file is noticed, and so is every cut.
func TestChampionFile(t *testing.T) {
	c := Champion{Run: "board 5x5", Generation: 3, Model: "abc", Won: "+3 =1 -2 <&>", Gated: 5, Final: &Yardstick{Opponent: "racer"}, Dropped: Dropped{2, 30, 400}}
	text, err := c.marshal()
	if err != nil {
		t.Fatal(err)
	}
	back, err := parseChampion(text)
	if err != nil || back.Won != c.Won || back.Dropped != c.Dropped || back.Final.Opponent != "racer" {
		t.Fatalf("%+v, %v", back, err)
	}
	for at := range text {
		for bit := range 8 {
			text[at] ^= 1 << bit
			if _, err := parseChampion(text); !errors.Is(err, ErrDamaged) {
				t.Fatalf("byte %d (%q), bit %d: error %v", at, text[max(0, at-10):at+1], bit, err)
			}
			text[at] ^= 1 << bit
		}
		if _, err := parseChampion(text[:at]); !errors.Is(err, ErrDamaged) {
			t.Fatalf("cut to %d bytes: error %v", at, err)
		}
	}
	old := "{\n  \"run\": \"board 5x5\",\n  \"generation\": 3,\n  \"model\": \"abc\",\n  \"won\": \"\",\n  \"gated\": 5\n}\n"
	if c, err := parseChampion([]byte(old)); err != nil || c.Gated != 5 {
		t.Errorf("a file of an earlier version: %+v, %v", c, err)
	}
}

func FuzzChampion(f *testing.F) {
	text, err := Champion{Run: "board 5x5", Generation: 3, Model: "abc", Gated: 5, Final: &Yardstick{Opponent: "racer"}}.marshal()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte("{\"run\":\"x\",\"generation\":1,\"gated\":1}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := parseChampion(text)
		if err != nil {
			if !errors.Is(err, ErrDamaged) {
				t.Fatalf("error without a name: %v", err)
			}
			return
		}
		again, err := c.marshal()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := parseChampion(again); err != nil {
			t.Fatalf("what was read does not read back: %v", err)
		}
	})
}

// TestDamagedChampionFile: the run goes on from the state before the one that is damaged or gone, and ends as an unbroken one.
func TestDamagedChampionFile(t *testing.T) {
	unbroken := t.TempDir()
	loop(t, unbroken, 2)
	want := fingerprint(t, unbroken)
	for name, damage := range map[string]func(t *testing.T, f Folder){
		"flipped": func(t *testing.T, f Folder) { flip(t, f.championPath()) },
		"gone":    func(t *testing.T, f Folder) { remove(t, f.championPath()) },
		"empty":   func(t *testing.T, f Folder) { truncate(t, f.championPath(), 0) },
		"before":  func(t *testing.T, f Folder) { flip(t, f.previousPath()) },
	} {
		for _, at := range []Stage{StageSelfPlay, StageTrain, StageGate, StageDone} {
			dir := t.TempDir()
			stopBefore(t, dir, at, 3)
			damage(t, Folder(dir))
			if s, err := Folder(dir).ReadStatus(); err != nil || (s.Trouble == nil) != (name == "before") {
				t.Errorf("%s before %s: status says %v, %v", name, at, s.Trouble, err)
			}
			var told []string
			finish(t, dir, &told)
			if (name == "before") != (len(told) == 0) {
				t.Errorf("%s before %s: told %q", name, at, told)
			}
			t.Log(name, at)
			compare(t, fingerprint(t, dir), want)
		}
	}
}

// stopBefore goes on with a run up to the stage of the generation.
func stopBefore(t *testing.T, dir string, stage Stage, generation int) {
	t.Helper()
	c := tinyConfig()
	r, err := Open(Folder(dir), &c)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for {
		next, g, err := r.Next()
		if err != nil || next == StageDone && stage != StageDone {
			t.Fatalf("the run is at %s, %v", next, err)
		}
		if next == stage && g == generation {
			return
		}
		if err := r.Do(context.Background(), next); err != nil {
			t.Fatal(err)
		}
	}
}

// finish goes on with a run to its end and notes the warnings.
func finish(t *testing.T, dir string, told *[]string) {
	t.Helper()
	r, err := Open(Folder(dir), nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Observer.Warning = func(err error) { *told = append(*told, err.Error()) }
	if err := errors.Join(r.tellFound(0), r.Loop(context.Background()), r.Close()); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}

func truncate(t *testing.T, path string, size int64) {
	t.Helper()
	if err := os.Truncate(path, size); err != nil {
		t.Fatal(err)
	}
}

// TestEditedConfig: a setting that was changed between two starts holds, and the line is told.
func TestEditedConfig(t *testing.T) {
	dir := t.TempDir()
	stopBefore(t, dir, StageSelfPlay, 2)
	f := Folder(dir)
	text, err := os.ReadFile(f.configPath())
	if err != nil {
		t.Fatal(err)
	}
	line := 1 + strings.Count(string(text[:strings.Index(string(text), "pairs = 6")]), "\n")
	if err := os.WriteFile(f.configPath(), []byte(strings.Replace(string(text), "pairs = 6", "pairs = 7", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	var told []string
	finish(t, dir, &told)
	if len(told) != 1 || !strings.Contains(told[0], fmt.Sprintf("from line %d on", line)) {
		t.Errorf("told %q, the line is %d", told, line)
	}
	told = nil
	finish(t, dir, &told)
	if len(told) != 0 {
		t.Errorf("told again: %q", told)
	}
}

// TestRetention: with old shards and models let go, a run makes the same games, networks and decisions as one that keeps everything, also when it is
// stopped after every stage; training keeps counting the rows.
func TestRetention(t *testing.T) {
	run := func(dir string, retention RetentionConfig, stopping bool) *Run {
		c := tinyConfig()
		c.Generations, c.Games, c.Retention = 6, 40, retention
		c.Yard.Earlier = 0 // the ladder meets the models that are kept
		c.Window = data.WindowConfig{BaseRows: 300, Alpha: 0.5, Beta: 0.3, HeldOut: 0.1}
		r, err := Open(Folder(dir), &c)
		if err != nil {
			t.Fatal(err)
		}
		for {
			stage, _, err := r.Next()
			if err != nil {
				t.Fatal(err)
			}
			if stage == StageDone {
				return r
			}
			if err := r.Do(context.Background(), stage); err != nil {
				t.Fatal(err)
			}
			if stopping {
				if err := r.Close(); err != nil {
					t.Fatal(err)
				}
				if r, err = Open(Folder(dir), nil); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	all, some, halting := t.TempDir(), t.TempDir(), t.TempDir()
	retention := RetentionConfig{Generations: 2, Models: 2}
	full := run(all, RetentionConfig{}, false)
	kept := run(some, retention, false)
	resumed := run(halting, retention, true)
	defer func() {
		if err := errors.Join(full.Close(), kept.Close(), resumed.Close()); err != nil {
			t.Error(err)
		}
	}()
	want, got, again := fingerprint(t, all), fingerprint(t, some), fingerprint(t, halting)
	compare(t, again, got)
	for name, hash := range got {
		if name != "champion.json" && filepath.Ext(name) != ".onnx" && want[name] != hash { // the settings are part of a model's metadata
			t.Errorf("%s differs from that of a run that keeps everything", name)
		}
	}
	shards, err := data.Shards(kept.Folder.gamesDir())
	if err != nil || len(shards) >= 6 || shards[len(shards)-1].Number != 6 {
		t.Errorf("%d shards are left: %v, %v", len(shards), shards, err)
	}
	models, err := kept.Folder.modelNumbers()
	if err != nil || len(models) > 2+1+1 || !exists(kept.Folder.modelPath(kept.Champion().Generation)) {
		t.Errorf("models %v are left, the champion is %d; %v", models, kept.Champion().Generation, err)
	}
	d := kept.Champion().Dropped
	if d.Through == 0 || d.Games != 40*d.Through {
		t.Errorf("dropped %+v", d)
	}
	if s, err := kept.Folder.ReadStatus(); err != nil || !strings.Contains(s.String(), fmt.Sprintf("%d more", d.Games)) {
		t.Errorf("status %s, %v", s, err)
	}
	if full.learner.window.TotalRows() != kept.learner.window.TotalRows() || full.learner.window.Len() != kept.learner.window.Len() {
		t.Errorf("%d rows, %d in the window; want %d, %d", kept.learner.window.TotalRows(), kept.learner.window.Len(), full.learner.window.TotalRows(), full.learner.window.Len())
	}
	// By size: as little as possible, but never what the window reaches.
	small := run(t.TempDir(), RetentionConfig{MiB: 1}, false)
	defer small.Close()
	if d := small.Champion().Dropped; d != (Dropped{}) {
		t.Errorf("a run of less than a MiB dropped %+v", d)
	}
	everything, err := full.drop(6, Dropped{})
	if err != nil || everything != (Dropped{}) {
		t.Errorf("without being asked: %+v, %v", everything, err)
	}
}

// TestLockThatIsNoFile: a device or a pipe in the lock's place, which a start might wait for, is refused.
func TestLockThatIsNoFile(t *testing.T) {
	dir := Folder(t.TempDir())
	if err := os.Symlink(os.DevNull, dir.lockPath()); err != nil {
		t.Fatal(err)
	}
	c := tinyConfig()
	if _, err := Open(dir, &c); err == nil || !strings.Contains(err.Error(), "lock of run folder") || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("%v", err)
	}
}
