package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"rampart/data"
)

func newDataMergeCommand() *cobra.Command {
	var output outputFlags
	c := &cobra.Command{
		Use:   "merge PATH... --output FILE",
		Short: "Copy the games of several shards into one",
		Long: `Copies the games of shards of one board, sealed or open, in the order given, into a new shard. A game that is there already, with
the same content, is left out. Games of different runs may have the same generation and number, which are a game's identity in a shard; such shards
are refused, and no file is made. Commands that read games take several shards at once, so those need no merging.`,
		Example: "  rampart data merge runs/5x5-2 --output all.rgz",
		Args:    someArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if err := output.check(); err != nil {
				return err
			}
			paths, err := shardArgs(args)
			if err != nil {
				return err
			}
			m, err := data.Merge(output.path, paths)
			if err != nil {
				return dataError(err)
			}
			fmt.Fprintf(c.OutOrStdout(), "%s: %d games of %d shard(s), %d left out that were there already\n", output.path, m.Games, len(paths), m.Duplicates)
			return nil
		},
	}
	output.add(c, "the new shard; it must not exist")
	return c
}
