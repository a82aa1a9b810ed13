package quoridor

// Reason says why a move may not be played.
type Reason uint8

// Reasons, in the order in which they are looked for.
const (
	Legal       Reason = iota // the move may be played
	GameOver                  // the game is over
	PawnCannot                // the pawn cannot go there
	NoSuchMove                // not a move on this board
	NoWallsLeft               // the side to move has no walls left
	Crosses                   // the wall crosses another
	Overlaps                  // the wall overlaps another
	CutsOff0                  // the wall would leave player 0 without a path
	CutsOff1                  // the wall would leave player 1, and not player 0, without a path
)

var reasonTexts = [...]string{
	Legal: "", GameOver: "the game is over", PawnCannot: "the pawn cannot go there", NoSuchMove: "not a move on this board",
	NoWallsLeft: "no walls left", Crosses: "the wall crosses another", Overlaps: "the wall overlaps another",
	CutsOff0: "the wall would cut off player 0", CutsOff1: "the wall would cut off player 1",
}

// String returns the reason in words, "" for a legal move.
func (r Reason) String() string {
	if int(r) < len(reasonTexts) {
		return reasonTexts[r]
	}
	return "unknown reason"
}

// WhyIllegal returns why the side to move may not play the move, or [Legal]. Any byte may be asked for.
func (b *Board) WhyIllegal(p *Position, m Move) Reason {
	switch {
	case b.Winner(p) >= 0:
		return GameOver
	case m.IsPawn():
		var to [5]Move
		for _, legal := range to[:b.pawnMoves(&to, p)] {
			if legal == m {
				return Legal
			}
		}
		return PawnCannot
	case !m.IsWall() || b.anchors>>m.anchorIndex()&1 == 0:
		return NoSuchMove
	case p.left[p.side] == 0:
		return NoWallsLeft
	}
	return b.whyIllegalWall(p, m)
}

func (b *Board) whyIllegalWall(p *Position, m Move) Reason {
	fitH, fitV := b.fittingWalls(p)
	i := m.anchorIndex()
	fits, opposite := fitH, p.v
	if !m.IsHorizontal() {
		fits, opposite = fitV, p.h
	}
	if opposite>>i&1 != 0 {
		return Crosses
	}
	if fits>>i&1 == 0 {
		return Overlaps
	}
	after := b.Play(*p, m)
	e := b.edges(after.h, after.v)
	for player, reason := range [2]Reason{CutsOff0, CutsOff1} {
		if !e.connects(p.pawn[player], b.goal[player]) {
			return reason
		}
	}
	return Legal
}
