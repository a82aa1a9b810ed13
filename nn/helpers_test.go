package nn

import (
	"math"
	"math/rand/v2"
	"testing"

	"rampart/nn/graph"
	"rampart/quoridor"
)

// tiny is the network of most tests.
var tiny = Config{Channels: 16, Blocks: 2, Hidden: 32}

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 7)) }

// trained returns weights that look trained: no tensor has its first values.
func trained(t testing.TB, cfg Config, seed uint64) *Weights {
	t.Helper()
	w, err := NewWeights(cfg, seed)
	if err != nil {
		t.Fatal(err)
	}
	r := random(seed)
	for _, tensor := range w.Tensors() {
		for i := range tensor.Data {
			switch tensor.Kind {
			case graph.Weight:
				tensor.Data[i] *= 2
			default:
				tensor.Data[i] += float32(0.2 * math.Abs(r.NormFloat64()))
			}
		}
	}
	return w
}

func newModel(t testing.TB, b *quoridor.Board, cfg Config, seed uint64) *Model {
	t.Helper()
	m, err := NewModel(Meta{Board: b, Steps: 1200, Games: 34, Generation: 5, Parent: "0123456789abcdef"}, trained(t, cfg, seed))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// playout returns the positions of one random game that are not finished. Walls
// are placed as often as pawns move.
func playout(b *quoridor.Board, r *rand.Rand) (positions []quoridor.Position) {
	p := b.Start()
	for range 200 {
		if b.Winner(&p) >= 0 {
			break
		}
		positions = append(positions, p)
		moves := b.PawnMoves(nil, &p)
		if all := b.Moves(nil, &p); r.IntN(2) == 0 {
			moves = all
		}
		p = b.Play(p, moves[r.IntN(len(moves))])
	}
	return positions
}

// positions returns n positions from random games.
func positions(b *quoridor.Board, n int, seed uint64) []quoridor.Position {
	r := random(seed)
	var all []quoridor.Position
	for len(all) < n {
		game := playout(b, r)
		for range 3 {
			all = append(all, game[r.IntN(len(game))])
		}
	}
	return all[:n]
}

// results holds what an evaluator says.
type results struct {
	moves  [][]quoridor.Move
	logits [][]float32
	wdl    [][3]float32
}

func newResults(b *quoridor.Board, pos []quoridor.Position) results {
	r := results{wdl: make([][3]float32, len(pos))}
	for i := range pos {
		r.moves = append(r.moves, b.Moves(nil, &pos[i]))
		r.logits = append(r.logits, make([]float32, len(r.moves[i])))
	}
	return r
}

func evaluate(t testing.TB, e Evaluator, pos []quoridor.Position) results {
	t.Helper()
	r := newResults(e.Board(), pos)
	if err := e.Evaluate(pos, r.moves, r.logits, r.wdl); err != nil {
		t.Fatal(err)
	}
	return r
}
