package graph

import (
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// wallTaps is the number of weights of the wall head for each channel: two
// orientations times the four cells that an anchor touches.
const wallTaps = 2 * 4

// wall is the convolution of x with w [2][C][2][2] without padding, plus bias:
// one output for each anchor, [N][2*Anchors], horizontal walls first.
//
// It multiplies every cell with the 8 weight vectors in one matrix product and
// then adds four shifted cells for each anchor.
func (b *builder[T]) wall(x, w, bias *G.Node) (*G.Node, error) {
	c, anchors := x.Shape()[3], b.arch.Anchors()
	rows := b.activation(1).TotalSize()
	matrix, taps := b.math.alloc(c*wallTaps), b.math.alloc(rows*wallTaps)
	op := &operation[T]{
		name: "wall", shape: tensor.Shape{b.batch, 2 * anchors}, wrt: []bool{true, true, true},
		run: func(y []T, in [][]T) {
			wallMatrix(matrix, in[1], c)
			b.math.matMul(taps, in[0], matrix, rows, c, wallTaps)
			clear(y)
			b.eachWallTap(func(out, tap, o int, first bool) {
				if first {
					y[out] = in[2][o]
				}
				y[out] += taps[tap]
			})
		},
	}
	op.grad = func(in G.Nodes, _, grad *G.Node) (G.Nodes, error) {
		return b.wallGrad(in, grad, matrix, taps)
	}
	return b.apply(op, x, w, bias)
}

// wallGrad reuses the matrix that wall packed, and its buffer of taps.
func (b *builder[T]) wallGrad(in G.Nodes, grad *G.Node, matrix, taps []T) (G.Nodes, error) {
	c := in[0].Shape()[3]
	rows := b.activation(1).TotalSize()
	dw, dbias, dmatrix := b.math.alloc(in[1].Shape().TotalSize()), b.math.alloc(2), b.math.alloc(c*wallTaps)
	dx, err := b.apply(&operation[T]{
		name: "wallGrad", shape: in[0].Shape(),
		run: func(dx []T, in [][]T) {
			clear(taps)
			clear(dbias)
			b.eachWallTap(func(out, tap, o int, first bool) {
				taps[tap] = in[0][out]
				if first {
					dbias[o] += in[0][out]
				}
			})
			b.math.matMulTB(dx, taps, matrix, rows, wallTaps, c)
			b.math.matMulTA(dmatrix, in[1], taps, c, rows, wallTaps)
			for i := range dw {
				dw[i] = dmatrix[wallIndex(i, c)]
			}
		},
	}, grad, in[0])
	if err != nil {
		return nil, err
	}
	return b.withTaps(dx, tap[T]{in[1], dw}, tap[T]{in[2], dbias})
}

// wallMatrix arranges the weights w [2][C][2][2] as a matrix [C][8].
func wallMatrix[T Float](matrix, w []T, c int) {
	for i, v := range w {
		matrix[wallIndex(i, c)] = v
	}
}

// wallIndex maps an index into [2][C][2][2] to one into [C][8], whose columns
// are 2*(2*dy+dx) + orientation.
func wallIndex(i, c int) int {
	o, ch, corner := i/(4*c), i/4%c, i%4
	return ch*wallTaps + 2*corner + o
}

// eachWallTap calls f for the four products that every output of the wall head
// sums: with the index of the output, of the product in the buffer of taps, and
// the orientation.
func (b *builder[T]) eachWallTap(f func(out, tap, o int, first bool)) {
	shape, anchors := b.arch.shape(), b.arch.Anchors()
	for board := range b.batch {
		for y := range b.arch.H - 1 {
			for x := range b.arch.W - 1 {
				for corner := range 4 {
					cell := shape.Offset(board, y+corner/2, x+corner%2, wallTaps)
					for o := range 2 {
						out := (2*board+o)*anchors + y*(b.arch.W-1) + x
						f(out, cell+2*corner+o, o, corner == 0)
					}
				}
			}
		}
	}
}
