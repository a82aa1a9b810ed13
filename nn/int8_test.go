package nn

import (
	"math"
	"testing"

	"rampart/quoridor"
)

// A rounded network answers nearly as the network does, and the same at every
// calibration.
func TestInt8IsClose(t *testing.T) {
	for _, cfg := range []Config{tiny, {Channels: 48, Blocks: 2, Hidden: 32}} {
		b := quoridor.MustBoard(6, 5, 4)
		m := newModel(t, b, cfg, 3)
		pos := positions(b, 200, 5)
		want, got := evaluate(t, open(t, "native", m), pos), evaluate(t, open(t, "int8", m), pos)
		again := evaluate(t, open(t, "int8", m), pos)
		var logits, spread, outcomes float64
		n := 0
		for i := range pos {
			mean := 0.0
			for _, v := range want.logits[i] {
				mean += float64(v) / float64(len(want.logits[i]))
			}
			for j, v := range want.logits[i] {
				if got.logits[i][j] != again.logits[i][j] {
					t.Fatal("two evaluators of one model differ")
				}
				logits += math.Abs(float64(v - got.logits[i][j]))
				spread += math.Abs(float64(v) - mean)
				n++
			}
			for j, v := range want.wdl[i] {
				outcomes += math.Abs(float64(v-got.wdl[i][j])) / 3 / float64(len(pos))
			}
		}
		t.Logf("%v: logits differ by %.2g on average and lie %.2g from their mean, probabilities differ by %.2g", cfg, logits/float64(n), spread/float64(n), outcomes)
		if logits > spread/20 || outcomes > 0.03 {
			t.Errorf("%v: rounding moves logits by %v, which lie %v from their mean, and probabilities by %v", cfg, logits/float64(n), spread/float64(n), outcomes)
		}
	}
}
