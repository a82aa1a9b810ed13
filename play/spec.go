package play

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"rampart/arena"
	"rampart/quoridor"
)

// Person is the text that names a person on a seat.
const Person = "person"

// NewEngine makes the player that the text names into an engine: "level:5", "net:FILE:sims=200", "racer" and so on, as [arena.Parse] takes
// them. The same seed gives the same moves. Errors wrap [arena.ErrPlayer].
func NewEngine(text string, b *quoridor.Board, seed uint64) (Engine, error) {
	o, err := arena.Parse(text)
	if err != nil {
		return nil, err
	}
	return OpponentEngine(o, b, seed)
}

// OpponentEngine makes a player for matches into an engine.
func OpponentEngine(o arena.Opponent, b *quoridor.Board, seed uint64) (Engine, error) {
	player, err := o.New(b)
	if err != nil {
		return nil, err
	}
	player.NewGame(seed)
	if e, ok := player.(Engine); ok {
		return e, nil
	}
	return &chooser{name: o.Name, board: b, player: player}, nil
}

// chooser is a player that says nothing but its move.
type chooser struct {
	name   string
	board  *quoridor.Board
	player arena.Player
}

// Name is part of [Engine].
func (c *chooser) Name() string { return c.name }

// Think is part of [Engine]. A player that is stopped before it has chosen plays the racer's move.
func (c *chooser) Think(ctx context.Context, g *quoridor.Game, limits Limits, _ func(*Report)) (*Report, error) {
	if err := checkThinkable(c.board, g); err != nil {
		return nil, err
	}
	began := time.Now()
	limited := ctx
	if limits.Time > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, limits.Time)
		defer cancel()
	}
	m, err := c.player.Move(limited, g)
	if err != nil && limited.Err() != nil {
		m, err = racerMove(g)
	}
	if err == nil {
		p := g.Position()
		err = g.Board.CheckLegal(&p, m)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrEngine, c.name, err)
	}
	return &Report{Move: m, Elapsed: time.Since(began)}, nil
}

// racerMove returns what the simplest sensible player would do.
func racerMove(g *quoridor.Game) (quoridor.Move, error) {
	racer, err := arena.MustParse("racer").New(g.Board)
	if err != nil {
		return quoridor.NoMove, err
	}
	racer.NewGame(0)
	return racer.Move(context.Background(), g)
}

// Close is part of [Engine].
func (c *chooser) Close() error {
	if closer, ok := c.player.(io.Closer); ok {
		return closer.Close()
	}
	return nil
}

// CheckPlayer returns nil if the text names a person or a player. It loads what the player needs, so a bad file is found here.
func CheckPlayer(text string) error {
	if text == Person {
		return nil
	}
	if strings.TrimSpace(text) == "" {
		return errors.New("no player is named")
	}
	_, err := arena.Parse(text)
	return err
}
