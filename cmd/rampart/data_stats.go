package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"rampart/data"
	"rampart/quoridor"
)

func newDataStatsCommand() *cobra.Command {
	var depth int
	var share float64
	c := &cobra.Command{
		Use:     "stats PATH...",
		Short:   "Sum up games: results by seat, draws, lengths, distinct rows, policy entropy, openings",
		Example: "  rampart data stats runs/5x5-2\n  rampart data stats games/00000001.rgz --depth 6 --share 0.02",
		Args:    someArgs,
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case depth < 0 || depth > 40:
				return badInput(fmt.Errorf("--depth %d: must be 0 to 40", depth))
			case !(share >= 0 && share <= 1):
				return badInput(fmt.Errorf("--share %v: must be 0 to 1", share))
			}
			paths, err := shardArgs(args)
			if err != nil {
				return err
			}
			s, err := data.StatsOf(paths, depth)
			if err != nil {
				return dataError(err)
			}
			printStats(c.OutOrStdout(), s, share)
			return nil
		},
	}
	c.Flags().IntVar(&depth, "depth", 4, "plies of the tree of openings")
	c.Flags().Float64Var(&share, "share", 0.05, "least share of the games of an opening that is listed")
	return c
}

func printStats(w io.Writer, s *data.Stats, share float64) {
	line := func(name, format string, args ...any) {
		fmt.Fprintf(w, "%-18s %s\n", name, fmt.Sprintf(format, args...))
	}
	games := func(n int) string { return fmt.Sprintf("%d (%.1f %%)", n, percent(n, s.Games)) }
	mean := func(sum float64, n int) float64 { return sum / float64(max(1, n)) }
	line("board", "%v", s.Board())
	line("games", "%d", s.Games)
	line("player 0 wins", "%s", games(s.Results[quoridor.Win0]))
	line("player 1 wins", "%s", games(s.Results[quoridor.Win1]))
	line("draws", "%s: %d by ply cap, %d by repetition", games(s.Draws()), s.Results[quoridor.DrawCap], s.Results[quoridor.DrawRepetition])
	line("plies", "%d: %.1f a game, %d to %d; %d in openings", s.Plies, mean(float64(s.Plies), s.Games), s.ShortestGame, s.LongestGame, s.Opening)
	line("searched plies", "%d, %d of them fast; %.1f visits on average", s.Searches, s.Fast, mean(float64(s.Visits), s.Searches))
	distinct, exact := s.Distinct()
	about := ""
	if !exact {
		about = "about "
	}
	line("training rows", "%d, %s%d (%.1f %%) of them distinct", s.Rows, about, distinct, percent(distinct, s.Rows))
	line("policy", "entropy %.3f nats, greatest probability %.3f, %.1f moves on average", mean(s.Entropy, s.Searches), mean(s.TopProb, s.Searches), mean(float64(s.Entries), s.Searches))
	line("root value", "mean squared difference to the result %.3f", mean(s.ValueError, s.Searches))
	fmt.Fprintf(w, "\nopenings of at least %.1f %% of the games, with the score of player 0:\n", 100*share)
	for _, o := range s.Openings(share) {
		indent := strings.Repeat("  ", len(o.Moves))
		fmt.Fprintf(w, "%s%-5s %6d games %6.1f %%\n", indent, o.Moves[len(o.Moves)-1], o.Games, 100*o.Score)
	}
}

// percent returns n in percent of total, 0 if there is none.
func percent(n, total int) float64 { return 100 * float64(n) / float64(max(1, total)) }
