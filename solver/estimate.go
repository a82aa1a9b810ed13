package solver

import (
	"fmt"
	"math/bits"
)

// wallSets returns how many sets of n more walls fit beside those of the root, for n from 0 to most, without asking whether they
// leave a path. It goes through the anchors row by row and keeps for each count and frontier (the kinds of the last row's
// anchors) the number of ways.
func (s *shape) wallSets(root walls, most int) []float64 {
	type frontier struct {
		above    uint64 // anchors of the last W-1 that hold a vertical wall
		leftWall bool   // the anchor to the left holds a horizontal wall
	}
	free := s.fits(root)
	ways := map[frontier][]float64{{}: append([]float64{1}, make([]float64, most)...)}
	for y := range s.h - 1 {
		for x := range s.w - 1 {
			next := make(map[frontier][]float64, 2*len(ways))
			at := uint64(1) << (8*y + x)
			column := uint64(1) << x
			add := func(f frontier, counts []float64, shift int) {
				if next[f] == nil {
					next[f] = make([]float64, most+1)
				}
				for n, c := range counts[:most+1-shift] {
					next[f][n+shift] += c
				}
			}
			for f, counts := range ways {
				rest := f.above &^ column
				add(frontier{rest, false}, counts, 0)
				if free.h&at != 0 && !(x > 0 && f.leftWall) && most > 0 {
					add(frontier{rest, true}, counts, 1)
				}
				if free.v&at != 0 && f.above&column == 0 && most > 0 {
					add(frontier{rest | column, false}, counts, 1)
				}
			}
			ways = next
		}
	}
	total := make([]float64, most+1)
	for _, counts := range ways {
		for n, c := range counts {
			total[n] += c
		}
	}
	return total
}

// aliveShare is a cautious share of the sets of at most half as many walls as there are anchors that leave both players a path: it
// is above 0.8 on all boards that were counted. Each of those has at least one block of values.
const aliveShare = 0.5

// checkSize tells early, without listing them, whether the wall classes are hopelessly many.
func (t *table) checkSize() error {
	most := min(t.left[0]+t.left[1], t.shape.board.Anchors()/2)
	order := float64(bits.OnesCount8(uint8(t.group)))
	for n, sets := range t.shape.wallSets(t.root, most) {
		classes := sets / order * aliveShare
		if bytes := classes * float64(t.blockSize()); bytes > float64(t.budget.limit) {
			return fmt.Errorf("%w: the values under %d more walls take at least %s, %s are allowed; allow more, or choose a smaller board or fewer walls",
				ErrMemory, n, FormatBytes(int64(min(bytes, 1<<60))), FormatBytes(t.budget.limit))
		}
	}
	return nil
}
