package quoridor

import "errors"

// Errors returned by this package, wrapped with what was wrong and what was expected.
var (
	// ErrBoard is returned for a board size or a number of walls outside the supported range.
	ErrBoard = errors.New("unsupported board")
	// ErrNotation is returned for text that is not a square, a move or a position in our notation.
	ErrNotation = errors.New("bad notation")
	// ErrPosition is returned for a position that is well written but impossible.
	ErrPosition = errors.New("impossible position")
	// ErrIllegalMove is returned when a well-written move may not be played.
	ErrIllegalMove = errors.New("illegal move")
)
