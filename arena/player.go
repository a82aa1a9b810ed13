package arena

import (
	"context"
	"io"

	"rampart/quoridor"
)

// Player chooses moves. It is not safe for concurrent use. A player that holds resources also implements [io.Closer].
type Player interface {
	// NewGame makes the player forget earlier games. The moves that follow depend on the seed and on the game alone, unless the
	// player is limited by time.
	NewGame(seed uint64)

	// Move returns a legal move for the side to move. The game is not over, and the player must not change it. When the context
	// ends, Move returns its error soon.
	Move(ctx context.Context, g *quoridor.Game) (quoridor.Move, error)
}

// Opponent is a named way to make players.
type Opponent struct {
	Name string // as it appears in results and tables

	// New makes a player for the board. A match calls it once for each of its goroutines. It returns an error that wraps
	// [ErrPlayer] if the player cannot play on the board.
	New func(b *quoridor.Board) (Player, error)
}

// closePlayer closes a player that can be closed.
func closePlayer(p Player) error {
	if c, ok := p.(io.Closer); ok {
		return c.Close()
	}
	return nil
}
