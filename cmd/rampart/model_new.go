package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"rampart/internal/durable"
	"rampart/nn"
	"rampart/quoridor"
)

func newModelNewCommand() *cobra.Command {
	var board boardFlags
	var net string
	var seed uint64
	var replace replaceFlag
	c := &cobra.Command{
		Use:   "new OUT",
		Short: "Write a model with random weights",
		Long: `Writes an untrained network to OUT: something to measure or to test other programs with. The same seed gives the same file. To learn from
scratch, use rampart run, which makes its own.`,
		Example: "  rampart model new net.onnx --board 9x9 --walls 10 --net 64x6",
		Args:    exactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := replace.check(args[0]); err != nil {
				return err
			}
			b, err := board.board()
			if err != nil {
				return err
			}
			m, err := randomModel(b, net, seed)
			if err != nil {
				return badInput(err)
			}
			return badInput(durable.WriteFile(args[0], m.Marshal()))
		},
	}
	board.add(c, "9x9", 10)
	c.Flags().StringVar(&net, "net", "64x6", netUsage)
	c.Flags().Uint64Var(&seed, "seed", 1, "seed of the weights")
	replace.add(c)
	return c
}

// randomModel makes an untrained network of a size such as "64x6".
func randomModel(b *quoridor.Board, net string, seed uint64) (*nn.Model, error) {
	cfg, err := nn.ParseConfig(net)
	if err != nil {
		return nil, fmt.Errorf("--net: %w", err)
	}
	w, err := nn.NewWeights(cfg, seed)
	if err != nil {
		return nil, err
	}
	return nn.NewModel(nn.Meta{Board: b}, w)
}
