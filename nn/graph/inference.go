package graph

import (
	"fmt"

	G "gorgonia.org/gorgonia"
)

// Inference is the network with folded batch norms, forward only, for one batch
// size.
type Inference struct {
	batch       int
	machine     G.VM
	planes      []float32
	policy, wdl *G.Value
}

// NewInference builds a graph over parameters in the order of
// [Arch.FoldedParams], which it reads when it runs for the first time and keeps
// no longer. It leaves auxiliary heads out.
func NewInference(a Arch, batch int, values [][]float32) (*Inference, error) {
	if err := checkValues(a.FoldedParams(), values); err != nil {
		return nil, err
	}
	a.Heads = Heads{}
	specs := a.FoldedParams()
	b, err := newBuilder[float32](a, batch, 1)
	if err != nil {
		return nil, err
	}
	building.Lock()
	defer building.Unlock()
	p := &params{}
	for i, spec := range specs {
		p.nodes = append(p.nodes, b.input(spec.Name, values[i], spec.Shape...))
	}
	n := &Inference{batch: batch, policy: new(G.Value), wdl: new(G.Value)}
	planes, data := b.newInput("planes", b.activation(Planes)...)
	n.planes = data
	x, err := b.foldedTrunk(planes, p)
	if err != nil {
		return nil, err
	}
	h, err := b.heads(x, planes, p)
	if err != nil {
		return nil, err
	}
	G.Read(h.policy, n.policy)
	G.Read(h.wdl, n.wdl)
	n.machine = G.NewTapeMachine(b.graph, G.EvalMode())
	return n, nil
}

func (b *builder[T]) foldedTrunk(planes *G.Node, p *params) (*G.Node, error) {
	x, err := b.foldedConv(planes, p.take(), p.take(), nil)
	for i := 0; err == nil && i < b.arch.Blocks; i++ {
		var y *G.Node
		if y, err = b.foldedConv(x, p.take(), p.take(), nil); err == nil {
			x, err = b.foldedConv(y, p.take(), p.take(), x)
		}
	}
	return x, err
}

// Batch returns the number of boards.
func (n *Inference) Batch() int { return n.batch }

// Run evaluates a batch of planes [N][H+2][W+2][Planes] and returns the logits
// of the policy [N][Actions] and of the value [N][Outcomes], which are valid
// until the next run.
func (n *Inference) Run(planes []float32) (policy, wdl []float32, err error) {
	copy(n.planes, planes)
	n.machine.Reset()
	if err := n.machine.RunAll(); err != nil {
		return nil, nil, fmt.Errorf("graph: %w", err)
	}
	return (*n.policy).Data().([]float32), (*n.wdl).Data().([]float32), nil
}

// Close releases the machine.
func (n *Inference) Close() error { return n.machine.Close() }
