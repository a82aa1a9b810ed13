package train

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestCalibration(t *testing.T) {
	var c calibration
	if c.err() != 0 {
		t.Error("no rows, but an error")
	}
	// Four rows at 0.9 of which three are won, two at 0.25 of which one is drawn and one lost: off by 0.15 and by 0.
	for _, actual := range []float64{1, 1, 1, 0} {
		c.add(0.9, actual)
	}
	c.add(0.25, 0.5)
	c.add(0.25, 0)
	if want := 4 * 0.15 / 6; math.Abs(c.err()-want) > 1e-12 {
		t.Errorf("error %v, want %v", c.err(), want)
	}
	c.add(1, 1) // at the edge
	if got := c.bins[calibrationBins-1].rows; got != 5 {
		t.Errorf("%v rows in the last bin", got)
	}

	// Results drawn as expected are calibrated; an overconfident view of them is not.
	r := rand.New(rand.NewPCG(1, 1))
	var honest, overconfident calibration
	for range 100_000 {
		p := r.Float64()
		result := 0.0
		if r.Float64() < p {
			result = 1
		}
		honest.add(p, result)
		overconfident.add(math.Round(p), result)
	}
	if honest.err() > 0.01 || math.Abs(overconfident.err()-0.25) > 0.01 {
		t.Errorf("honest %v, overconfident %v", honest.err(), overconfident.err())
	}
	if points([3]float32{0.5, 0.25, 0.25}) != 0.625 {
		t.Error("points")
	}
}
