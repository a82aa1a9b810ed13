package nn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"rampart/nn/graph"
	"rampart/nn/kernel"
)

// Tensor is a named array of a network, row-major: a convolution is [out
// channels][in channels][row][column], a dense layer [inputs][outputs].
type Tensor struct {
	graph.Param
	Data []float32
}

// Weights are all learned tensors of a network and the running statistics of
// its batch norms, as training needs them. They do not depend on a board.
type Weights struct {
	config  Config
	tensors []Tensor
}

// NewWeights returns the weights that training starts from: convolutions and
// the hidden layer drawn as in He et al. 2015, batch norms the identity, except
// that the second one of each residual block starts at 1/sqrt(blocks), so that
// the sum over the blocks does not grow with their number. The output layers
// start at a tenth, so that the first policies are nearly uniform and the first
// values nearly even. The same seed gives the same weights.
func NewWeights(cfg Config, seed uint64) (*Weights, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	w := &Weights{config: cfg, tensors: allocate(cfg.params())}
	for i := range w.tensors {
		w.tensors[i].initialise(cfg, rand.New(rand.NewPCG(seed, uint64(i))))
	}
	return w, nil
}

// allocate makes a zero tensor for every parameter.
func allocate(params []graph.Param) []Tensor {
	tensors := make([]Tensor, len(params))
	for i, p := range params {
		tensors[i] = Tensor{Param: p, Data: kernel.Alloc(p.Len())}
	}
	return tensors
}

func (t *Tensor) initialise(cfg Config, r *rand.Rand) {
	switch {
	case t.Kind == graph.Weight:
		deviation := math.Sqrt(2 / float64(t.fanIn()))
		switch t.Name {
		case "wall.weight", "pawn.weight", "wdl.weight", "reply_wall.weight", "reply_pawn.weight", "margin.weight", "plies.weight":
			deviation /= 10
		}
		for i := range t.Data {
			t.Data[i] = float32(deviation * r.NormFloat64())
		}
	case strings.HasSuffix(t.Name, ".norm2.scale"):
		fill(t.Data, float32(1/math.Sqrt(float64(cfg.Blocks))))
	case strings.HasSuffix(t.Name, ".scale"), strings.HasSuffix(t.Name, ".variance"):
		fill(t.Data, 1)
	}
}

// fanIn returns how many products an output of the layer sums.
func (t *Tensor) fanIn() int {
	if len(t.Shape) == 2 {
		return t.Shape[0]
	}
	return t.Len() / t.Shape[0]
}

func fill(x []float32, v float32) {
	for i := range x {
		x[i] = v
	}
}

// Config returns the size of the network.
func (w *Weights) Config() Config { return w.config }

// Tensors returns the tensors in their fixed order. Data is shared.
func (w *Weights) Tensors() []Tensor { return w.tensors }

// values returns the data of all tensors.
func (w *Weights) values() [][]float32 { return values(w.tensors) }

func values(tensors []Tensor) [][]float32 {
	v := make([][]float32, len(tensors))
	for i := range tensors {
		v[i] = tensors[i].Data
	}
	return v
}

// NumParams returns the number of learned parameters.
func (w *Weights) NumParams() int {
	n := 0
	for i := range w.tensors {
		if w.tensors[i].Kind != graph.Statistic {
			n += len(w.tensors[i].Data)
		}
	}
	return n
}

// Clone returns a copy.
func (w *Weights) Clone() *Weights {
	c := &Weights{config: w.config, tensors: allocate(w.config.params())}
	for i := range w.tensors {
		copy(c.tensors[i].Data, w.tensors[i].Data)
	}
	return c
}

// CopyFrom takes over the values of weights of the same size. The error wraps
// [ErrIncompatible].
func (w *Weights) CopyFrom(o *Weights) error {
	if w.config != o.config {
		return fmt.Errorf("%w: weights of a %v network for a %v network", ErrIncompatible, o.config, w.config)
	}
	for i := range w.tensors {
		copy(w.tensors[i].Data, o.tensors[i].Data)
	}
	return nil
}

// Flat returns a copy of all values in their fixed order, for checkpoints.
func (w *Weights) Flat() []float32 { return flatten(w.tensors) }

// SetFlat takes values in the order of [Weights.Flat]. The error wraps
// [ErrFormat]; the weights are unchanged then.
func (w *Weights) SetFlat(v []float32) error {
	if err := checkFlat(w.tensors, v, "weights"); err != nil {
		return err
	}
	unflatten(w.tensors, v)
	return nil
}

func flatten(tensors []Tensor) []float32 {
	var flat []float32
	for i := range tensors {
		flat = append(flat, tensors[i].Data...)
	}
	return flat
}

func unflatten(tensors []Tensor, flat []float32) {
	for i := range tensors {
		n := copy(tensors[i].Data, flat)
		flat = flat[n:]
	}
}

// checkFlat checks the number of values and that they are finite.
func checkFlat(tensors []Tensor, flat []float32, what string) error {
	want := 0
	for i := range tensors {
		want += len(tensors[i].Data)
	}
	if len(flat) != want {
		return fmt.Errorf("%w: %d %s, want %d", ErrFormat, len(flat), what, want)
	}
	for i, v := range flat {
		if !finite(float64(v)) {
			return fmt.Errorf("%w: %s: value %d is %v", ErrFormat, what, i, v)
		}
	}
	return nil
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
