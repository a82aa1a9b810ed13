package data

import (
	"fmt"
	"math"
	"slices"

	"rampart/quoridor"
)

// AppendPolicy quantises a policy to multiples of 1/ProbSum and appends it to dst: ascending by move, without the moves that come out as 0.
// The probabilities need not sum to 1. Every P is the exact share rounded down or up, those with the greatest remainders up
// (largest remainder method), so that the sum is ProbSum. The error wraps [ErrPolicy]: a probability that is negative or not finite, all
// of them 0, a move given twice or more moves than a position has.
func AppendPolicy(dst []Prob, moves []quoridor.Move, probs []float32) ([]Prob, error) {
	if len(moves) != len(probs) || len(moves) > quoridor.MaxMoves {
		return dst, fmt.Errorf("%w: %d moves and %d probabilities, at most %d", ErrPolicy, len(moves), len(probs), quoridor.MaxMoves)
	}
	sum := 0.0
	for i, p := range probs {
		if !(p >= 0) || math.IsInf(float64(p), 0) {
			return dst, fmt.Errorf("%w: probability of %s is %v", ErrPolicy, moves[i], p)
		}
		sum += float64(p)
	}
	if sum == 0 {
		return dst, fmt.Errorf("%w: every probability is 0", ErrPolicy)
	}

	type share struct {
		move      quoridor.Move
		p         uint16
		remainder float64
	}
	var buffer [quoridor.MaxMoves]share
	shares := buffer[:len(moves)]
	missing := ProbSum
	for i, p := range probs {
		exact := float64(p) / sum * ProbSum
		down := math.Floor(exact)
		shares[i] = share{moves[i], uint16(down), exact - down}
		missing -= int(down)
	}
	slices.SortFunc(shares, func(a, b share) int {
		switch {
		case a.remainder > b.remainder:
			return -1
		case a.remainder < b.remainder:
			return 1
		}
		return int(a.move) - int(b.move)
	})
	// Rounding errors of the division may leave one more or one less than there are remainders.
	for i := 0; missing > 0; i, missing = (i+1)%len(shares), missing-1 {
		shares[i].p++
	}
	for i := len(shares) - 1; missing < 0; i-- {
		if shares[i].p > 0 {
			shares[i].p--
			missing++
		}
	}
	slices.SortFunc(shares, func(a, b share) int { return int(a.move) - int(b.move) })
	for i, s := range shares {
		if i > 0 && s.move == shares[i-1].move {
			return dst, fmt.Errorf("%w: move %s is given twice", ErrPolicy, s.move)
		}
	}
	for _, s := range shares {
		if s.p > 0 {
			dst = append(dst, Prob{s.move, s.p})
		}
	}
	return dst, nil
}

// legalMoves lists legal moves in the order of policies: ascending by move. It reuses its memory.
type legalMoves struct {
	buffer [quoridor.MaxMoves]quoridor.Move
}

func (l *legalMoves) of(b *quoridor.Board, p *quoridor.Position) []quoridor.Move {
	list := b.Moves(l.buffer[:0], p)
	// Walls come in ascending order after the pawn moves: at most five are to be sorted.
	for i := 1; i < len(list) && list[i].IsPawn(); i++ {
		for j := i; j > 0 && list[j] < list[j-1]; j-- {
			list[j], list[j-1] = list[j-1], list[j]
		}
	}
	return list
}

// checkPolicy checks that the policy is a distribution over the legal moves, which are sorted.
func checkPolicy(policy []Prob, legal []quoridor.Move) error {
	sum, i := 0, 0
	for k, e := range policy {
		for i < len(legal) && legal[i] < e.Move {
			i++
		}
		switch {
		case k > 0 && e.Move <= policy[k-1].Move:
			return fmt.Errorf("%w: %s after %s is not ascending", ErrPolicy, e.Move, policy[k-1].Move)
		case i == len(legal) || legal[i] != e.Move:
			return fmt.Errorf("%w: %s is not legal", ErrPolicy, e.Move)
		case e.P == 0:
			return fmt.Errorf("%w: probability 0 is written out for %s", ErrPolicy, e.Move)
		}
		sum += int(e.P)
	}
	if sum != ProbSum {
		return fmt.Errorf("%w: probabilities sum to %d, not %d", ErrPolicy, sum, ProbSum)
	}
	return nil
}
