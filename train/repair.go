package train

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"sync/atomic"
	"time"

	"rampart/data"
	"rampart/internal/durable"
	"rampart/internal/usage"
	"rampart/mcts"
	"rampart/nn"
	"rampart/nn/onnx"
	"rampart/quoridor"
)

// checkFree refuses to begin when the disk is nearly full.
func (r *Run) checkFree() error {
	return r.checkUse(usage.Usage{Free: r.system.use(string(r.Folder)).Free})
}

// tellFound tells the observer and metrics.jsonl what Open found.
func (r *Run) tellFound(generation int) error {
	found := r.found
	r.found = nil
	for _, err := range found {
		r.warn(err)
		if err := r.metrics.append(metric{Time: r.system.now().UTC(), Event: "found", Generation: generation, Value: err.Error()}); err != nil {
			return err
		}
	}
	return nil
}

// tellEdits tells if run.toml is not what the last start used: someone edited it, or a bit of it has changed by itself. It comes before this
// start writes settings.
func (r *Run) tellEdits() error {
	text, err := readFile(r.Folder.configPath(), MaxConfig)
	if err != nil {
		return err
	}
	used, err := readFile(r.Folder.usedConfigPath(), MaxConfig)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case errors.Is(err, ErrDamaged):
		r.warn(fmt.Errorf("%w; written again", err))
		return nil
	case err != nil:
		return err
	}
	if !bytes.Equal(used, text) {
		r.warn(fmt.Errorf("run.toml is not what the last start used, from line %d on: its settings hold from now on (the former ones were in run.toml.used)", firstChange(used, text)))
	}
	return nil
}

// noteConfig keeps a copy of the settings that this start uses.
func (r *Run) noteConfig() error {
	text, err := readFile(r.Folder.configPath(), MaxConfig)
	if err != nil {
		return err
	}
	if used, err := readFile(r.Folder.usedConfigPath(), MaxConfig); err == nil && bytes.Equal(used, text) {
		return nil
	}
	return durable.WriteFile(r.Folder.usedConfigPath(), text)
}

// firstChange returns the number of the first line in which the texts differ, from 1.
func firstChange(a, b []byte) int {
	line := 1
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			break
		}
		if a[i] == '\n' {
			line++
		}
	}
	return line
}

// fallBack makes the state before the last one the current one, because champion.json is damaged or gone.
func (r *Run) fallBack(c Champion, trouble error) error {
	path := r.Folder.championPath()
	if exists(path) {
		aside, err := setAside(path)
		if err != nil {
			return errors.Join(trouble, err)
		}
		trouble = fmt.Errorf("%w; set aside as %s", trouble, aside)
	}
	r.warn(fmt.Errorf("%w; the run goes on from champion.previous.json, after generation %d", trouble, c.Gated))
	return r.Folder.writeChampion(c)
}

// championModel reads the champion's model and makes sure that it is the one that won. If it is damaged it comes from the copy in champion.onnx.
func (r *Run) championModel(c Champion) (*nn.Model, error) {
	m, err := r.model(c.Generation)
	if err == nil && m.ID() == c.Model {
		return m, nil
	}
	path := r.Folder.modelPath(c.Generation)
	if err == nil {
		err = fmt.Errorf("%w: %s is model %s, champion.json names %s", ErrDamaged, path, m.ID(), c.Model)
	}
	if !errors.Is(err, nn.ErrFormat) && !errors.Is(err, ErrDamaged) && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the champion's model: %w", err)
	}
	saved, copyErr := nn.Load(r.Folder.bestPath())
	if copyErr != nil || saved.ID() != c.Model {
		return nil, fmt.Errorf("the champion's model: %w, and champion.onnx does not have it; restore it from a backup", err)
	}
	if exists(path) {
		aside, e := setAside(path)
		if e != nil {
			return nil, errors.Join(err, e)
		}
		err = fmt.Errorf("%w; set aside as %s", err, aside)
	}
	r.warn(fmt.Errorf("the champion's model: %w; restored from champion.onnx", err))
	if err := durable.WriteFile(path, saved.Marshal()); err != nil {
		return nil, err
	}
	return r.model(c.Generation)
}

// copyChampion makes champion.onnx a copy of the champion's model.
func (r *Run) copyChampion() error {
	path := r.Folder.bestPath()
	saved, err := nn.Load(path)
	if err == nil && saved.ID() == r.champion.Model {
		return nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, nn.ErrFormat) {
		return err
	}
	text, readErr := readFile(r.Folder.modelPath(r.champion.Generation), onnx.MaxFileSize)
	if readErr != nil {
		return nil //nolint:nilerr // whoever needs the model says what is wrong with it
	}
	if m, bad := nn.Unmarshal(text); bad != nil || m.ID() != r.champion.Model {
		return nil //nolint:nilerr // likewise
	}
	if errors.Is(err, nn.ErrFormat) {
		aside, e := setAside(path)
		if e != nil {
			return errors.Join(err, e)
		}
		r.warn(fmt.Errorf("%w; set aside as %s and copied again", err, aside))
	}
	return durable.WriteFile(path, text)
}

// refersTo tells whether the error is about the shard at the path.
func refersTo(err error, path string) bool {
	var e *data.Error
	return errors.As(err, &e) && e.Path == path
}

// playAgain sets the generation's damaged shard aside: self-play is the next stage again and makes the same games, since it depends on the seed and
// the champion alone.
func (r *Run) playAgain(path string, reason error) error {
	r.dropLearner() // it remembers that the shard is bad
	aside, err := setAside(path)
	if err != nil {
		return errors.Join(reason, err)
	}
	r.warn(fmt.Errorf("%w; set aside as %s, its games are played again", reason, aside))
	return nil
}

// pulse counts signs of life.
type pulse struct{ n atomic.Int64 }

func (p *pulse) beat()       { p.n.Add(1) }
func (p *pulse) Load() int64 { return p.n.Load() }

// newEvaluator returns an evaluator whose work is a sign of life.
func (r *Run) newEvaluator(m *nn.Model) (mcts.Evaluator, error) {
	eval, err := nn.NewEvaluator(r.Config.Backend, m)
	if err != nil {
		return nil, err
	}
	return pulsing{eval, &r.pulse}, nil
}

// pulsing is an evaluator that gives signs of life.
type pulsing struct {
	mcts.Evaluator
	pulse *pulse
}

func (p pulsing) Evaluate(pos []quoridor.Position, moves [][]quoridor.Move, logits [][]float32, wdl [][3]float32) error {
	p.pulse.beat()
	return p.Evaluator.Evaluate(pos, moves, logits, wdl)
}

// Close releases the evaluator if there is anything to release.
func (p pulsing) Close() error {
	if c, ok := p.Evaluator.(interface{ Close() error }); ok {
		return c.Close()
	}
	return nil
}

// since returns the seconds since the time, 0 if the clock was moved back meanwhile.
func (r *Run) since(t time.Time) float64 { return max(0, r.system.now().Sub(t).Seconds()) }

// rate returns n a second, 0 if no time has passed.
func rate(n int64, seconds float64) float64 {
	if seconds <= 0 {
		return 0
	}
	return float64(n) / seconds
}
