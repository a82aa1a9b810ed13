package mcts

import "math/bits"

// halvingSchedule returns, for each simulation of a search, the visit count that the root action to simulate must have: the
// sequential halving of the Gumbel paper (algorithm 2) unrolled. The m most promising actions get equal visits, then the better half
// of them, and so on; the last two share what is left.
func halvingSchedule(dst []int32, m, simulations int) []int32 {
	dst = dst[:0]
	if m <= 1 {
		for i := range simulations {
			dst = append(dst, int32(i))
		}
		return dst
	}
	phases := bits.Len(uint(m - 1)) // ceil(log2(m))
	considered, visits := m, int32(0)
	for len(dst) < simulations {
		for range max(1, simulations/(phases*considered)) {
			for range considered {
				dst = append(dst, visits)
			}
			visits++
		}
		considered = max(2, considered/2)
	}
	return dst[:simulations]
}
