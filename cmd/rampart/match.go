package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"rampart/arena"
	"rampart/quoridor"
)

// matchFlags are the flags that matches and ladders share.
type matchFlags struct {
	board        boardFlags
	pairs        int
	openingPlies int
	openings     string
	plyCap       int
	repetition   bool
	seed         uint64
	workers      int
	save         string
	records      string
}

func (f *matchFlags) add(c *cobra.Command, pairs int) {
	f.board.add(c, "9x9", 10)
	c.Flags().IntVar(&f.pairs, "pairs", pairs, "pairs of games; both games of a pair start from one opening, with the seats exchanged")
	c.Flags().IntVar(&f.openingPlies, "opening-plies", 4, "random legal plies before the players take over")
	c.Flags().StringVar(&f.openings, "openings", "", "file of positions to start from, one a line, instead of random openings")
	c.Flags().IntVar(&f.plyCap, "ply-cap", 0, "plies after which a game is a draw; 0 for two and a half times the squares")
	c.Flags().BoolVar(&f.repetition, "repetition", false, "the third occurrence of a position is a draw")
	c.Flags().Uint64Var(&f.seed, "seed", 1, "seed of openings and players; the same seed gives the same games with any number of workers")
	c.Flags().IntVar(&f.workers, "workers", 0, "games played at once; 0 for one per processor")
	c.Flags().StringVar(&f.save, "save", "", "file to save the games in, as text; it must not exist")
}

// addRecords adds the flag for records, which a ladder does not have.
func (f *matchFlags) addRecords(c *cobra.Command) {
	c.Flags().StringVar(&f.records, "records", "", "shard of game records to save the games in (see rampart data); it must not exist")
}

// config returns the settings of a match; bad ones are bad input.
func (f *matchFlags) config() (arena.MatchConfig, error) {
	b, err := f.board.board()
	if err != nil {
		return arena.MatchConfig{}, err
	}
	c := arena.MatchConfig{
		Board: b, Pairs: f.pairs, OpeningPlies: f.openingPlies, Seed: f.seed, Workers: f.workers,
		Rules: quoridor.Rules{PlyCap: f.plyCap, Repetition: f.repetition},
	}
	if f.openings != "" {
		if f.records != "" {
			return c, badInput(errors.New("--records holds games from the start of the board; give it without --openings"))
		}
		file, err := os.Open(f.openings)
		if err != nil {
			return c, badInput(fmt.Errorf("--openings: %w", err))
		}
		defer file.Close()
		if c.Openings, err = arena.ReadOpenings(file, b); err != nil {
			return c, badInput(fmt.Errorf("--openings %s: %w", f.openings, err))
		}
	}
	return c, badInput(c.Validate())
}

// parsePlayers reads the players of the command line.
func parsePlayers(args []string) ([]arena.Opponent, error) {
	players := make([]arena.Opponent, len(args))
	for i, text := range args {
		o, err := arena.Parse(text)
		if err != nil {
			return nil, badInput(err)
		}
		players[i] = o
	}
	return players, nil
}

// playersHelp lists the players for help texts.
func playersHelp() string {
	var s strings.Builder
	s.WriteString("Players:\n")
	for _, k := range arena.Kinds() {
		fmt.Fprintf(&s, "  %s\n      %s\n", k.Usage, k.Summary)
	}
	return s.String()
}

func newMatchCommand() *cobra.Command {
	var flags matchFlags
	var sprt string
	var minPairs int
	c := &cobra.Command{
		Use:   "match A B",
		Short: "Play pairs of games between two players and say who is stronger",
		Long: `Play pairs of games between two players and say who is stronger.

Both games of a pair start from the same random opening, with the seats exchanged. The result shows wins, draws and losses by seat,
the score and the Elo difference with their 95 % intervals, and how many of the games were distinct. With --sprt the match ends as
soon as the test of two Elo differences is decided. --save writes the games as text, which any editor shows.

` + playersHelp(),
		Example: `  rampart match racer random --pairs 100
  rampart match alphabeta:depth=4 alphabeta:depth=2 --board 7x7 --walls 6 --pairs 200 --sprt 0,50
  rampart match rollout:n=20000 alphabeta:time=1s --pairs 50 --save games.txt
  rampart match net:runs/5x5-2:sims=64 perfect --board 5x5 --walls 2`,
		Args: exactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			config, err := flags.config()
			if err != nil {
				return err
			}
			if config.SPRT, err = parseSPRT(sprt); err != nil {
				return err
			}
			if minPairs < 0 {
				return badInput(fmt.Errorf("--min-pairs %d: must be 0 or more", minPairs))
			}
			config.MinPairs = minPairs
			players, err := parsePlayers(args)
			if err != nil {
				return err
			}
			return runMatch(c, players[0], players[1], config, &flags)
		},
	}
	flags.add(c, 100)
	flags.addRecords(c)
	c.Flags().StringVar(&sprt, "sprt", "", "stop as soon as a test of these two Elo differences is decided, e.g. 0,20 (errors 5 %)")
	c.Flags().IntVar(&minPairs, "min-pairs", 0, "pairs to play before --sprt may stop the match")
	return c
}

// parseSPRT reads --sprt; without it there is no test.
func parseSPRT(text string) (*arena.SPRT, error) {
	if text == "" {
		return nil, nil
	}
	test, err := arena.ParseSPRT(text)
	if err != nil {
		return nil, badInput(fmt.Errorf("--sprt: %w", err))
	}
	return &test, nil
}

func runMatch(c *cobra.Command, a, b arena.Opponent, config arena.MatchConfig, flags *matchFlags) error {
	games, err := newGameFiles(flags, config)
	if err != nil {
		return err
	}
	config.OnGame = games.write
	progress := newMatchProgress(c.ErrOrStderr(), config.Pairs)
	config.OnPair = progress.pair
	result, err := arena.Match(c.Context(), a, b, config)
	progress.end()
	err = games.close(matchError(err))
	if result != nil {
		fmt.Fprint(c.OutOrStdout(), result)
	}
	return err
}

// matchError marks the errors that are the caller's doing, and puts an interrupt into words.
func matchError(err error) error {
	if errors.Is(err, context.Canceled) {
		return errors.New("stopped; the result holds the pairs that were finished")
	}
	if errors.Is(err, arena.ErrPlayer) || errors.Is(err, arena.ErrConfig) {
		return badInput(err)
	}
	return err
}
