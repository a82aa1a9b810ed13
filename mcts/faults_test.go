package mcts

import (
	"math/rand/v2"
	"testing"
)

// countingSource counts what is drawn from it.
type countingSource struct {
	rand.Source
	drawn int
}

func (c *countingSource) Uint64() uint64 {
	c.drawn++
	return c.Source.Uint64()
}

// TestNoiseIsDrawnOncePerSearch: a search of many simulations draws exactly the noise of one of few, again in every search.
func TestNoiseIsDrawnOncePerSearch(t *testing.T) {
	b, p := parse(t, "5x5 c2 d4 b2h 1,2 0")
	for _, mode := range modes {
		var drawn []int
		for _, simulations := range []int{2, 16, 200} {
			s := newSearch(t, hashed{b, 1}, mode, simulations)
			for range 2 {
				source := &countingSource{Source: rand.NewPCG(7, 7)}
				run(t, s, p, -1, rand.New(source))
				drawn = append(drawn, source.drawn)
			}
		}
		for _, n := range drawn {
			if n != drawn[0] || n < b.CountMoves(&p) {
				t.Errorf("%s: numbers drawn in the searches: %v, for %d moves", mode, drawn, b.CountMoves(&p))
				break
			}
		}
	}
}
