package train

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"time"

	"rampart/internal/usage"
)

// LastUse is what a run took when it was last measured.
type LastUse struct {
	Time time.Time
	usage.Usage
}

// String returns the numbers in one line.
func (u LastUse) String() string {
	mib := func(bytes int64) string {
		if bytes < 0 {
			return "unknown"
		}
		return fmt.Sprintf("%.0f MiB", float64(bytes)/(1<<20))
	}
	return fmt.Sprintf("memory %s (Go objects %s), %d goroutines, %d open files at %s", mib(u.Resident), mib(u.Heap), u.Goroutines, u.OpenFiles, u.Time.Format(time.DateTime))
}

// lastStretch is how far from the end of metrics.jsonl a measurement is looked for.
const lastStretch = 1 << 18

// lastUse returns the last measurement in metrics.jsonl, nil if there is none near its end.
func (f Folder) lastUse() (*LastUse, error) {
	file, err := openFile(f.metricsPath(), maxJournal)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	end, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	tail, err := io.ReadAll(io.NewSectionReader(file, max(0, end-lastStretch), lastStretch))
	if err != nil {
		return nil, err
	}
	for _, line := range slices.Backward(bytes.Split(tail, []byte("\n"))) {
		var m struct {
			Time  time.Time
			Event string
			Value json.RawMessage
		}
		if _, ok := checkLine(line); !ok || json.Unmarshal(line, &m) != nil || m.Event != "usage" {
			continue
		}
		u := LastUse{Time: m.Time}
		if json.Unmarshal(m.Value, &u.Usage) == nil {
			return &u, nil
		}
	}
	return nil, nil
}
