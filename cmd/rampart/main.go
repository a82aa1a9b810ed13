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
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"rampart/arena"
	"rampart/internal/durable"
	"rampart/play"
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
	arena.Register(play.NetKind)
	arena.Register(play.LevelKind)
	out := &checkedWriter{w: os.Stdout}
	root := newRootCommand()
	root.SetOut(out)
	err := root.ExecuteContext(ctx)
	if err == nil {
		err = out.err
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "rampart:", explain(err))
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

		PersistentPreRunE: refuseEmpty,
	}
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return badInput(fmt.Errorf("%s (see \"%s --help\")", flagFailure(err), c.CommandPath()))
	})
	addORTFlag(root)
	root.AddCommand(
		newRunCommand(),
		newAblateCommand(),
		newStageCommand(train.StageSelfPlay, "Play the games of the current generation of a run", "Plays the games of the current generation with the champion and seals their shard."),
		newStageCommand(train.StageTrain, "Train on the games of the current generation of a run", "Takes the training steps that the games call for and writes the checkpoint and the candidate."),
		newStageCommand(train.StageGate, "Let the current candidate of a run play the champion", "Plays the gate match and makes the candidate champion if it passes."),
		newPlayCommand(),
		newAnalyzeCommand(),
		newQTPCommand(),
		newUGICommand(),
		newServeCommand(),
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

// flagFailure returns what is wrong with a flag, in words instead of those of Go's parsers.
func flagFailure(err error) string {
	text := strings.Replace(err.Error(), " flag: time: ", " flag: ", 1) // of a duration
	var number *strconv.NumError
	if !errors.As(err, &number) {
		return text
	}
	reason := map[string]string{
		"ParseUint": "not a whole number of 0 or more", "ParseInt": "not a whole number", "Atoi": "not a whole number",
		"ParseFloat": "not a number", "ParseBool": "not true or false",
	}[number.Func]
	if errors.Is(number, strconv.ErrRange) {
		reason = "out of range"
	}
	return strings.Replace(text, number.Error(), reason, 1)
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

// badInput marks err as bad input unless it is nil or an interrupt.
func badInput(err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	return badInputError{err}
}

// toldError is an error that says itself what has become of the files, so that nothing is promised of them on a full disk.
type toldError struct{ error }

func (e toldError) Unwrap() error { return e.error }

// explain returns the line that tells of the error.
func explain(err error) string {
	text := strings.ReplaceAll(err.Error(), "\n", "; ") // of errors that were joined
	text = strings.ReplaceAll(text, context.Canceled.Error(), "stopped")
	switch {
	case !durable.IsFull(err):
	case errors.As(err, new(toldError)):
		text += " (the disk is full)"
	default:
		text += " (the disk is full: make room and start the same command again; nothing that was recorded is lost)"
	}
	return text
}

func exitCode(err error) int {
	if durable.IsFull(err) { // whatever was being done
		return exitFailure
	}
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
