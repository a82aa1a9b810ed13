package arena

import "math"

// Pairs counts pairs of games by the points that player A made in both together: 0, 0.5, 1, 1.5 and 2.
type Pairs [5]int

// outcomes is the number of different results of a pair.
const outcomes = 5

// score returns the mean score per game, 0 to 1, of a pair with outcome i.
func score(i int) float64 { return float64(i) / (outcomes - 1) }

// Count returns the number of pairs.
func (p Pairs) Count() int {
	n := 0
	for _, c := range p {
		n += c
	}
	return n
}

// distribution is a probability for each outcome of a pair.
type distribution [outcomes]float64

// regularised returns the observed distribution and its weight in pairs. Outcomes that did not occur count as a thousandth of
// a pair, as in fishtest, so that no outcome is ruled out.
func (p Pairs) regularised() (d distribution, weight float64) {
	const trace = 1e-3
	for i, c := range p {
		d[i] = max(float64(c), trace)
		weight += d[i]
	}
	for i := range d {
		d[i] /= weight
	}
	return d, weight
}

// moments returns mean and variance of the score of a pair.
func (d distribution) moments() (mean, variance float64) {
	for i, p := range d {
		mean += p * score(i)
	}
	for i, p := range d {
		variance += p * (score(i) - mean) * (score(i) - mean)
	}
	return mean, variance
}

// tilt returns the distribution that maximises the likelihood of the observed distribution d among those under which the
// values a have mean 0. It is d[i]/(1+x*a[i]) with x the root of sum d[i]*a[i]/(1+x*a[i]) (M. Van den Bergh, "A note on the
// maximum likelihood estimation of a multinomial distribution under an expectation constraint",
// cantate.be/Fishtest/support_MLE_multinomial.pdf, proposition 1.1). The values must have both signs.
func (d distribution) tilt(a [outcomes]float64) distribution {
	low, high := -1/maxOf(a), -1/minOf(a)
	for range 100 { // the sum falls from +Inf at low to -Inf at high
		x := (low + high) / 2
		sum := 0.0
		for i, p := range d {
			sum += p * a[i] / (1 + x*a[i])
		}
		if sum > 0 {
			low = x
		} else {
			high = x
		}
	}
	x := (low + high) / 2
	for i := range d {
		d[i] /= 1 + x*a[i]
	}
	return d
}

// withMean returns the likeliest distribution with the given mean score, 0 < mean < 1.
func (d distribution) withMean(mean float64) distribution {
	var a [outcomes]float64
	for i := range a {
		a[i] = score(i) - mean
	}
	return d.tilt(a)
}

// logRatio returns the expected log likelihood ratio of q against r for a pair when d is the observed distribution.
func (d distribution) logRatio(q, r distribution) float64 {
	sum := 0.0
	for i, p := range d {
		sum += p * math.Log(q[i]/r[i])
	}
	return sum
}

func minOf(a [outcomes]float64) float64 {
	m := a[0]
	for _, v := range a {
		m = min(m, v)
	}
	return m
}

func maxOf(a [outcomes]float64) float64 {
	m := a[0]
	for _, v := range a {
		m = max(m, v)
	}
	return m
}
