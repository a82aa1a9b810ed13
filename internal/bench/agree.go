package bench

import (
	"context"
	"fmt"
	"math"

	"rampart/nn"
	"rampart/quoridor"
)

// Agreement is how far two evaluators of one model are apart on some positions.
type Agreement struct {
	A, B        string // backends
	Positions   int
	Logit       float64 // largest difference of a move's logit
	Outcome     float64 // largest difference of a win, draw or loss probability
	MeanOutcome float64 // mean difference of those
	SameBest    float64 // share of positions with the same likeliest move
}

// Agree evaluates positions of random games with both backends in batches.
func Agree(ctx context.Context, m *nn.Model, a, b string, n, batch int) (Agreement, error) {
	r := Agreement{A: a, B: b, Positions: n}
	evals := [2]nn.Evaluator{}
	for i, name := range [2]string{a, b} {
		eval, err := nn.NewEvaluator(name, m)
		if err != nil {
			return r, fmt.Errorf("backend %s: %w", name, err)
		}
		defer eval.Close()
		evals[i] = eval
	}
	positions := RandomPositions(m.Board, n, 7)
	for at := 0; at < n; at += batch {
		if err := ctx.Err(); err != nil {
			return r, err
		}
		if err := r.compare(m, evals, positions[at:min(at+batch, n)]); err != nil {
			return r, err
		}
	}
	return r, nil
}

func (r *Agreement) compare(m *nn.Model, evals [2]nn.Evaluator, pos []quoridor.Position) error {
	moves := make([][]quoridor.Move, len(pos))
	var logits [2][][]float32
	var wdl [2][][3]float32
	for i := range pos {
		moves[i] = m.Board.Moves(nil, &pos[i])
	}
	for e, eval := range evals {
		logits[e], wdl[e] = make([][]float32, len(pos)), make([][3]float32, len(pos))
		for i := range pos {
			logits[e][i] = make([]float32, len(moves[i]))
		}
		if err := eval.Evaluate(pos, moves, logits[e], wdl[e]); err != nil {
			return err
		}
	}
	for i := range pos {
		if best(logits[0][i]) == best(logits[1][i]) {
			r.SameBest += 1 / float64(r.Positions)
		}
		for j := range moves[i] {
			r.Logit = max(r.Logit, math.Abs(float64(logits[0][i][j]-logits[1][i][j])))
		}
		for k := range wdl[0][i] {
			d := math.Abs(float64(wdl[0][i][k] - wdl[1][i][k]))
			r.Outcome = max(r.Outcome, d)
			r.MeanOutcome += d / float64(3*r.Positions)
		}
	}
	return nil
}

// best returns the index of the largest value.
func best(values []float32) (at int) {
	for i, v := range values {
		if v > values[at] {
			at = i
		}
	}
	return at
}
