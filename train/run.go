package train

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/gofrs/flock"

	"rampart/data"
	"rampart/internal/durable"
	"rampart/mcts"
	"rampart/nn"
	"rampart/quoridor"
)

// Stage is a part of a generation.
type Stage string

// The stages, in their order.
const (
	StageSelfPlay Stage = "selfplay"
	StageTrain    Stage = "train"
	StageGate     Stage = "gate"
	StageFinal    Stage = "final" // the match at the end of the run
	StageDone     Stage = "done"
)

// Run is an open run folder. One process holds it at a time; one goroutine uses it.
type Run struct {
	Folder Folder
	Config Config
	Board  *quoridor.Board
	New    bool // the run began with this Open

	// Observer is told what happens; its fields may be nil.
	Observer Observer
	// Workers is the number of goroutines that play and train: one for each processor unless set otherwise.
	Workers int

	lock     *flock.Flock
	champion Champion
	learner  *learner
	trained  int // generation whose training stage the learner has done
	metrics  *journal
	matches  *journal

	yardstick *exactYard

	positions atomic.Int64 // judged by self-play in this process

	system    system
	pulse     pulse       // moves while a stage makes progress
	patient   atomic.Bool // something without progress to show is under way
	abandoned bool        // a stage did not stop: what it uses cannot be closed
	opened    bool        // Open has come to its end
	found     []error     // what Open found, told when there is an observer
}

// Observer receives the progress of a run. Calls come one at a time.
type Observer struct {
	Progress func(Progress) // often; cheap to ignore
	Event    func(string)   // a line worth reading: a stage's outcome
	Warning  func(error)    // something was damaged and set aside
}

// Open opens the run folder, or begins a run in it with the settings if it is empty. With settings for a run that exists, they replace
// those in run.toml, unless they change what a run cannot change. config nil takes run.toml as it is.
func Open(folder Folder, config *Config) (*Run, error) {
	if config != nil {
		if err := config.Validate(); err != nil {
			return nil, err
		}
	}
	fresh, err := folder.isFresh(config) // before anything is written
	if err != nil {
		return nil, err
	}
	if fresh {
		resolved, err := config.resolveOrigin()
		if err != nil {
			return nil, err
		}
		config = &resolved
	}
	if err := durable.MkdirAll(string(folder)); err != nil {
		return nil, err
	}
	lock, err := folder.take()
	if err != nil {
		return nil, err
	}
	return open(folder, config, lock, realSystem())
}

func open(folder Folder, config *Config, lock *flock.Flock, s system) (r *Run, err error) {
	r = &Run{Folder: folder, lock: lock, Workers: runtime.GOMAXPROCS(0), system: s}
	if r.New, err = folder.isFresh(config); err == nil { // another process may have begun a run meanwhile
		err = r.load(r.New, config)
	}
	if err != nil {
		return nil, errors.Join(err, r.Close())
	}
	r.opened = true
	return r, nil
}

// isFresh tells whether a run is to begin in the folder, and returns an error if it holds no run and none can begin.
func (f Folder) isFresh(config *Config) (bool, error) {
	empty, err := f.isEmpty()
	switch {
	case err != nil:
		return false, err
	case empty && config == nil:
		return false, fmt.Errorf("%w: %s is empty", ErrNoRun, string(f))
	case empty || exists(f.configPath()):
		return empty, nil
	case exists(f.championPath()):
		return false, fmt.Errorf("%w: %s has a run without run.toml; restore that from run.toml.used or a backup", ErrDamaged, string(f))
	}
	return false, fmt.Errorf("%w, and what it holds is no run: %s; choose an empty folder", ErrExists, string(f))
}

// load reads the folder's state, or writes its first.
func (r *Run) load(fresh bool, config *Config) (err error) {
	if config == nil || !fresh {
		if r.Config, err = r.Folder.ReadConfig(); err != nil {
			return err
		}
		if err := r.tellEdits(); err != nil {
			return err
		}
	}
	if config != nil {
		if !fresh {
			if config, err = config.withOriginOf(r.Config); err != nil {
				return fmt.Errorf("%s: %w", string(r.Folder), err)
			}
		}
		if !fresh && config.identity() != r.Config.identity() {
			return fmt.Errorf("%w: the run in %s has %s and cannot become one with %s; choose another folder", ErrConfig, string(r.Folder), r.Config.identity(), config.identity())
		}
		if !fresh {
			if err := r.Folder.checkGenerations(config.Generations); err != nil {
				return err
			}
		}
		if fresh || r.Config != *config {
			if err := r.Folder.writeConfig(*config); err != nil {
				return err
			}
		}
		r.Config = *config
	} else if err := r.Folder.checkGenerations(r.Config.Generations); err != nil {
		return fmt.Errorf("%w (the settings that the last start used are in run.toml.used)", err)
	}
	if r.Board, err = r.Config.NewBoard(); err != nil {
		return err
	}
	if err := errors.Join(r.checkFree(), r.sweep()); err != nil {
		return err
	}
	for _, dir := range r.Folder.subfolders() {
		if err := durable.MkdirAll(dir); err != nil {
			return err
		}
	}
	if err := r.loadChampion(); err != nil {
		return err
	}
	if err := errors.Join(r.Folder.writeManifest(), r.noteConfig(), r.Folder.pruneCheckpoints(r.Config.Trainer.Checkpoints)); err != nil {
		return err
	}
	return r.openJournals()
}

// checkGenerations refuses to end a run before where it is.
func (f Folder) checkGenerations(generations int) error {
	champion, _, err := f.champion()
	if err != nil || generations >= champion.Gated {
		return nil //nolint:nilerr // what is wrong with the state is told when it is loaded
	}
	return fmt.Errorf("%w: generations is %d, but the run in %s has done %d already; with %d it ends there", ErrConfig, generations, string(f), champion.Gated, champion.Gated)
}

// openJournals opens the journals, less the lines of a gate that was cut off before it was decided: they come again.
func (r *Run) openJournals() (err error) {
	undecided := func(kind string, generation int) bool {
		switch kind {
		case "gate", "yardstick", "ladder", "optimal":
			return generation > r.champion.Gated
		case "final":
			return generation > r.champion.Gated || generation == r.champion.Gated && r.champion.Final == nil
		}
		return false
	}
	if r.metrics, err = openJournal(r.Folder.metricsPath(), undecided, r.warn); err != nil {
		return err
	}
	r.matches, err = openJournal(r.Folder.matchesPath(), undecided, r.warn)
	return err
}

// loadChampion reads champion.json; at the very beginning it makes the first network champion.
func (r *Run) loadChampion() error {
	c, trouble, err := r.Folder.champion()
	if errors.Is(err, fs.ErrNotExist) {
		if shards, err := data.Shards(r.Folder.gamesDir()); err != nil || !r.isBeginning(shards) {
			return errors.Join(err, fmt.Errorf("%w: %s has games but no champion.json; restore it from a backup", ErrDamaged, string(r.Folder)))
		}
		return r.begin()
	}
	if err != nil {
		return err
	}
	if c.Run != r.Config.identity() {
		return fmt.Errorf("%w: %s was edited: the run has %s, the file says %s; undo the edit", ErrConfig, r.Folder.configPath(), c.Run, r.Config.identity())
	}
	if trouble != nil {
		if err := r.fallBack(c, trouble); err != nil {
			return err
		}
	}
	r.champion = c
	return r.copyChampion()
}

// export writes the weights as the model of the generation and returns its name.
func (r *Run) export(generation int, weights *nn.Weights, steps int) (string, error) {
	m, err := nn.NewModel(nn.Meta{
		Board: r.Board, Steps: int64(steps), Games: int64(r.Config.gamesUpTo(generation)), Generation: generation,
		Parent: r.champion.Model, ConfigHash: fmt.Sprintf("%x", r.Config.Hash()),
	}, weights)
	if err != nil {
		return "", err
	}
	return m.ID(), durable.WriteFile(r.Folder.modelPath(generation), m.Marshal())
}

// Close releases the folder. It does not lose anything: what is done is on disk.
func (r *Run) Close() error {
	var errs []error
	if r.learner != nil && !r.abandoned {
		errs = append(errs, r.learner.close())
	}
	for _, j := range []*journal{r.metrics, r.matches} {
		if j != nil {
			errs = append(errs, j.close())
		}
	}
	return errors.Join(append(errs, r.lock.Unlock())...)
}

// Champion returns the current champion.
func (r *Run) Champion() Champion { return r.champion }

// Next returns the stage to be done next and its generation.
func (r *Run) Next() (Stage, int, error) {
	g := r.champion.Gated + 1
	if g > r.Config.Generations {
		if r.champion.Final == nil {
			return StageFinal, r.champion.Gated, nil
		}
		return StageDone, r.champion.Gated, nil
	}
	if !exists(data.ShardPath(r.Folder.gamesDir(), g)) {
		return StageSelfPlay, g, nil
	}
	if !exists(r.Folder.ckptPath(g)) {
		return StageTrain, g, nil
	}
	return StageGate, g, nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// model reads the model of a generation, which must be one of this run.
func (r *Run) model(generation int) (*nn.Model, error) {
	m, err := nn.Load(r.Folder.modelPath(generation))
	if err != nil {
		return nil, err
	}
	if m.Board.W != r.Board.W || m.Board.H != r.Board.H || m.Config != r.Config.Net {
		return nil, fmt.Errorf("%w: %s holds a %s network for %s, the run has %s for %s", ErrConfig, r.Folder.modelPath(generation), m.Config, m.Board, r.Config.Net, r.Board)
	}
	return m.WithBoard(r.Board)
}

// evaluators returns a maker of evaluators for the model, one for each goroutine.
func (r *Run) evaluators(m *nn.Model) func() (mcts.Evaluator, error) {
	return func() (mcts.Evaluator, error) { return r.newEvaluator(m) }
}

func (r *Run) event(format string, args ...any) {
	if r.Observer.Event != nil {
		r.Observer.Event(fmt.Sprintf(format, args...))
	}
}

func (r *Run) warn(err error) {
	if r.Observer.Warning != nil {
		r.Observer.Warning(err)
	} else if !r.opened {
		r.found = append(r.found, err)
	}
}

func (r *Run) progress(p Progress) {
	r.pulse.beat()
	if r.Observer.Progress != nil {
		p.Generations = r.Config.Generations
		r.Observer.Progress(p)
	}
}

// Progress is how far a stage has come.
type Progress struct {
	Stage       Stage
	Generation  int
	Generations int // of the whole run
	Done, Total int // games, steps or pairs of the stage
	Detail      string
}

// metric is the common part of the lines in metrics.jsonl.
type metric struct {
	Time       time.Time `json:"time"`
	Event      string    `json:"event"`
	Generation int       `json:"generation"`
	Seconds    float64   `json:"seconds,omitempty"` // that the stage took in this process
	Value      any       `json:"value,omitempty"`
}

func (r *Run) measure(event string, generation int, since time.Time, value any) error {
	return r.metrics.append(metric{Time: r.system.now().UTC(), Event: event, Generation: generation, Seconds: r.since(since), Value: value})
}
