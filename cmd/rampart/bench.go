package main

import (
	"cmp"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"rampart/internal/bench"
	"rampart/nn"
	"rampart/nn/kernel"
)

func newBenchCommand() *cobra.Command {
	c := &cobra.Command{
		Use:     "bench",
		Short:   "Measure the speed of a part of the program",
		Example: "  rampart bench rules\n  rampart bench nn --net 64x6 --batch 1,8,64 --threads 1,2\n  rampart bench search --net 32x4\n  rampart bench train --net 64x6",
		Args:    subcommand,
		RunE:    func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newBenchRulesCommand(), newBenchNNCommand(), newBenchSearchCommand(), newBenchSelfPlayCommand(), newBenchTrainCommand())
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
			r, err := bench.MeasureRules(c.Context(), b, positions, each, depth)
			if err != nil {
				return err
			}
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

// netFlags choose a network to measure and how.
type netFlags struct {
	board   boardFlags
	net     string
	batches []int
	threads []int
	each    time.Duration
}

func (f *netFlags) add(c *cobra.Command, batches []int) {
	f.board.add(c, "9x9", 10)
	c.Flags().StringVar(&f.net, "net", "64x6", netUsage)
	c.Flags().IntSliceVar(&f.batches, "batch", batches, "batch sizes")
	c.Flags().IntSliceVar(&f.threads, "threads", []int{1, 2}, "numbers of goroutines")
	c.Flags().DurationVar(&f.each, "time", 2*time.Second, "time for each measurement")
}

func (f *netFlags) check() error {
	for _, list := range [][]int{f.batches, f.threads} {
		for _, n := range list {
			if n < 1 || n > 1<<16 {
				return fmt.Errorf("--batch, --threads: %d: must be 1 to %d", n, 1<<16)
			}
		}
	}
	if f.each <= 0 {
		return fmt.Errorf("--time %v: must be above 0", f.each)
	}
	return nil
}

func newBenchNNCommand() *cobra.Command {
	var flags netFlags
	var backend string
	c := &cobra.Command{
		Use:   "nn",
		Short: "Measure a network's evaluator",
		Long: `Evaluates positions of random games with random weights. GFLOP/s counts the operations of a direct computation; Winograd does with
fewer multiplications, so the share of the measured peak of fused multiply-adds can exceed 100 %. RAMPART_KERNEL=avx512, avx2 or portable
forces an implementation. Rates by processor time, of all threads together, can be compared on a busy machine too.`,
		Example: "  rampart bench nn --net 64x6 --batch 1,8,64 --threads 1,2\n  RAMPART_KERNEL=avx2 rampart bench nn --net 32x4 --board 5x5 --walls 2",
		Args:    noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			b, err := flags.board.board()
			if err != nil {
				return err
			}
			if err := cmp.Or(flags.check(), nn.CheckBackend(backend)); err != nil {
				return badInput(err)
			}
			m, err := randomModel(b, flags.net, 1)
			if err != nil {
				return badInput(err)
			}
			out, cfg := c.OutOrStdout(), m.Config
			fmt.Fprintf(out, "network %s on %s, %.1f MFLOP an evaluation, backend %s, kernels %s with a peak of %.0f GFLOP/s a core\n",
				cfg, b, bench.FLOPs(cfg, b)/1e6, backend, kernel.Implementation(), kernel.PeakGFLOPS())
			for _, threads := range flags.threads {
				for _, batch := range flags.batches {
					r, err := bench.MeasureEvaluator(c.Context(), backend, m, batch, threads, flags.each)
					if err != nil {
						return badInput(err)
					}
					fmt.Fprintf(out, "threads %2d  batch %3d  %10.0f evaluations/s  %7.1f GFLOP/s  %5.1f %% of peak  %10.0f a CPU second\n",
						threads, batch, r.PerSecond, r.GFLOPS, 100*r.ShareOfPeak, r.PerCPUSecond)
				}
			}
			return nil
		},
	}
	flags.add(c, []int{1, 8, 64})
	c.Flags().StringVar(&backend, "backend", "native", "evaluator: "+strings.Join(nn.Backends(), ", "))
	return c
}

func newBenchTrainCommand() *cobra.Command {
	var flags netFlags
	var stock bool
	c := &cobra.Command{
		Use:     "train",
		Short:   "Measure training steps: forward, backward and update in the Gorgonia graph",
		Example: "  rampart bench train --net 64x6 --batch 64 --threads 1,2\n  rampart bench train --net 32x4 --stock",
		Args:    noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			b, err := flags.board.board()
			if err != nil {
				return err
			}
			cfg, err := nn.ParseConfig(flags.net)
			if err == nil {
				err = flags.check()
			}
			if err != nil {
				return badInput(err)
			}
			fmt.Fprintf(c.OutOrStdout(), "network %s on %s, kernels %s\n", cfg, b, kernel.Implementation())
			for _, threads := range flags.threads {
				for _, batch := range flags.batches {
					r, err := bench.MeasureTraining(c.Context(), b, cfg, batch, threads, stock, flags.each)
					if err != nil {
						return badInput(err)
					}
					fmt.Fprintf(c.OutOrStdout(), "threads %2d  batch %3d  %10.0f samples/s  %10.0f a CPU second\n", threads, batch, r.SamplesPerSecond, r.SamplesPerCPUSecond)
				}
			}
			return nil
		},
	}
	flags.add(c, []int{64})
	c.Flags().BoolVar(&stock, "stock", false, "train with Gorgonia's own operations, for comparison")
	return c
}
