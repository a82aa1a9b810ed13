package nn

import (
	"errors"
	"math"
	"slices"
	"testing"

	"gorgonia.org/tensor"

	"rampart/nn/graph"
	"rampart/nn/kernel"
	"rampart/quoridor"
)

// full is tiny with everything that a network may have.
var full = Config{Channels: 16, Blocks: 2, Hidden: 32, Heads: "reply+margin+plies"}

// auxiliaryExamples is examples with targets for the auxiliary heads.
func auxiliaryExamples(t testing.TB, b *quoridor.Board, n int, seed uint64) *Batch {
	batch, r := examples(t, b, n, seed), random(seed+100)
	for i, p := range positions(b, n, seed) {
		if i == 3 {
			continue // no reply
		}
		walls := []quoridor.Move{quoridor.HWall(r.IntN(b.W-1), r.IntN(b.H-1)), quoridor.VWall(r.IntN(b.W-1), r.IntN(b.H-1))}
		x := Example{Position: p, Weight: 1, Reply: walls, ReplyProbs: []float32{1, 0}}
		if err := batch.setReply(i, &x); err != nil {
			t.Fatal(err)
		}
		batch.Margin[i], batch.Plies[i] = ScaleMargin(float32(r.IntN(17)-8)), ScalePlies(float32(r.IntN(40)))
	}
	return batch
}

// The auxiliary heads learn their targets, and the loss that is reported is the
// one that the graph computes.
func TestHeadsLearn(t *testing.T) {
	batch := auxiliaryExamples(t, board5, 16, 1)
	o := DefaultTrainerOptions()
	o.MarginLoss, o.PliesLoss, o.ReplyLoss = 1, 1, 1
	tr := newTrainer(t, 16, newWeights(t, full, 1), o)
	first, err := tr.Step(batch, 0.003)
	if err != nil {
		t.Fatal(err)
	}
	if loss := tr.replicas[0].net.Loss(); math.Abs(loss-first.Loss) > 1e-4*loss {
		t.Errorf("loss %v, the graph's is %v", first.Loss, loss)
	}
	var last Stats
	for range 200 {
		if last, err = tr.Step(batch, 0.003); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("reply %.3f -> %.3f, margin %.3f -> %.3f, plies %.3f -> %.3f", first.Reply, last.Reply, first.Margin, last.Margin, first.Plies, last.Plies)
	if last.Reply > first.Reply/10 || last.Margin > first.Margin/10 || last.Plies > first.Plies/10 {
		t.Errorf("after training %+v, before %+v", last, first)
	}
}

// The outputs of the auxiliary heads in the file, as onnx-go reads it, are those
// of the graph that is trained.
func TestHeadsInTheFile(t *testing.T) {
	const n = 5
	w, batch := trained(t, full, 3), auxiliaryExamples(t, board5, n, 4)
	scorer, err := NewScorer(board5, full, DefaultTrainerOptions())
	if err != nil {
		t.Fatal(err)
	}
	defer scorer.Close()
	if _, err := scorer.Score(w, batch); err != nil {
		t.Fatal(err)
	}
	m, err := NewModel(Meta{Board: board5}, w)
	if err != nil {
		t.Fatal(err)
	}
	file, err := newONNXBatch(m, n)
	if err != nil {
		t.Fatal(err)
	}
	if err := file.forward(batch.Planes, n, kernel.Alloc(n*board5.NumActions()), kernel.Alloc(n*graph.Outcomes)); err != nil {
		t.Fatal(err)
	}
	out, err := file.model.GetOutputTensors()
	if err != nil || len(out) != 5 {
		t.Fatalf("%d outputs, %v", len(out), err)
	}
	for i, want := range [][]float32{scorer.net.Policy(), scorer.net.WDL(), scorer.net.Reply(), scorer.net.Margin(), scorer.net.Plies()} {
		got := out[i].(*tensor.Dense).Data().([]float32)
		for k, v := range got {
			if math.Abs(float64(v-want[k])) > 1e-4 {
				t.Fatalf("output %d, element %d is %v, want %v", i, k, v, want[k])
			}
		}
		if len(got) == 0 || len(got)%n != 0 {
			t.Errorf("output %d has %d elements", i, len(got))
		}
	}
}

// A network without distance planes sees zeros there and the other planes as
// they are, in training and in play alike; batches made for the others are refused.
func TestNoDistancePlanes(t *testing.T) {
	cfg := tiny
	cfg.NoDistance = true
	for _, p := range positions(board5, 10, 5) {
		moves := board5.Moves(nil, &p)
		whole, part := encode(tiny, board5, p, false), kernel.Alloc(NewEncoder(tiny, board5).Len())
		NewEncoder(cfg, board5).Encode(part, &p, moves, false)
		for i, v := range whole {
			want := v
			if slices.Contains([]int{planeOwnDistance, planeOpponentDistance, planeOwnPath, planeOpponentPath, planeLead}, i%NumPlanes) {
				want = 0
			}
			if part[i] != want {
				t.Fatalf("plane %d is %v, want %v", i%NumPlanes, part[i], want)
			}
		}
	}
	w, wrong := newWeights(t, cfg, 1), examples(t, board5, 4, 1)
	if _, err := newTrainer(t, 4, w, DefaultTrainerOptions()).Step(wrong, 1e-3); !errors.Is(err, ErrBatch) {
		t.Errorf("a batch with distance planes: %v", err)
	}
	scorer, err := NewScorer(board5, cfg, DefaultTrainerOptions())
	if err != nil {
		t.Fatal(err)
	}
	defer scorer.Close()
	if _, err := scorer.Score(w, wrong); !errors.Is(err, ErrBatch) {
		t.Errorf("a batch with distance planes: %v", err)
	}
	if _, err := newTrainer(t, 4, newWeights(t, tiny, 1), DefaultTrainerOptions()).Step(NewBatchFor(cfg, board5, 4), 1e-3); !errors.Is(err, ErrBatch) {
		t.Errorf("a batch without distance planes: %v", err)
	}
	detours := tiny
	detours.DetourPlanes = true
	if _, err := newTrainer(t, 4, newWeights(t, detours, 1), DefaultTrainerOptions()).Step(wrong, 1e-3); !errors.Is(err, ErrBatch) {
		t.Errorf("a batch of feature set 1 for a network of feature set 2: %v", err)
	}

	// The evaluator of such a network does what the scorer does with such planes.
	p := positions(board5, 1, 6)[0]
	batch := NewBatchFor(cfg, board5, 1)
	if err := batch.Set(0, Example{Position: p, Moves: board5.Moves(nil, &p), WDL: [3]float32{1}, Weight: 1, Mirror: newEvaluator(NewEncoder(cfg, board5), nil).frame(p).mirrored}); err != nil {
		t.Fatal(err)
	}
	w = trained(t, cfg, 2)
	if _, err := scorer.Score(w, batch); err != nil {
		t.Fatal(err)
	}
	m, err := NewModel(Meta{Board: board5}, w)
	if err != nil {
		t.Fatal(err)
	}
	e, err := NewEvaluator("native", m)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for k, v := range evaluate(t, e, []quoridor.Position{p}).wdl[0] {
		if math.Abs(float64(v-scorer.WDL()[0][k])) > 1e-4 {
			t.Errorf("the evaluator gives %v, the scorer %v", v, scorer.WDL()[0][k])
		}
	}
}
