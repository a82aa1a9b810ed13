package nn

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"rampart/quoridor"
)

// distorted changes what an evaluator says about one position.
type distorted struct {
	Evaluator
	victim quoridor.Position
	change func(logits []float32, wdl *[3]float32)
}

func (d *distorted) Evaluate(pos []quoridor.Position, moves [][]quoridor.Move, logits [][]float32, wdl [][3]float32) error {
	err := d.Evaluator.Evaluate(pos, moves, logits, wdl)
	for i := range pos {
		if pos[i] == d.victim {
			d.change(logits[i], &wdl[i])
		}
	}
	return err
}

func TestCheckAnswersAsNative(t *testing.T) {
	b := quoridor.MustBoard(5, 6, 4)
	m, pos := newModel(t, b, tiny, 1), positions(b, 9, 4)
	want := evaluate(t, open(t, "native", m), pos)
	for _, name := range []string{"check", "check-gorgonia"} {
		got := evaluate(t, open(t, name, m), pos)
		for i := range pos {
			if got.wdl[i] != want.wdl[i] || !slices.Equal(got.logits[i], want.logits[i]) {
				t.Errorf("%s, position %d: not native's answer", name, i)
			}
		}
	}
}

func TestCheckReportsDifferences(t *testing.T) {
	b := quoridor.MustBoard(5, 5, 2)
	m, pos := newModel(t, b, tiny, 1), positions(b, 9, 4)
	victim := pos[6]
	nan := float32(math.NaN())
	for name, c := range map[string]struct {
		change func(logits []float32, wdl *[3]float32)
		want   string // in the error; empty for none
	}{
		"nothing":      {func([]float32, *[3]float32) {}, ""},
		"rounding":     {func(l []float32, w *[3]float32) { l[0] += CheckTolerance / 2; w[0] += CheckTolerance / 2 }, ""},
		"logit":        {func(l []float32, _ *[3]float32) { l[1] += 0.25 }, "logit of " + b.Moves(nil, &victim)[1].String()},
		"how far":      {func(l []float32, _ *[3]float32) { l[1] -= 0.25 }, "0.25 apart"},
		"NaN logit":    {func(l []float32, _ *[3]float32) { l[2] = nan }, "logit of"},
		"win":          {func(_ []float32, w *[3]float32) { w[0] += 3 * CheckTolerance }, "probability of a win"},
		"loss":         {func(_ []float32, w *[3]float32) { w[2] -= 3 * CheckTolerance }, "probability of a loss"},
		"NaN draw":     {func(_ []float32, w *[3]float32) { w[1] = nan }, "probability of a draw"},
		"infinite":     {func(_ []float32, w *[3]float32) { w[1] = float32(math.Inf(1)) }, "probability of a draw"},
		"names":        {func(l []float32, _ *[3]float32) { l[0] += 1 }, "native and other disagree"},
		"the position": {func(l []float32, _ *[3]float32) { l[0] += 1 }, b.Format(victim)},
	} {
		t.Run(name, func(t *testing.T) {
			e := &check{
				first: open(t, "native", m), second: &distorted{open(t, "native", m), victim, c.change},
				names: [2]string{"native", "other"},
			}
			r := newResults(b, pos)
			err := e.Evaluate(pos, r.moves, r.logits, r.wdl)
			switch {
			case c.want == "" && err != nil:
				t.Fatal(err)
			case c.want != "" && (!errors.Is(err, ErrBackend) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n")):
				t.Fatalf("error %v, want one line with %q", err, c.want)
			}
			others := append(append([]quoridor.Position(nil), pos[:6]...), pos[7:]...)
			others = slices.DeleteFunc(others, func(p quoridor.Position) bool { return p == victim })
			evaluate(t, e, others) // about which they agree
		})
	}
}

// Both being NaN or infinite is no agreement.
func TestWithinTolerance(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, c := range []struct {
		a, b float32
		want bool
	}{
		{1, 1, true},
		{0, CheckTolerance * 0.9, true},
		{0, CheckTolerance * 1.1, false},
		{50, 50 + 40*CheckTolerance, true},
		{-50, -50 - 60*CheckTolerance, false},
		{inf, inf, false},
		{nan, nan, false},
		{1, nan, false},
	} {
		if withinTolerance(c.a, c.b) != c.want {
			t.Errorf("withinTolerance(%v, %v) is %v", c.a, c.b, !c.want)
		}
	}
}

func TestCheckBackend(t *testing.T) {
	for _, name := range append(Backends(), "") {
		if err := CheckBackend(name); err != nil {
			t.Error(err)
		}
	}
	if err := CheckBackend("gpu"); !errors.Is(err, ErrBackend) || !strings.Contains(err.Error(), "native, gorgonia, onnx, check") {
		t.Errorf("error %v", err)
	}
}
