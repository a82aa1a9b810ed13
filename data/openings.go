package data

import (
	"cmp"
	"slices"

	"rampart/quoridor"
)

// Opening is what became of the games that began with some moves.
type Opening struct {
	Moves []quoridor.Move
	Games int
	Score float64 // of player 0, a draw counting a half, divided by Games
}

// openingTree counts the games by their first moves.
type openingTree struct {
	depth int
	nodes []openingNode // the root is the first
}

type openingNode struct {
	move     quoridor.Move
	games    int
	score    float64
	children []int32
}

// maxOpeningNodes bounds the tree: random openings differ almost always. Beyond it games are counted in the nodes there are.
const maxOpeningNodes = 1 << 18

func newOpeningTree(depth int) *openingTree {
	return &openingTree{depth: depth, nodes: []openingNode{{move: quoridor.NoMove}}}
}

func (t *openingTree) add(g *Game) {
	score := g.Result.Score(0)
	at := int32(0)
	t.nodes[at].count(score)
	for _, m := range g.Moves[:min(t.depth, len(g.Moves))] {
		if at = t.child(at, m); at < 0 {
			return
		}
		t.nodes[at].count(score)
	}
}

func (n *openingNode) count(score float64) {
	n.games++
	n.score += score
}

// child returns the node of a move, made if need be, or -1 if the tree is full.
func (t *openingTree) child(at int32, m quoridor.Move) int32 {
	for _, c := range t.nodes[at].children {
		if t.nodes[c].move == m {
			return c
		}
	}
	if len(t.nodes) >= maxOpeningNodes {
		return -1
	}
	c := int32(len(t.nodes))
	t.nodes = append(t.nodes, openingNode{move: m})
	t.nodes[at].children = append(t.nodes[at].children, c)
	return c
}

// list returns the openings of at least the given number of games, each before those that continue it, the more frequent first.
func (t *openingTree) list(games int) []Opening {
	var out []Opening
	var moves []quoridor.Move
	var visit func(at int32)
	visit = func(at int32) {
		children := slices.Clone(t.nodes[at].children)
		slices.SortFunc(children, func(a, b int32) int {
			return cmp.Or(cmp.Compare(t.nodes[b].games, t.nodes[a].games), cmp.Compare(t.nodes[a].move, t.nodes[b].move))
		})
		for _, c := range children {
			n := &t.nodes[c]
			if n.games < games {
				break
			}
			moves = append(moves, n.move)
			out = append(out, Opening{slices.Clone(moves), n.games, n.score / float64(n.games)})
			visit(c)
			moves = moves[:len(moves)-1]
		}
	}
	visit(0)
	return out
}
