package arena

import (
	"fmt"
	"math"
)

// EloLimit bounds every Elo figure. It stands for any score nearer to 0 or 1 than one thousandth.
const EloLimit = 1200

// ScoreOfElo returns the expected score, 0 to 1, of a player who is elo points stronger than the other (logistic model).
func ScoreOfElo(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }

// EloOfScore returns the Elo difference that belongs to a score from 0 to 1, within [EloLimit].
func EloOfScore(score float64) float64 {
	if score <= 0 {
		return -EloLimit
	}
	if score >= 1 {
		return EloLimit
	}
	return max(-EloLimit, min(EloLimit, 400*math.Log10(score/(1-score))))
}

// Estimate is a value with its 95 % interval.
type Estimate struct{ Value, Low, High float64 }

// String returns the estimate as "12.3 [1.0, 23.6]".
func (e Estimate) String() string { return fmt.Sprintf("%.1f [%.1f, %.1f]", e.Value, e.Low, e.High) }

// scale returns the estimate times a factor.
func (e Estimate) scale(f float64) Estimate { return Estimate{e.Value * f, e.Low * f, e.High * f} }

// Score returns A's mean score per game, 0 to 1. The interval holds the means that a likelihood ratio test at 5 % does not
// reject; where the normal approximation with the variance of the pairs is good, it is that, and unlike it never leaves 0 to 1 and
// does not shrink to a point when every pair ends the same. Without pairs it is 0.5 [0, 1].
func (p Pairs) Score() Estimate {
	n := p.Count()
	if n == 0 {
		return Estimate{0.5, 0, 1}
	}
	points := 0
	for i, c := range p {
		points += i * c
	}
	e := Estimate{Value: float64(points) / float64(n*(outcomes-1))}
	d, weight := p.regularised()
	mean, _ := d.moments()
	rejected := func(s float64) bool {
		const chiSquare = 3.841458820694124 // 95 % quantile, one degree of freedom
		return 2*weight*d.logRatio(d, d.withMean(s)) > chiSquare
	}
	e.Low = min(e.Value, boundary(mean, 0, rejected))
	e.High = max(e.Value, boundary(mean, 1, rejected))
	return e
}

// boundary returns where rejected turns true on the way from inside, where it is false, to outside.
func boundary(inside, outside float64, rejected func(float64) bool) float64 {
	for range 50 {
		if middle := (inside + outside) / 2; rejected(middle) {
			outside = middle
		} else {
			inside = middle
		}
	}
	return outside
}

// Elo returns A's Elo advantage: [Pairs.Score] on the logistic scale, within [EloLimit].
func (p Pairs) Elo() Estimate {
	s := p.Score()
	return Estimate{EloOfScore(s.Value), EloOfScore(s.Low), EloOfScore(s.High)}
}
