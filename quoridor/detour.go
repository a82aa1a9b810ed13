package quoridor

import "math/bits"

// Detours holds for each wall, by anchor index y*8 + x, the steps by which it lengthens a player's way.
type Detours struct{ H, V [64]uint8 }

// Detours fills dst with the steps by which each wall that fits would lengthen the shortest path of the player's pawn to his goal row when only
// walls block: 0 for most, [Unreachable] for a wall that would leave no path. A wall that does not fit has 0, and so has every wall if there
// is no path. Nobody needs to have the wall, or the move.
func (b *Board) Detours(p *Position, player int, dst *Detours) {
	*dst = Detours{}
	e, pawn, goal := b.edges(p.h, p.v), p.pawn[player], b.goal[player]
	length := e.distance(pawn, goal)
	if length == Unreachable {
		return
	}
	// A wall that costs steps cuts every shortest path, so it cuts this one.
	onPathH, onPathV := b.pathCuts(&e, pawn, goal)
	h, v := b.fittingWalls(p)
	for w := h & onPathH; w != 0; w &= w - 1 {
		i := bits.TrailingZeros64(w)
		after := e.withH(b, i)
		dst.H[i] = detour(length, after.distance(pawn, goal))
	}
	for w := v & onPathV; w != 0; w &= w - 1 {
		i := bits.TrailingZeros64(w)
		after := e.withV(b, i)
		dst.V[i] = detour(length, after.distance(pawn, goal))
	}
}

func detour(before, after int) uint8 {
	if after == Unreachable {
		return Unreachable
	}
	return uint8(after - before)
}
