package graph

import (
	"math"
	"testing"

	G "gorgonia.org/gorgonia"
)

func TestCrossEntropy(t *testing.T) {
	for _, c := range []struct {
		name           string
		logits, target []float32
		want           float64
	}{
		{"uniform", []float32{2, 2, 2, 2}, []float32{0.25, 0.25, 0.25, 0.25}, math.Log(4)},
		{"certain", []float32{0, 100}, []float32{0, 1}, 0},
		{"wrong", []float32{100, 0}, []float32{0, 1}, 100},
		{"masked", []float32{1, 1e30, 1}, []float32{0.5, -1, 0.5}, math.Log(2)},
		{"large", []float32{3e38, 3e38}, []float32{0.5, 0.5}, math.Log(2)},
		{"negative", []float32{-3e38, -3e38}, []float32{1, 0}, math.Log(2)},
		{"later rows larger", []float32{-1000, 1000}, []float32{0, 1}, 0},
		{"all masked", []float32{1, 2}, []float32{-1, -1}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := CrossEntropy(c.logits, c.target); math.Abs(got-c.want) > 1e-6 {
				t.Errorf("cross-entropy %v, want %v", got, c.want)
			}
			d := make([]float32, len(c.logits))
			crossEntropyGrad(d, c.logits, c.target, 1)
			sum := 0.0
			for i, v := range d {
				if c.target[i] < 0 && v != 0 || v != v {
					t.Errorf("gradient %v", d)
				}
				sum += float64(v)
			}
			if math.Abs(sum) > 1e-6 {
				t.Errorf("gradient %v sums to %v", d, sum)
			}
		})
	}
}

func TestPanicInOperationIsAnError(t *testing.T) {
	b, err := newBuilder[float32](small, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	x, _ := b.newInput("x", 3)
	if _, err := b.apply(&operation[float32]{
		name: "faulty", shape: x.Shape(), run: func(out []float32, in [][]float32) { out[len(in[0])] = 1 },
	}, x); err != nil {
		t.Fatal(err)
	}
	if err := G.NewTapeMachine(b.graph).RunAll(); err == nil {
		t.Error("no error")
	}
}

// Two equal operations on one input stay two nodes.
func TestOperationsAreNotMerged(t *testing.T) {
	b, err := newBuilder[float32](small, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	x, data := b.newInput("x", 1)
	data[0] = 1
	var results [2]*G.Node
	for i := range results {
		results[i], err = b.apply(&operation[float32]{
			name: "add", shape: x.Shape(), run: func(out []float32, in [][]float32) { out[0] = in[0][0] + float32(i) },
		}, x)
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := G.NewTapeMachine(b.graph).RunAll(); err != nil {
		t.Fatal(err)
	}
	for i, n := range results {
		if v := n.Value().Data().([]float32)[0]; v != float32(1+i) {
			t.Errorf("operation %d gave %v", i, v)
		}
	}
}
