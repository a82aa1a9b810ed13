package nn

import (
	"errors"
	"math"
	"testing"

	"rampart/nn/graph"
)

// The gradient of a batch in micro-batches is the sum of theirs. Rows that are
// all alike give every micro-batch the statistics of the whole batch.
func TestMicroBatchesAddUp(t *testing.T) {
	alike := examples(t, board5, 6, 1)
	for _, x := range [][]float32{alike.Planes, alike.Policy, alike.WDL, alike.PolicyWeight, alike.ValueWeight} {
		first := x[:len(x)/6]
		for i := range 6 {
			copy(x[i*len(first):], first)
		}
	}
	alike.PolicyWeight[4], alike.ValueWeight[5] = 0, 0
	var stats [2]Stats
	var moments [2][]float32
	for i, micro := range []int{0, 2} {
		o := DefaultTrainerOptions()
		o.MicroBatch, o.StatMomentum = micro, 0
		tr := newTrainer(t, 6, newWeights(t, tiny, 1), o)
		var err error
		if stats[i], err = tr.Step(alike, 0.001); err != nil {
			t.Fatal(err)
		}
		moments[i] = tr.State().M
	}
	if math.Abs(stats[0].Loss-stats[1].Loss) > 1e-6 || math.Abs(stats[0].GradNorm-stats[1].GradNorm) > 1e-5*stats[0].GradNorm {
		t.Errorf("whole %+v, in parts %+v", stats[0], stats[1])
	}
	for i, m := range moments[0] {
		if math.Abs(float64(m-moments[1][i])) > 1e-6 {
			t.Fatalf("moment %d is %v, in parts %v", i, m, moments[1][i])
		}
	}
}

func TestMicroBatch(t *testing.T) {
	for _, c := range []struct{ batch, most, want int }{
		{256, 64, 64},
		{64, 64, 64},
		{12, 64, 12},
		{256, 0, 256},
		{300, 64, 60},
		{96, 64, 48},
		{6, 1, 1},
		{0, 64, 0},
		{257, 64, 0},
		{96, 20, 16},
		{94, 40, 0},
	} {
		o := DefaultTrainerOptions()
		o.MicroBatch = c.most
		got, err := o.microBatch(c.batch, board5.Cells())
		if got != c.want || (c.want == 0 && c.batch > 0) != errors.Is(err, ErrConfig) {
			t.Errorf("batch %d, at most %d: %d, %v; want %d", c.batch, c.most, got, err, c.want)
		}
	}
	if _, err := NewTrainer(board5, 0, newWeights(t, tiny, 1), DefaultTrainerOptions()); !errors.Is(err, ErrConfig) {
		t.Errorf("empty batch: %v", err)
	}
}

func TestAutoMicroBatch(t *testing.T) {
	for _, c := range []struct{ batch, cells, want int }{
		{256, 81, 16},
		{64, 81, 16},
		{64, 64, 16},
		{256, 49, 32},
		{256, 25, 64},
		{256, 9, 128},
		{300, 81, 20},
		{94, 81, 47},
		{257, 81, 257},
		{12, 81, 12},
		{1, 9, 1},
		{0, 81, 0},
	} {
		got, err := DefaultTrainerOptions().microBatch(c.batch, c.cells)
		if got != c.want || err != nil {
			t.Errorf("batch %d, %d cells: %d, %v; want %d", c.batch, c.cells, got, err, c.want)
		}
	}
	o := DefaultTrainerOptions()
	o.MicroBatch = -2
	if err := o.Validate(); !errors.Is(err, ErrConfig) {
		t.Errorf("micro-batch -2: %v", err)
	}
}

// However the micro-batches are shared out, the running statistics are those of
// one graph that sees them in order.
func TestStatisticsMoveInOrder(t *testing.T) {
	batch, w := examples(t, board5, 12, 3), newWeights(t, tiny, 1)
	o := DefaultTrainerOptions()
	o.MicroBatch, o.Workers = 2, 3
	tr := newTrainer(t, 12, w, o)
	if _, err := tr.Step(batch, 0); err != nil {
		t.Fatal(err)
	}
	want := w.Clone()
	net, err := graph.NewTraining(tiny.arch(5, 5), 2, want.values(), o.graph(false))
	if err != nil {
		t.Fatal(err)
	}
	defer net.Close()
	inputs := newNormalised(2)
	for row := 0; row < 12; row += 2 {
		in, err := inputs.take(batch, row)
		if err != nil {
			t.Fatal(err)
		}
		if err := net.Run(in); err != nil {
			t.Fatal(err)
		}
		net.UpdateStatistics(o.StatMomentum)
	}
	for i, tensor := range tr.Weights().tensors {
		for j, v := range tensor.Data {
			if x := want.tensors[i].Data[j]; math.Abs(float64(v-x)) > 1e-6*max(1, math.Abs(float64(x))) {
				t.Fatalf("%s[%d] is %v, in order %v", tensor.Name, j, v, x)
			}
		}
	}
}
