package arena

import (
	"errors"
	"math"
	"testing"
)

// worked is a published evaluation of a match by a fishtest server: pairs, bounds in normalized Elo with the logistic Elo that
// belongs to them, and the log likelihood ratios (montytest.muzhen.org/tests/stats/69d3c8dc7c5b3724e29d2712).
var worked = Pairs{13, 37, 50, 25, 3}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %.6f, want %.6f within %g", what, got, want, tolerance)
	}
}

func TestWorkedExampleOfFishtest(t *testing.T) {
	d, _ := worked.regularised()
	mean, variance := d.moments()
	near(t, "mean", mean, 0.43750, 5e-6)
	near(t, "variance of a pair", variance, 0.05762, 5e-6)
	near(t, "score that belongs to 2.716 Elo", ScoreOfElo(2.716), 0.50391, 5e-6)
	near(t, "Elo", worked.Elo().Value, -43.6578, 5e-5)
	test := SPRT{Elo0: 0, Elo1: 4, Alpha: 0.05, Beta: 0.05, Normalized: true}
	near(t, "normalized LLR", test.LLR(worked), -0.54912, 5e-6)
	low, high := test.Bounds()
	near(t, "lower bound", low, -2.9444, 5e-5)
	near(t, "upper bound", high, 2.9444, 5e-5)
	// The published logistic Elo1 has three decimals; the ratio is proportional to it.
	test = SPRT{Elo0: 0, Elo1: 2.716, Alpha: 0.05, Beta: 0.05}
	near(t, "logistic LLR", test.LLR(worked), -0.53772, 1e-4)
}

// TestDistributionsMaximiseTheLikelihood compares the closed forms with a search over all distributions of the same mean or
// t-value.
func TestDistributionsMaximiseTheLikelihood(t *testing.T) {
	d, _ := Pairs{3, 5, 4, 7, 2}.regularised()
	logLikelihood := func(q distribution) float64 {
		sum := 0.0
		for i, p := range d {
			sum += p * math.Log(q[i])
		}
		return sum
	}
	const target = 0.6
	q := d.withMean(target)
	mean, _ := q.moments()
	near(t, "mean of the constrained distribution", mean, target, 1e-9)
	qt := d.withTValue(0.3)
	mean, variance := qt.moments()
	near(t, "t-value of the constrained distribution", (mean-0.5)/math.Sqrt(variance), 0.3, 1e-6)

	random := newRand(1)
	for range 20000 {
		// A step that keeps the sum, projected back on the constraint along outcome 4 against outcome 0.
		r := q
		for i := 1; i < outcomes-1; i++ {
			r[i] = q[i] * math.Exp(0.1*random.NormFloat64())
		}
		inner := r[1] + r[2] + r[3]
		r[4] = target - r[1]*score(1) - r[2]*score(2) - r[3]*score(3)
		r[0] = 1 - inner - r[4]
		if r[0] <= 0 || r[4] <= 0 {
			continue
		}
		if logLikelihood(r) > logLikelihood(q)+1e-12 {
			t.Fatalf("%v has the mean of %v and a higher likelihood", r, q)
		}
	}
	for range 20000 {
		r := qt
		sum := 0.0
		for i := range r {
			r[i] = qt[i] * math.Exp(0.05*random.NormFloat64())
			sum += r[i]
		}
		for i := range r {
			r[i] /= sum
		}
		mean, variance := r.moments()
		if (mean-0.5)/math.Sqrt(variance) >= 0.3 && logLikelihood(r) > logLikelihood(qt)+1e-9 {
			// The observed t-value lies below 0.3, so that the constraint binds from this side.
			t.Fatalf("%v has at least the t-value of %v and a higher likelihood", r, qt)
		}
	}
}

func TestSPRTDecisions(t *testing.T) {
	s := SPRT{Elo0: 0, Elo1: 50, Alpha: 0.05, Beta: 0.05}
	for _, test := range []struct {
		name  string
		pairs Pairs
		want  Decision
	}{
		{"nothing", Pairs{}, NoDecision},
		{"one win", Pairs{0, 0, 0, 0, 1}, NoDecision},
		{"a hundred wins", Pairs{0, 0, 0, 0, 100}, AcceptH1},
		{"a hundred losses", Pairs{100, 0, 0, 0, 0}, AcceptH0},
		{"even and close", Pairs{0, 0, 200, 0, 0}, AcceptH0},
		{"worked example", worked, AcceptH0},
	} {
		if got := s.Decide(test.pairs); got != test.want {
			t.Errorf("%s: %s (LLR %.3f), want %s", test.name, got, s.LLR(test.pairs), test.want)
		}
	}
}

// TestSPRTErrorRates simulates matches at both hypotheses and counts wrong decisions. Pairs are drawn with a shared luck of the
// opening, so that the games of a pair depend on each other.
func TestSPRTErrorRates(t *testing.T) {
	const runs = 600
	for _, normalized := range []bool{false, true} {
		s := SPRT{Elo0: 0, Elo1: 60, Alpha: 0.05, Beta: 0.1, Normalized: normalized}
		for _, truth := range []struct {
			elo, promised float64
			wrong         Decision
		}{{s.Elo0, s.Alpha, AcceptH1}, {s.Elo1, s.Beta, AcceptH0}} {
			var d distribution
			if normalized {
				d = openingLuck.withTValue(math.Sqrt2 * truth.elo * math.Ln10 / 800)
			} else {
				d = openingLuck.withMean(ScoreOfElo(truth.elo))
			}
			wrong := 0
			for run := range runs {
				if s.simulate(d, uint64(run)) == truth.wrong {
					wrong++
				}
			}
			share := float64(wrong) / runs
			deviation := math.Sqrt(truth.promised * (1 - truth.promised) / runs)
			t.Logf("normalized %v, truth %g Elo: %.3f wrong, promised %.3f", normalized, truth.elo, share, truth.promised)
			if share > truth.promised+2.5*deviation {
				t.Errorf("normalized %v, truth %g Elo: %.3f of the decisions are wrong, promised %.3f", normalized, truth.elo, share, truth.promised)
			}
			if share < truth.promised/5 {
				t.Errorf("normalized %v, truth %g Elo: only %.3f of the decisions are wrong; the test takes too long or the simulation is off", normalized, truth.elo, share)
			}
		}
	}
}

// openingLuck is the outcome of pairs between equal players: one opening in two decides both games for the side that it favours.
var openingLuck = distribution{0.10, 0.07, 0.66, 0.07, 0.10}

func (s SPRT) simulate(d distribution, seed uint64) Decision {
	random := newRand(seed)
	var p Pairs
	for {
		u, i := random.Float64(), 0
		for i < outcomes-1 && u >= d[i] {
			u -= d[i]
			i++
		}
		p[i]++
		if decision := s.Decide(p); decision != NoDecision {
			return decision
		}
	}
}

func TestSPRTRefusesNonsense(t *testing.T) {
	for _, text := range []string{"", "5", "a,b", "10,0", "0,0", "0,NaN", "-900,0", "0,1e9"} {
		if _, err := ParseSPRT(text); !errors.Is(err, ErrConfig) {
			t.Errorf("ParseSPRT(%q): %v", text, err)
		}
	}
	for _, s := range []SPRT{{0, 5, 0, 0.05, false}, {0, 5, 0.05, 0.5, false}, {0, 300, 0.05, 0.05, true}} {
		if err := s.Validate(); !errors.Is(err, ErrConfig) {
			t.Errorf("%+v: %v", s, err)
		}
	}
	if s, err := ParseSPRT("-5, 15"); err != nil || s != (SPRT{Elo0: -5, Elo1: 15, Alpha: 0.05, Beta: 0.05}) {
		t.Errorf("ParseSPRT(-5, 15) = %+v, %v", s, err)
	}
}
