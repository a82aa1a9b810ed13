package nn

import (
	"fmt"
	"math"

	"rampart/quoridor"
)

// CheckTolerance is how far the numbers of two evaluators may be apart before
// the check evaluators report it: this much for a probability or a logit of size
// at most 1, and in proportion for larger ones. Rounding stays below a tenth of it.
const CheckTolerance = 1e-4

// check asks two evaluators about every position and answers with the first
// one's words, or with an error when the second one says otherwise.
type check struct {
	first, second Evaluator
	names         [2]string
	logits        [][]float32 // of the second
	wdl           [][3]float32
}

// newCheck opens two back ends.
func newCheck(first, second string, m *Model) (Evaluator, error) {
	c := &check{names: [2]string{first, second}}
	var err error
	if c.first, err = NewEvaluator(first, m); err != nil {
		return nil, err
	}
	if c.second, err = NewEvaluator(second, m); err != nil {
		c.first.Close()
		return nil, err
	}
	return c, nil
}

// Board is part of [Evaluator].
func (c *check) Board() *quoridor.Board { return c.first.Board() }

// Close is part of [Evaluator].
func (c *check) Close() error {
	err := c.first.Close()
	if e := c.second.Close(); err == nil {
		err = e
	}
	return err
}

// Evaluate is part of [Evaluator]. The error names the first position about
// which the two differ, what they differ in, and by how much.
func (c *check) Evaluate(pos []quoridor.Position, moves [][]quoridor.Move, logits [][]float32, wdl [][3]float32) error {
	if err := c.first.Evaluate(pos, moves, logits, wdl); err != nil {
		return err
	}
	c.reserve(moves)
	if err := c.second.Evaluate(pos, moves, c.logits[:len(pos)], c.wdl[:len(pos)]); err != nil {
		return err
	}
	for i := range pos {
		if what := c.difference(i, moves[i], logits[i], wdl[i]); what != "" {
			return fmt.Errorf("%w: %s and %s disagree on %q: %s", ErrBackend, c.names[0], c.names[1], c.Board().Format(pos[i]), what)
		}
	}
	return nil
}

// reserve makes room for what the second evaluator says.
func (c *check) reserve(moves [][]quoridor.Move) {
	for len(c.logits) < len(moves) {
		c.logits, c.wdl = append(c.logits, nil), append(c.wdl, [3]float32{})
	}
	for i := range moves {
		if n := len(moves[i]); n > cap(c.logits[i]) {
			c.logits[i] = make([]float32, n)
		} else {
			c.logits[i] = c.logits[i][:n]
		}
	}
}

// difference says in what the evaluators differ on the i-th position, if at all.
func (c *check) difference(i int, moves []quoridor.Move, logits []float32, wdl [3]float32) string {
	for j, m := range moves {
		if !withinTolerance(logits[j], c.logits[i][j]) {
			return fmt.Sprintf("logit of %v %v and %v, %.2g apart", m, logits[j], c.logits[i][j], math.Abs(float64(logits[j]-c.logits[i][j])))
		}
	}
	for k, outcome := range [...]string{"win", "draw", "loss"} {
		if !withinTolerance(wdl[k], c.wdl[i][k]) {
			return fmt.Sprintf("probability of a %s %v and %v, %.2g apart", outcome, wdl[k], c.wdl[i][k], math.Abs(float64(wdl[k]-c.wdl[i][k])))
		}
	}
	return ""
}

// withinTolerance is false for NaN and infinite values too.
func withinTolerance(a, b float32) bool {
	x, y := float64(a), float64(b)
	return math.Abs(x-y) <= CheckTolerance*max(1, math.Abs(x)) && !math.IsInf(x, 0)
}
