package quoridor

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// Format returns the position's one-line text: size, pawn of player 0, pawn of player 1, walls, walls left, side to move, as in
//
//	9x9 e4 e6 e3h,c6v 9,9 1
//
// Horizontal walls come first, each kind row by row from a1; "-" stands for no walls. [ParsePosition] reads it back.
func (b *Board) Format(p Position) string {
	walls := "-"
	if list := p.Walls(); len(list) > 0 {
		names := make([]string, len(list))
		for i, m := range list {
			names[i] = m.String()
		}
		walls = strings.Join(names, ",")
	}
	return fmt.Sprintf("%dx%d %s %s %s %d,%d %d", b.W, b.H, p.pawn[0], p.pawn[1], walls, p.left[0], p.left[1], p.side)
}

// Walls lists the walls on the board: horizontal ones first, each kind row by row from a1.
func (p Position) Walls() []Move {
	var list []Move
	for w := p.h; w != 0; w &= w - 1 {
		list = append(list, firstHWall+Move(bits.TrailingZeros64(w)))
	}
	for w := p.v; w != 0; w &= w - 1 {
		list = append(list, firstVWall+Move(bits.TrailingZeros64(w)))
	}
	return list
}

// ParsePosition reads the text form of a position (see [Board.Format]; case and the order of the walls do not matter). The
// board's number of walls is the smallest from which the position can arise. Errors wrap [ErrNotation], [ErrBoard] or
// [ErrPosition] and name the field.
func ParsePosition(text string) (*Board, Position, error) {
	fields := strings.Fields(text)
	if len(fields) != 6 {
		return nil, Position{}, fmt.Errorf("%w: position %q has %d fields, expected 6: size, pawn of player 0, pawn of player 1, "+
			"walls, walls left, side to move (e.g. \"9x9 e1 e9 - 10,10 0\")", ErrNotation, clip(text), len(fields))
	}
	w, h, err := ParseSize(fields[0])
	if err != nil {
		return nil, Position{}, fmt.Errorf("position, size: %w", err)
	}
	b, err := NewBoard(w, h, 0)
	if err != nil {
		return nil, Position{}, fmt.Errorf("position, size: %w", err)
	}
	p, err := b.parseFields(fields)
	if err != nil {
		return nil, Position{}, err
	}
	if err := b.check(&p); err != nil {
		return nil, Position{}, err
	}
	total := bits.OnesCount64(p.h) + bits.OnesCount64(p.v) + int(p.left[0]) + int(p.left[1])
	b, err = NewBoard(w, h, max((total+1)/2, int(p.left[0]), int(p.left[1])))
	if err != nil {
		return nil, Position{}, fmt.Errorf("position, walls left: %w", err)
	}
	return b, p, nil
}

func (b *Board) parseFields(fields []string) (p Position, err error) {
	for player := range 2 {
		if p.pawn[player], err = b.ParseCell(fields[1+player]); err != nil {
			return p, fmt.Errorf("position, pawn of player %d: %w", player, err)
		}
	}
	if fields[3] != "-" {
		for name := range strings.SplitSeq(fields[3], ",") {
			if err := b.addWall(&p, name); err != nil {
				return p, fmt.Errorf("position, walls: %w", err)
			}
		}
	}
	left := strings.Split(fields[4], ",")
	if len(left) != 2 {
		return p, fmt.Errorf("%w: position, walls left: %q is not two numbers as in \"10,10\"", ErrNotation, clip(fields[4]))
	}
	for player := range 2 {
		n, err := strconv.Atoi(left[player])
		if err != nil || n < 0 || n > b.Anchors() {
			return p, fmt.Errorf("%w: position, walls left: %q is not a number from 0 to %d", ErrNotation, clip(left[player]), b.Anchors())
		}
		p.left[player] = uint8(n)
	}
	switch fields[5] {
	case "0":
	case "1":
		p.side = 1
	default:
		return p, fmt.Errorf("%w: position, side to move: %q is not 0 or 1", ErrNotation, clip(fields[5]))
	}
	return p, nil
}

func (b *Board) addWall(p *Position, name string) error {
	m, err := b.ParseMove(name)
	if err != nil {
		return err
	}
	if m.IsPawn() {
		return fmt.Errorf("%w: %q is not a wall; walls end in h or v, as in e3h", ErrNotation, clip(name))
	}
	h, v := b.fittingWalls(p)
	bit := uint64(1) << m.anchorIndex()
	if m.IsHorizontal() && h&bit != 0 {
		p.h |= bit
		return nil
	}
	if !m.IsHorizontal() && v&bit != 0 {
		p.v |= bit
		return nil
	}
	return positionError("wall %s overlaps or crosses another", m)
}

// check finds what makes a position impossible.
func (b *Board) check(p *Position) error {
	for player := range 2 {
		if c := p.pawn[player]; c >= NumCells || !b.cells.has(c) {
			return positionError("pawn of player %d is not on the board", player)
		}
	}
	if p.pawn[0] == p.pawn[1] {
		return positionError("both pawns stand on %s", p.pawn[0])
	}
	if p.pawn[0].Y() == b.H-1 && p.pawn[1].Y() == 0 {
		return positionError("both pawns stand on their goal rows")
	}
	if (p.h|p.v)&^b.anchors != 0 {
		return positionError("a wall is not on the board")
	}
	if p.h&(right(p.h)|p.v) != 0 || p.v&(p.v<<anchorStride) != 0 {
		return positionError("walls overlap or cross")
	}
	e := b.edges(p.h, p.v)
	for player := range 2 {
		if !e.connects(p.pawn[player], b.goal[player]) {
			return positionError("player %d has no path to his goal row", player)
		}
	}
	return nil
}

// ParseSize reads "9x9": columns, then rows. It does not check the range; [NewBoard] does.
func ParseSize(text string) (w, h int, err error) {
	cols, rows, ok := strings.Cut(strings.ToLower(text), "x")
	if ok {
		var errW, errH error
		w, errW = strconv.Atoi(cols)
		h, errH = strconv.Atoi(rows)
		ok = errW == nil && errH == nil
	}
	if !ok {
		return 0, 0, fmt.Errorf("%w: size %q is not columns x rows as in \"9x9\"", ErrNotation, clip(text))
	}
	return w, h, nil
}

// ParseCell reads a square's name; upper and lower case are the same.
func (b *Board) ParseCell(text string) (Cell, error) {
	if len(text) == 2 {
		x, y := int(text[0]|0x20)-'a', int(text[1])-'1'
		if x >= 0 && x < b.W && y >= 0 && y < b.H {
			return CellAt(x, y), nil
		}
	}
	return 0, fmt.Errorf("%w: %q is not a square of a %dx%d board (a1 to %s)", ErrNotation, clip(text), b.W, b.H, CellAt(b.W-1, b.H-1))
}

// ParseMove reads a move: a square for a pawn move, a square with h or v for a wall; upper and lower case are the same. The
// move lies on the board but need not be legal; [Board.ParseLegal] checks that too.
func (b *Board) ParseMove(text string) (Move, error) {
	if len(text) != 3 {
		c, err := b.ParseCell(text)
		if err != nil {
			return NoMove, fmt.Errorf("%w: %q is not a move on a %dx%d board (a square as in e2, or a wall as in e3h or e3v)", ErrNotation, clip(text), b.W, b.H)
		}
		return PawnMove(c), nil
	}
	kind := text[2] | 0x20
	x, y := int(text[0]|0x20)-'a', int(text[1])-'1'
	if x < 0 || x >= b.W-1 || y < 0 || y >= b.H-1 || kind != 'h' && kind != 'v' {
		return NoMove, fmt.Errorf("%w: %q is not a wall of a %dx%d board (a1 to %s, then h or v)", ErrNotation, clip(text), b.W, b.H, CellAt(b.W-2, b.H-2))
	}
	if kind == 'h' {
		return HWall(x, y), nil
	}
	return VWall(x, y), nil
}

// ParseLegal reads a move and checks that the side to move may play it. If not, the error wraps [ErrIllegalMove] and says why.
func (b *Board) ParseLegal(p *Position, text string) (Move, error) {
	m, err := b.ParseMove(text)
	if err != nil {
		return NoMove, err
	}
	return m, b.CheckLegal(p, m)
}

// CheckLegal returns nil if the side to move may play the move, else an error that wraps [ErrIllegalMove] and says why not.
func (b *Board) CheckLegal(p *Position, m Move) error {
	if reason := b.WhyIllegal(p, m); reason != Legal {
		return fmt.Errorf("%w: %s: %s", ErrIllegalMove, m, reason)
	}
	return nil
}

func positionError(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrPosition}, args...)...)
}

// clip shortens text from outside for an error message.
func clip(text string) string {
	const most = 80
	if len(text) > most {
		return text[:most] + "..."
	}
	return text
}
