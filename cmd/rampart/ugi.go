package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"rampart/play"
	"rampart/play/ugi"
)

func newUGICommand() *cobra.Command {
	var board boardFlags
	options := ugi.DefaultOptions()
	c := &cobra.Command{
		Use:   "ugi",
		Short: "Speak the Universal Game Interface, for programs that drive engines",
		Long: `Reads commands of the Universal Game Interface (UCI for any game) and answers them. Flags set what setoption can change later; the command ugi
lists the options. go does not play its move. A match drives any such program as a player: rampart match "ugi:rampart ugi --level 5" racer.`,
		Example: "  rampart ugi\n  rampart ugi --model runs/9x9-10 --visits 400\n  printf 'position startpos moves e2\\ngo nodes 100\\n' | rampart ugi",
		Args:    noArgs,
		RunE: func(c *cobra.Command, _ []string) (err error) {
			if options.Board, err = board.board(); err != nil {
				return err
			}
			for _, name := range []string{"player", "model", "level", "visits", "threads", "hash"} {
				if err := options.Set(name, c.Flag(name).Value.String()); err != nil {
					return badInput(fmt.Errorf("--%s: %w", name, err))
				}
			}
			if options.Board.W < 3 {
				return badInput(errors.New("--board: must have at least 3 columns"))
			}
			err = ugi.Serve(c.Context(), ugi.Config{Options: options, Version: version()}, c.InOrStdin(), c.OutOrStdout())
			if errors.Is(err, context.Canceled) {
				return nil
			}
			return err
		},
	}
	board.add(c, "9x9", 10)
	c.Flags().StringVar(&options.Player, "player", "", "any player of rampart match, instead of a network")
	c.Flags().StringVar(&options.Model, "model", "", "network: a model file, a run folder, or the name of one that ships (default the one for the board)")
	c.Flags().IntVar(&options.Level, "level", options.Level, fmt.Sprintf("level of the network, 1 to %d", len(play.Levels())))
	c.Flags().IntVar(&options.Visits, "visits", 0, "simulations for a move instead of the level's")
	c.Flags().IntVar(&options.Threads, "threads", options.Threads, "threads of a search")
	c.Flags().IntVar(&options.Hash, "hash", options.Hash, "MiB that a search tree may take")
	return c
}
