package nn

import "rampart/nn/graph"

// ladder are the batch sizes that inference graphs are built for. A batch runs
// on the smallest one that holds it; the rest is padding.
var ladder = [...]int{1, 8, 64}

// graphNet runs the inference graph. A graph has one batch size; each is built
// when it is first needed.
type graphNet struct {
	arch   graph.Arch
	values [][]float32
	graphs [len(ladder)]*graph.Inference
}

func newGorgonia(m *Model) (backend, error) {
	g := &graphNet{arch: m.Config.arch(m.Board.H, m.Board.W), values: values(m.Net.tensors)}
	_, err := g.graphFor(1)
	return g, err
}

// graphFor returns the smallest graph that holds n boards.
func (g *graphNet) graphFor(n int) (*graph.Inference, error) {
	rung := 0
	for ladder[rung] < n {
		rung++
	}
	if g.graphs[rung] == nil {
		net, err := graph.NewInference(g.arch, ladder[rung], g.values)
		if err != nil {
			return nil, err
		}
		g.graphs[rung] = net
	}
	return g.graphs[rung], nil
}

func (g *graphNet) maxBatch() int { return ladder[len(ladder)-1] }

func (g *graphNet) forward(planes []float32, n int, policy, wdl []float32) error {
	net, err := g.graphFor(n)
	if err != nil {
		return err
	}
	p, v, err := net.Run(planes)
	if err != nil {
		return err
	}
	copy(policy, p)
	copy(wdl, v)
	return nil
}

func (g *graphNet) close() error {
	for i, n := range g.graphs {
		if n != nil {
			if err := n.Close(); err != nil {
				return err
			}
			g.graphs[i] = nil
		}
	}
	return nil
}
