package train

import (
	"math"
	"slices"
	"testing"

	"rampart/data"
	"rampart/nn"
	"rampart/quoridor"
)

// TestBatchesHoldTheSampledRows: a row that the window gives, mirrored or not, becomes the planes of its position and its policy, each share at the action
// of its move, its outcome and its weight.
func TestBatchesHoldTheSampledRows(t *testing.T) {
	dir := t.TempDir()
	selfPlayOnce(t, dir, nil)
	c := tinyConfig()
	c.Window.HeldOut = 0
	weights, err := nn.NewWeights(c.Net, 1)
	if err != nil {
		t.Fatal(err)
	}
	b := quoridor.MustBoard(3, 4, 1)
	l, err := newLearner(c, b, weights, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	if _, err := l.window.Load([]string{data.ShardPath(Folder(dir).gamesDir(), 1)}); err != nil {
		t.Fatal(err)
	}
	encoder := nn.NewEncoder(c.Net, b)
	mirrored := 0
	for range 300 {
		l.window.Sample(l.random, &l.row)
		if err := l.set(0, 1); err != nil {
			t.Fatal(err)
		}
		row := &l.row
		moves := b.Moves(nil, &row.Position)
		planes := make([]float32, encoder.Len())
		encoder.Encode(planes, &row.Position, moves, false)
		if !slices.Equal(l.batch.Planes[:encoder.Len()], planes) {
			t.Fatalf("%s: other planes", b.Format(row.Position))
		}
		for _, m := range moves {
			want := float32(0)
			if i := slices.Index(row.Moves, m); i >= 0 {
				want = row.Probs[i]
			}
			if got := l.batch.Policy[b.Action(&row.Position, m)]; math.Abs(float64(got-want)) > 1e-6 {
				t.Fatalf("%s: %s has %g, the row says %g", b.Format(row.Position), m, got, want)
			}
		}
		if !slices.Equal(l.batch.WDL[:3], row.WDL[:]) || l.batch.PolicyWeight[0] != row.Weight {
			t.Fatalf("%s: outcome %v with weight %g, the row says %v with %g", b.Format(row.Position), l.batch.WDL[:3], l.batch.PolicyWeight[0], row.WDL, row.Weight)
		}
		if row.Mirrored {
			mirrored++
		}
	}
	if mirrored < 50 || mirrored > 250 {
		t.Errorf("%d of 300 rows are mirrored", mirrored)
	}
}
