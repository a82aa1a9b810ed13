package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"rampart/data"
	"rampart/train"
)

func newDataVerifyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "verify PATH...",
		Short: "Replay every game and list every fault with shard, block, byte and game",
		Long: `Reads everything in the shards: checksums, lengths, every game replayed through the rules, every policy and value, and the index.
Of a run folder it also checks the other files: settings, state, models, checkpoints, journals.
Each fault is a line on standard output; then comes a line for each shard. Nothing is changed. The exit code is 2 if there are faults.`,
		Example: "  rampart data verify runs/5x5-2\n  rampart data verify runs/5x5-2/games/00000003.rgz",
		Args:    someArgs,
		RunE: func(c *cobra.Command, args []string) error {
			paths, err := shardArgs(args)
			if err != nil {
				return err
			}
			bad, others := 0, 0
			for _, arg := range args {
				n, err := checkFolder(c, arg)
				if err != nil {
					return dataError(err)
				}
				others += n
			}
			for _, path := range paths {
				s, err := data.Verify(path, faultPrinter(c))
				if err != nil { // of reading it
					bad++
					fmt.Fprintln(c.OutOrStdout(), err)
					continue
				}
				if s.Faults > 0 {
					bad++
				}
				fmt.Fprintln(c.OutOrStdout(), summaryLine(s))
			}
			if others > 0 && bad == 0 {
				return badInput(fmt.Errorf("%d other file(s) of the run are damaged; \"rampart run\" sets them aside and goes on with what is whole", others))
			}
			if bad > 0 {
				return badInput(fmt.Errorf("%d of %d shard(s) have faults; \"rampart data recover\" saves what is whole in them", bad, len(paths)))
			}
			return nil
		},
	}
}

// checkFolder checks the other files of a run folder and returns how many are damaged.
func checkFolder(c *cobra.Command, path string) (faults int, err error) {
	if _, err := os.Stat(filepath.Join(path, "run.toml")); err != nil {
		return 0, nil // a shard, or a folder of shards
	}
	err = train.Folder(path).Check(func(e error) {
		faults++
		fmt.Fprintln(c.OutOrStdout(), e)
	})
	return faults, err
}

// summaryLine tells in a line what Verify read.
func summaryLine(s data.Summary) string {
	state := "sealed"
	if !s.Sealed {
		state = "open"
	}
	verdict := "ok"
	if s.Faults > 0 {
		verdict = fmt.Sprintf("%d fault(s)", s.Faults)
	}
	return fmt.Sprintf("%s: %s, %s; good: %d games, %d plies, %d searched, %d training rows, in %d blocks, %d bytes",
		s.Path, verdict, state, s.Games, s.Plies, s.Searches, s.Rows, s.Blocks, s.Bytes)
}
