package train

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"

	"rampart/internal/durable"
)

// Errors of a run folder.
var (
	// ErrLocked is returned when another process works in the run folder.
	ErrLocked = errors.New("run folder in use by another process")
	// ErrNoRun is returned when a folder holds no run.
	ErrNoRun = errors.New("not a run folder")
	// ErrDamaged is returned when a file of the run folder is not what was written.
	ErrDamaged = errors.New("damaged file")
	// ErrExists is returned when a run is started in a folder that holds something else.
	ErrExists = errors.New("folder is not empty")
)

// Folder names the files of a run folder.
type Folder string

// Names in a run folder.
func (f Folder) configPath() string    { return filepath.Join(string(f), "run.toml") }
func (f Folder) gamesDir() string      { return filepath.Join(string(f), "games") }
func (f Folder) modelsDir() string     { return filepath.Join(string(f), "models") }
func (f Folder) checkpointDir() string { return filepath.Join(string(f), "checkpoint") }
func (f Folder) championPath() string  { return filepath.Join(string(f), "champion.json") }
func (f Folder) lockPath() string      { return filepath.Join(string(f), "lock") }
func (f Folder) metricsPath() string   { return filepath.Join(string(f), "metrics.jsonl") }
func (f Folder) matchesPath() string   { return filepath.Join(string(f), "matches.jsonl") }
func (f Folder) modelPath(g int) string {
	return filepath.Join(f.modelsDir(), fmt.Sprintf("%08d.onnx", g))
}

func (f Folder) ckptPath(g int) string {
	return filepath.Join(f.checkpointDir(), fmt.Sprintf("%08d.ckpt", g))
}

func (f Folder) subfolders() []string {
	return []string{f.gamesDir(), f.modelsDir(), f.checkpointDir()}
}

// ReadConfig reads the folder's run.toml.
func (f Folder) ReadConfig() (Config, error) {
	text, err := os.ReadFile(f.configPath())
	if errors.Is(err, fs.ErrNotExist) {
		return Config{}, fmt.Errorf("%w: %s has no run.toml; start a run there with \"rampart run --dir %s\"", ErrNoRun, string(f), string(f))
	}
	if err != nil {
		return Config{}, err
	}
	c, err := ParseConfig(text, Config{})
	if err != nil {
		return Config{}, fmt.Errorf("%s: %w", f.configPath(), err)
	}
	return c, nil
}

// writeConfig writes run.toml.
func (f Folder) writeConfig(c Config) error {
	text, err := c.Marshal()
	if err != nil {
		return err
	}
	return durable.WriteFile(f.configPath(), text)
}

// isEmpty tells whether the folder is absent or holds nothing but a lock and what a run that was cut off while it wrote its first file left.
func (f Folder) isEmpty() (bool, error) {
	entries, err := os.ReadDir(string(f))
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	for _, e := range entries {
		if e.Name() != filepath.Base(f.lockPath()) && !strings.HasPrefix(e.Name(), ".run.toml") {
			return false, err
		}
	}
	return true, err
}

// take locks the folder for this process. The lock goes with the process, however it ends.
func (f Folder) take() (*flock.Flock, error) {
	lock := flock.New(f.lockPath())
	held, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock of run folder %s: %w", string(f), err)
	}
	if !held {
		return nil, fmt.Errorf("%w: %s; wait for it to end, or stop it", ErrLocked, string(f))
	}
	return lock, nil
}

// Champion is the content of champion.json: which model plays, and how far the run has come.
type Champion struct {
	Run        string     `json:"run"`             // settings that a run cannot change
	Generation int        `json:"generation"`      // of the champion's model, 0 for the random one
	Model      string     `json:"model"`           // its name in records
	Won        string     `json:"won"`             // the gate match that made it champion
	Gated      int        `json:"gated"`           // generations that have passed all stages
	Final      *Yardstick `json:"final,omitempty"` // match at the end of the run
}

// readChampion reads champion.json.
func (f Folder) readChampion() (Champion, error) {
	var c Champion
	text, err := os.ReadFile(f.championPath())
	if err != nil {
		return c, err
	}
	err = json.Unmarshal(text, &c)
	if err == nil && (c.Run == "" || c.Generation < 0 || c.Gated < c.Generation) {
		err = fmt.Errorf("run %q, generation %d, gated %d", c.Run, c.Generation, c.Gated)
	}
	if err != nil {
		return c, fmt.Errorf("%w: %s is not a champion file (%w); restore it from a backup", ErrDamaged, f.championPath(), err)
	}
	return c, nil
}

func (f Folder) writeChampion(c Champion) error {
	text, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return err
	}
	return durable.WriteFile(f.championPath(), append(text, '\n'))
}

// ChampionModel returns the path of the champion's model in a run folder.
func (f Folder) ChampionModel() (string, error) {
	c, err := f.readChampion()
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%w: %s has no champion.json", ErrNoRun, string(f))
	}
	if err != nil {
		return "", err
	}
	return f.modelPath(c.Generation), nil
}
