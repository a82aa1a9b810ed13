package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"rampart/data"
)

func newDataRecoverCommand() *cobra.Command {
	var output outputFlags
	c := &cobra.Command{
		Use:   "recover SHARD --output FILE",
		Short: "Save what is whole in a damaged or open shard into a new one",
		Long: `Copies every game that can be read and replays into a new sealed shard, lists what is wrong with the old one, and says how many games were
lost. The old shard is not changed.`,
		Example: "  rampart data recover runs/9x9/games/00000007.rgz --output saved.rgz",
		Args:    exactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := output.check(); err != nil {
				return err
			}
			r, err := data.Recover(args[0], output.path, faultPrinter(c))
			if err != nil {
				return dataError(err)
			}
			lost := fmt.Sprintf("%d lost", r.Lost)
			if r.Unsure {
				lost = fmt.Sprintf("at least %d lost", r.Lost)
			}
			fmt.Fprintf(c.OutOrStdout(), "%s: %d games saved, %s, %d fault(s)\n", output.path, r.Saved, lost, r.Faults)
			return nil
		},
	}
	output.add(c, "the new shard; it must not exist")
	return c
}
