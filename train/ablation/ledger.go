package ablation

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"rampart/internal/bench"
	"rampart/internal/durable"
)

// entry is the processor time of one stage of a run, in seconds.
type entry struct {
	Run        string  `json:"run"`
	Stage      string  `json:"stage"`
	Generation int     `json:"generation"`
	CPU        float64 `json:"cpu_s"`
}

// ledger adds up what the stages of the runs took. Work that was cut off is not in it: it is done again.
type ledger struct {
	file    *os.File
	entries []entry
}

const maxLedger = 64 << 20 // bytes

// openLedger reads the file and opens it for more; a last line that was cut off is overwritten.
func openLedger(path string) (*ledger, error) {
	text, err := durable.ReadFile(path, maxLedger)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	l := &ledger{}
	whole := bytes.LastIndexByte(text, '\n') + 1
	for i, line := range bytes.Split(bytes.TrimSuffix(text[:whole], []byte("\n")), []byte("\n")) {
		if len(line) == 0 {
			continue
		}
		var e entry
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, fmt.Errorf("%w: %s, line %d: %w; move the file away to start anew", ErrConfig, path, i+1, err)
		}
		l.entries = append(l.entries, e)
	}
	if l.file, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o666); err != nil {
		return nil, err
	}
	if err = l.file.Truncate(int64(whole)); err == nil {
		_, err = l.file.Seek(int64(whole), 0)
	}
	if err != nil {
		return nil, errors.Join(err, l.file.Close())
	}
	return l, nil
}

// add notes an entry and syncs it.
func (l *ledger) add(e entry) error {
	l.entries = append(l.entries, e)
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if _, err := l.file.Write(append(line, '\n')); err != nil {
		return err
	}
	return l.file.Sync()
}

// total returns the processor time of a run in seconds. A stage that was done twice, because its end was not noted, counts once.
func (l *ledger) total(run string) (seconds float64) {
	type key struct {
		stage      string
		generation int
	}
	last := make(map[key]float64)
	for _, e := range l.entries {
		if e.Run == run {
			last[key{e.Stage, e.Generation}] = e.CPU
		}
	}
	for _, s := range last {
		seconds += s
	}
	return seconds
}

func (l *ledger) close() error { return l.file.Close() }

func cpuSeconds() float64 { return bench.CPUTime().Seconds() }
