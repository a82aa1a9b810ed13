package nn

import (
	"fmt"
	"math"

	"rampart/nn/graph"
	"rampart/nn/kernel"
	"rampart/quoridor"
)

// Batch is a set of examples on one board, ready for a [Trainer] or a [Scorer].
type Batch struct {
	Planes []float32 // [N][H+2][W+2][16], see [Encoder]
	Policy []float32 // [N][A] target probabilities, -1 for illegal actions
	WDL    []float32 // [N][3] target probabilities for the side to move
	// The loss is the mean over the rows with these weights, [N] each. Rows of
	// weight 0 have no target.
	PolicyWeight, ValueWeight []float32

	encoder *Encoder
	size    int
}

// Example is a position with what the network should say about it.
type Example struct {
	Position quoridor.Position
	Moves    []quoridor.Move // all legal moves
	Policy   []float32       // probability of each move, sum 1; nil for no policy target
	WDL      [3]float32      // win, draw, loss for the side to move, sum 1; zero for no value target
	Weight   float32         // relative weight in the loss, normally 1
	Mirror   bool            // train on the mirror image
}

// tolerance is how far a target's sum may be from 1.
const tolerance = 1e-3

// NewBatch returns a batch of n rows that do not count yet. The board must have
// at least 3 columns.
func NewBatch(b *quoridor.Board, n int) *Batch {
	t := &Batch{
		encoder: NewEncoder(b), size: n,
		Policy: kernel.Alloc(n * b.NumActions()), WDL: kernel.Alloc(n * graph.Outcomes),
		PolicyWeight: kernel.Alloc(n), ValueWeight: kernel.Alloc(n),
	}
	t.Planes = kernel.Alloc(n * t.encoder.Len())
	fill(t.Policy, -1)
	return t
}

// Size returns the number of rows.
func (t *Batch) Size() int { return t.size }

// Board returns the board.
func (t *Batch) Board() *quoridor.Board { return t.encoder.board }

// Clear takes all rows out of the loss. A trainer still normalises with the
// planes of such rows, so its batches should be full; a scorer does not.
func (t *Batch) Clear() {
	clear(t.PolicyWeight)
	clear(t.ValueWeight)
}

// Set fills row i. The error wraps [ErrBatch]; the row does not count then.
func (t *Batch) Set(i int, x Example) error {
	t.PolicyWeight[i], t.ValueWeight[i] = 0, 0
	if err := t.check(x); err != nil {
		return fmt.Errorf("%w: row %d: %w", ErrBatch, i, err)
	}
	policy := t.Policy[i*t.Board().NumActions():][:t.Board().NumActions()]
	fill(policy, -1)
	for j, m := range x.Moves {
		a := t.encoder.Action(&x.Position, m, x.Mirror)
		if a < 0 {
			return fmt.Errorf("%w: row %d: %v is no action", ErrBatch, i, m)
		}
		policy[a] = 0
		if x.Policy != nil {
			policy[a] = x.Policy[j]
		}
	}
	t.encoder.Encode(t.Planes[i*t.encoder.Len():][:t.encoder.Len()], &x.Position, x.Moves, x.Mirror)
	copy(t.WDL[i*graph.Outcomes:], x.WDL[:])
	if x.Policy != nil {
		t.PolicyWeight[i] = x.Weight
	}
	if x.WDL != [3]float32{} {
		t.ValueWeight[i] = x.Weight
	}
	return nil
}

func (t *Batch) check(x Example) error {
	if len(x.Moves) == 0 {
		return fmt.Errorf("a finished position")
	}
	if !(x.Weight >= 0) || math.IsInf(float64(x.Weight), 0) {
		return fmt.Errorf("weight %v", x.Weight)
	}
	if x.Policy != nil {
		if len(x.Policy) != len(x.Moves) {
			return fmt.Errorf("%d probabilities for %d moves", len(x.Policy), len(x.Moves))
		}
		if !distribution(x.Policy) {
			return fmt.Errorf("policy %v is not a distribution", x.Policy)
		}
	}
	if x.WDL != [3]float32{} && !distribution(x.WDL[:]) {
		return fmt.Errorf("win, draw, loss %v is not a distribution", x.WDL)
	}
	return nil
}

func distribution(p []float32) bool {
	sum := 0.0
	for _, v := range p {
		if !(v >= 0) {
			return false
		}
		sum += float64(v)
	}
	return math.Abs(sum-1) <= tolerance
}
