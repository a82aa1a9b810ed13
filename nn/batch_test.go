package nn

import (
	"errors"
	"math"
	"slices"
	"testing"

	"rampart/quoridor"
)

// A row holds the planes, the policy and the outcome that the network sees:
// mirrored together.
func TestBatchSet(t *testing.T) {
	b := quoridor.MustBoard(5, 5, 2)
	batch, p := NewBatch(b, 2), positions(b, 20, 4)[13]
	moves := b.Moves(nil, &p)
	policy := make([]float32, len(moves))
	policy[0], policy[len(moves)-1] = 0.25, 0.75
	for row, mirror := range []bool{false, true} {
		if err := batch.Set(row, Example{
			Position: p, Moves: moves, Policy: policy, WDL: [3]float32{0.5, 0.25, 0.25}, Weight: 2, Mirror: mirror,
			Reply: []quoridor.Move{quoridor.HWall(0, 1), quoridor.VWall(3, 2)}, ReplyProbs: []float32{0.75, 0.25}, Margin: -4, PliesLeft: 6,
		}); err != nil {
			t.Fatal(err)
		}
		size, actions := batch.encoder.Len(), b.NumActions()
		if !slices.Equal(batch.Planes[row*size:][:size], encode(tiny, b, p, mirror)) {
			t.Errorf("mirror %v: planes differ", mirror)
		}
		target := batch.Policy[row*actions:][:actions]
		for a := range actions {
			original := a
			if mirror {
				original = b.MirrorAction(a)
			}
			want := float32(-1)
			if m, ok := b.MoveOf(&p, original); ok && b.IsLegal(&p, m) {
				want = policy[slices.Index(moves, m)]
			}
			if target[a] != want {
				t.Errorf("mirror %v: action %d has %v, want %v", mirror, a, target[a], want)
			}
		}
		reply := make([]float32, actions)
		for m, share := range map[quoridor.Move]float32{quoridor.HWall(0, 1): 0.75, quoridor.VWall(3, 2): 0.25} {
			a := b.Action(&p, m) // a wall is the same action for both
			if mirror {
				a = b.MirrorAction(a)
			}
			reply[a] = share
		}
		if !slices.Equal(batch.Reply[row*actions:][:actions], reply) || batch.ReplyWeight[row] != 2 {
			t.Errorf("mirror %v: reply %v, want %v", mirror, batch.Reply[row*actions:][:actions], reply)
		}
		if batch.Margin[row] != -0.5 || math.Abs(float64(batch.Plies[row])-math.Log(7)) > 1e-6 {
			t.Errorf("margin %v, plies %v", batch.Margin[row], batch.Plies[row])
		}
		if !slices.Equal(batch.WDL[row*3:][:3], []float32{0.5, 0.25, 0.25}) || batch.PolicyWeight[row] != 2 || batch.ValueWeight[row] != 2 {
			t.Errorf("mirror %v: outcome or weights differ", mirror)
		}
	}
	batch.Clear()
	if slices.Max(batch.PolicyWeight) != 0 || slices.Max(batch.ReplyWeight) != 0 || slices.Max(batch.ValueWeight) != 0 {
		t.Error("a cleared batch counts")
	}
}

func TestBatchSetErrors(t *testing.T) {
	b := quoridor.MustBoard(5, 5, 2)
	p := b.Start()
	moves := b.Moves(nil, &p)
	uniform := make([]float32, len(moves))
	fill(uniform, 1/float32(len(moves)))
	good := Example{Position: p, Moves: moves, Policy: uniform, WDL: [3]float32{1}, Weight: 1}
	nan := float32(math.NaN())
	for name, spoil := range map[string]func(x *Example){
		"no moves":          func(x *Example) { x.Moves = nil },
		"short policy":      func(x *Example) { x.Policy = x.Policy[1:] },
		"unequal sum":       func(x *Example) { x.Policy = make([]float32, len(moves)) },
		"NaN policy":        func(x *Example) { x.Policy = slices.Clone(uniform); x.Policy[3] = nan },
		"negative policy":   func(x *Example) { x.Policy = slices.Clone(uniform); x.Policy[0] -= 1; x.Policy[1] += 1 },
		"outcome too large": func(x *Example) { x.WDL = [3]float32{1, 1, 0} },
		"NaN outcome":       func(x *Example) { x.WDL[1] = nan },
		"negative weight":   func(x *Example) { x.Weight = -1 },
		"NaN weight":        func(x *Example) { x.Weight = nan },
		"reply too large":   func(x *Example) { x.Reply, x.ReplyProbs = moves[:1], []float32{2} },
		"short reply":       func(x *Example) { x.Reply = moves[:1] },
		"impossible reply": func(x *Example) {
			x.Reply, x.ReplyProbs = []quoridor.Move{quoridor.PawnMove(quoridor.CellAt(0, 0))}, []float32{1}
		},
		"NaN margin":        func(x *Example) { x.Margin = nan },
		"negative plies":    func(x *Example) { x.PliesLeft = -1 },
		"infinite weight":   func(x *Example) { x.Weight = float32(math.Inf(1)) },
		"move out of reach": func(x *Example) { x.Moves = slices.Clone(moves); x.Moves[0] = quoridor.PawnMove(quoridor.CellAt(4, 4)) },
	} {
		batch := NewBatch(b, 1)
		if err := batch.Set(0, good); err != nil {
			t.Fatal(err)
		}
		x := good
		spoil(&x)
		if err := batch.Set(0, x); !errors.Is(err, ErrBatch) {
			t.Errorf("%s: %v", name, err)
		}
		if batch.PolicyWeight[0] != 0 || batch.ValueWeight[0] != 0 {
			t.Errorf("%s: the row counts", name)
		}
	}
}

// A row may lack a target, or count for nothing.
func TestBatchPartialRows(t *testing.T) {
	b := quoridor.MustBoard(5, 5, 2)
	p := b.Start()
	moves := b.Moves(nil, &p)
	batch := NewBatch(b, 3)
	for i, x := range []Example{
		{Position: p, Moves: moves, WDL: [3]float32{0, 0, 1}, Weight: 1},
		{Position: p, Moves: moves, Policy: append([]float32{1}, make([]float32, len(moves)-1)...), Weight: 1},
		{Position: p, Moves: moves, WDL: [3]float32{0, 0, 1}},
	} {
		if err := batch.Set(i, x); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(batch.PolicyWeight, []float32{0, 1, 0}) || !slices.Equal(batch.ValueWeight, []float32{1, 0, 0}) {
		t.Errorf("weights %v and %v", batch.PolicyWeight, batch.ValueWeight)
	}
}
