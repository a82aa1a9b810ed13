package bench

import (
	"testing"
	"time"

	"rampart/nn"
	"rampart/quoridor"
)

func TestMeasureNet(t *testing.T) {
	b, cfg := quoridor.MustBoard(5, 5, 2), nn.Config{Channels: 16, Blocks: 1, Hidden: 16}
	w, err := nn.NewWeights(cfg, 1)
	if err != nil {
		t.Fatal(err)
	}
	m, err := nn.NewModel(nn.Meta{Board: b}, w)
	if err != nil {
		t.Fatal(err)
	}
	for _, threads := range []int{1, 2} {
		r, err := MeasureEvaluator(t.Context(), "native", m, 8, threads, time.Nanosecond)
		if err != nil || r.PerSecond <= 0 || r.ShareOfPeak <= 0 || r.PerCPUSecond < 0 {
			t.Errorf("%+v, %v", r, err)
		}
	}
	r, err := MeasureTraining(t.Context(), b, cfg, 8, 1, false, time.Nanosecond)
	if err != nil || r.SamplesPerSecond <= 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestFLOPs checks the count against the figure for the reference network: 73 MFLOP on 9x9, heads aside.
func TestFLOPs(t *testing.T) {
	got := FLOPs(nn.Config{Channels: 64, Blocks: 6, Hidden: 64}, quoridor.MustBoard(9, 9, 10))
	if got < 72e6 || got > 75e6 {
		t.Errorf("%.1f MFLOP", got/1e6)
	}
}

func TestAgree(t *testing.T) {
	w, err := nn.NewWeights(nn.Config{Channels: 16, Blocks: 1, Hidden: 16}, 1)
	if err != nil {
		t.Fatal(err)
	}
	m, err := nn.NewModel(nn.Meta{Board: quoridor.MustBoard(4, 5, 2)}, w)
	if err != nil {
		t.Fatal(err)
	}
	for _, backend := range nn.Backends() {
		if nn.Approximate(backend) {
			continue // see nn.TestInt8
		}
		r, err := Agree(t.Context(), m, "native", backend, 10, 4)
		if err != nil || r.Logit > 1e-4 || r.Outcome > 1e-4 || (backend == "native" && r.Logit != 0) {
			t.Errorf("%+v, %v", r, err)
		}
	}
}
