package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"rampart/internal/bench"
	"rampart/mcts"
	"rampart/nn/kernel"
)

func newBenchSearchCommand() *cobra.Command {
	var board boardFlags
	var net, mode string
	var simulations int
	var threads []int
	var each time.Duration
	c := &cobra.Command{
		Use:   "search",
		Short: "Measure how much of the evaluator's speed a search leaves",
		Long: `Searches positions of random games with random weights and counts evaluations, beside the evaluator's own rate on the same threads: first
one search on each thread side by side, as in self-play, then (PUCT) one search over all of them. The three are measured in turns, and
the shares are of rates by processor time where that is known, so that a busy machine can tell them too.`,
		Example: "  rampart bench search\n  rampart bench search --net 64x6 --mode gumbel --simulations 32",
		Args:    noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			b, err := board.board()
			if err != nil {
				return err
			}
			for _, n := range threads {
				if n < 1 || n > 256 {
					return badInput(fmt.Errorf("--threads: %d: must be 1 to 256", n))
				}
			}
			if each <= 0 {
				return badInput(fmt.Errorf("--time %v: must be above 0", each))
			}
			m, err := randomModel(b, net, 1)
			if err != nil {
				return badInput(err)
			}
			cfg := mcts.DefaultConfig(mcts.Mode(mode))
			cfg.Simulations = simulations
			if err := cfg.Validate(); err != nil {
				return badInput(err)
			}
			out := c.OutOrStdout()
			fmt.Fprintf(out, "network %s on %s, %s search of %d simulations, kernels %s; evaluations/s\n", m.Config, b, mode, simulations, kernel.Implementation())
			for _, n := range threads {
				r, err := bench.MeasureSearch(c.Context(), "native", m, cfg, n, each)
				if err != nil {
					return err
				}
				print := func(name string, x bench.Rates) {
					fmt.Fprintf(out, "threads %2d  %-15s  %10.0f  %10.0f a CPU second  %5.1f %%\n", n, name, x.PerSecond, x.PerCPUSecond, 100*x.Share(r.Evaluator))
				}
				print("evaluator", r.Evaluator)
				print("side by side", r.Games)
				if cfg.Mode == mcts.PUCT {
					print("one search", r.One)
				}
			}
			return nil
		},
	}
	board.add(c, "9x9", 10)
	c.Flags().StringVar(&net, "net", "32x4", netUsage)
	c.Flags().StringVar(&mode, "mode", string(mcts.PUCT), "kind of search: puct or gumbel")
	c.Flags().IntVar(&simulations, "simulations", 400, "simulations for each position")
	c.Flags().IntSliceVar(&threads, "threads", []int{1, 2}, "numbers of threads")
	c.Flags().DurationVar(&each, "time", 3*time.Second, "time for each measurement")
	return c
}
