package graph

import G "gorgonia.org/gorgonia"

// heads are the outputs of a network.
type heads struct {
	policy *G.Node // [N][Actions] logits
	wdl    *G.Node // [N][Outcomes] logits

	// The auxiliary heads, nil where absent.
	reply         *G.Node // [N][Actions] logits
	margin, plies *G.Node // [N][1]
}

// params gives out the parameter nodes of a graph, in their fixed order.
type params struct {
	nodes G.Nodes
	next  int
}

func (p *params) take() *G.Node {
	p.next++
	return p.nodes[p.next-1]
}

// heads builds everything after the trunk.
func (b *builder[T]) heads(x, planes *G.Node, p *params) (heads, error) {
	var h heads
	walls, err := b.wall(x, p.take(), p.take())
	if err != nil {
		return h, err
	}
	summary, err := b.gather(x, planes)
	if err != nil {
		return h, err
	}
	hidden, err := b.dense(summary, p.take(), p.take(), true)
	if err != nil {
		return h, err
	}
	pawns, err := b.dense(hidden, p.take(), p.take(), false)
	if err != nil {
		return h, err
	}
	if h.wdl, err = b.dense(hidden, p.take(), p.take(), false); err != nil {
		return h, err
	}
	if h.policy, err = b.concat(pawns, walls); err != nil {
		return h, err
	}
	return h, b.auxiliary(&h, x, hidden, p)
}

// auxiliary builds the auxiliary heads that the network has.
func (b *builder[T]) auxiliary(h *heads, x, hidden *G.Node, p *params) (err error) {
	if b.arch.Heads.Reply {
		walls, err := b.wall(x, p.take(), p.take())
		if err != nil {
			return err
		}
		pawns, err := b.dense(hidden, p.take(), p.take(), false)
		if err != nil {
			return err
		}
		if h.reply, err = b.concat(pawns, walls); err != nil {
			return err
		}
	}
	if b.arch.Heads.Margin {
		if h.margin, err = b.dense(hidden, p.take(), p.take(), false); err != nil {
			return err
		}
	}
	if b.arch.Heads.Plies {
		h.plies, err = b.dense(hidden, p.take(), p.take(), false)
	}
	return err
}
