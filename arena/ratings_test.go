package arena

import (
	"math"
	"testing"
)

// TestRateBaseball fits the games of the American League's eastern division in 1987 (A. Agresti, Categorical data analysis) and
// compares with the published log strengths, Baltimore's taken as 0.
func TestRateBaseball(t *testing.T) {
	wins := [][]float64{ // rows win against columns
		{0, 7, 9, 7, 7, 9, 11},
		{6, 0, 7, 5, 11, 9, 9},
		{4, 6, 0, 7, 7, 8, 12},
		{6, 8, 6, 0, 6, 7, 10},
		{6, 2, 6, 7, 0, 7, 12},
		{4, 4, 5, 6, 6, 0, 6},
		{2, 4, 1, 3, 1, 7, 0},
	}
	teams := []string{"Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore"}
	published := []float64{1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839, 0}
	ratings := Rate(wins, 0)
	mean := 0.0
	for i, want := range published {
		got := (ratings[i] - ratings[len(ratings)-1]) * math.Ln10 / 400
		near(t, teams[i], got, want, 5e-5)
		mean += ratings[i] / float64(len(ratings))
	}
	near(t, "mean rating", mean, 0, 1e-9)
}

// TestRateMaximisesTheLikelihood compares with a search over the ratings.
func TestRateMaximisesTheLikelihood(t *testing.T) {
	points := [][]float64{{0, 7.5, 20, 0}, {2.5, 0, 12, 30}, {4, 8, 0, 6}, {0, 1, 2, 0}}
	logLikelihood := func(r []float64) float64 {
		sum := 0.0
		for i := range r {
			for j := range r {
				if points[i][j] > 0 {
					sum += points[i][j] * math.Log(ScoreOfElo(r[i]-r[j]))
				}
			}
		}
		return sum
	}
	ratings := Rate(points, 0)
	best := logLikelihood(ratings)
	for i := range ratings {
		for _, step := range []float64{-5, -0.1, 0.1, 5} {
			moved := append([]float64(nil), ratings...)
			moved[i] += step
			if logLikelihood(moved) > best {
				t.Errorf("moving player %d by %g Elo is likelier", i, step)
			}
		}
	}
}

func TestRateTwoPlayers(t *testing.T) {
	ratings := Rate([][]float64{{0, 75}, {25, 0}}, 0)
	near(t, "difference", ratings[0]-ratings[1], EloOfScore(0.75), 1e-6)
	// With the prior of one drawn game a clean sweep is finite: 100.5 to 0.5.
	ratings = Rate([][]float64{{0, 100}, {0, 0}}, 1)
	near(t, "difference after a sweep", ratings[0]-ratings[1], 400*math.Log10(100.5/0.5), 1e-4)
}

// TestBootstrapIntervalsCover simulates ladders of three players of known strength.
func TestBootstrapIntervalsCover(t *testing.T) {
	truth := []float64{80, 0, -80}
	const runs, pairs = 120, 60
	random := newRand(5)
	covered, total := 0, 0
	for range runs {
		var meetings []meeting
		for a := range truth {
			for b := a + 1; b < len(truth); b++ {
				m := meeting{a: a, b: b}
				for range pairs {
					points := 0
					for range 2 {
						if random.Float64() < ScoreOfElo(truth[a]-truth[b]) {
							points += 2
						}
					}
					m.pairs[points]++
				}
				meetings = append(meetings, m)
			}
		}
		for i, e := range rateMeetings(len(truth), meetings, 200, random) {
			total++
			if e.Low <= truth[i] && truth[i] <= e.High {
				covered++
			}
		}
	}
	if share := float64(covered) / float64(total); share < 0.9 || share > 0.99 {
		t.Errorf("95 %% intervals cover the truth in %.3f of the cases", share)
	}
}

// TestBootstrapLeavesASweepUncertain rates a player who lost all of 30 pairs: he may well be strong enough to win one in 30.
func TestBootstrapLeavesASweepUncertain(t *testing.T) {
	e := rateMeetings(2, []meeting{{0, 1, Pairs{30}}}, 1000, newRand(1))[0]
	if width := e.High - e.Low; e.High > -100 || width < 60 || width > 400 {
		t.Errorf("rating %v", e)
	}
}
