package main

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"rampart/internal/bench"
	"rampart/nn"
	"rampart/quoridor"
)

// mostMeasuring bounds --measure.
const mostMeasuring = time.Hour

func newModelSizesCommand() *cobra.Command {
	var board boardFlags
	var measure time.Duration
	c := &cobra.Command{
		Use:   "sizes",
		Short: "List the named network sizes and what they cost",
		Long: `Lists the network sizes that have a name, which --net takes wherever it takes 64x6, with their cost on the board: numbers in the file,
operations of an evaluation, and with --measure what this machine does on one core: evaluations a second of processor time one by one, as in
play, and training rows in batches of 256.`,
		Example: "  rampart model sizes --board 9x9 --walls 10\n  rampart model sizes --measure 1s",
		Args:    noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			b, err := board.board()
			if err != nil {
				return err
			}
			if measure < 0 || measure > mostMeasuring {
				return badInput(fmt.Errorf("--measure %v: must be 0 to %v", measure, mostMeasuring))
			}
			return badInput(printSizes(c.Context(), c.OutOrStdout(), b, measure))
		},
	}
	board.add(c, "9x9", 10)
	c.Flags().DurationVar(&measure, "measure", 0, "time each size for about so long; 0 for not at all")
	return c
}

// trainingBatch is the batch that training is timed with.
const trainingBatch = 256

func printSizes(ctx context.Context, out io.Writer, b *quoridor.Board, measure time.Duration) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(table, "name\tnetwork\tparameters\tMFLOP\t")
	if measure > 0 {
		fmt.Fprintf(table, "evaluations/s\ttraining rows/s\t")
	}
	fmt.Fprintln(table, " for")
	for _, s := range nn.Sizes {
		w, err := nn.NewWeights(s.Config, 1)
		if err != nil {
			return err
		}
		m, err := nn.NewModel(nn.Meta{Board: b}, w)
		if err != nil {
			return err
		}
		fmt.Fprintf(table, "%s\t%s\t%d\t%.2f\t", s.Name, s.Config, w.NumParams(), bench.FLOPs(s.Config, b)/1e6)
		if measure > 0 {
			eval, err := bench.MeasureEvaluator(ctx, "native", m, 1, 1, measure)
			if err != nil {
				return err
			}
			training, err := bench.MeasureTraining(ctx, b, s.Config, trainingBatch, 1, false, measure)
			if err != nil {
				return err
			}
			fmt.Fprintf(table, "%.0f\t%.0f\t", perCPU(eval.PerCPUSecond, eval.PerSecond), perCPU(training.SamplesPerCPUSecond, training.SamplesPerSecond))
		}
		fmt.Fprintf(table, " %s\n", s.Use)
	}
	return table.Flush()
}

// perCPU returns the rate by processor time where that is known.
func perCPU(byCPU, byClock float64) float64 {
	if byCPU > 0 {
		return byCPU
	}
	return byClock
}
