package graph

import G "gorgonia.org/gorgonia"

// place is where in the trunk a convolution is.
type place int

const (
	stem   place = iota // its input are the planes, which need no gradient
	first               // of a block: its input goes through the shortcut as well
	second              // of a block
)

// conv is the 3x3 convolution of x with the weights w, without bias. The
// gradient by x that the first convolution of a block computes includes the one
// through the block's shortcut. The gradient by w is added to what sum
// returns.
func (b *builder[T]) conv(x, w *G.Node, sum func() []T, at place) (*G.Node, error) {
	n, cin, cout := b.batch, w.Shape()[1], w.Shape()[0]
	k, err := b.math.newConv(cin, cout)
	if err != nil {
		return nil, err
	}
	op := &operation[T]{
		name: "conv", shape: b.activation(cout), wrt: []bool{at != stem, true},
		run: func(y []T, in [][]T) {
			if !b.packed {
				k.pack(in[1])
			}
			k.forward(y, in[0], n, nil, nil, false)
		},
	}
	op.grad = func(in G.Nodes, _, grad *G.Node) (G.Nodes, error) {
		total := sum()
		if at == stem {
			dw, err := b.apply(&operation[T]{
				name: "convGradWeights", shape: w.Shape(), buffer: total,
				run: func(_ []T, in [][]T) { k.addBackwardWeights(total, in[0], in[1], n) },
			}, in[0], grad)
			return G.Nodes{nil, dw}, err
		}
		return b.convGrad(k, in, grad, total, at)
	}
	return b.apply(op, x, w)
}

// convGrad computes both gradients of a convolution in a block. They are one
// operation, because the gradient that they read is in a shared buffer.
func (b *builder[T]) convGrad(k convolution[T], in G.Nodes, grad *G.Node, sum []T, at place) (G.Nodes, error) {
	buffer := branchGradient
	if at == first {
		buffer = trunkGradient
	}
	n := b.batch
	dx, err := b.apply(&operation[T]{
		name: "convGrad", shape: in[0].Shape(), buffer: b.gradient(buffer),
		run: func(dx []T, in [][]T) {
			k.addBackwardWeights(sum, in[0], in[2], n)
			if !b.packed {
				k.packBackward(in[1])
			}
			k.backwardData(dx, in[2], n, at == first)
		},
	}, in[0], in[1], grad)
	if err != nil {
		return nil, err
	}
	return b.withTaps(dx, tap[T]{in[1], sum})
}

// foldedConv is ReLU(conv(x) + bias [+ residual]) for inference. The weights
// are constants: they are packed at the first run only.
func (b *builder[T]) foldedConv(x, w, bias, residual *G.Node) (*G.Node, error) {
	cin, cout := w.Shape()[1], w.Shape()[0]
	k, err := b.math.newConv(cin, cout)
	if err != nil {
		return nil, err
	}
	packed := false
	op := &operation[T]{
		name: "foldedConv", shape: b.activation(cout),
		run: func(y []T, in [][]T) {
			if !packed {
				k.pack(in[1])
				packed = true
			}
			var residual []T
			if len(in) == 4 {
				residual = in[3]
			}
			k.forward(y, in[0], b.batch, in[2], residual, true)
		},
	}
	in := G.Nodes{x, w, bias}
	if residual != nil {
		in = append(in, residual)
	}
	return b.apply(op, in...)
}
