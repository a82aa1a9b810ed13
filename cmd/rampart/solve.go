package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"rampart/internal/durable"
	"rampart/quoridor"
	"rampart/solver"
)

// solveFlags are the flags of the solve command.
type solveFlags struct {
	walls       int
	position    string
	table       bool
	sizes       string
	time        time.Duration
	memory      string
	workers     int
	checkpoint  string
	verify      bool
	verifyEvery int
	search      bool
	depth       int
	quiet       bool
}

func newSolveCommand() *cobra.Command {
	var f solveFlags
	c := &cobra.Command{
		Use:   "solve [SIZE]",
		Short: "Work out the exact value of a small board, a position, or the published table",
		Long: "Works out who wins a board under best play of both, in how many plies, and a line of best play. Play that repeats\n" +
			"for ever is a draw. With --position, the first word is win, draw or loss for the side to move, and the value of every\n" +
			"move follows.\n\n" +
			"Interrupted with Ctrl-C, it leaves a checkpoint if --checkpoint names a file, and goes on from it the next time.",
		Example: "  rampart solve 5x5 --walls 3\n" +
			"  rampart solve --position \"5x5 c2 c4 b2h 2,3 0\"\n" +
			"  rampart solve --table --time 1m\n" +
			"  rampart solve 5x5 --walls 2 --verify\n" +
			"  rampart solve 6x6 --walls 3 --search",
		Args: func(c *cobra.Command, args []string) error {
			if want := !f.table && f.position == ""; (len(args) == 1) != want || len(args) > 1 {
				return badInput(fmt.Errorf("%s takes either a board size (as in \"5x5\"), --position or --table (see \"%s --help\")", c.CommandPath(), c.CommandPath()))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return f.run(c, args) },
	}
	c.Flags().IntVar(&f.walls, "walls", 3, "walls that each player has at the start")
	c.Flags().StringVar(&f.position, "position", "", "solve this position instead of a board's start")
	c.Flags().BoolVar(&f.table, "table", false, "solve the boards of the published table and compare")
	c.Flags().StringVar(&f.sizes, "sizes", "", "with --table: only these sizes, as in 3x5,5x5")
	c.Flags().DurationVar(&f.time, "time", 10*time.Minute, "with --table: give up a board after this time")
	c.Flags().StringVar(&f.memory, "memory", "4GiB", "memory that tables may take, in MiB or GiB")
	c.Flags().IntVar(&f.workers, "workers", 0, "goroutines to work with (0: one for each processor)")
	c.Flags().StringVar(&f.checkpoint, "checkpoint", "", "file to save the work to when interrupted, and to go on from")
	c.Flags().BoolVar(&f.verify, "verify", false, "then check that each value follows from the values of the next positions")
	c.Flags().IntVar(&f.verifyEvery, "verify-every", 1, "with --verify: check one set of walls in so many")
	c.Flags().BoolVar(&f.search, "search", false, "search for a forced win instead of working all positions out; never proves a draw")
	c.Flags().IntVar(&f.depth, "depth", 60, "with --search: give up after this many plies")
	c.Flags().BoolVar(&f.quiet, "quiet", false, "no progress on standard error")
	return c
}

func (f *solveFlags) run(c *cobra.Command, args []string) error {
	memory, err := parseMemory(f.memory)
	if err != nil {
		return badInput(fmt.Errorf("--memory: %w", err))
	}
	if f.workers < 0 || f.workers > solver.MostWorkers {
		return badInput(fmt.Errorf("--workers %d: must be 1 to %d, or 0 for one for each processor", f.workers, solver.MostWorkers))
	}
	if f.verifyEvery < 1 || f.depth < 1 || f.time <= 0 {
		return badInput(errors.New("--verify-every and --depth must be 1 or more, --time positive"))
	}
	opt := solver.Options{Memory: memory, Workers: f.workers, Checkpoint: f.checkpoint}
	if f.search && (f.table || f.verify) {
		return badInput(errors.New("--search does not go with --table or --verify"))
	}
	if f.table && f.checkpoint != "" {
		return badInput(errors.New("--checkpoint does not go with --table, which solves many boards"))
	}
	if f.table {
		return f.solveTable(c.Context(), c.OutOrStdout(), c.ErrOrStderr(), opt)
	}
	b, p, err := f.target(args)
	if err != nil {
		return err
	}
	if f.checkpoint != "" {
		if err := durable.Writable(f.checkpoint); err != nil {
			return badInput(fmt.Errorf("--checkpoint: %w", err))
		}
	}
	if f.search {
		return solveFailure(f.prove(c, b, p, memory), f.checkpoint)
	}
	return solveFailure(f.solve(c, b, p, opt), f.checkpoint)
}

// target returns the position to solve: the start of the board of the argument, or that of --position.
func (f *solveFlags) target(args []string) (*quoridor.Board, quoridor.Position, error) {
	if f.position != "" {
		b, p, err := quoridor.ParsePosition(f.position)
		if err != nil {
			return nil, p, badInput(fmt.Errorf("--position: %w", err))
		}
		return b, p, nil
	}
	w, h, err := quoridor.ParseSize(args[0])
	if err != nil {
		return nil, quoridor.Position{}, badInput(err)
	}
	b, err := quoridor.NewBoard(w, h, f.walls)
	if err != nil {
		return nil, quoridor.Position{}, badInput(err)
	}
	return b, b.Start(), nil
}

// solveFailure gives bad input its exit code and tells of the checkpoint.
func solveFailure(err error, checkpoint string) error {
	switch {
	case errors.Is(err, solver.ErrSaved):
		return fmt.Errorf("stopped; the work so far is in %s, the same command goes on from there", checkpoint)
	case errors.As(err, new(*solver.SaveError)):
		return saveFailure(err, checkpoint)
	case errors.Is(err, context.Canceled) && checkpoint == "":
		return errors.New("stopped (--checkpoint FILE would have kept the work)")
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("stopped; %s", unsaved(checkpoint))
	case errors.Is(err, solver.ErrMemory), errors.Is(err, solver.ErrCheckpoint), errors.Is(err, solver.ErrBoard):
		return badInput(err)
	}
	return err
}

// saveFailure says why the work could not be saved and what the checkpoint holds.
func saveFailure(err error, checkpoint string) error {
	var failed *solver.SaveError
	errors.As(err, &failed)
	return toldError{fmt.Errorf("stopped; %w; %s", failed, unsaved(checkpoint))}
}

// unsaved says what is in a checkpoint that was not written to.
func unsaved(checkpoint string) string {
	if exists(checkpoint) {
		return fmt.Sprintf("nothing new was saved, %s is as it was", checkpoint)
	}
	return fmt.Sprintf("nothing was saved in %s", checkpoint)
}

func (f *solveFlags) solve(c *cobra.Command, b *quoridor.Board, p quoridor.Position, opt solver.Options) error {
	var last solver.Progress
	opt.Progress = func(now solver.Progress) {
		last = now
		if !f.quiet || now.CheckpointErr != nil {
			fmt.Fprintln(c.ErrOrStderr(), progressLine(now))
		}
	}
	s, err := solver.New(b, opt)
	if err != nil {
		return badInput(err)
	}
	v, err := s.Value(c.Context(), p)
	if err != nil {
		return err
	}
	work := fmt.Sprintf("%d positions in %s, %s", last.Positions, last.Elapsed.Round(time.Millisecond), solver.FormatBytes(last.Bytes))
	if f.position != "" {
		err = printPosition(c.Context(), c.OutOrStdout(), s, p, v)
	} else {
		err = printStart(c.Context(), c.OutOrStdout(), s, v)
	}
	if err != nil {
		return err
	}
	fmt.Fprintln(c.OutOrStdout(), "work:", work)
	if !f.verify {
		return nil
	}
	n, err := s.Verify(c.Context(), f.verifyEvery)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.OutOrStdout(), "verified: %d positions follow from their successors\n", n)
	return nil
}

func progressLine(p solver.Progress) string {
	line := fmt.Sprintf("%d walls placed: %d of %d sets, %d positions, %.1f million/s, %s of %s, %s",
		p.Layer, p.Done, p.Total, p.Positions, p.Rate/1e6, solver.FormatBytes(p.Bytes), solver.FormatBytes(p.Limit), p.Elapsed.Round(time.Second))
	if p.CheckpointErr != nil {
		line += fmt.Sprintf("; going on although the checkpoint failed: %v", p.CheckpointErr)
	}
	return line
}

// prove searches for a forced win.
func (f *solveFlags) prove(c *cobra.Command, b *quoridor.Board, p quoridor.Position, memory int64) error {
	prover, err := solver.NewProver(b, solver.SearchOptions{
		Memory: memory, Checkpoint: f.checkpoint,
		Progress: func(now solver.SearchProgress) {
			if now.CheckpointErr != nil {
				fmt.Fprintf(c.ErrOrStderr(), "the checkpoint is left, remove it: %v\n", now.CheckpointErr)
			} else if !f.quiet {
				fmt.Fprintf(c.ErrOrStderr(), "depth %d: %d nodes, %.2f million/s, table %.0f %% full, %s\n",
					now.Depth, now.Nodes, now.Rate/1e6, 100*now.Fill, now.Elapsed.Round(time.Second))
			}
		},
	})
	if err != nil {
		return err
	}
	start := time.Now()
	v, err := prover.Prove(c.Context(), p, f.depth)
	if err != nil {
		return err
	}
	if f.position != "" {
		fmt.Fprintf(c.OutOrStdout(), "%s in %d plies\n", v.Outcome, v.Plies)
	} else {
		fmt.Fprintln(c.OutOrStdout(), startLine(b, v))
	}
	fmt.Fprintln(c.OutOrStdout(), "line:", moveNames(prover.Line(c.Context(), p, v)))
	fmt.Fprintf(c.OutOrStdout(), "work: %d nodes in %s\n", prover.Nodes(), time.Since(start).Round(time.Millisecond))
	return nil
}

// startLine says who wins a board.
func startLine(b *quoridor.Board, v solver.Value) string {
	switch v.Outcome {
	case solver.Win:
		return fmt.Sprintf("%s: the first player wins in %d plies", b, v.Plies)
	case solver.Loss:
		return fmt.Sprintf("%s: the second player wins in %d plies", b, v.Plies)
	}
	return fmt.Sprintf("%s: a draw", b)
}

// printStart prints who wins a board and how.
func printStart(ctx context.Context, out io.Writer, s *solver.Solver, v solver.Value) error {
	fmt.Fprintln(out, startLine(s.Board(), v))
	return printLine(ctx, out, s, s.Board().Start())
}

func printLine(ctx context.Context, out io.Writer, s *solver.Solver, p quoridor.Position) error {
	const most = 300
	line, err := s.Line(ctx, p, most)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "line:", moveNames(line))
	return nil
}

func moveNames(moves []quoridor.Move) string {
	names := make([]string, len(moves))
	for i, m := range moves {
		names[i] = m.String()
	}
	return strings.Join(names, " ")
}

// printPosition prints the value of a position for the side to move, the line, and each move with its value for the mover.
func printPosition(ctx context.Context, out io.Writer, s *solver.Solver, p quoridor.Position, v solver.Value) error {
	if winner := s.Board().Winner(&p); winner >= 0 {
		fmt.Fprintf(out, "%s in 0 plies: the game is over, player %d has won\n", v.Outcome, winner)
		return nil
	}
	if v.Outcome == solver.Draw {
		fmt.Fprintln(out, "draw")
	} else {
		fmt.Fprintf(out, "%s in %d plies\n", v.Outcome, v.Plies)
	}
	moves, err := s.MoveValues(ctx, nil, p)
	if err != nil {
		return err
	}
	for _, m := range moves {
		fmt.Fprintf(out, "%-4s %s\n", m.Move, m.Value)
	}
	return printLine(ctx, out, s, p)
}

// parseMemory reads a number of bytes with a unit: "500MiB", "4GiB", "4G".
func parseMemory(text string) (int64, error) {
	lower := strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(strings.TrimSpace(text)), "b"), "i")
	unit := int64(1)
	for suffix, size := range map[string]int64{"k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40} {
		if rest, ok := strings.CutSuffix(lower, suffix); ok {
			lower, unit = rest, size
		}
	}
	n, err := strconv.ParseFloat(lower, 64)
	if err != nil || !(n > 0) || n*float64(unit) > 1<<50 || n*float64(unit) < 1<<16 {
		return 0, fmt.Errorf("%q is not an amount of memory as in \"500MiB\" or \"4GiB\" (64 KiB at least)", text)
	}
	return int64(n * float64(unit)), nil
}
