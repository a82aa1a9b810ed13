package train

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"rampart/nn"
	"rampart/quoridor"
)

// tinyStages is a curriculum of a few seconds on three boards.
func tinyStages(t *testing.T) []Config {
	t.Helper()
	stages, err := ParseCurriculum("3x3-0:1, 4x4-1:1,5x5-2:2", func(c *Config) error {
		tiny := tinyConfig()
		tiny.Games = 20
		tiny.Board, tiny.Walls, tiny.Generations = c.Board, c.Walls, c.Generations
		*c = tiny
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return stages
}

// TestCurriculum: each stage begins from the champion of the stage before; a curriculum that is stopped after every step is the same as one
// that is not.
func TestCurriculum(t *testing.T) {
	unbroken, broken := t.TempDir(), t.TempDir()
	run := func(dir string, work func(context.Context, *Run) error) {
		t.Helper()
		c, err := OpenCurriculum(Folder(dir), tinyStages(t))
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Each(context.Background(), work); err != nil {
			t.Fatal(err)
		}
	}
	run(unbroken, func(ctx context.Context, r *Run) error { return r.Loop(ctx) })
	c, err := OpenCurriculum(Folder(unbroken), nil)
	if err != nil {
		t.Fatal(err)
	}
	folders := c.Folders()
	var before Champion
	for i, dir := range folders {
		first, err := nn.Load(dir.modelPath(0))
		if err != nil {
			t.Fatal(err)
		}
		if want := [...]string{"3x3 with 0 walls", "4x4 with 1 wall", "5x5 with 2 walls"}[i]; first.Board.String() != want || first.Parent != before.Model {
			t.Errorf("stage %d begins on %s from %q, want %s from %q", i+1, first.Board, first.Parent, want, before.Model)
		}
		if before, _, err = dir.champion(); err != nil || before.Final == nil {
			t.Fatalf("stage %d: %+v, %v", i+1, before, err)
		}
	}
	if path, err := Folder(unbroken).ChampionModel(); err != nil || path != folders[2].modelPath(before.Generation) {
		t.Errorf("its champion is %s, %v", path, err)
	}

	steps := 0
	for !exists(folders[2].championPath()) || steps < 50 {
		steps++
		run(broken, func(ctx context.Context, r *Run) error {
			stage, _, err := r.Next()
			if err != nil || stage == StageDone {
				return err
			}
			return r.Do(ctx, stage)
		})
	}
	for i, dir := range folders {
		compare(t, fingerprint(t, string(Folder(broken).stageFolder(i, c.Stages[i]))), fingerprint(t, string(dir)))
	}
}

func TestCurriculumRefused(t *testing.T) {
	same := func(*Config) error { return nil }
	for text, want := range map[string]string{
		"":               "WxH-N:GENERATIONS",
		"5x5:3":          "WxH-N:GENERATIONS",
		"5x5-2":          "WxH-N:GENERATIONS",
		"5x5-2:many":     "generations",
		"5x5-two:3":      "walls",
		"5x5-2:3,12x5-1": "12x5-1",
		"5x5-99:3":       "99",
		"2x5-1:3":        "too narrow",
		"5x5-2:-1":       "generations",
		strings.Repeat("3x3-0:1,", maxStages) + "3x3-0:1": "stages",
	} {
		if _, err := ParseCurriculum(text, same); !errors.Is(err, ErrConfig) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one that says %q", text, err, want)
		}
	}
	stages, err := ParseCurriculum("5x5-2:20,9x9-10:*", same)
	if err != nil || stages[0].Net != stages[1].Net || stages[1].Generations != Preset(quoridor.MustBoard(9, 9, 10)).Generations || stages[0].Generations != 20 {
		t.Fatalf("%+v, %v", stages, err)
	}
	dir := t.TempDir()
	if _, err := OpenCurriculum(Folder(dir), stages); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenCurriculum(Folder(dir), stages[:1]); !errors.Is(err, ErrConfig) {
		t.Errorf("other stages: %v", err)
	}
	if _, err := Folder(dir).ChampionModel(); !errors.Is(err, ErrNoRun) {
		t.Errorf("the champion before the first stage: %v", err)
	}
	if err := os.WriteFile(Folder(dir).curriculumPath(), []byte("[[stage]]\nboard = '5x5'\nwells = 2\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenCurriculum(Folder(dir), nil); !errors.Is(err, ErrConfig) || !strings.Contains(err.Error(), "curriculum.toml") {
		t.Errorf("an unknown key: %v", err)
	}
	full := t.TempDir()
	if err := os.WriteFile(full+"/notes.txt", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenCurriculum(Folder(full), stages); !errors.Is(err, ErrExists) {
		t.Errorf("a folder with something else: %v", err)
	}
}
