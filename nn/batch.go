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
	// Targets of the auxiliary heads.
	Reply  []float32 // [N][A] probabilities of the opponent's next move, in the mover's frame
	Margin []float32 // [N] see [ScaleMargin]
	Plies  []float32 // [N] see [ScalePlies]
	// The loss is the mean over the rows with these weights, [N] each. Rows of
	// weight 0 have no target. Those of the value are the margin's and the plies'
	// too.
	PolicyWeight, ValueWeight, ReplyWeight []float32

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

	// For the auxiliary heads. They count only if Reply is not empty, and with WDL.
	Reply      []quoridor.Move // what the opponent may answer to the move that is played here
	ReplyProbs []float32       // of Reply, sum 1
	Margin     float32         // steps that the loser is from his goal at the end, positive if the side to move wins
	PliesLeft  float32         // plies to the end of the game

	Mirror bool // train on the mirror image
}

// tolerance is how far a target's sum may be from 1.
const tolerance = 1e-3

// ScaleMargin and ScalePlies bring the targets of two auxiliary heads to the
// size of 1: the heads' outputs are margins in units of 8 steps, and the natural
// logarithm of 1 + plies.
func ScaleMargin(steps float32) float32 { return steps / leadScale }

// ScalePlies: see [ScaleMargin].
func ScalePlies(plies float32) float32 { return float32(math.Log1p(float64(plies))) }

// NewBatch returns a batch of n rows that do not count yet, with the planes of
// feature set 1. The board must have at least 3 columns.
func NewBatch(b *quoridor.Board, n int) *Batch { return NewBatchFor(Config{}, b, n) }

// NewBatchFor returns a batch like [NewBatch] with the planes that networks of
// the configuration see.
func NewBatchFor(cfg Config, b *quoridor.Board, n int) *Batch {
	t := &Batch{
		encoder: NewEncoder(cfg, b), size: n,
		Policy: kernel.Alloc(n * b.NumActions()), WDL: kernel.Alloc(n * graph.Outcomes),
		Reply: kernel.Alloc(n * b.NumActions()), Margin: kernel.Alloc(n), Plies: kernel.Alloc(n),
		PolicyWeight: kernel.Alloc(n), ValueWeight: kernel.Alloc(n), ReplyWeight: kernel.Alloc(n),
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
	clear(t.ReplyWeight)
}

// Set fills row i. The error wraps [ErrBatch]; the row does not count then.
func (t *Batch) Set(i int, x Example) error {
	t.PolicyWeight[i], t.ValueWeight[i], t.ReplyWeight[i] = 0, 0, 0
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
	if err := t.setReply(i, &x); err != nil {
		return fmt.Errorf("%w: row %d: %w", ErrBatch, i, err)
	}
	t.Margin[i], t.Plies[i] = ScaleMargin(x.Margin), ScalePlies(x.PliesLeft)
	if x.Policy != nil {
		t.PolicyWeight[i] = x.Weight
	}
	if x.WDL != [3]float32{} {
		t.ValueWeight[i] = x.Weight
	}
	return nil
}

// setReply fills in the reply of row i, whose walls are those of the mover's
// frame, like all that the network sees: the opponent's action turned.
func (t *Batch) setReply(i int, x *Example) error {
	if len(x.Reply) == 0 {
		return nil
	}
	b := t.Board()
	reply := t.Reply[i*b.NumActions():][:b.NumActions()]
	clear(reply)
	for j, m := range x.Reply {
		a := b.ReplyAction(&x.Position, m)
		if a < 0 {
			return fmt.Errorf("reply %v is no action", m)
		}
		if x.Mirror {
			a = b.MirrorAction(a)
		}
		reply[a] += x.ReplyProbs[j]
	}
	t.ReplyWeight[i] = x.Weight
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
	if len(x.Reply) > 0 && (len(x.ReplyProbs) != len(x.Reply) || !distribution(x.ReplyProbs)) {
		return fmt.Errorf("reply %v is not a distribution over %v", x.ReplyProbs, x.Reply)
	}
	if !(x.PliesLeft >= 0) || !finite(float64(x.PliesLeft)+float64(x.Margin)) {
		return fmt.Errorf("margin %v, plies left %v", x.Margin, x.PliesLeft)
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

// fits returns an error that wraps [ErrBatch] unless the planes are those that
// networks of the configuration see.
func (t *Batch) fits(cfg Config) error {
	if t.encoder.config.planes() != cfg.planes() {
		return fmt.Errorf("%w: its planes are not those of a %v network (see NewBatchFor)", ErrBatch, cfg)
	}
	return nil
}
