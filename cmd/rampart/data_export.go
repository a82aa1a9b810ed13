package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"rampart/data"
	"rampart/internal/durable"
)

// exportFormat is a format of data export.
type exportFormat struct {
	name, unit string
	text       bool // may go to standard output
	write      func(io.Writer, []string) (int, error)
}

var exportFormats = []exportFormat{
	{"jsonl", "games", true, data.ExportJSON},
	{"text", "games", true, data.ExportText},
	{"npz", "rows", false, data.ExportNPZ},
}

func newDataExportCommand() *cobra.Command {
	var output outputFlags
	var format string
	c := &cobra.Command{
		Use:   "export PATH... --format FORMAT [--output FILE]",
		Short: "Write game records as JSON lines, text or a NumPy archive",
		Long: `Formats:
  jsonl  a game a line, with moves, values, visits and policies
  text   moves in the manner of PGN, with values and visits in comments
  npz    the training rows as arrays for NumPy, named like KataGo's; shapes and channels are described in data/FORMAT.md
Without --output, jsonl and text go to standard output.`,
		Example: "  rampart data export runs/5x5-2 --format npz --output rows.npz\n  rampart data export games/00000001.rgz --format jsonl | head -1",
		Args:    someArgs,
		RunE: func(c *cobra.Command, args []string) error {
			i := slices.IndexFunc(exportFormats, func(f exportFormat) bool { return f.name == format })
			if i < 0 {
				var names []string
				for _, f := range exportFormats {
					names = append(names, f.name)
				}
				return badInput(fmt.Errorf("--format %q: must be one of %s", format, strings.Join(names, ", ")))
			}
			f := exportFormats[i]
			if output.path != "" || !f.text {
				if err := output.check(); err != nil {
					return err
				}
			}
			paths, err := shardArgs(args)
			if err != nil {
				return err
			}
			if output.path == "" {
				_, err := f.write(c.OutOrStdout(), paths)
				return dataError(err)
			}
			n := 0
			err = durable.Write(output.path, func(w io.Writer) error {
				n, err = f.write(w, paths)
				return err
			})
			if err != nil {
				return dataError(err)
			}
			fmt.Fprintf(c.OutOrStdout(), "%s: %d %s of %d shard(s)\n", output.path, n, f.unit, len(paths))
			return nil
		},
	}
	c.Flags().StringVar(&format, "format", "jsonl", "jsonl, text or npz")
	output.add(c, "the file to make; it must not exist")
	return c
}
