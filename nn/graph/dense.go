package graph

import (
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// dense is x [N][in] times w [in][out] plus bias, then ReLU if relu.
func (b *builder[T]) dense(x, w, bias *G.Node, relu bool) (*G.Node, error) {
	n, in, out := b.batch, w.Shape()[0], w.Shape()[1]
	op := &operation[T]{
		name: "dense", shape: tensor.Shape{n, out}, wrt: []bool{true, true, true},
		run: func(y []T, args [][]T) {
			b.math.matMul(y, args[0], args[1], n, in, out)
			for i := range y {
				y[i] += args[2][i%out]
				if relu {
					y[i] = max(y[i], 0)
				}
			}
		},
	}
	op.grad = func(args G.Nodes, y, grad *G.Node) (G.Nodes, error) {
		dw, dbias, dz := b.math.alloc(in*out), b.math.alloc(out), b.math.alloc(n*out)
		dx, err := b.apply(&operation[T]{
			name: "denseGrad", shape: x.Shape(),
			run: func(dx []T, args [][]T) {
				dy, y, x, w := args[0], args[1], args[2], args[3]
				clear(dbias)
				for i, d := range dy {
					if relu && !(y[i] > 0) {
						d = 0
					}
					dz[i] = d
					dbias[i%out] += d
				}
				b.math.matMulTA(dw, x, dz, in, n, out)
				b.math.matMulTB(dx, dz, w, n, out, in)
			},
		}, grad, y, args[0], args[1])
		if err != nil {
			return nil, err
		}
		return b.withTaps(dx, tap[T]{args[1], dw}, tap[T]{args[2], dbias})
	}
	return b.apply(op, x, w, bias)
}

// concat puts the rows of two matrices side by side.
func (b *builder[T]) concat(left, right *G.Node) (*G.Node, error) {
	l, r := left.Shape()[1], right.Shape()[1]
	op := &operation[T]{
		name: "concat", shape: tensor.Shape{b.batch, l + r}, wrt: []bool{true, true},
		run: func(y []T, in [][]T) {
			for i := range b.batch {
				copy(y[i*(l+r):], in[0][i*l:][:l])
				copy(y[i*(l+r)+l:], in[1][i*r:][:r])
			}
		},
	}
	op.grad = func(in G.Nodes, _, grad *G.Node) (G.Nodes, error) {
		dleft, err := b.columns(grad, left.Shape(), 0)
		if err != nil {
			return nil, err
		}
		dright, err := b.columns(grad, right.Shape(), l)
		return G.Nodes{dleft, dright}, err
	}
	return b.apply(op, left, right)
}

// columns copies the columns of a matrix from the given one on.
func (b *builder[T]) columns(x *G.Node, shape tensor.Shape, from int) (*G.Node, error) {
	width, all := shape[1], x.Shape()[1]
	return b.apply(&operation[T]{
		name: "columns", shape: shape,
		run: func(y []T, in [][]T) {
			for i := range b.batch {
				copy(y[i*width:][:width], in[0][i*all+from:])
			}
		},
	}, x)
}
