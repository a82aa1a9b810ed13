package graph

import (
	"fmt"
	"hash"
	"hash/fnv"

	"github.com/chewxy/hm"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Float is the element type of a graph.
type Float interface{ float32 | float64 }

// operation is a Gorgonia operation that owns its output.
type operation[T Float] struct {
	name   string
	number int          // within its graph: makes the hash unique
	inputs []int        // number of dimensions of each input
	shape  tensor.Shape // of the output; empty for a scalar

	// run fills the output. A scalar output or input has one element.
	run func(out []T, in [][]T)
	// grad builds the gradients by the inputs that wrt marks; nil for an
	// operation that is not differentiated.
	grad func(in G.Nodes, out, grad *G.Node) (G.Nodes, error)
	wrt  []bool
	// training is told at start whether the machine trains; may be nil.
	training func(bool)
	// buffer is the output if something else fills it; nil to allocate one.
	buffer []T

	alloc  func(n int) []T
	result *tensor.Dense
	args   [][]T
	scalar [1]T
}

var (
	_ G.SDOp        = (*operation[float32])(nil)
	_ G.TrainModeOp = (*operation[float32])(nil)
)

// Arity is part of G.Op.
func (o *operation[T]) Arity() int { return len(o.inputs) }

// Type is part of G.Op: tensors of some element type, by number of dimensions.
func (o *operation[T]) Type() hm.Type {
	element := hm.TypeVariable('a')
	of := func(dims int) hm.Type {
		if dims == 0 {
			return element
		}
		return G.TensorType{Dims: dims, Of: element}
	}
	types := make([]hm.Type, 0, len(o.inputs)+1)
	for _, dims := range o.inputs {
		types = append(types, of(dims))
	}
	return hm.NewFnType(append(types, of(o.shape.Dims()))...)
}

// InferShape is part of G.Op.
func (o *operation[T]) InferShape(...G.DimSizer) (tensor.Shape, error) {
	return o.shape.Clone(), nil
}

// ReturnsPtr is part of G.Op.
func (o *operation[T]) ReturnsPtr() bool { return true }

// CallsExtern is part of G.Op.
func (o *operation[T]) CallsExtern() bool { return false }

// OverwritesInput is part of G.Op: no operation works in place.
func (o *operation[T]) OverwritesInput() int { return -1 }

// WriteHash is part of G.Op. Gorgonia merges nodes whose hashes agree, so the
// hash holds a number that no other operation of the graph has.
func (o *operation[T]) WriteHash(h hash.Hash) { fmt.Fprintf(h, "rampart/%s/%d", o.name, o.number) }

// Hashcode is part of G.Op.
func (o *operation[T]) Hashcode() uint32 {
	h := fnv.New32a()
	o.WriteHash(h)
	return h.Sum32()
}

// String is part of G.Op.
func (o *operation[T]) String() string { return o.name }

// DiffWRT is part of G.SDOp.
func (o *operation[T]) DiffWRT(inputs int) []bool {
	if o.wrt == nil {
		return make([]bool, inputs)
	}
	return o.wrt
}

// SymDiff is part of G.SDOp.
func (o *operation[T]) SymDiff(in G.Nodes, out, grad *G.Node) (G.Nodes, error) {
	if o.grad == nil {
		return nil, fmt.Errorf("graph: %s has no derivative", o.name)
	}
	return o.grad(in, out, grad)
}

// SetTraining is part of G.TrainModeOp.
func (o *operation[T]) SetTraining(training bool) error {
	if o.training != nil {
		o.training(training)
	}
	return nil
}

// Do is part of G.Op. The machine runs it in a goroutine without recover, so a
// panic in a kernel becomes an error here.
func (o *operation[T]) Do(in ...G.Value) (out G.Value, err error) {
	defer func() {
		if r := recover(); r != nil {
			out, err = nil, fmt.Errorf("graph: %s: %v", o.name, r)
		}
	}()
	if o.args == nil {
		o.prepare(len(in))
	}
	for i, v := range in {
		switch data := v.Data().(type) {
		case []T:
			o.args[i] = data
		case T:
			o.args[i] = []T{data}
		default:
			return nil, fmt.Errorf("graph: %s: input %d is a %T", o.name, i, data)
		}
	}
	if o.shape.Dims() == 0 {
		o.run(o.scalar[:], o.args)
		return newScalar(o.scalar[0]), nil
	}
	o.run(o.buffer, o.args)
	return o.result, nil
}

func (o *operation[T]) prepare(inputs int) {
	o.args = make([][]T, inputs)
	if o.shape.Dims() == 0 {
		return
	}
	if o.buffer == nil {
		o.buffer = o.alloc(o.shape.TotalSize())
	}
	o.result = newDense(o.buffer, o.shape)
}

func newScalar[T Float](v T) G.Value {
	switch v := any(v).(type) {
	case float32:
		return G.NewF32(v)
	default:
		return G.NewF64(v.(float64))
	}
}

// newDense returns a tensor header over data. Headers are never shared between
// graphs: a tape machine writes to them.
func newDense[T Float](data []T, shape []int) *tensor.Dense {
	return tensor.New(tensor.WithShape(shape...), tensor.WithBacking(data))
}

func dtype[T Float]() tensor.Dtype {
	if _, ok := any(T(0)).(float32); ok {
		return tensor.Float32
	}
	return tensor.Float64
}
