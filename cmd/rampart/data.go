package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"github.com/spf13/cobra"

	"rampart/data"
)

func newDataCommand() *cobra.Command {
	c := &cobra.Command{
		Use:     "data",
		Example: "  rampart data show runs/5x5-2/games/00000001.rgz\n  rampart data verify runs/5x5-2",
		Short:   "Look at, check, save, merge and export game records",
		Long: `Works on the shards of game records that self-play writes (FILE.rgz, or FILE.rgz.open while it is being written).
A path may be a shard, a folder of shards, or a run folder. No command changes a file that exists.`,
		Args: subcommand,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(
		newDataShowCommand(),
		newDataVerifyCommand(),
		newDataStatsCommand(),
		newDataRecoverCommand(),
		newDataMergeCommand(),
		newDataExportCommand(),
	)
	return c
}

// shardArgs lists the shards that the arguments mean.
func shardArgs(args []string) ([]string, error) {
	var paths []string
	for _, arg := range args {
		list, err := data.FindShards(arg)
		if err != nil {
			return nil, dataError(err)
		}
		paths = append(paths, list...)
	}
	return paths, nil
}

// someArgs asks for at least one argument.
func someArgs(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return badInput(fmt.Errorf("%s needs a shard, a folder of shards or a run folder (see \"%s --help\")", c.CommandPath(), c.CommandPath()))
	}
	return nil
}

// dataError marks what is the caller's doing: damaged or foreign files, missing ones, and ones that would be overwritten.
func dataError(err error) error {
	if data.IsFault(err) {
		return badInput(err)
	}
	for _, callers := range []error{fs.ErrNotExist, fs.ErrExist, fs.ErrPermission, syscall.ENOTDIR} {
		if errors.Is(err, callers) {
			return badInput(err)
		}
	}
	return err
}

// outputFlags choose the file that a command makes.
type outputFlags struct {
	path string
}

func (f *outputFlags) add(c *cobra.Command, usage string) {
	c.Flags().StringVarP(&f.path, "output", "o", "", usage)
}

// check refuses to go on without a file name, or with one that is taken.
func (f *outputFlags) check() error {
	if f.path == "" {
		return badInput(errors.New("--output: the name of the file to make is missing"))
	}
	if _, err := os.Lstat(f.path); err == nil {
		return badInput(fmt.Errorf("--output %s: the file exists; remove it or choose another name", f.path))
	}
	if open := f.path + data.OpenSuffix; exists(open) {
		return badInput(fmt.Errorf("--output %s: %s is there, from a command that is at work or was cut off; remove it or choose another name", f.path, open))
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// faultPrinter returns a function that prints each fault on a line of its own.
func faultPrinter(c *cobra.Command) func(*data.Error) {
	return func(e *data.Error) { fmt.Fprintln(c.OutOrStdout(), e) }
}
