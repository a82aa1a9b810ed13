package selfplay

import (
	"math"

	"rampart/data"
	"rampart/mcts"
)

// surprise returns how far the search's policy is from the network's: the Kullback-Leibler divergence in nats. It is NaN where the network
// was not asked.
func surprise(r mcts.Result) float64 {
	if r.Solved {
		return math.NaN()
	}
	sum := 0.0
	for _, m := range r.Moves {
		if m.Policy > 0 {
			sum += m.Policy * math.Log(m.Policy/max(m.Prior, 1e-12))
		}
	}
	return max(0, sum)
}

// weigh gives the share of the rows' weight by their surprise and the rest evenly, so that the mean stays the same but for rounding (KataGo's
// policy surprise weighting). Rows without a surprise get the mean.
func weigh(searches []data.Search, surprises []float64, share float64) {
	if share == 0 {
		return
	}
	sum, n := 0.0, 0
	for i, s := range searches {
		if s.Trains() && !math.IsNaN(surprises[i]) {
			sum += surprises[i]
			n++
		}
	}
	if sum <= 0 {
		return
	}
	for i := range searches {
		if s := &searches[i]; s.Trains() && !math.IsNaN(surprises[i]) {
			s.Flags = s.Flags.WithWeight(float64(s.Flags.Weight()) * (1 - share + share*surprises[i]*float64(n)/sum))
		}
	}
}
