package graph

import (
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// gather summarises the trunk x for the dense heads, [N][3C]: the mean over the
// cells, the features at the mover's pawn and those at the opponent's. The
// pawns are found in the first two planes, which are one-hot.
func (b *builder[T]) gather(x, planes *G.Node) (*G.Node, error) {
	c := x.Shape()[3]
	op := &operation[T]{
		name: "gather", shape: tensor.Shape{b.batch, 3 * c}, wrt: []bool{true, false},
		run: func(g []T, in [][]T) {
			clear(g)
			b.eachGathered(c, in[1], func(part, cell, board int, weight T) {
				to, from := g[(3*board+part)*c:][:c], in[0][cell*c:][:c]
				for ch, v := range from {
					to[ch] += weight * v
				}
			})
		},
	}
	op.grad = func(in G.Nodes, _, grad *G.Node) (G.Nodes, error) {
		dx, err := b.apply(&operation[T]{
			name: "gatherGrad", shape: x.Shape(),
			run: func(dx []T, in [][]T) {
				clear(dx)
				b.eachGathered(c, in[1], func(part, cell, board int, weight T) {
					to, from := dx[cell*c:][:c], in[0][(3*board+part)*c:][:c]
					for ch, v := range from {
						to[ch] += weight * v
					}
				})
			},
		}, grad, in[1])
		return G.Nodes{dx, nil}, err
	}
	return b.apply(op, x, planes)
}

// eachGathered calls f for every cell that counts in a part (0 the mean, 1 and
// 2 the pawns) of a board's summary, with its weight. cell is its index in a
// buffer of one channel.
func (b *builder[T]) eachGathered(c int, planes []T, f func(part, cell, board int, weight T)) {
	mean := 1 / T(b.arch.H*b.arch.W)
	perBoard := (b.arch.H + 2) * (b.arch.W + 2)
	b.arch.eachCell(b.batch, 1, func(cell int) {
		board := cell / perBoard
		f(0, cell, board, mean)
		for p, v := range planes[cell*Planes:][:2] {
			if v != 0 {
				f(1+p, cell, board, v)
			}
		}
	})
}
