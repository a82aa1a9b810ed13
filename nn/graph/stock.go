package graph

import (
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// stock builds the same network from Gorgonia's own operations, in NCHW. It is
// the reference for ours, and too slow for anything else.
type stock[T Float] struct {
	*builder[T]
	err error // of the first operation that failed

	planes, policyTarget, policyMask, wdlTarget, policyWeight, valueWeight buffer[T]
	// gathers are the weights of the cells in the three parts of the heads'
	// summary, [N][C][H][W].
	gathers [3]buffer[T]
}

// buffer is an input node with its data.
type buffer[T Float] struct {
	node *G.Node
	data []T
}

// do passes a node on and remembers the first error.
func (s *stock[T]) do(n *G.Node, err error) *G.Node {
	if err != nil && s.err == nil {
		s.err = err
	}
	return n
}

func (s *stock[T]) buffer(name string, shape ...int) (b buffer[T]) {
	b.node, b.data = s.newInput(name, shape...)
	return b
}

func (b *builder[T]) stockNetwork(specs []Param, values [][]T, o Options) (*network[T], error) {
	s := &stock[T]{builder: b}
	net := &network[T]{feed: s.feed}
	p := &params{}
	var statistics [][]T
	for i, spec := range specs {
		if spec.Kind == Statistic {
			statistics = append(statistics, values[i])
			continue
		}
		node := b.input(spec.Name, values[i], stockShape(spec)...)
		p.nodes, net.learned = append(p.nodes, node), append(net.learned, node)
	}
	n, c, h, w := b.batch, b.arch.Channels, b.arch.H, b.arch.W
	s.planes = s.buffer("planes", n, Planes, h, w)
	for i, name := range []string{"mean", "own pawn", "opponent's pawn"} {
		s.gathers[i] = s.buffer(name, n, c, h, w)
	}
	s.policyTarget = s.buffer("policyTarget", n, b.arch.Actions())
	s.policyMask = s.buffer("policyMask", n, b.arch.Actions())
	s.policyWeight = s.buffer("policyWeight", n, 1)
	s.wdlTarget = s.buffer("wdlTarget", n, Outcomes)
	s.valueWeight = s.buffer("valueWeight", n, 1)

	x := s.trunk(net, p, statistics)
	if s.err == nil {
		net.heads = s.heads(x, p)
	}
	if s.err == nil {
		net.loss = s.loss(net.heads, o)
	}
	return net, s.err
}

// stockShape gives vectors the dimensions that broadcasting wants.
func stockShape(p Param) []int {
	switch {
	case len(p.Shape) > 1:
		return p.Shape
	case p.DenseBias():
		return []int{1, p.Shape[0]}
	default:
		return []int{1, p.Shape[0], 1, 1}
	}
}

func (s *stock[T]) trunk(net *network[T], p *params, statistics [][]T) *G.Node {
	layer := func(x, residual *G.Node) *G.Node {
		if s.err != nil {
			return nil
		}
		y := s.do(G.Conv2d(x, p.take(), tensor.Shape{3, 3}, []int{1, 1}, []int{1, 1}, []int{1, 1}))
		if s.err != nil {
			return nil
		}
		// With a momentum of 1 the operation's statistics are those of the batch.
		y, _, _, op, err := G.BatchNorm(y, p.take(), p.take(), 1, Epsilon)
		if s.do(y, err); s.err != nil {
			return nil
		}
		mean, variance := statistics[0], statistics[1]
		statistics = statistics[2:]
		net.updates = append(net.updates, func(momentum T) {
			batchMean, batchVariance := op.Stats()
			move(mean, batchMean.Data().([]T), momentum)
			move(variance, batchVariance.Data().([]T), momentum)
		})
		if residual != nil {
			y = s.do(G.Add(y, residual))
		}
		return s.do(G.Rectify(y))
	}
	x := layer(s.planes.node, nil)
	for range s.arch.Blocks {
		x = layer(layer(x, nil), x)
	}
	return x
}

func move[T Float](running, batch []T, momentum T) {
	for i, v := range batch {
		running[i] += momentum * (v - running[i])
	}
}
