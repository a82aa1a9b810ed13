package train

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"

	"rampart/data"
	"rampart/internal/durable"
	"rampart/nn"
	"rampart/selfplay"
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
func (f Folder) configPath() string     { return filepath.Join(string(f), "run.toml") }
func (f Folder) gamesDir() string       { return filepath.Join(string(f), "games") }
func (f Folder) modelsDir() string      { return filepath.Join(string(f), "models") }
func (f Folder) checkpointDir() string  { return filepath.Join(string(f), "checkpoint") }
func (f Folder) championPath() string   { return filepath.Join(string(f), "champion.json") }
func (f Folder) previousPath() string   { return filepath.Join(string(f), "champion.previous.json") }
func (f Folder) bestPath() string       { return filepath.Join(string(f), "champion.onnx") }
func (f Folder) usedConfigPath() string { return filepath.Join(string(f), "run.toml.used") }
func (f Folder) manifestPath() string   { return filepath.Join(string(f), "MANIFEST.txt") }
func (f Folder) stacksPath() string     { return filepath.Join(string(f), "stacks.txt") }
func (f Folder) lockPath() string       { return filepath.Join(string(f), "lock") }
func (f Folder) metricsPath() string    { return filepath.Join(string(f), "metrics.jsonl") }
func (f Folder) matchesPath() string    { return filepath.Join(string(f), "matches.jsonl") }
func (f Folder) modelPath(g int) string {
	return filepath.Join(f.modelsDir(), fmt.Sprintf("%08d.onnx", g))
}

func (f Folder) ckptPath(g int) string {
	return filepath.Join(f.checkpointDir(), fmt.Sprintf("%08d.ckpt", g))
}

func (f Folder) subfolders() []string {
	return []string{f.gamesDir(), f.modelsDir(), f.checkpointDir()}
}

// unwritten returns what settings mean that a run.toml from before they existed does not name: the defaults, with which nothing that is new is on.
func unwritten() Config {
	return Config{
		SelfPlay: selfplay.DefaultConfig(), Window: data.DefaultWindowConfig(), Supervisor: DefaultSupervisorConfig(),
		Trainer: TrainerConfig{Optimizer: nn.DefaultTrainerOptions()},
	}
}

// MaxConfig bounds the bytes of a text with settings.
const MaxConfig = 1 << 20

// readFile reads a file of a run folder. One that no run can have written, since it is larger than the limit or no regular file, is damaged.
func readFile(path string, limit int64) ([]byte, error) {
	text, err := durable.ReadFile(path, limit)
	return text, damagedIfUnfit(path, err)
}

// openFile opens a file of a run folder to be read in parts.
func openFile(path string, limit int64) (*os.File, error) {
	file, info, err := durable.Open(path)
	if err != nil {
		return nil, damagedIfUnfit(path, err)
	}
	if info.Size() > limit {
		return nil, errors.Join(fmt.Errorf("%s: %w: %w: %d bytes, at most %d", path, ErrDamaged, durable.ErrTooLarge, info.Size(), limit), file.Close())
	}
	return file, nil
}

func damagedIfUnfit(path string, err error) error {
	for _, unfit := range []error{durable.ErrTooLarge, durable.ErrNotRegular} {
		if errors.Is(err, unfit) {
			return fmt.Errorf("%s: %w: %w", path, ErrDamaged, withoutPath(err))
		}
	}
	return err
}

// withoutPath returns the reason in an error that names a path.
func withoutPath(err error) error {
	if e := new(fs.PathError); errors.As(err, &e) {
		return e.Err
	}
	return err
}

// ReadConfig reads the folder's run.toml.
func (f Folder) ReadConfig() (Config, error) {
	text, err := readFile(f.configPath(), MaxConfig)
	if errors.Is(err, fs.ErrNotExist) {
		return Config{}, fmt.Errorf("%w: %s has no run.toml; start a run there with \"rampart run --dir %s\"", ErrNoRun, string(f), string(f))
	}
	if err != nil {
		return Config{}, err
	}
	c, err := ParseConfig(text, unwritten())
	if err != nil {
		if exists(f.usedConfigPath()) {
			err = fmt.Errorf("%w (the settings that the last start used are in run.toml.used)", err)
		}
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

// hasLock tells whether there is a lock, held or not. A pipe or device in its place, which would keep us waiting, is an error.
func (f Folder) hasLock() (bool, error) {
	file, _, err := durable.Open(f.lockPath())
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, file.Close()
}

// take locks the folder for this process. The lock goes with the process, however it ends.
func (f Folder) take() (*flock.Flock, error) {
	if _, err := f.hasLock(); err != nil {
		return nil, fmt.Errorf("lock of run folder %s: %w", string(f), err)
	}
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
