package quoridor

// PawnActions is the number of pawn moves in the action map: four steps, four straight jumps and four diagonal jumps.
const PawnActions = 12

// pawnDeltas are the pawn actions as displacements in the mover's frame: steps, straight jumps, diagonals. Steps and jumps go
// north, east, south, west; diagonals north-east, south-east, south-west, north-west.
var pawnDeltas = [PawnActions]struct{ dx, dy int }{
	{0, 1},
	{1, 0},
	{0, -1},
	{-1, 0},
	{0, 2},
	{2, 0},
	{0, -2},
	{-2, 0},
	{1, 1},
	{1, -1},
	{-1, -1},
	{-1, 1},
}

// pawnActionOf inverts pawnDeltas: index (dy+2)*5 + dx+2, or -1.
var pawnActionOf = func() (t [25]int8) {
	for i := range t {
		t[i] = -1
	}
	for a, d := range pawnDeltas {
		t[(d.dy+2)*5+d.dx+2] = int8(a)
	}
	return t
}()

// NumActions returns the size of the action map: 12 pawn moves, then the horizontal and the vertical walls by anchor
// y*(W-1) + x, all in the mover's frame.
func (b *Board) NumActions() int { return PawnActions + 2*b.Anchors() }

// Action returns the index of the move in the action map, in the frame of the side to move: the board is turned by 180
// degrees for player 1. It returns -1 if the move is no action from this position (a pawn move out of reach).
func (b *Board) Action(p *Position, m Move) int {
	return b.action(p.pawn[p.side], p.side == 1, m)
}

// ReplyAction returns the index of a move that the opponent of the side to move makes after its move, in the frame of the side to
// move (not of the opponent): a wall at the same place has the same index for both, a pawn move is that of the opponent's pawn.
func (b *Board) ReplyAction(p *Position, m Move) int {
	return b.action(p.pawn[p.side^1], p.side == 1, m)
}

// action returns the index of a move of the pawn at from, or of a wall, on the board or on the turned board.
func (b *Board) action(from Cell, turned bool, m Move) int {
	if m.IsPawn() {
		to := m.Cell()
		dx, dy := to.X()-from.X(), to.Y()-from.Y()
		if dx < -2 || dx > 2 || dy < -2 || dy > 2 {
			return -1
		}
		if turned {
			dx, dy = -dx, -dy
		}
		return int(pawnActionOf[(dy+2)*5+dx+2])
	}
	if !m.IsWall() {
		return -1
	}
	x, y, horizontal := m.Anchor()
	if turned {
		x, y = b.W-2-x, b.H-2-y
	}
	a := PawnActions + y*(b.W-1) + x
	if !horizontal {
		a += b.Anchors()
	}
	return a
}

// MoveOf returns the move that the action index stands for in this position, and false if it leaves the board or is no action.
// The move need not be legal.
func (b *Board) MoveOf(p *Position, action int) (Move, bool) {
	if action < 0 || action >= b.NumActions() {
		return NoMove, false
	}
	if action < PawnActions {
		dx, dy := pawnDeltas[action].dx, pawnDeltas[action].dy
		if p.side == 1 {
			dx, dy = -dx, -dy
		}
		x, y := p.pawn[p.side].X()+dx, p.pawn[p.side].Y()+dy
		if x < 0 || x >= b.W || y < 0 || y >= b.H {
			return NoMove, false
		}
		return PawnMove(CellAt(x, y)), true
	}
	i, horizontal := action-PawnActions, true
	if i >= b.Anchors() {
		i, horizontal = i-b.Anchors(), false
	}
	x, y := i%(b.W-1), i/(b.W-1)
	if p.side == 1 {
		x, y = b.W-2-x, b.H-2-y
	}
	if horizontal {
		return HWall(x, y), true
	}
	return VWall(x, y), true
}

// MirrorAction returns the action that the mirrored position has in place of this one (see [Board.Mirror]).
func (b *Board) MirrorAction(action int) int {
	if action < PawnActions {
		d := pawnDeltas[action]
		return int(pawnActionOf[(d.dy+2)*5-d.dx+2])
	}
	i := (action - PawnActions) % b.Anchors()
	return action + b.W - 2 - 2*(i%(b.W-1))
}
