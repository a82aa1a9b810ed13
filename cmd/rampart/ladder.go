package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"rampart/arena"
)

func newLadderCommand() *cobra.Command {
	var flags matchFlags
	var bootstrap int
	c := &cobra.Command{
		Use:   "ladder A B C ...",
		Short: "Play all pairings of several players and rate them",
		Long: `Play all pairings of several players and rate them.

Every two players play a match of paired games. The table shows the Elo rating of each player by the Bradley-Terry model, with the
mean of all at 0, the 95 % interval by the bootstrap over pairs, and the score in percent against each other player. One virtual
drawn game for every two players keeps the rating of a player finite who loses all games.

` + playersHelp(),
		Example: `  rampart ladder random racer waller alphabeta:depth=2 --pairs 50
  rampart ladder racer alphabeta:depth=4 net:runs/5x5-2:sims=64 perfect --board 5x5 --walls 2 --save games.txt`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) < 2 {
				return badInput(fmt.Errorf("%s takes at least 2 players, got %d (see \"%s --help\")", c.CommandPath(), len(args), c.CommandPath()))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			match, err := flags.config()
			if err != nil {
				return err
			}
			players, err := parsePlayers(args)
			if err != nil {
				return err
			}
			return runLadder(c, players, arena.LadderConfig{Match: match, Bootstrap: bootstrap}, &flags)
		},
	}
	flags.add(c, 50)
	c.Flags().IntVar(&bootstrap, "bootstrap", 1000, "samples for the intervals of the ratings, at least 100")
	return c
}

func runLadder(c *cobra.Command, players []arena.Opponent, config arena.LadderConfig, flags *matchFlags) error {
	games, err := newGameFiles(flags, config.Match)
	if err != nil {
		return err
	}
	progress := newMatchProgress(c.ErrOrStderr(), config.Match.Pairs)
	config.Match.OnGame = games.write
	config.Match.OnPair = progress.pair
	config.OnMatch = func(r *arena.MatchResult, number, of int) {
		progress.end()
		fmt.Fprintf(c.ErrOrStderr(), "%d of %d: %s against %s: %s, score %.1f %%\n", number, of, r.A, r.B, r.Total(), 100*r.Total().Score())
		progress.next(fmt.Sprintf("%d of %d: ", number+1, of))
	}
	result, err := arena.Ladder(c.Context(), players, config)
	progress.end()
	err = games.close(matchError(err))
	if result != nil {
		b := config.Match.Board
		fmt.Fprintf(c.OutOrStdout(), "%s, %d pairs for each two players, seed %d\n", b, config.Match.Pairs, config.Match.Seed)
		fmt.Fprint(c.OutOrStdout(), result)
	}
	return err
}
