package graph

import (
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

func (s *stock[T]) heads(x *G.Node, p *params) heads {
	n, anchors := s.batch, s.arch.Anchors()
	walls := s.do(G.Conv2d(x, p.take(), tensor.Shape{2, 2}, []int{0, 0}, []int{1, 1}, []int{1, 1}))
	if s.err != nil {
		return heads{}
	}
	walls = s.do(G.BroadcastAdd(walls, p.take(), nil, []byte{0, 2, 3}))
	if s.err != nil {
		return heads{}
	}
	walls = s.do(G.Reshape(walls, tensor.Shape{n, 2 * anchors}))
	summary := s.summary(x)
	hidden := s.dense(summary, p.take(), p.take())
	if s.err != nil {
		return heads{}
	}
	hidden = s.do(G.Rectify(hidden))
	pawns := s.dense(hidden, p.take(), p.take())
	wdl := s.dense(hidden, p.take(), p.take())
	if s.err != nil {
		return heads{}
	}
	return heads{policy: s.do(G.Concat(1, pawns, walls)), wdl: wdl}
}

// summary is gather. It reshapes because Gorgonia's Sum over two dimensions of
// four adds up the wrong elements.
func (s *stock[T]) summary(x *G.Node) *G.Node {
	var parts G.Nodes
	for _, weights := range s.gathers {
		if s.err == nil {
			product := s.do(G.HadamardProd(x, weights.node))
			product = s.do(G.Reshape(product, tensor.Shape{s.batch, s.arch.Channels, s.arch.Cells()}))
			parts = append(parts, s.do(G.Sum(product, 2)))
		}
	}
	if s.err != nil {
		return nil
	}
	return s.do(G.Concat(1, parts...))
}

func (s *stock[T]) dense(x, w, bias *G.Node) *G.Node {
	if s.err != nil {
		return nil
	}
	y := s.do(G.Mul(x, w))
	if s.err != nil {
		return nil
	}
	if s.batch == 1 { // equal shapes do not broadcast
		return s.do(G.Add(y, bias))
	}
	return s.do(G.BroadcastAdd(y, bias, nil, []byte{0}))
}

func (s *stock[T]) loss(h heads, o Options) *G.Node {
	scaled := func(logits *G.Node, target, weight, mask buffer[T], scale float64) *G.Node {
		ce := s.crossEntropy(logits, target.node, mask.node, weight.node)
		if s.err != nil {
			return nil
		}
		return s.do(G.Mul(ce, G.NewConstant(T(scale))))
	}
	policy := scaled(h.policy, s.policyTarget, s.policyWeight, s.policyMask, o.PolicyLoss)
	value := scaled(h.wdl, s.wdlTarget, s.valueWeight, buffer[T]{}, o.ValueLoss)
	if s.err != nil {
		return nil
	}
	return s.do(G.Add(policy, value))
}

// crossEntropy sums weight * target * (log sum of exp(logits) - logits). The
// softmax operations of Gorgonia are not used: they subtract the wrong maximum,
// and so this one is right for moderate logits only. mask may be nil.
func (s *stock[T]) crossEntropy(logits, target, mask, weight *G.Node) *G.Node {
	if s.err != nil {
		return nil
	}
	exp := s.do(G.Exp(logits))
	if mask != nil {
		exp = s.do(G.HadamardProd(exp, mask))
	}
	sum := s.do(G.Sum(exp, 1))
	if s.err != nil {
		return nil
	}
	log := s.do(G.Reshape(s.do(G.Log(sum)), tensor.Shape{s.batch, 1}))
	if s.err != nil {
		return nil
	}
	diff := s.do(G.BroadcastSub(log, logits, []byte{1}, nil))
	if s.err != nil {
		return nil
	}
	products := s.do(G.HadamardProd(target, diff))
	if s.err != nil {
		return nil
	}
	return s.do(G.Sum(s.do(G.BroadcastHadamardProd(products, weight, nil, []byte{1}))))
}

// feed converts a batch: planes without halo and channel first, targets with
// masks.
func (s *stock[T]) feed(in Inputs[T]) {
	shape, a := s.arch.shape(), s.arch
	for i := range s.gathers[0].data {
		s.gathers[0].data[i] = 1 / T(a.H*a.W)
	}
	for board := range s.batch {
		for y := range a.H {
			for x := range a.W {
				from := shape.Offset(board, y, x, Planes)
				for p, v := range in.Planes[from:][:Planes] {
					s.planes.data[((board*Planes+p)*a.H+y)*a.W+x] = v
				}
				for ch := range a.Channels {
					to := ((board*a.Channels+ch)*a.H+y)*a.W + x
					s.gathers[1].data[to] = in.Planes[from]
					s.gathers[2].data[to] = in.Planes[from+1]
				}
			}
		}
	}
	copy(s.wdlTarget.data, in.WDL)
	copy(s.valueWeight.data, in.ValueWeight)
	copy(s.policyWeight.data, in.PolicyWeight)
	for i, w := range in.PolicyWeight {
		for j, v := range row(in.Policy, i, a.Actions()) {
			k := i*a.Actions() + j
			s.policyTarget.data[k], s.policyMask.data[k] = max(v, 0), 1
			if v < 0 && w != 0 {
				s.policyMask.data[k] = 0
			}
		}
	}
}
