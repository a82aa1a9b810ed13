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

	// The moves in ascending order, each with its place in the arguments.
	var orderBuffer [quoridor.MaxMoves]uint32
	order := orderBuffer[:len(moves)]
	for i, m := range moves {
		order[i] = uint32(m)<<16 | uint32(i)
	}
	slices.Sort(order)
	move := func(k int) quoridor.Move { return quoridor.Move(order[k] >> 16) }

	var down [quoridor.MaxMoves]uint16
	var remainders, ranked [quoridor.MaxMoves]float64
	missing := ProbSum
	for k, o := range order {
		if k > 0 && move(k) == move(k-1) {
			return dst, fmt.Errorf("%w: move %s is given twice", ErrPolicy, move(k))
		}
		exact := float64(probs[o&0xffff]) / sum * ProbSum
		floor := math.Floor(exact)
		down[k], remainders[k] = uint16(floor), exact-floor
		missing -= int(down[k])
	}
	// What is missing goes to the greatest remainders, of equal ones to the first moves. Rounding errors may make the sum one too great instead.
	copy(ranked[:], remainders[:len(order)])
	slices.Sort(ranked[:len(order)])
	if missing > 0 {
		least := ranked[len(order)-missing]
		for k := range order {
			if remainders[k] > least {
				down[k]++
				missing--
			}
		}
		for k := 0; missing > 0; k++ {
			if remainders[k] == least {
				down[k]++
				missing--
			}
		}
	}
	for k := 0; missing < 0; k++ {
		if down[k] > 0 {
			down[k]--
			missing++
		}
	}
	for k := range order {
		if down[k] > 0 {
			dst = append(dst, Prob{move(k), down[k]})
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
