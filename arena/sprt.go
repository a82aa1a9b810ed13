package arena

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// SPRT is a generalised sequential probability ratio test of H0 "A is Elo0 stronger than B" against H1 "A is Elo1 stronger" on the
// results of pairs. After each pair the log likelihood ratio of the likeliest distributions under both hypotheses is compared
// with Wald's bounds.
//
// Sources: M. Van den Bergh, "The generalized sequential probability ratio test for multinomial distributions" and
// "Normalized Elo" (cantate.be/Fishtest), and fishtest, which uses the same test on the same five outcomes.
type SPRT struct {
	Elo0, Elo1 float64 // hypotheses, Elo0 < Elo1
	Alpha      float64 // probability of accepting H1 when H0 is true
	Beta       float64 // probability of accepting H0 when H1 is true

	// Normalized says that Elo0 and Elo1 are normalized Elo: the score advantage over the standard deviation of a game, in units
	// that equal logistic Elo between close players when there are no draws. The default is logistic Elo.
	Normalized bool
}

// DefaultSPRT returns a test of 0 against 20 Elo with both error probabilities 5 %.
func DefaultSPRT() SPRT { return SPRT{Elo0: 0, Elo1: 20, Alpha: 0.05, Beta: 0.05} }

// ParseSPRT reads "elo0,elo1" as a test with the default error probabilities. Errors wrap [ErrConfig].
func ParseSPRT(text string) (SPRT, error) {
	s := DefaultSPRT()
	low, high, ok := strings.Cut(text, ",")
	var err0, err1 error
	s.Elo0, err0 = strconv.ParseFloat(strings.TrimSpace(low), 64)
	s.Elo1, err1 = strconv.ParseFloat(strings.TrimSpace(high), 64)
	if !ok || err0 != nil || err1 != nil {
		return SPRT{}, fmt.Errorf("%w: %q is not two Elo values as in \"0,20\"", ErrConfig, clip(text))
	}
	return s, s.Validate()
}

// Validate returns an error that wraps [ErrConfig] if the test makes no sense.
func (s SPRT) Validate() error {
	most := 800.0
	if s.Normalized {
		most = 200
	}
	if !(s.Elo0 < s.Elo1) || s.Elo0 < -most || s.Elo1 > most {
		return fmt.Errorf("%w: SPRT of %g against %g Elo: the first must be less than the second, both within %g", ErrConfig, s.Elo0, s.Elo1, most)
	}
	if !(s.Alpha > 0 && s.Alpha < 0.5) || !(s.Beta > 0 && s.Beta < 0.5) {
		return fmt.Errorf("%w: SPRT with alpha %g and beta %g: both must be between 0 and 0.5", ErrConfig, s.Alpha, s.Beta)
	}
	return nil
}

// Decision is what a sequential test says.
type Decision int

// Decisions of a test.
const (
	NoDecision Decision = iota // more pairs are needed
	AcceptH0                   // A is not Elo1 stronger
	AcceptH1                   // A is more than Elo0 stronger
)

// String returns the decision in words.
func (d Decision) String() string {
	switch d {
	case AcceptH0:
		return "H0 accepted"
	case AcceptH1:
		return "H1 accepted"
	}
	return "no decision"
}

// Bounds returns the log likelihood ratios at which H0 and H1 are accepted (A. Wald, Sequential tests of statistical hypotheses,
// 1945).
func (s SPRT) Bounds() (low, high float64) {
	return math.Log(s.Beta / (1 - s.Alpha)), math.Log((1 - s.Beta) / s.Alpha)
}

// Decide returns the decision after the pairs.
func (s SPRT) Decide(p Pairs) Decision {
	low, high := s.Bounds()
	switch llr := s.LLR(p); {
	case llr <= low:
		return AcceptH0
	case llr >= high:
		return AcceptH1
	}
	return NoDecision
}

// LLR returns the generalised log likelihood ratio of H1 against H0; 0 without pairs.
func (s SPRT) LLR(p Pairs) float64 {
	if p.Count() == 0 {
		return 0
	}
	d, weight := p.regularised()
	if s.Normalized {
		// Normalized Elo is 800/ln(10) times the score advantage over the standard deviation of a game; that of a pair is smaller
		// by the square root of 2.
		const perDeviation = 800 / math.Ln10
		return weight * d.logRatio(d.withTValue(math.Sqrt2*s.Elo1/perDeviation), d.withTValue(math.Sqrt2*s.Elo0/perDeviation))
	}
	return weight * d.logRatio(d.withMean(ScoreOfElo(s.Elo1)), d.withMean(ScoreOfElo(s.Elo0)))
}

// withTValue returns the likeliest distribution whose mean lies t standard deviations above one half, by the fixed-point
// iteration of M. Van den Bergh, "Normalized Elo: practical considerations", section 4.1.
func (d distribution) withTValue(t float64) distribution {
	q := distribution{0.2, 0.2, 0.2, 0.2, 0.2}
	for range 30 {
		mean, variance := q.moments()
		deviation := math.Sqrt(variance)
		var a [outcomes]float64
		for i := range a {
			z := (mean - score(i)) / deviation
			a[i] = score(i) - 0.5 - t*deviation*(1+z*z)/2
		}
		next := d.tilt(a)
		change := 0.0
		for i := range q {
			change = max(change, math.Abs(next[i]-q[i]))
		}
		q = next
		if change < 1e-12 {
			break
		}
	}
	return q
}
