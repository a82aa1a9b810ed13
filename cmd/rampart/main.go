// Command rampart learns Quoridor from nothing but the rules, and plays, analyses and solves it.
//
// Every subcommand lives in a file of its own that holds its flags, its wiring and its printing, and no other logic. Run
// "rampart help" for the list.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"rampart/arena"
	"rampart/train"
)

// Exit codes.
const (
	exitFailure  = 1 // something went wrong that was not the caller's doing
	exitBadInput = 2 // a wrong flag, argument, file or position
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second interrupt ends the process at once
	arena.Register(netKind)
	out := &checkedWriter{w: os.Stdout}
	root := newRootCommand()
	root.SetOut(out)
	err := root.ExecuteContext(ctx)
	if err == nil {
		err = out.err
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "rampart:", err)
		stop()
		os.Exit(exitCode(err))
	}
}

func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           "rampart",
		Short:         "Learn, play and solve Quoridor",
		Long:          "Rampart learns Quoridor from nothing but the rules: self-play, training and gating in one run folder.\nIt plays and analyses against what it learned, and solves small boards exactly.",
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          subcommand,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return badInput(fmt.Errorf("%w (see \"%s --help\")", err, c.CommandPath()))
	})
	addORTFlag(root)
	root.AddCommand(
		newRunCommand(),
		newStageCommand(train.StageSelfPlay, "Play the games of the current generation of a run", "Plays the games of the current generation with the champion and seals their shard."),
		newStageCommand(train.StageTrain, "Train on the games of the current generation of a run", "Takes the training steps that the games call for and writes the checkpoint and the candidate."),
		newStageCommand(train.StageGate, "Let the current candidate of a run play the champion", "Plays the gate match and makes the candidate champion if it passes."),
		newPlayCommand(),
		newPerftCommand(),
		newMovesCommand(),
		newMatchCommand(),
		newLadderCommand(),
		newSolveCommand(),
		newModelCommand(),
		newBenchCommand(),
		newDataCommand(),
		newVersionCommand(),
	)
	return root
}

// checkedWriter remembers the first error of an output that many places write to without looking.
type checkedWriter struct {
	w   io.Writer
	err error
}

func (c *checkedWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	if err != nil && c.err == nil {
		c.err = fmt.Errorf("output: %w", err)
	}
	return n, err
}

// badInputError marks an error as the caller's doing: exit code 2.
type badInputError struct{ error }

func (e badInputError) Unwrap() error { return e.error }

// badInput marks err as bad input unless it is nil.
func badInput(err error) error {
	if err == nil {
		return nil
	}
	return badInputError{err}
}

func exitCode(err error) int {
	if errors.As(err, new(badInputError)) {
		return exitBadInput
	}
	return exitFailure
}

// noArgs and exactArgs are cobra's argument checks with our exit code.
func noArgs(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return badInput(fmt.Errorf("%s takes no argument, got %q (see \"%s --help\")", c.CommandPath(), args[0], c.CommandPath()))
	}
	return nil
}

// subcommand is the argument check of a command that does nothing by itself.
func subcommand(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return badInput(fmt.Errorf("unknown command %q for %q (see \"%s --help\")", args[0], c.CommandPath(), c.CommandPath()))
	}
	return nil
}

func exactArgs(n int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) != n {
			return badInput(fmt.Errorf("%s takes %d argument(s), got %d (see \"%s --help\")", c.CommandPath(), n, len(args), c.CommandPath()))
		}
		return nil
	}
}
