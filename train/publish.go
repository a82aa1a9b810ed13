package train

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"rampart/nn"
)

// ErrNoYardstick is returned when a network is to be published that was not measured.
var ErrNoYardstick = errors.New("no yardsticks")

// Published is what a run has to say about its champion.
type Published struct {
	Model     *nn.Model
	Champion  Champion
	Hours     float64 // that the stages took in all
	Settings  []byte  // run.toml, with the names alone of what the run began from
	Yardstick Yardstick
}

// Publish reads a finished run's champion with its yardsticks. The error wraps [ErrNoYardstick] if the run has not come to its final match.
func (f Folder) Publish() (*Published, error) {
	champion, _, err := f.champion()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s has no champion.json", ErrNoRun, string(f))
	}
	if err != nil {
		return nil, err
	}
	if champion.Final == nil || champion.Final.Model != champion.Generation {
		return nil, fmt.Errorf("%w: the champion of %s has not played the run's final match; go on with \"rampart run --dir %s\" (--generations %d ends it here)",
			ErrNoYardstick, string(f), string(f), champion.Gated)
	}
	p := &Published{Champion: champion, Yardstick: *champion.Final}
	if p.Model, err = nn.Load(f.modelPath(champion.Generation)); err != nil {
		return nil, err
	}
	settings, err := f.ReadConfig()
	if err != nil {
		return nil, err
	}
	for _, from := range []*string{&settings.Origin.Net, &settings.Origin.Games} { // paths of this machine are nobody's business
		if *from != "" {
			*from = filepath.Base(*from)
		}
	}
	if p.Settings, err = settings.Marshal(); err != nil {
		return nil, err
	}
	p.Hours, err = f.hours()
	return p, err
}

// hours adds up the time of all stages in metrics.jsonl.
func (f Folder) hours() (float64, error) {
	file, err := openFile(f.metricsPath(), maxJournal)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	seconds := 0.0
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		var m metric
		if err := json.Unmarshal(lines.Bytes(), &m); err != nil {
			return 0, fmt.Errorf("%w: %s, line %d: %w", ErrDamaged, f.metricsPath(), n, err)
		}
		switch m.Event {
		case "selfplay", "train", "gate", "final": // a gate's time includes the yardsticks after it
			seconds += m.Seconds
		}
	}
	return seconds / 3600, lines.Err()
}
