package graph

import G "gorgonia.org/gorgonia"

// conv is the 3x3 convolution of x with the weights w, without bias. The
// gradient by x is built only if inner: the planes need none.
func (b *builder[T]) conv(x, w *G.Node, inner bool) (*G.Node, error) {
	n, cin, cout := b.batch, w.Shape()[1], w.Shape()[0]
	k, err := b.math.newConv(cin, cout)
	if err != nil {
		return nil, err
	}
	op := &operation[T]{
		name: "conv", shape: b.activation(cout), wrt: []bool{inner, true},
		run: func(y []T, in [][]T) {
			k.pack(in[1])
			k.forward(y, in[0], n, nil, nil, false)
		},
	}
	op.grad = func(in G.Nodes, _, grad *G.Node) (G.Nodes, error) {
		dw, err := b.apply(&operation[T]{
			name: "convGradWeights", shape: w.Shape(),
			run: func(dw []T, in [][]T) { k.backwardWeights(dw, in[0], in[1], n) },
		}, in[0], grad)
		if err != nil || !inner {
			return G.Nodes{nil, dw}, err
		}
		dx, err := b.apply(&operation[T]{
			name: "convGradData", shape: b.activation(cin),
			run: func(dx []T, in [][]T) {
				k.packBackward(in[0])
				k.backwardData(dx, in[1], n)
			},
		}, in[1], grad)
		return G.Nodes{dx, dw}, err
	}
	return b.apply(op, x, w)
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
