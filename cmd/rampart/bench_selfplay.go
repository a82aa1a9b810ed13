package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"rampart/internal/bench"
	"rampart/mcts"
	"rampart/nn/kernel"
	"rampart/selfplay"
)

func newBenchSelfPlayCommand() *cobra.Command {
	var model, mode string
	var simulations, games int
	var threads []int
	c := &cobra.Command{
		Use:   "selfplay",
		Short: "Measure self-play: positions a second and games an hour",
		Long: `Plays games of a network against itself with the default settings of self-play and counts. Rates by processor time, of all threads
together, can be compared on a busy machine too. "records" is the processor time of writing the games, as a share of playing them.`,
		Example: "  rampart bench selfplay --model 9x9-10\n  rampart bench selfplay --model runs/5x5-2 --simulations 64",
		Args:    noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if games < 1 || games > 1<<20 {
				return badInput(fmt.Errorf("--games %d: must be 1 to %d", games, 1<<20))
			}
			for _, n := range threads {
				if n < 1 || n > 256 {
					return badInput(fmt.Errorf("--threads: %d: must be 1 to 256", n))
				}
			}
			m, err := loadModel(model)
			if err != nil {
				return err
			}
			cfg := selfplay.DefaultConfig()
			search := mcts.DefaultConfig(mcts.Mode(mode))
			search.Prove = cfg.Search.Prove
			cfg.Search = search
			cfg.Search.Simulations = simulations
			if err := cfg.Validate(); err != nil {
				return badInput(err)
			}
			out := c.OutOrStdout()
			fmt.Fprintf(out, "network %s on %s, %s search of %d simulations, kernels %s\n", m.Config, m.Board, mode, simulations, kernel.Implementation())
			for _, n := range threads {
				r, err := bench.MeasureSelfPlay(c.Context(), "native", m, cfg, games, n)
				if err != nil {
					return err
				}
				fmt.Fprintf(out, "threads %2d  %d games of %.1f plies  %8.0f positions/s, %8.0f a CPU second  %8.0f games/h, %8.0f a CPU hour  records %.2f %%\n", n, r.Games,
					float64(r.Plies)/float64(r.Games), r.Positions.PerSecond, r.Positions.PerCPUSecond, r.PerHour, r.PerCPUHour, 100*r.Recording)
			}
			return nil
		},
	}
	c.Flags().StringVar(&model, "model", "9x9-10", "network: a model file, a run folder for its champion, or the name of one that ships")
	c.Flags().StringVar(&mode, "mode", string(mcts.Gumbel), "kind of search: gumbel or puct")
	c.Flags().IntVar(&simulations, "simulations", 32, "simulations a move")
	c.Flags().IntVar(&games, "games", 64, "games to play")
	c.Flags().IntSliceVar(&threads, "threads", []int{1, 2}, "numbers of workers")
	return c
}
