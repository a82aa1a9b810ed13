package ablation

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"rampart/arena"
	"rampart/train"
)

// ArmResult is what one arm did with one seed.
type ArmResult struct {
	Generations int             `json:"generations"`
	Games       int             `json:"games"`
	CPU         float64         `json:"cpu_s"` // of self-play, training and gates, in seconds
	Optimal     []train.Optimal `json:"optimal,omitempty"`
}

// SeedResult is the comparison with one seed. The match is seen from the first arm.
type SeedResult struct {
	Seed  int
	Arms  [2]ArmResult
	Match *arena.MatchResult
}

func (s SeedResult) describe(arms [2]string) string {
	text := fmt.Sprintf("seed %d: %s against %s %s, Elo %s, %d distinct games", s.Seed, arms[0], arms[1], s.Match.Total(), s.Match.Elo(), s.Match.Distinct)
	for i, name := range arms {
		text += fmt.Sprintf("; %s: %d games, %.0f CPU-s", name, s.Arms[i].Games, s.Arms[i].CPU)
		for _, o := range s.Arms[i].Optimal {
			text += fmt.Sprintf(", %.2f %% of %s@%d", 100*o.Share, o.Play, o.Simulations)
		}
	}
	return text
}

// Result is a comparison over all seeds.
type Result struct {
	Arms        [2]string // names
	Simulations int       // a move in the matches
	Seeds       []SeedResult
}

// Score returns the first arm's points a game: the mean over the seeds with its 95 % interval.
func (r *Result) Score() arena.Estimate {
	e := r.mean(func(s SeedResult) float64 { return s.Match.Score().Value })
	return arena.Estimate{Value: e.Value, Low: max(e.Low, 0), High: min(e.High, 1)}
}

// Elo returns the Elo differences that mean the scores of [Result.Score].
func (r *Result) Elo() arena.Estimate {
	e := r.Score()
	return arena.Estimate{Value: arena.EloOfScore(e.Value), Low: arena.EloOfScore(e.Low), High: arena.EloOfScore(e.High)}
}

// Optimal returns, for each kind of positions and number of simulations, by how much the first arm's share of optimal moves exceeds the second's.
func (r *Result) Optimal() (differences []OptimalDifference) {
	for i, o := range r.Seeds[0].Arms[0].Optimal {
		d := OptimalDifference{Play: o.Play, Simulations: o.Simulations, Positions: o.Positions}
		for arm := range d.Share {
			d.Share[arm] = r.mean(func(s SeedResult) float64 { return s.Arms[arm].Optimal[i].Share }).Value
		}
		d.Difference = r.mean(func(s SeedResult) float64 { return s.Arms[0].Optimal[i].Share - s.Arms[1].Optimal[i].Share })
		differences = append(differences, d)
	}
	return differences
}

// OptimalDifference compares the arms' shares of optimal moves.
type OptimalDifference struct {
	Play                   arena.Play
	Simulations, Positions int
	Share                  [2]float64     // of each arm, mean over the seeds
	Difference             arena.Estimate // first arm minus second
}

// mean returns the mean over the seeds with Student's 95 % interval, which is unbounded for one seed.
func (r *Result) mean(of func(SeedResult) float64) arena.Estimate {
	values := make([]float64, len(r.Seeds))
	for i, s := range r.Seeds {
		values[i] = of(s)
	}
	n := float64(len(values))
	if n == 1 {
		return arena.Estimate{Value: values[0], Low: math.Inf(-1), High: math.Inf(1)}
	}
	mean, deviation := stat.MeanStdDev(values, nil)
	reach := distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(0.975) * deviation / math.Sqrt(n)
	return arena.Estimate{Value: mean, Low: mean - reach, High: mean + reach}
}

// String returns the verdict as a text for people; the seeds, one by one, went to [Config].Event.
func (r *Result) String() string {
	var s strings.Builder
	var total arena.Tally
	for _, seed := range r.Seeds {
		t := seed.Match.Total()
		total = arena.Tally{Wins: total.Wins + t.Wins, Draws: total.Draws + t.Draws, Losses: total.Losses + t.Losses}
	}
	score, elo := r.Score(), r.Elo()
	fmt.Fprintf(&s, "%s against %s at %d simulations a move: %s; mean over %d seeds %.1f %% (%.1f to %.1f), Elo %+.0f (%+.0f to %+.0f)\n", r.Arms[0], r.Arms[1],
		r.Simulations, total, len(r.Seeds), 100*score.Value, 100*score.Low, 100*score.High, elo.Value, elo.Low, elo.High)
	for _, d := range r.Optimal() {
		fmt.Fprintf(&s, "optimal moves, %s play, %d simulations: %s %.2f %%, %s %.2f %%; difference %+.2f %% (%+.2f to %+.2f)\n", d.Play, d.Simulations,
			r.Arms[0], 100*d.Share[0], r.Arms[1], 100*d.Share[1], 100*d.Difference.Value, 100*d.Difference.Low, 100*d.Difference.High)
	}
	return s.String()
}
