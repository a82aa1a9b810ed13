package mcts

import "rampart/quoridor"

// Evaluator judges positions, in practice with a neural network. One goroutine owns it.
type Evaluator interface {
	// Board returns the board that the evaluator was made for.
	Board() *quoridor.Board
	// Evaluate judges a batch of unfinished positions. For each pos[i], moves[i] are its legal moves; it fills logits[i] (of the
	// same length) with their logits and wdl[i] with the probabilities of win, draw and loss for the side to move. The
	// result for a position does not depend on the rest of the batch, bit for bit.
	Evaluate(pos []quoridor.Position, moves [][]quoridor.Move, logits [][]float32, wdl [][3]float32) error
}

// Uniform is an [Evaluator] that knows nothing: all moves alike, win and loss equally likely.
type Uniform struct{ B *quoridor.Board }

// Board returns the board.
func (u Uniform) Board() *quoridor.Board { return u.B }

// Evaluate gives every move the same logit and every position an even chance.
func (u Uniform) Evaluate(pos []quoridor.Position, _ [][]quoridor.Move, logits [][]float32, wdl [][3]float32) error {
	for i := range pos {
		clear(logits[i])
		wdl[i] = [3]float32{0.5, 0, 0.5}
	}
	return nil
}
