package graph

import (
	"math"

	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// crossEntropy is scale times the sum over the rows of weight [N] times the
// cross-entropy between target and softmax(logits), both [N][K]. An entry with
// a negative target is masked: it takes no part in the softmax. Rows of weight
// 0 are not looked at.
//
// Softmax and logarithm are fused: the row's maximum is subtracted first, so
// that logits of any size give neither infinities nor NaN.
func (b *builder[T]) crossEntropy(logits, target, weight *G.Node, scale float64) (*G.Node, error) {
	width := logits.Shape()[1]
	op := &operation[T]{
		name: "crossEntropy", shape: tensor.Shape{}, wrt: []bool{true, false, false},
		run: func(y []T, in [][]T) {
			sum := 0.0
			for i, w := range in[2] {
				if w != 0 {
					sum += float64(w) * CrossEntropy(row(in[0], i, width), row(in[1], i, width))
				}
			}
			y[0] = T(scale * sum)
		},
	}
	op.grad = func(in G.Nodes, _, grad *G.Node) (G.Nodes, error) {
		d, err := b.apply(&operation[T]{
			name: "crossEntropyGrad", shape: logits.Shape(),
			run: func(d []T, in [][]T) {
				factor := float64(in[3][0]) * scale
				for i, w := range in[2] {
					crossEntropyGrad(row(d, i, width), row(in[0], i, width), row(in[1], i, width), factor*float64(w))
				}
			},
		}, in[0], in[1], in[2], grad)
		return G.Nodes{d, nil, nil}, err
	}
	return b.apply(op, logits, target, weight)
}

// squaredError is scale times the sum over the rows of weight [N] times the
// square of the difference between x [N][1] and target [N].
func (b *builder[T]) squaredError(x, target, weight *G.Node, scale float64) (*G.Node, error) {
	op := &operation[T]{
		name: "squaredError", shape: tensor.Shape{}, wrt: []bool{true, false, false},
		run: func(y []T, in [][]T) {
			sum := 0.0
			for i, w := range in[2] {
				d := float64(in[0][i]) - float64(in[1][i])
				sum += float64(w) * d * d
			}
			y[0] = T(scale * sum)
		},
	}
	op.grad = func(in G.Nodes, _, grad *G.Node) (G.Nodes, error) {
		d, err := b.apply(&operation[T]{
			name: "squaredErrorGrad", shape: x.Shape(),
			run: func(d []T, in [][]T) {
				for i, w := range in[2] {
					d[i] = T(2 * scale * float64(in[3][0]) * float64(w) * (float64(in[0][i]) - float64(in[1][i])))
				}
			},
		}, in[0], in[1], in[2], grad)
		return G.Nodes{d, nil, nil}, err
	}
	return b.apply(op, x, target, weight)
}

func row[T any](m []T, i, width int) []T { return m[i*width:][:width] }

// CrossEntropy returns, in nats, the cross-entropy between a target
// distribution and softmax(logits) over the entries whose target is not
// negative; 0 if there is none.
func CrossEntropy[T Float](logits, target []T) float64 {
	largest, log := logSum(logits, target)
	sum := 0.0
	for i, t := range target {
		if t > 0 {
			sum -= float64(t) * (float64(logits[i]) - largest - log)
		}
	}
	return sum
}

// crossEntropyGrad sets d to factor times the gradient of CrossEntropy by the
// logits.
func crossEntropyGrad[T Float](d, logits, target []T, factor float64) {
	clear(d)
	if factor == 0 {
		return
	}
	largest, log := logSum(logits, target)
	mass := 0.0
	for _, t := range target {
		mass += math.Max(float64(t), 0)
	}
	for i, t := range target {
		if t >= 0 {
			p := math.Exp(float64(logits[i]) - largest - log)
			d[i] = T(factor * (mass*p - float64(t)))
		}
	}
}

// logSum returns the largest logit that is not masked, and the logarithm of the
// sum of exp(logit - largest).
func logSum[T Float](logits, target []T) (largest, log float64) {
	largest = math.Inf(-1)
	for i, t := range target {
		if t >= 0 {
			largest = math.Max(largest, float64(logits[i]))
		}
	}
	sum := 0.0
	for i, t := range target {
		if t >= 0 {
			sum += math.Exp(float64(logits[i]) - largest)
		}
	}
	return largest, math.Log(sum)
}
