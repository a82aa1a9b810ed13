package graph

import (
	"math"

	G "gorgonia.org/gorgonia"
)

// normState is what a batch norm (Ioffe and Szegedy 2015) keeps beside the
// graph: the running statistics, which are parameters, and those of the last
// batch.
type normState[T Float] struct {
	runningMean, runningVariance []T
	mean, variance, invStd       []T // of the last batch; the variance is biased
	training                     bool
}

// norm applies batch norm with scale and bias [C], adds the residual if it is
// not nil, and applies ReLU. In training it uses the statistics of the batch,
// otherwise the running ones.
//
// The residual is the shortcut of a block. Its gradient is left to the block's
// first convolution: see [trunkGradient].
func (b *builder[T]) norm(x, scale, bias, residual *G.Node, s *normState[T]) (*G.Node, error) {
	n, c := b.batch, b.arch.Channels
	s.mean, s.variance, s.invStd = b.math.alloc(c), b.math.alloc(c), b.math.alloc(c)
	in := G.Nodes{x, scale, bias}
	wrt := []bool{true, true, true}
	if residual != nil {
		in, wrt = append(in, residual), append(wrt, false)
	}
	op := &operation[T]{
		name: "norm", shape: x.Shape(), wrt: wrt,
		training: func(on bool) { s.training = on },
		run: func(y []T, in [][]T) {
			var residual []T
			if len(in) == 4 {
				residual = in[3]
			}
			if s.training {
				b.math.normForward(n, c, y, in[0], in[1], in[2], residual, s)
				return
			}
			for i, v := range s.runningVariance {
				s.mean[i], s.invStd[i] = s.runningMean[i], T(1/math.Sqrt(float64(v)+Epsilon))
			}
			normApply(b.arch, n, c, y, in[0], in[1], in[2], residual, s.mean, s.invStd)
		},
	}
	op.grad = func(in G.Nodes, out, grad *G.Node) (G.Nodes, error) { return b.normGrad(in, out, grad, s) }
	return b.apply(op, in...)
}

// normGrad computes all gradients of norm in one pass. The operation's output
// is the gradient by x; the others follow it through taps.
func (b *builder[T]) normGrad(in G.Nodes, out, grad *G.Node, s *normState[T]) (G.Nodes, error) {
	n, c := b.batch, b.arch.Channels
	dscale, dbias := b.math.alloc(c), b.math.alloc(c)
	buffer := branchGradient
	var dres []T
	if len(in) == 4 {
		buffer, dres = lastGradient, b.gradient(trunkGradient)
	}
	dx, err := b.apply(&operation[T]{
		name: "normGrad", shape: in[0].Shape(), buffer: b.gradient(buffer),
		run: func(dx []T, in [][]T) {
			b.math.normBackward(n, c, dx, dres, dscale, dbias, in[0], in[1], in[2], in[3], s)
		},
	}, grad, out, in[0], in[1])
	if err != nil {
		return nil, err
	}
	nodes, err := b.withTaps(dx, tap[T]{in[1], dscale}, tap[T]{in[2], dbias})
	if len(in) == 4 {
		nodes = append(nodes, nil)
	}
	return nodes, err
}

// normApply is the batch norm with given statistics.
func normApply[T Float](a Arch, n, c int, y, x, scale, bias, residual, mean, invStd []T) {
	a.eachCell(n, c, func(i int) {
		for ch := range c {
			v := scale[ch]*invStd[ch]*(x[i+ch]-mean[ch]) + bias[ch]
			if residual != nil {
				v += residual[i+ch]
			}
			y[i+ch] = max(v, 0)
		}
	})
}

// eachCell calls f with the offset of every cell of n boards of c channels.
func (a Arch) eachCell(n, c int, f func(i int)) {
	s := a.shape()
	for board := range n {
		for y := range a.H {
			for x := range a.W {
				f(s.Offset(board, y, x, c))
			}
		}
	}
}
