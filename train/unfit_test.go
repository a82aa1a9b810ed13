package train

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rampart/internal/durable"
)

// unfit are ways to make a file one that no run writes: too large by a byte, or none that has an end.
var unfit = map[string]func(path string, limit int64) error{
	"file too large": func(path string, limit int64) error {
		return errors.Join(os.WriteFile(path, nil, 0o644), os.Truncate(path, limit+1))
	},
	"not a regular file": func(path string, _ int64) error { return os.Symlink(os.DevNull, path) },
}

// TestUnfitFiles: files that are too large or no files are faults that are named, not read.
func TestUnfitFiles(t *testing.T) {
	dir := Folder(t.TempDir())
	c := tinyConfig()
	r, err := Open(dir, &c)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	for path, limit := range map[string]int64{
		dir.configPath(): MaxConfig, dir.championPath(): maxChampion, dir.previousPath(): maxChampion, dir.ckptPath(1): maxCheckpoint,
		dir.metricsPath(): maxJournal, dir.matchesPath(): maxJournal, dir.bestPath(): maxCheckpoint,
	} {
		for want, spoil := range unfit {
			whole, err := os.ReadFile(path)
			missing := err != nil
			if err := errors.Join(os.RemoveAll(path), spoil(path, limit)); err != nil {
				t.Fatal(err)
			}
			var faults []string
			err = dir.Check(func(err error) { faults = append(faults, err.Error()) })
			if err != nil || !strings.Contains(strings.Join(faults, "\n"), path+": ") || !strings.Contains(strings.Join(faults, "\n"), want) {
				t.Errorf("%s, %s: faults %q, error %v", path, want, faults, err)
			}
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			if !missing {
				if err := os.WriteFile(path, whole, 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if err := dir.Check(func(err error) { t.Error(err) }); err != nil {
		t.Error(err)
	}
}

// TestUnfitFilesAreSetAside: a start goes on without a journal, a checkpoint or a copy that is too large or no file.
func TestUnfitFilesAreSetAside(t *testing.T) {
	for want, spoil := range unfit {
		dir := Folder(t.TempDir())
		c := tinyConfig()
		for path, limit := range map[string]int64{dir.metricsPath(): maxJournal, dir.ckptPath(1): maxCheckpoint, dir.manifestPath(): maxManifest} {
			if err := errors.Join(durable.MkdirAll(filepath.Dir(path)), spoil(path, limit)); err != nil {
				t.Fatal(err)
			}
		}
		var warnings []string
		warn := func(err error) { warnings = append(warnings, err.Error()) }
		j, err := openJournal(dir.metricsPath(), nil, warn)
		if err != nil {
			t.Fatal(err)
		}
		if err := j.close(); err != nil {
			t.Fatal(err)
		}
		if len(warnings) != 1 || !strings.Contains(warnings[0], want) || !exists(dir.metricsPath()+asideSuffix) {
			t.Errorf("journal: warnings %q", warnings)
		}
		warnings = nil
		if found, err := dir.readCheckpoint(c.identity(), warn); found != nil || err != nil || len(warnings) != 2 || !strings.Contains(warnings[0], want) {
			t.Errorf("checkpoint: warnings %q, error %v", warnings, err)
		}
		if err := dir.writeManifest(); err != nil {
			t.Errorf("manifest: %v", err)
		}
	}
}
