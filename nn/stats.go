package nn

import (
	"math"

	"rampart/nn/graph"
)

// Stats describe how the network did on a batch, as weighted means over its
// rows. Losses and entropies are in nats.
type Stats struct {
	Loss          float64 // what is minimised: the losses times their weights
	Policy        float64 // cross-entropy of the policy
	Value         float64 // cross-entropy of win, draw, loss
	TargetEntropy float64 // of the policy target: what Policy cannot go below
	PolicyEntropy float64 // of the network's policy
	PolicyTop1    float64 // share of rows whose best action is the target's
	ValueAccuracy float64 // share of rows whose likeliest outcome is the target's

	// Of the auxiliary heads; 0 where absent.
	Reply  float64 // cross-entropy
	Margin float64 // mean squared error, see [ScaleMargin]
	Plies  float64 // mean squared error, see [ScalePlies]

	GradNorm float64 // before clipping; 0 for a score
	Clipped  bool    // the gradient was longer than allowed
}

// tally sums up rows.
type tally struct {
	policyWeight, valueWeight, replyWeight float64
	sum                                    Stats
}

// add counts the rows of a batch from the given one on, as many as went through
// the network together.
func (t *tally) add(b *Batch, from int, net *graph.Training[float32]) {
	policy, wdl, reply, margin, plies := net.Policy(), net.WDL(), net.Reply(), net.Margin(), net.Plies()
	actions := b.Board().NumActions()
	for i := 0; i < len(wdl)/graph.Outcomes && from+i < b.size; i++ {
		r := from + i
		if w := float64(b.ReplyWeight[r]); w != 0 && reply != nil {
			t.replyWeight += w
			t.sum.Reply += w * graph.CrossEntropy(reply[i*actions:][:actions], b.Reply[r*actions:][:actions])
		}
		if margin != nil {
			t.sum.Margin += float64(b.ValueWeight[r]) * squared(margin[i]-b.Margin[r])
		}
		if plies != nil {
			t.sum.Plies += float64(b.ValueWeight[r]) * squared(plies[i]-b.Plies[r])
		}
		t.addPolicy(float64(b.PolicyWeight[r]), policy[i*actions:][:actions], b.Policy[r*actions:][:actions])
		t.addValue(float64(b.ValueWeight[r]), wdl[i*graph.Outcomes:][:graph.Outcomes], b.WDL[r*graph.Outcomes:][:graph.Outcomes])
	}
}

// merge adds the rows of another tally.
func (t *tally) merge(u *tally) {
	t.policyWeight += u.policyWeight
	t.valueWeight += u.valueWeight
	t.replyWeight += u.replyWeight
	to, from := t.sum.sums(), u.sum.sums()
	for i := range to {
		*to[i] += *from[i]
	}
}

// sums are the fields that a tally adds up.
func (s *Stats) sums() [9]*float64 {
	return [9]*float64{&s.Policy, &s.Value, &s.TargetEntropy, &s.PolicyEntropy, &s.PolicyTop1, &s.ValueAccuracy, &s.Reply, &s.Margin, &s.Plies}
}

func squared(x float32) float64 { return float64(x) * float64(x) }

func (t *tally) addPolicy(weight float64, logits, target []float32) {
	if weight == 0 {
		return
	}
	t.policyWeight += weight
	t.sum.Policy += weight * graph.CrossEntropy(logits, target)
	t.sum.PolicyEntropy += weight * softmaxEntropy(logits, target)
	for _, p := range target {
		if p > 0 {
			t.sum.TargetEntropy -= weight * float64(p) * math.Log(float64(p))
		}
	}
	if best(logits, target) == best(target, target) {
		t.sum.PolicyTop1 += weight
	}
}

func (t *tally) addValue(weight float64, logits, target []float32) {
	if weight == 0 {
		return
	}
	t.valueWeight += weight
	t.sum.Value += weight * graph.CrossEntropy(logits, target)
	if best(logits, target) == best(target, target) {
		t.sum.ValueAccuracy += weight
	}
}

// stats returns the means, with the loss made of both parts.
func (t *tally) stats(o TrainerOptions) Stats {
	s := t.sum
	if t.policyWeight > 0 {
		for _, v := range []*float64{&s.Policy, &s.PolicyEntropy, &s.TargetEntropy, &s.PolicyTop1} {
			*v /= t.policyWeight
		}
	}
	if t.valueWeight > 0 {
		for _, v := range []*float64{&s.Value, &s.ValueAccuracy, &s.Margin, &s.Plies} {
			*v /= t.valueWeight
		}
	}
	if t.replyWeight > 0 {
		s.Reply /= t.replyWeight
	}
	s.Loss = o.PolicyLoss*s.Policy + o.ValueLoss*s.Value
	for _, part := range [][2]float64{{o.ReplyLoss, s.Reply}, {o.MarginLoss, s.Margin}, {o.PliesLoss, s.Plies}} {
		s.Loss += part[0] * part[1] // 0 for a head that is absent
	}
	return s
}

// best returns the index of the largest x that is not masked by a negative
// target.
func best(x, target []float32) int {
	b := -1
	for i, v := range x {
		if target[i] >= 0 && (b < 0 || v > x[b]) {
			b = i
		}
	}
	return b
}

// softmaxEntropy returns the entropy of softmax(logits) over the entries that
// are not masked.
func softmaxEntropy(logits, target []float32) float64 {
	largest := float64(logits[best(logits, target)])
	sum, dot := 0.0, 0.0
	for i, v := range logits {
		if target[i] >= 0 {
			d := float64(v) - largest
			e := math.Exp(d)
			sum += e
			dot += e * d
		}
	}
	return math.Log(sum) - dot/sum
}
