package train

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Measured is what the run's newest measurements say.
type Measured struct {
	HeldOut           *HeldOut // of the candidate of generation HeldOutGeneration
	HeldOutGeneration int
	Optimal           []Optimal // of the champion after generation OptimalGeneration
	OptimalGeneration int
	Ladder            *LadderReport
}

// measured reads the newest measurements from metrics.jsonl. Lines of earlier versions that say something else are left aside.
func (f Folder) measured() (m Measured, err error) {
	return m, f.eachMetric(func(line metricLine) error {
		switch line.Event {
		case "train":
			var report LearningReport
			if json.Unmarshal(line.Value, &report) == nil && report.HeldOut != nil {
				m.HeldOut, m.HeldOutGeneration = report.HeldOut, line.Generation
			}
		case "optimal":
			var list []Optimal
			if json.Unmarshal(line.Value, &list) == nil && len(list) > 0 {
				m.Optimal, m.OptimalGeneration = list, line.Generation
			}
		case "ladder":
			var report LadderReport
			if json.Unmarshal(line.Value, &report) == nil {
				m.Ladder = &report
			}
		}
		return nil
	})
}

// String returns the measurements as lines to read; none if there are none.
func (m Measured) String() string {
	var t strings.Builder
	if h := m.HeldOut; h != nil {
		fmt.Fprintf(&t, "held-out games, generation %d: policy loss %.3f, top-1 %.0f %%, value loss %.3f, calibration error %.1f %% on %d rows\n",
			m.HeldOutGeneration, h.Policy, 100*h.Top1, h.Value, 100*h.Calibration, h.Rows)
	}
	if len(m.Optimal) > 0 {
		fmt.Fprintf(&t, "generation %d: %s\n", m.OptimalGeneration, describeOptimal(m.Optimal))
	}
	if m.Ladder != nil {
		fmt.Fprintf(&t, "ladder: %s\n", m.Ladder)
	}
	return t.String()
}
