package arena

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Rate fits the Bradley-Terry model to points[i][j], the points that player i scored against player j (a draw is half a point
// each), and returns Elo ratings with mean 0. prior is a number of virtual games, all drawn, that every two players who met are
// given; with more than 0 the ratings are finite, and near to those without it when there are many games. The players must be
// connected by games. The iteration is Hunter's MM algorithm (D. R. Hunter, MM algorithms for generalized Bradley-Terry models,
// Annals of Statistics 32, 2004, section 3).
func Rate(points [][]float64, prior float64) []float64 {
	n := len(points)
	games, won := make([][]float64, n), make([]float64, n)
	for i := range n {
		games[i] = make([]float64, n)
		for j := range n {
			if i == j || points[i][j]+points[j][i] == 0 {
				continue
			}
			games[i][j] = points[i][j] + points[j][i] + prior
			won[i] += points[i][j] + prior/2
		}
	}
	strength, next := make([]float64, n), make([]float64, n)
	for i := range strength {
		strength[i] = 1
	}
	const (
		mostSteps = 100_000
		precision = 1e-10 // relative change of a strength in a step
	)
	for range mostSteps {
		logSum := 0.0
		for i := range n {
			weight := 0.0
			for j := range n {
				if games[i][j] > 0 {
					weight += games[i][j] / (strength[i] + strength[j])
				}
			}
			next[i] = max(won[i]/weight, math.SmallestNonzeroFloat64)
			logSum += math.Log(next[i])
		}
		scale := math.Exp(-logSum / float64(n)) // the geometric mean stays 1
		change := 0.0
		for i := range n {
			next[i] *= scale
			change = max(change, math.Abs(next[i]/strength[i]-1))
		}
		strength, next = next, strength
		if change < precision {
			break
		}
	}
	ratings := make([]float64, n)
	for i, s := range strength {
		ratings[i] = 400 * math.Log10(s)
	}
	return ratings
}

// meeting is what two players of a ladder have shown: pairs by the points of the first.
type meeting struct {
	a, b  int
	pairs Pairs
}

// pointsOf adds the meetings up for [Rate].
func pointsOf(n int, meetings []meeting) [][]float64 {
	points := make([][]float64, n)
	for i := range points {
		points[i] = make([]float64, n)
	}
	for _, m := range meetings {
		for outcome, count := range m.pairs {
			points[m.a][m.b] += 2 * score(outcome) * float64(count)
			points[m.b][m.a] += 2 * (1 - score(outcome)) * float64(count)
		}
	}
	return points
}

// ladderPrior is the number of virtual drawn games for every two players of a ladder.
const ladderPrior = 1

// rateMeetings rates the players and finds the 95 % intervals by the bootstrap: the pairs of each meeting are drawn anew, with
// replacement, the given number of times (see [Pairs.resample]).
func rateMeetings(n int, meetings []meeting, samples int, random *rand.Rand) []Estimate {
	ratings := make([]Estimate, n)
	for i, r := range Rate(pointsOf(n, meetings), ladderPrior) {
		ratings[i] = Estimate{r, r, r}
	}
	drawn := make([][]float64, n)
	resampled := make([]meeting, len(meetings))
	for range samples {
		for i, m := range meetings {
			resampled[i] = meeting{m.a, m.b, m.pairs.resample(random)}
		}
		for i, r := range Rate(pointsOf(n, resampled), ladderPrior) {
			drawn[i] = append(drawn[i], r)
		}
	}
	for i, d := range drawn {
		if len(d) == 0 {
			continue
		}
		slices.Sort(d)
		ratings[i].Low = min(ratings[i].Value, quantile(d, 0.025))
		ratings[i].High = max(ratings[i].Value, quantile(d, 0.975))
	}
	return ratings
}

// resample draws as many pairs as there are, with replacement, from the pairs and the virtual game of [ladderPrior]: half a pair,
// as likely won as lost. Without that a clean sweep would have no uncertainty.
func (p Pairs) resample(random *rand.Rand) (q Pairs) {
	n := p.Count()
	for range n {
		k := random.Float64() * (float64(n) + ladderPrior/2.0)
		if k >= float64(n) {
			q[random.IntN(2)*(outcomes-1)]++
			continue
		}
		at, i := int(k), 0
		for at >= p[i] {
			at -= p[i]
			i++
		}
		q[i]++
	}
	return q
}

// quantile returns a quantile of sorted values by linear interpolation.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

// Standing is a player's place in a ladder.
type Standing struct {
	Name   string
	Rating Estimate // Elo; the mean of all players is 0
	Total  Tally    // over all opponents
}

// String returns the standing as one line.
func (s Standing) String() string { return fmt.Sprintf("%s %s %s", s.Name, s.Rating, s.Total) }
