package train

import (
	"encoding/json"
	"testing"

	"rampart/nn"
)

// TestRunWithHeads: a run trains auxiliary heads on what its games say, measures them on held-out games, and its models have them; without distance
// planes too.
func TestRunWithHeads(t *testing.T) {
	c := tinyConfig()
	c.Net.Heads, c.Net.NoDistance, c.Net.DetourPlanes = "reply+margin+plies", true, false
	c.Generations, c.Window.HeldOut = 2, 0.2
	dir := t.TempDir()
	complete(t, begin(t, dir, &c))
	m, err := nn.Load(Folder(dir).modelPath(2))
	if err != nil || m.Config != c.Net {
		t.Fatalf("the model is %v, want %v: %v", m, c.Net, err)
	}
	var last LearningReport
	if err := Folder(dir).eachMetric(func(line metricLine) error {
		if line.Event == "train" {
			return json.Unmarshal(line.Value, &last)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	h := last.HeldOut
	if h == nil || !(h.Reply > 0 && h.Margin > 0 && h.Plies > 0 && h.Calibration > 0 && h.Calibration < 1) {
		t.Fatalf("held out: %+v", h)
	}
	t.Logf("held out: %+v", *h)
}
