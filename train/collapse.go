package train

import (
	"math"

	"rampart/data"
)

// Alarms are raised from this generation on: random networks draw many games on large boards.
const alarmFrom = 4

// Shares beyond which games teach nothing.
const (
	drawAlarmShare   = 0.8   // of games drawn: the network has learned to shuffle
	peakedAlarmShare = 0.999 // mean probability of the first move: the search has nothing left to choose
	flatAlarmShare   = 0.98  // mean entropy of the policy as a share of the greatest possible: the search says nothing
)

// policyTally sums up the policy targets of games.
type policyTally struct {
	searches, open    int // all, and those with more than one move to choose from
	top, entropy, rel float64
}

func (t *policyTally) add(g *data.Game) {
	for i := range g.Searches {
		policy := g.Searches[i].Policy
		t.searches++
		best, entropy := uint16(0), 0.0
		for _, e := range policy {
			best = max(best, e.P)
			if e.P > 0 {
				p := float64(e.P) / data.ProbSum
				entropy -= p * math.Log(p)
			}
		}
		t.entropy += entropy
		if len(policy) > 1 {
			t.open++
			t.top += float64(best) / data.ProbSum
			t.rel += entropy / math.Log(float64(len(policy)))
		}
	}
}

// alarms raises what the generation's games give reason for. The run goes on.
func (r *Run) alarms(generation int, report SelfPlayReport, policies policyTally) error {
	if generation < alarmFrom || report.Games == 0 {
		return nil
	}
	if float64(report.Draws) > drawAlarmShare*float64(report.Games) {
		if err := r.alarm(generation, "generation %d: %d of %d games are draws, most by the cap of %d plies: the network may have learned to shuffle (raise selfplay.ply_cap "+
			"or selfplay.random_openings)", generation, report.Draws, report.Games, r.Config.SelfPlay.Rules(r.Board).PlyCap); err != nil {
			return err
		}
	}
	if policies.open == 0 || r.champion.Generation == 0 { // a random network has flat policies
		return nil
	}
	n := float64(policies.open)
	if top := policies.top / n; top > peakedAlarmShare {
		return r.alarm(generation, "generation %d: the policies have collapsed to one move (its mean probability is %.4f): the games are all alike (raise selfplay.random_openings, "+
			"selfplay.sample_plies or the noise of the search)", generation, top)
	}
	if rel := policies.rel / n; rel > flatAlarmShare {
		return r.alarm(generation, "generation %d: the policies are flat (%.1f %% of the greatest entropy): the search finds no move better than another (look at the losses, "+
			"raise selfplay.search.simulations)", generation, 100*rel)
	}
	return nil
}

// means returns the mean entropy of the policies in nats and the mean probability of their likeliest moves.
func (t *policyTally) means() (entropy, top float64) {
	return t.entropy / float64(max(1, t.searches)), t.top / float64(max(1, t.open))
}
