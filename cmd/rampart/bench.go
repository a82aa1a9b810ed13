package main

import (
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"rampart/internal/bench"
)

func newBenchCommand() *cobra.Command {
	c := &cobra.Command{
		Use:     "bench",
		Short:   "Measure the speed of a part of the program",
		Example: "  rampart bench rules",
		Args:    noArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newBenchRulesCommand())
	return c
}

func newBenchRulesCommand() *cobra.Command {
	var board boardFlags
	var file string
	var each time.Duration
	var depth int
	c := &cobra.Command{
		Use:     "rules",
		Short:   "Measure legal moves, random games and perft on one core",
		Example: "  rampart bench rules\n  rampart bench rules --positions positions.txt",
		Args:    noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			b, err := board.board()
			if err != nil {
				return err
			}
			if each <= 0 || depth < 0 {
				return badInput(fmt.Errorf("--time %v, --depth %d: the time must be above 0, the depth 0 or more", each, depth))
			}
			positions := bench.RandomPositions(b, 1000, 1)
			if file != "" {
				f, err := os.Open(file)
				if err != nil {
					return badInput(fmt.Errorf("--positions: %w", err))
				}
				defer f.Close()
				if positions, err = bench.ReadPositions(f, b); err != nil {
					return badInput(fmt.Errorf("--positions %s: %w", file, err))
				}
			}
			r := bench.MeasureRules(b, positions, each, depth)
			out := c.OutOrStdout()
			fmt.Fprintf(out, "%s, one core\n", b)
			fmt.Fprintf(out, "legal moves   %12.0f lists/s (%d positions, %.1f moves each)\n", r.ListsPerSecond, r.Positions, r.MovesPerPosition)
			fmt.Fprintf(out, "random games  %12.0f games/s (%.1f plies each)\n", r.GamesPerSecond, r.PliesPerGame)
			fmt.Fprintf(out, "perft %d       %12.2f s (%d nodes, no table)\n", r.PerftDepth, r.PerftSeconds, r.PerftNodes)
			return nil
		},
	}
	board.add(c, "9x9", 10)
	c.Flags().StringVar(&file, "positions", "", "file with a list of moves on each line, to measure on instead of random positions")
	c.Flags().DurationVar(&each, "time", 3*time.Second, "time for each measurement")
	c.Flags().IntVar(&depth, "depth", 4, "depth of perft")
	return c
}
