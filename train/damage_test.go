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

// TestForeignChampion: a champion's file that holds another model than the one that won is refused, with what to do.
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
	candidate, err := os.ReadFile(Folder(dir).modelPath(1))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(Folder(dir).modelPath(0), candidate, 0o644); err != nil {
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

// TestDamagedShardIsLeftOut flips a bit in a sealed shard: it is named, and training goes on with the others.
func TestDamagedShardIsLeftOut(t *testing.T) {
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
	path := data.ShardPath(Folder(dir).gamesDir(), 2)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	content[len(content)/2] ^= 4
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
	var warnings []string
	r.Observer.Warning = func(err error) { warnings = append(warnings, err.Error()) }
	if err := r.Do(context.Background(), StageTrain); err != nil {
		t.Fatal(err)
	}
	if len(warnings) != 1 || !strings.Contains(warnings[0], path) {
		t.Errorf("warnings %v", warnings)
	}
	if err := os.Truncate(path, 9); err != nil {
		t.Fatal(err)
	}
	if s, err := Folder(dir).ReadStatus(); err != nil || s.Shards != 1 || !slices.Equal(s.Faulty, []string{path}) || !strings.Contains(s.String(), path) {
		t.Errorf("status %+v, %v", s, err)
	}
}

// TestDamagedCandidateIsWrittenAgain: a candidate that is damaged before its gate comes back from the checkpoint, byte for byte; a
// damaged champion is refused by name.
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
	if err := os.Truncate(champion, 100); err != nil {
		t.Fatal(err)
	}
	if err := r.Do(context.Background(), StageSelfPlay); !errors.Is(err, nn.ErrFormat) || !strings.Contains(err.Error(), champion) {
		t.Errorf("damaged champion: error %v", err)
	}
}
