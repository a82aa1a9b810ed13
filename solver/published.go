package solver

import "rampart/quoridor"

// Published is a row of the table of solved boards: who wins the start with 0, 1, ... walls for each player, '1' the first player,
// '2' the second, 'D' a draw, '?' not published.
type Published struct {
	W, H  int
	Cells string
}

// PublishedTable returns the table of G. Slatton, Solving the board game Quoridor (2026), boards of odd heights; on even heights
// the first player always wins. The cells of 3x9 with 9 and 10 walls, blank there, are from "Exactly 35: Certified Solving of 3x9
// Quoridor" (2026, doi 10.5281/zenodo.21763852).
func PublishedTable() []Published {
	return []Published{
		{2, 3, "21111111111"},
		{3, 3, "22222222222"},
		{4, 3, "22211111111"},
		{5, 3, "22211111111"},
		{6, 3, "22221111111"},
		{7, 3, "22222222222"},
		{8, 3, "222D2222222"},
		{9, 3, "22222221111"},
		{2, 5, "22222222222"},
		{3, 5, "22212222222"},
		{4, 5, "22221111111"},
		{5, 5, "22222111111"},
		{2, 7, "22111111111"},
		{3, 7, "22222111111"},
		{4, 7, "2212111????"},
		{2, 9, "22222222222"},
		{3, 9, "22222111111"},
	}
}

// Board returns the board of the cell for n walls. The table goes on with more walls than fit on the smallest boards, where the
// surplus can never be placed; those cells are the board's with as many as fit.
func (p Published) Board(n int) (*quoridor.Board, error) {
	return quoridor.NewBoard(p.W, p.H, min(n, (p.W-1)*(p.H-1)))
}

// Letter writes the value of a start position as the table does.
func (v Value) Letter() byte {
	switch v.Outcome {
	case Win:
		return '1'
	case Loss:
		return '2'
	}
	return 'D'
}
