package graph

import (
	"fmt"
	"sync"

	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// building guards Gorgonia's global state while graphs are made.
var building sync.Mutex

// Building runs f, which makes Gorgonia graphs, while nothing else does.
func Building(f func() error) error {
	building.Lock()
	defer building.Unlock()
	return f()
}

// builder makes the nodes of one graph of one batch size. It outlives the
// building: operations compute with its arithmetic. It does not know the
// machine that runs the graph, so that nothing keeps that machine alive.
type builder[T Float] struct {
	arch  Arch
	batch int
	math  arithmetic[T]
	graph *G.ExprGraph
	count int // operations so far

	// packed says that the convolutions hold the current weights already.
	packed bool
	shared [sharedGradients][]T
}

// gradientBuffer names the buffers that the gradients of the trunk share. Each
// of them is written only when nothing will read its former content: backward
// through a block, every operation depends on the one before.
type gradientBuffer int

const (
	// trunkGradient is by the output of a block. The block's second norm masks it
	// in place, which leaves the gradient by the shortcut, and its first
	// convolution adds the gradient by the branch: then it is by the block's input.
	trunkGradient gradientBuffer = iota
	// lastGradient is by the output of a block's second convolution.
	lastGradient
	// branchGradient is by the output and then, in place, by the input of a block's
	// first norm.
	branchGradient
	sharedGradients // how many there are
)

// gradient returns a shared buffer.
func (b *builder[T]) gradient(which gradientBuffer) []T {
	if b.shared[which] == nil {
		b.shared[which] = b.math.alloc(b.activation(b.arch.Channels).TotalSize())
	}
	return b.shared[which]
}

func newBuilder[T Float](a Arch, batch, workers int) (*builder[T], error) {
	if err := a.shape().Validate(); err != nil {
		return nil, err
	}
	if batch < 1 || workers < 1 {
		return nil, fmt.Errorf("graph: batch of %d with %d workers", batch, workers)
	}
	b := &builder[T]{arch: a, batch: batch, graph: G.NewGraph()}
	switch m := any(&b.math).(type) {
	case *arithmetic[float32]:
		*m = newFast(a, workers)
	case *arithmetic[float64]:
		*m = plain{a}
	}
	return b, nil
}

// apply adds an operation to the graph.
func (b *builder[T]) apply(op *operation[T], in ...*G.Node) (*G.Node, error) {
	b.count++
	op.number, op.alloc = b.count, b.math.alloc
	op.shape = op.shape.Clone()
	for _, node := range in {
		op.inputs = append(op.inputs, node.Dims())
	}
	node, err := G.ApplyOp(op, in...)
	if err != nil {
		return nil, fmt.Errorf("graph: %s: %w", op.name, err)
	}
	if node.Op() != G.Op(op) {
		return nil, fmt.Errorf("graph: %s was merged with another node", op.name)
	}
	return node, nil
}

// input adds an input that is fed from data.
func (b *builder[T]) input(name string, data []T, shape ...int) *G.Node {
	value := newDense(data, shape)
	return G.NewTensor(b.graph, dtype[T](), len(shape), G.WithShape(shape...), G.WithName(name), G.WithValue(value))
}

// newInput adds an input with a buffer of its own, and returns both.
func (b *builder[T]) newInput(name string, shape ...int) (*G.Node, []T) {
	data := b.math.alloc(tensor.Shape(shape).TotalSize())
	return b.input(name, data, shape...), data
}

// activation returns the shape of a buffer of c channels.
func (b *builder[T]) activation(c int) tensor.Shape {
	return tensor.Shape{b.batch, b.arch.H + 2, b.arch.W + 2, c}
}

// tap names a side result of an operation: a gradient by the node of, that the
// operation writes to data while it computes its output.
type tap[T Float] struct {
	of   *G.Node
	data []T
}

// withTaps returns the node first, then a node for every tap. The
// nodes depend on first, so they are read after it was computed.
func (b *builder[T]) withTaps(first *G.Node, taps ...tap[T]) (G.Nodes, error) {
	nodes := G.Nodes{first}
	for _, t := range taps {
		node, err := b.apply(&operation[T]{
			name: "tap", shape: t.of.Shape(), buffer: t.data, run: func([]T, [][]T) {},
		}, first)
		if err != nil {
			return nil, err
		}
		nodes = append(nodes, node)
	}
	return nodes, nil
}
