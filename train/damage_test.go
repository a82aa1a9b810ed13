package train

import (
	"bytes"
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"rampart/data"
	"rampart/nn"
)

// TestDamagedOpenShard: an unsealed shard that is torn, foreign or rotten costs its games at most; they are played again and the stage ends
// as it would have.
func TestDamagedOpenShard(t *testing.T) {
	whole := t.TempDir()
	selfPlayOnce(t, whole, nil)
	want := gamesOf(t, data.ShardPath(Folder(whole).gamesDir(), 1))
	for name, damage := range map[string]func(content []byte) []byte{
		"torn":    func(c []byte) []byte { return c[:len(c)-7] },
		"foreign": func([]byte) []byte { return []byte("something else altogether") },
		"empty":   func([]byte) []byte { return nil },
		"rotten":  func(c []byte) []byte { c[len(c)/3] ^= 1; return c },
	} {
		dir := t.TempDir()
		interruptSelfPlay(t, dir, 100)
		open := data.ShardPath(Folder(dir).gamesDir(), 1) + ".open"
		content, err := os.ReadFile(open)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(open, damage(content), 0o644); err != nil {
			t.Fatal(err)
		}
		var warnings []string
		selfPlayOnce(t, dir, func(err error) { warnings = append(warnings, err.Error()) })
		if got := gamesOf(t, data.ShardPath(Folder(dir).gamesDir(), 1)); !bytes.Equal(got, want) {
			t.Errorf("%s: the stage ends with other games", name)
		}
		if len(warnings) != 1 {
			t.Errorf("%s: warnings %q", name, warnings)
		}
	}
}

// TestOpenShardOfAnotherModel: games that another model has begun are not mixed with the champion's.
func TestOpenShardOfAnotherModel(t *testing.T) {
	dir := t.TempDir()
	interruptSelfPlay(t, dir, 100)
	path := data.ShardPath(Folder(dir).gamesDir(), 1)
	begun, _, err := data.Reopen(path)
	if err != nil {
		t.Fatal(err)
	}
	header := begun.Header()
	if err := begun.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path + ".open"); err != nil {
		t.Fatal(err)
	}
	want := header.Model
	header.Model = "another model"
	foreign, err := data.Create(path, header)
	if err != nil {
		t.Fatal(err)
	}
	if err := foreign.Close(); err != nil {
		t.Fatal(err)
	}
	var warnings []string
	selfPlayOnce(t, dir, func(err error) { warnings = append(warnings, err.Error()) })
	sealed, err := data.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer sealed.Close()
	if got := sealed.Header().Model; got != want || len(warnings) != 1 {
		t.Errorf("the shard is sealed for model %q, want %q; warnings %q", got, want, warnings)
	}
}

func selfPlayOnce(t *testing.T, dir string, warn func(error)) {
	t.Helper()
	c := tinyConfig()
	r, err := Open(Folder(dir), &c)
	if err != nil {
		t.Fatal(err)
	}
	r.Observer.Warning = warn
	if err := errors.Join(r.Do(context.Background(), StageSelfPlay), r.Close()); err != nil {
		t.Fatal(err)
	}
}

// interruptSelfPlay stops the first stage after some games.
func interruptSelfPlay(t *testing.T, dir string, games int) {
	t.Helper()
	c := tinyConfig()
	r, err := Open(Folder(dir), &c)
	if err != nil {
		t.Fatal(err)
	}
	r.Workers = 2 // more would have all games of the stage played before it is told to stop
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	r.Observer.Progress = func(p Progress) {
		if p.Done == games {
			cancel()
		}
	}
	if err := r.Do(ctx, StageSelfPlay); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestForeignChampion: a champion's file that holds another model than the one that won comes back from the copy; without the copy it is refused,
// with what to do.
func TestForeignChampion(t *testing.T) {
	dir := t.TempDir()
	selfPlayOnce(t, dir, nil)
	c := tinyConfig()
	c.Generations = 1
	r, err := Open(Folder(dir), &c)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.Do(context.Background(), StageTrain); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(Folder(dir).modelPath(0))
	if err != nil {
		t.Fatal(err)
	}
	candidate, err := os.ReadFile(Folder(dir).modelPath(1))
	if err != nil {
		t.Fatal(err)
	}
	replace := func() {
		if err := os.WriteFile(Folder(dir).modelPath(0), candidate, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	replace()
	var warnings []string
	r.Observer.Warning = func(err error) { warnings = append(warnings, err.Error()) }
	if _, err := r.championModel(r.champion); err != nil || len(warnings) != 1 || !strings.Contains(warnings[0], "restored") {
		t.Errorf("error %v, warnings %q", err, warnings)
	}
	if back, err := os.ReadFile(Folder(dir).modelPath(0)); err != nil || !bytes.Equal(back, whole) {
		t.Errorf("the champion's model was not restored (%v)", err)
	}
	replace()
	if err := os.Remove(Folder(dir).bestPath()); err != nil {
		t.Fatal(err)
	}
	if err := r.Do(context.Background(), StageGate); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "backup") {
		t.Errorf("error %v", err)
	}
}

// TestMissingCandidate: a candidate's file that is gone is written again from the checkpoint.
func TestMissingCandidate(t *testing.T) {
	dir := t.TempDir()
	selfPlayOnce(t, dir, nil)
	r, err := Open(Folder(dir), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.Do(context.Background(), StageTrain); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(Folder(dir).modelPath(1))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(Folder(dir).modelPath(1)); err != nil {
		t.Fatal(err)
	}
	var warnings []string
	r.Observer.Warning = func(err error) { warnings = append(warnings, err.Error()) }
	if err := r.Do(context.Background(), StageGate); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(Folder(dir).modelPath(1))
	if err != nil || !bytes.Equal(got, want) || len(warnings) != 1 {
		t.Errorf("the candidate differs: %v, warnings %q", !bytes.Equal(got, want), warnings)
	}
}

// TestCandidateWithoutSteps: a generation in which no step is due, as after the loss of a shard, has a candidate like any other and no warning.
func TestCandidateWithoutSteps(t *testing.T) {
	dir, c := Folder(t.TempDir()), tinyConfig()
	var warnings []string
	for _, samples := range []float64{c.Trainer.SamplesPerRow, 0.01} {
		c.Trainer.SamplesPerRow = samples
		r, err := Open(dir, &c)
		if err != nil {
			t.Fatal(err)
		}
		r.Observer.Warning = func(err error) { warnings = append(warnings, err.Error()) }
		for _, stage := range []Stage{StageSelfPlay, StageTrain, StageGate} {
			if err := r.Do(context.Background(), stage); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	first, err := nn.Load(dir.modelPath(1))
	if err != nil {
		t.Fatal(err)
	}
	second, err := nn.Load(dir.modelPath(2))
	if err != nil || second.Steps != first.Steps || len(warnings) > 0 {
		t.Errorf("candidate after no steps: %v, warnings %q", err, warnings)
	}
}

// TestDrawAlarm: a run in which every game is a draw by the cap says so, from the fourth generation on.
func TestDrawAlarm(t *testing.T) {
	dir := t.TempDir()
	c := tinyConfig()
	c.Generations, c.Games, c.SelfPlay.PlyCap, c.SelfPlay.RandomOpenings = 5, 4, 2, 0
	c.Gate.OpeningPlies, c.Trainer.MinRows = 0, 1<<20
	r, err := Open(Folder(dir), &c)
	if err != nil {
		t.Fatal(err)
	}
	var warnings []string
	r.Observer.Warning = func(err error) { warnings = append(warnings, err.Error()) }
	if err := errors.Join(r.Loop(context.Background()), r.Close()); err != nil {
		t.Fatal(err)
	}
	metrics, err := os.ReadFile(Folder(dir).metricsPath())
	if err != nil {
		t.Fatal(err)
	}
	if len(warnings) != 2 || !strings.Contains(warnings[0], "generation 4: 4 of 4 games are draws") || strings.Count(string(metrics), `"event":"alarm"`) != 2 {
		t.Errorf("warnings %q, metrics:\n%s", warnings, metrics)
	}
}

// TestDamagedShard flips a bit in a sealed shard. One of an earlier generation is named, and training goes on with the others; that of the
// generation itself is set aside, and its games are played again, the same ones.
func TestDamagedShard(t *testing.T) {
	dir := t.TempDir()
	c := tinyConfig()
	r, err := Open(Folder(dir), &c)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, stage := range []Stage{StageSelfPlay, StageTrain, StageGate, StageSelfPlay} {
		if err := r.Do(context.Background(), stage); err != nil {
			t.Fatal(err)
		}
	}
	var warnings []string
	r.Observer.Warning = func(err error) { warnings = append(warnings, err.Error()) }
	path := data.ShardPath(Folder(dir).gamesDir(), 2)
	want := gamesOf(t, path)
	flip(t, path)
	if err := r.Do(context.Background(), StageTrain); err != nil {
		t.Fatal(err)
	}
	if stage, _, _ := r.Next(); stage != StageSelfPlay || len(warnings) != 1 || !strings.Contains(warnings[0], path+asideSuffix) {
		t.Fatalf("next is %s, warnings %q", stage, warnings)
	}
	if err := r.Do(context.Background(), StageSelfPlay); err != nil {
		t.Fatal(err)
	}
	if got := gamesOf(t, path); !bytes.Equal(got, want) {
		t.Error("other games were played")
	}
	if err := r.Do(context.Background(), StageTrain); err != nil || !exists(r.Folder.ckptPath(2)) {
		t.Fatalf("training does not take the games that were played again: %v", err)
	}
	if err := os.Remove(r.Folder.ckptPath(2)); err != nil { // for the training below
		t.Fatal(err)
	}

	old := data.ShardPath(Folder(dir).gamesDir(), 1)
	flip(t, old)
	r.dropLearner() // it has the shard in memory
	warnings = nil
	if err := r.Do(context.Background(), StageTrain); err != nil {
		t.Fatal(err)
	}
	if len(warnings) != 1 || !strings.Contains(warnings[0], old) {
		t.Errorf("warnings %q", warnings)
	}
	if err := os.Truncate(old, 9); err != nil {
		t.Fatal(err)
	}
	if s, err := Folder(dir).ReadStatus(); err != nil || s.Shards != 1 || !slices.Equal(s.Faulty, []string{old}) || !strings.Contains(s.String(), old) {
		t.Errorf("status %+v, %v", s, err)
	}
}

// flip changes a bit in the middle of a file.
func flip(t *testing.T, path string) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	content[len(content)/2] ^= 4
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestDamagedCandidateIsWrittenAgain: a candidate that is damaged before its gate comes back from the checkpoint, byte for byte; a
// champion that is damaged with its copy is refused by name.
func TestDamagedCandidateIsWrittenAgain(t *testing.T) {
	dir := t.TempDir()
	c := tinyConfig()
	r, err := Open(Folder(dir), &c)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, stage := range []Stage{StageSelfPlay, StageTrain} {
		if err := r.Do(context.Background(), stage); err != nil {
			t.Fatal(err)
		}
	}
	path := r.Folder.modelPath(1)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	damaged := bytes.Clone(whole)
	damaged[len(damaged)/2] ^= 4
	if err := os.WriteFile(path, damaged, 0o644); err != nil {
		t.Fatal(err)
	}
	var warnings []string
	r.Observer.Warning = func(err error) { warnings = append(warnings, err.Error()) }
	if err := r.Do(context.Background(), StageGate); err != nil {
		t.Fatal(err)
	}
	if again, err := os.ReadFile(path); err != nil || !bytes.Equal(again, whole) {
		t.Errorf("the candidate differs (%v)", err)
	}
	if aside, err := os.ReadFile(path + ".damaged"); err != nil || !bytes.Equal(aside, damaged) || len(warnings) != 1 {
		t.Errorf("set aside: %v, warnings %q", err, warnings)
	}

	champion := r.Folder.modelPath(r.Champion().Generation)
	if err := errors.Join(os.Truncate(champion, 100), os.Truncate(r.Folder.bestPath(), 100)); err != nil {
		t.Fatal(err)
	}
	if err := r.Do(context.Background(), StageSelfPlay); !errors.Is(err, nn.ErrFormat) || !strings.Contains(err.Error(), champion) {
		t.Errorf("damaged champion: error %v", err)
	}
}

// TestDamagedCheckpoints: with the newest checkpoints damaged, or all of them, training of the generations since is done again, and the run ends as
// an unbroken one.
func TestDamagedCheckpoints(t *testing.T) {
	unbroken := t.TempDir()
	loop(t, unbroken, 2)
	want := fingerprint(t, unbroken)
	for name, damaged := range map[string][]int{"the newest": {2}, "all": {1, 2}} {
		dir := t.TempDir()
		stopBefore(t, dir, StageTrain, 3)
		for _, g := range damaged {
			flip(t, Folder(dir).ckptPath(g))
		}
		var faults []string
		if err := Folder(dir).Check(func(err error) { faults = append(faults, err.Error()) }); err != nil || len(faults) != len(damaged) {
			t.Errorf("%s: faults %q, %v", name, faults, err)
		}
		var told []string
		finish(t, dir, &told)
		if !strings.Contains(strings.Join(told, "\n"), "is done again") {
			t.Errorf("%s: told %q", name, told)
		}
		t.Log(name)
		compare(t, fingerprint(t, dir), want)
	}
}
