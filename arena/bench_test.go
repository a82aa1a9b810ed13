package arena

import (
	"testing"

	"rampart/quoridor"
)

// BenchmarkPlayers plays games of a player against itself on 9x9 with 10 walls from fixed openings and reports the time of a
// move.
func BenchmarkPlayers(b *testing.B) {
	for _, name := range []string{"racer", "waller", "alphabeta:depth=2", "alphabeta:depth=4", "rollout:n=1000"} {
		o, err := Parse(name)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			plies := 0
			for i := range b.N {
				c := MatchConfig{Board: quoridor.MustBoard(9, 9, 10), Pairs: 1, OpeningPlies: 4, Seed: uint64(i), Workers: 1}
				r, err := Match(b.Context(), o, o, c)
				if err != nil {
					b.Fatal(err)
				}
				plies += r.Plies - r.Games()*c.OpeningPlies
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(plies), "µs/move")
		})
	}
}
