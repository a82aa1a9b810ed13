package arena

import (
	"math"
	"testing"
)

func TestEloOfScore(t *testing.T) {
	for _, test := range []struct{ score, elo float64 }{
		// FIDE Handbook B.02, table 8.1.1, is rounded from another curve; these follow from 400*log10(s/(1-s)).
		{0.5, 0},
		{10.0 / 11, 400},
		{1.0 / 11, -400},
		{0.75, 190.848501887865},
		{1, EloLimit},
		{0, -EloLimit},
		{0.99999, EloLimit},
	} {
		near(t, "Elo", EloOfScore(test.score), test.elo, 1e-9)
	}
	for elo := -1000.0; elo <= 1000; elo += 125 {
		near(t, "Elo of the score of Elo", EloOfScore(ScoreOfElo(elo)), elo, 1e-6)
	}
}

// TestScoreIntervalIsNormalForManyPairs compares the likelihood interval with mean and standard error of the pairs.
func TestScoreIntervalIsNormalForManyPairs(t *testing.T) {
	for _, p := range []Pairs{{130, 370, 500, 250, 30}, {2000, 100, 3000, 100, 2500}, {0, 0, 400, 300, 100}} {
		d, n := p.regularised()
		mean, variance := d.moments()
		margin := 1.959964 * math.Sqrt(variance/n)
		e := p.Score()
		near(t, "score", e.Value, mean, 1e-4)
		near(t, "lower end", e.Low, mean-margin, 0.05*margin)
		near(t, "upper end", e.High, mean+margin, 0.05*margin)
	}
}

func TestScoreIntervalAtTheEdges(t *testing.T) {
	for _, test := range []struct {
		name      string
		pairs     Pairs
		value     float64
		low, high float64 // bounds that hold with some tolerance
	}{
		{"no pairs", Pairs{}, 0.5, 0, 1},
		{"one pair won", Pairs{0, 0, 0, 0, 1}, 1, 0.14, 1},
		// All of n pairs won: exp(-1.92/n) by hand, since the likelihood of a mean s is then s^n.
		{"100 pairs won", Pairs{0, 0, 0, 0, 100}, 1, 0.98098, 1},
		{"100 pairs lost", Pairs{100, 0, 0, 0, 0}, 0, 0, 1 - 0.98098},
	} {
		e := test.pairs.Score()
		near(t, test.name, e.Value, test.value, 0)
		near(t, test.name+", lower end", e.Low, test.low, 0.01)
		near(t, test.name+", upper end", e.High, test.high, 0.01)
	}
	for _, p := range []Pairs{{}, {0, 0, 0, 0, 1000}, {0, 0, 7, 0, 0}, {1, 0, 0, 0, 1}} {
		e := p.Elo()
		if !(e.Low <= e.Value && e.Value <= e.High && e.Low >= -EloLimit && e.High <= EloLimit) {
			t.Errorf("%v: Elo %v", p, e)
		}
	}
}

// TestScoreIntervalCovers simulates matches and counts how often the interval holds the true score.
func TestScoreIntervalCovers(t *testing.T) {
	const runs, pairs = 2000, 60
	d := openingLuck.withMean(0.7)
	random := newRand(7)
	covered := 0
	for range runs {
		var p Pairs
		for range pairs {
			u, i := random.Float64(), 0
			for i < outcomes-1 && u >= d[i] {
				u -= d[i]
				i++
			}
			p[i]++
		}
		if e := p.Score(); e.Low <= 0.7 && 0.7 <= e.High {
			covered++
		}
	}
	if share := float64(covered) / runs; share < 0.93 || share > 0.97 {
		t.Errorf("the 95 %% interval covers the truth in %.3f of the matches", share)
	}
}
