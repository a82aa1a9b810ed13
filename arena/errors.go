package arena

import "errors"

// Errors returned by this package, wrapped with what was wrong and what was expected. All but [ErrMove] are the caller's doing.
var (
	// ErrPlayer is returned for an unknown player, a bad option, or a player that cannot play on the board.
	ErrPlayer = errors.New("bad player")
	// ErrConfig is returned for a match, a ladder or a test with settings out of range.
	ErrConfig = errors.New("bad match settings")
	// ErrMove is returned when a player fails or answers with an illegal move.
	ErrMove = errors.New("player failed")
	// ErrGameText is returned for the text of a game that cannot be read or does not replay.
	ErrGameText = errors.New("bad game text")
)
