package arena

import (
	"cmp"
	"slices"
)

// Meeting is what a match between two players has shown.
type Meeting struct {
	A, B  string
	Pairs Pairs // by A's points
	Total Tally // of A
}

// Rank rates the players of meetings as [Ladder] does, best first. The meetings may be few and of different lengths, but must connect all
// players. bootstrap is the number of samples for the intervals, 0 for none. The same meetings and seed give the same standings.
func Rank(meetings []Meeting, bootstrap int, seed uint64) []Standing {
	var standings []Standing
	place := make(map[string]int)
	find := func(name string) int {
		i, ok := place[name]
		if !ok {
			i = len(standings)
			place[name] = i
			standings = append(standings, Standing{Name: name})
		}
		return i
	}
	var list []meeting
	for _, m := range meetings {
		a, b := find(m.A), find(m.B)
		list = append(list, meeting{a, b, m.Pairs})
		standings[a].Total = standings[a].Total.plus(m.Total)
		standings[b].Total = standings[b].Total.plus(m.Total.reversed())
	}
	if len(standings) == 0 {
		return nil
	}
	for i, rating := range rateMeetings(len(standings), list, bootstrap, newRand(stream(seed, streamBootstrap))) {
		standings[i].Rating = rating
	}
	slices.SortStableFunc(standings, func(a, b Standing) int { return cmp.Compare(b.Rating.Value, a.Rating.Value) })
	return standings
}
