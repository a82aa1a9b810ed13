package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"rampart/arena"
	"rampart/nn"
	"rampart/play"
	"rampart/train"
	"rampart/train/ablation"
)

func newAblateCommand() *cobra.Command {
	var (
		common   runFlags
		sets     [2][]string
		names    [2]string
		equal    string
		exactMiB int64
		config   = ablation.Config{}
	)
	c := &cobra.Command{
		Use:   "ablate",
		Short: "Compare two settings of a run: each learns from scratch with the same seeds and processor time",
		Long: `Lets two arms learn from scratch, with the same seeds and the same processor time, and says which learned more: by a paired match between
their champions, and on boards that the solver knows by the share of optimal moves. Settings that both share are given as for rampart run;
--a and --b add those in which the arms differ. Yardsticks inside the runs are off. An ablation that was cut off goes on with the same command.

The verdict is the mean over the seeds with Student's interval: two runs of the same settings differ too.`,
		Example: "  rampart ablate --dir runs/ablate-gumbel --seeds 3 --generations 20 --name-b puct --b selfplay.search.mode=puct\n" +
			"  rampart ablate --dir runs/ablate-size --board 9x9 --walls 10 --a net.channels=32 --b net.channels=64 --seeds 2",
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			board, err := common.chooseBoard(c)
			if err != nil {
				return badInput(err)
			}
			base := train.Preset(board)
			base.Yard.Every, base.Yard.ExactPositions = 0, 0
			if _, err := common.apply(c, &base); err != nil {
				return badInput(err)
			}
			for i, list := range sets {
				config.Arms[i] = ablation.Arm{Name: names[i], Config: base}
				for _, s := range list {
					if err := setOne(&config.Arms[i].Config, s); err != nil {
						return badInput(fmt.Errorf("--%c %w", 'a'+i, err))
					}
				}
				if err := config.Arms[i].Config.Validate(); err != nil {
					return badInput(fmt.Errorf("--%c: %w", 'a'+i, err))
				}
			}
			if equal != "cpu" && equal != "generations" {
				return badInput(fmt.Errorf("--equal %q: must be cpu or generations", equal))
			}
			config.Folder, config.EqualCPU, config.Workers, config.ExactMemory = common.dir, equal == "cpu", common.workers, exactMiB<<20
			if config.Folder == "" {
				config.Folder = filepath.Join("runs", "ablate-"+names[0]+"-"+names[1])
			}
			config.Opponent = func(m *nn.Model, simulations int) arena.Opponent {
				return play.NetOpponent(m, "native", play.Strength{Visits: simulations})
			}
			config.Event = func(line string) { fmt.Fprintln(c.OutOrStdout(), line) }
			result, err := ablation.Run(c.Context(), config)
			switch {
			case errors.Is(err, context.Canceled):
				fmt.Fprintln(c.OutOrStdout(), "stopped; nothing but the games in flight is lost. Go on with the same command")
				return nil
			case errors.Is(err, ablation.ErrConfig):
				return badInput(err)
			case err != nil:
				return classify(err)
			}
			fmt.Fprint(c.OutOrStdout(), result)
			return nil
		},
	}
	common.add(c)
	c.Flags().Lookup("dir").Usage = "folder of the comparison (default runs/ablate-A-B for the names of the arms)"
	c.Flags().Lookup("set").Usage = "setting of both arms, as in --set trainer.batch=512 (repeatable)"
	for i, arm := range []string{"a", "b"} {
		c.Flags().StringArrayVar(&sets[i], arm, nil, "setting of arm "+arm+" (repeatable)")
		c.Flags().StringVar(&names[i], "name-"+arm, arm, "name of arm "+arm)
	}
	c.Flags().IntVar(&config.Seeds, "seeds", 3, "both arms run once with each of the seeds 1 to this")
	c.Flags().StringVar(&equal, "equal", "cpu", "what is equal: cpu (processor time; arm b gets more or fewer generations) or generations")
	c.Flags().IntVar(&config.Pairs, "pairs", 100, "pairs of games between the arms, for each seed")
	c.Flags().IntVar(&config.Simulations, "match-simulations", 32, "simulations a move in those games")
	c.Flags().IntVar(&config.OpeningPlies, "opening-plies", 4, "random plies that both games of a pair begin with")
	c.Flags().IntVar(&config.ExactPositions, "exact-positions", 1000, "positions of each kind on which optimal moves are counted; 0 for none")
	c.Flags().IntSliceVar(&config.ExactAt, "exact-at", []int{1, 32}, "simulations at which they are counted")
	c.Flags().Int64Var(&exactMiB, "exact-memory", 1024, "MiB that the solver may use for that; larger boards are not compared")
	return c
}
