package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"rampart/arena"
	"rampart/play"
	"rampart/play/qtp"
	"rampart/quoridor"
)

// engineFlags are the flags that choose an engine for a protocol.
type engineFlags struct {
	player string
	visits int
	time   time.Duration
	seed   uint64
}

func (f *engineFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.player, "player", "level:8", "who thinks, as for rampart match: level:N, net:FILE, racer and so on")
	c.Flags().IntVar(&f.visits, "visits", 0, "simulations for a move instead of the player's own number")
	c.Flags().DurationVar(&f.time, "time", 0, "time for a move instead of the player's own limit")
	c.Flags().Uint64Var(&f.seed, "seed", 1, "seed of a player that leaves something to chance")
}

// check looks at the player before anybody asks for a move.
func (f *engineFlags) check() error {
	if _, err := arena.Parse(f.player); err != nil {
		return badInput(fmt.Errorf("--player: %w", err))
	}
	if f.visits < 0 || f.visits > play.MostVisits {
		return badInput(fmt.Errorf("--visits %d: must be 1 to %d", f.visits, play.MostVisits))
	}
	if f.time < 0 {
		return badInput(fmt.Errorf("--time %s: must not be negative", f.time))
	}
	return nil
}

func (f *engineFlags) limits() play.Limits { return play.Limits{Visits: f.visits, Time: f.time} }

func newQTPCommand() *cobra.Command {
	var board boardFlags
	var engine engineFlags
	c := &cobra.Command{
		Use:   "qtp",
		Short: "Speak the Quoridor Text Protocol, for referees and programs",
		Long: `Reads commands of the Quoridor Text Protocol of the University of Athens, a dialect of GTP, and answers them. Black moves first and starts on the row
with the largest number; genmove plays its move. list_commands lists the commands.`,
		Example: "  rampart qtp\n  rampart qtp --player net:runs/9x9-10 --time 5s\n  printf 'genmove black\\nshowboard\\n' | rampart qtp --visits 100",
		Args:    noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			b, err := board.board()
			if err != nil {
				return err
			}
			if b.W < 3 {
				return badInput(errors.New("--board: must have at least 3 columns"))
			}
			if err := engine.check(); err != nil {
				return err
			}
			config := qtp.Config{Board: b, Limits: engine.limits(), Version: version()}
			config.NewEngine = func(b *quoridor.Board) (play.Engine, error) { return play.NewEngine(engine.player, b, engine.seed) }
			err = qtp.Serve(c.Context(), config, c.InOrStdin(), c.OutOrStdout())
			if errors.Is(err, context.Canceled) {
				return nil
			}
			return err
		},
	}
	board.add(c, "9x9", 10)
	engine.add(c)
	return c
}
