package graph

import (
	"fmt"

	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Options are how a training graph is built.
type Options struct {
	Workers    int     // goroutines inside an operation, at least 1
	PolicyLoss float64 // weight of the policy's cross-entropy in the loss
	ValueLoss  float64 // weight of the value's
	ReplyLoss  float64 // weight of the reply's
	MarginLoss float64 // weight of the margin's squared error
	PliesLoss  float64 // weight of the plies' squared error
	Stock      bool    // use Gorgonia's own operations, the slow reference
	Eval       bool    // no gradients, batch norm with the running statistics
}

// Inputs are the buffers of one batch. Planes are NHWC with halo,
// [N][H+2][W+2][Planes]; Policy is [N][Actions] with -1 for illegal actions;
// WDL is [N][Outcomes]. Those of the auxiliary heads matter only if the network
// has them: Reply is [N][Actions], Margin and Plies are [N], and count where the
// value does. The loss sums the rows times their weights, [N] each: for a mean,
// they must sum to 1.
type Inputs[T Float] struct {
	Planes, Policy, WDL, PolicyWeight, ValueWeight []T
	Reply, ReplyWeight, Margin, Plies              []T
}

// Training is the network with its loss and, unless it was built for
// evaluation, its gradients, for one batch size.
type Training[T Float] struct {
	batch   int
	machine G.VM
	learned []G.ValueGrad
	feed    func(in Inputs[T])
	packed  *bool // see builder
	// updates move the running statistics of one batch norm each.
	updates []func(momentum T)
	// Allocated apart: Gorgonia writes to them from the graph, and a pointer
	// into this struct would keep the machine alive for ever.
	loss, policy, wdl *G.Value
	// Outputs of the auxiliary heads; nil where absent.
	reply, margin, plies *G.Value
}

// network is a built graph before it is compiled.
type network[T Float] struct {
	heads
	loss    *G.Node
	learned G.Nodes
	sums    map[*G.Node]*tensor.Dense // gradients of learned nodes that Gorgonia need not add up
	feed    func(in Inputs[T])
	packed  *bool
	updates []func(momentum T)
}

// NewTraining builds a graph over parameters in the order of [Arch.Params], which it
// shares: a solver changes them in place.
func NewTraining[T Float](a Arch, batch int, values [][]T, o Options) (*Training[T], error) {
	b, err := newBuilder[T](a, batch, o.Workers)
	if err != nil {
		return nil, err
	}
	specs := a.Params()
	if err := checkValues(specs, values); err != nil {
		return nil, err
	}
	building.Lock()
	defer building.Unlock()
	var net *network[T]
	switch {
	case o.Stock && (o.Eval || a.Heads != Heads{}):
		return nil, fmt.Errorf("graph: the stock graph cannot evaluate and has no auxiliary heads")
	case o.Stock:
		net, err = b.stockNetwork(specs, values, o)
	default:
		net, err = b.network(specs, values, o)
	}
	if err != nil {
		return nil, err
	}
	return compile(batch, net, o.Eval)
}

func checkValues[T Float](specs []Param, values [][]T) error {
	if len(values) != len(specs) {
		return fmt.Errorf("graph: %d parameters, want %d", len(values), len(specs))
	}
	for i, p := range specs {
		if len(values[i]) != p.Len() {
			return fmt.Errorf("graph: %s has %d values, want %d", p.Name, len(values[i]), p.Len())
		}
	}
	return nil
}

func compile[T Float](batch int, net *network[T], eval bool) (*Training[T], error) {
	t := &Training[T]{
		batch: batch, feed: net.feed, packed: net.packed, updates: net.updates,
		loss: new(G.Value), policy: new(G.Value), wdl: new(G.Value),
	}
	G.Read(net.loss, t.loss)
	G.Read(net.policy, t.policy)
	G.Read(net.wdl, t.wdl)
	t.reply, t.margin, t.plies = read(net.reply), read(net.margin), read(net.plies)
	if eval {
		t.machine = G.NewTapeMachine(net.loss.Graph(), G.EvalMode())
		return t, nil
	}
	if _, err := G.Grad(net.loss, net.learned...); err != nil {
		return nil, fmt.Errorf("graph: %w", err)
	}
	var bound G.Nodes
	for _, node := range net.learned {
		if sum, ok := net.sums[node]; ok {
			t.learned = append(t.learned, summed{node, sum})
			continue
		}
		t.learned, bound = append(t.learned, node), append(bound, node)
	}
	t.machine = G.NewTapeMachine(net.loss.Graph(), G.BindDualValues(bound...))
	return t, nil
}

// read returns where the value of a node will be; nil for no node.
func read(node *G.Node) *G.Value {
	if node == nil {
		return nil
	}
	v := new(G.Value)
	G.Read(node, v)
	return v
}

// summed is a parameter whose gradient the graph's operations add up themselves.
type summed struct {
	*G.Node
	sum *tensor.Dense
}

// Grad is part of gorgonia.ValueGrad.
func (s summed) Grad() (G.Value, error) { return s.sum, nil }

// network builds the graph from our own operations.
func (b *builder[T]) network(specs []Param, values [][]T, o Options) (*network[T], error) {
	net := &network[T]{packed: &b.packed, sums: map[*G.Node]*tensor.Dense{}}
	p := &params{}
	var states []*normState[T]
	for i, spec := range specs {
		switch {
		case spec.Kind != Statistic:
			node := b.input(spec.Name, values[i], spec.Shape...)
			p.nodes, net.learned = append(p.nodes, node), append(net.learned, node)
		case specs[i-1].Kind != Statistic: // the mean, and the variance after it
			states = append(states, &normState[T]{runningMean: values[i], runningVariance: values[i+1]})
		}
	}
	planes, planesData := b.newInput("planes", b.activation(Planes)...)
	x, err := b.trunk(net, planes, p, states)
	if err != nil {
		return nil, err
	}
	if net.heads, err = b.heads(x, planes, p); err != nil {
		return nil, err
	}
	targets, err := b.losses(net, o)
	if err != nil {
		return nil, err
	}
	net.feed = func(in Inputs[T]) {
		copy(planesData, in.Planes)
		copy(targets.Policy, in.Policy)
		copy(targets.WDL, in.WDL)
		copy(targets.PolicyWeight, in.PolicyWeight)
		copy(targets.ValueWeight, in.ValueWeight)
		copy(targets.Reply, in.Reply)
		copy(targets.ReplyWeight, in.ReplyWeight)
		copy(targets.Margin, in.Margin)
		copy(targets.Plies, in.Plies)
	}
	for _, s := range states {
		net.updates = append(net.updates, func(momentum T) { s.update(momentum, b.batch*b.arch.H*b.arch.W) })
	}
	return net, nil
}

func (b *builder[T]) trunk(net *network[T], planes *G.Node, p *params, states []*normState[T]) (*G.Node, error) {
	sum := func(w *G.Node) func() []T {
		return func() []T {
			data := b.math.alloc(w.Shape().TotalSize())
			net.sums[w] = newDense(data, w.Shape())
			return data
		}
	}
	layer := func(x, residual *G.Node, at place, s *normState[T]) (*G.Node, error) {
		w := p.take()
		y, err := b.conv(x, w, sum(w), at)
		if err != nil {
			return nil, err
		}
		return b.norm(y, p.take(), p.take(), residual, s)
	}
	x, err := layer(planes, nil, stem, states[0])
	for i := 1; err == nil && i < len(states); i += 2 {
		var y *G.Node
		if y, err = layer(x, nil, first, states[i]); err == nil {
			x, err = layer(y, x, second, states[i+1])
		}
	}
	return x, err
}

// losses adds up the losses of all heads and returns the buffers of their
// inputs, which are nil where a head is absent.
func (b *builder[T]) losses(net *network[T], o Options) (in Inputs[T], err error) {
	var policyTarget, wdlTarget, policyWeight, valueWeight *G.Node
	policyTarget, in.Policy = b.newInput("policyTarget", b.batch, b.arch.Actions())
	wdlTarget, in.WDL = b.newInput("wdlTarget", b.batch, Outcomes)
	policyWeight, in.PolicyWeight = b.newInput("policyWeight", b.batch)
	valueWeight, in.ValueWeight = b.newInput("valueWeight", b.batch)
	policy, err := b.crossEntropy(net.policy, policyTarget, policyWeight, o.PolicyLoss)
	if err != nil {
		return in, err
	}
	value, err := b.crossEntropy(net.wdl, wdlTarget, valueWeight, o.ValueLoss)
	if err != nil {
		return in, err
	}
	if net.loss, err = G.Add(policy, value); err != nil {
		return in, err
	}
	if net.reply != nil {
		var target, weight *G.Node
		target, in.Reply = b.newInput("replyTarget", b.batch, b.arch.Actions())
		weight, in.ReplyWeight = b.newInput("replyWeight", b.batch)
		loss, err := b.crossEntropy(net.reply, target, weight, o.ReplyLoss)
		if err = b.addLoss(net, loss, err); err != nil {
			return in, err
		}
	}
	if net.margin != nil {
		var target *G.Node
		target, in.Margin = b.newInput("marginTarget", b.batch)
		loss, err := b.squaredError(net.margin, target, valueWeight, o.MarginLoss)
		if err = b.addLoss(net, loss, err); err != nil {
			return in, err
		}
	}
	if net.plies != nil {
		var target *G.Node
		target, in.Plies = b.newInput("pliesTarget", b.batch)
		loss, err := b.squaredError(net.plies, target, valueWeight, o.PliesLoss)
		if err = b.addLoss(net, loss, err); err != nil {
			return in, err
		}
	}
	return in, nil
}

// addLoss adds a part to the loss unless it could not be built.
func (b *builder[T]) addLoss(net *network[T], part *G.Node, err error) error {
	if err == nil {
		net.loss, err = G.Add(net.loss, part)
	}
	return err
}

// update moves the running statistics towards those of the last batch of count
// cells. The running variance is the unbiased one.
func (s *normState[T]) update(momentum T, count int) {
	unbiased := T(count) / T(count-1)
	for i := range s.runningMean {
		s.runningMean[i] += momentum * (s.mean[i] - s.runningMean[i])
		s.runningVariance[i] += momentum * (s.variance[i]*unbiased - s.runningVariance[i])
	}
}
