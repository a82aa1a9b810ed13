package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"rampart/internal/bench"
	"rampart/internal/durable"
	"rampart/models"
	"rampart/nn"
	"rampart/quoridor"
	"rampart/train"
)

func newModelCommand() *cobra.Command {
	c := &cobra.Command{
		Use:     "model",
		Short:   "Look into model files, check, convert and make them",
		Example: "  rampart model info runs/5x5-2\n  rampart model check net.onnx\n  rampart model new net.onnx --board 9x9 --walls 10 --net 64x6",
		Args:    noArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newModelInfoCommand(), newModelCheckCommand(), newModelConvertCommand(), newModelPublishCommand(), newModelNewCommand(), newModelSizesCommand())
	return c
}

func newModelInfoCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "info FILE",
		Short:   "Show a model's metadata, size and tensors",
		Long:    "FILE is a model file, a run folder for its champion, or the name of a network that ships, as in 5x5-2.",
		Example: "  rampart model info runs/5x5-2/models/00000012.onnx",
		Args:    exactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			m, err := loadModel(args[0])
			if err != nil {
				return err
			}
			return printModel(c.OutOrStdout(), m)
		},
	}
}

func printModel(out io.Writer, m *nn.Model) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, row := range [][2]any{
		{"id", m.ID()},
		{"board", m.Board},
		{"network", m.Config},
		{"generation", m.Generation},
		{"training steps", m.Steps},
		{"self-play games", m.Games},
		{"parent", m.Parent},
		{"run settings", m.ConfigHash},
		{"format, features, actions", fmt.Sprintf("%d, %d, %d", m.Config.Format(), m.Config.FeatureSet(), nn.ActionMap)},
		{"file size", fmt.Sprintf("%d bytes", len(m.Marshal()))},
		{"one evaluation", fmt.Sprintf("%.2f MFLOP", bench.FLOPs(m.Config, m.Board)/1e6)},
	} {
		fmt.Fprintf(table, "%s\t%v\n", row[0], row[1])
	}
	fmt.Fprintln(table, "\ntensor\tshape")
	parameters := 0
	for _, t := range m.Net.Tensors() {
		parameters += len(t.Data)
		fmt.Fprintf(table, "%s\t%v\n", t.Name, t.Shape)
	}
	fmt.Fprintf(table, "parameters\t%d\n", parameters)
	return table.Flush()
}

func newModelCheckCommand() *cobra.Command {
	var positions int
	c := &cobra.Command{
		Use:   "check FILE",
		Short: "Check a model file and compare what all evaluators make of it",
		Long: `Reads the file with every check that there is (structure, operators, shapes, finite weights, checksum), then evaluates positions of random
games with each backend and reports the largest differences. Differences above 1e-4 are a failure, but for int8, which rounds the network.`,
		Example: "  rampart model check runs/5x5-2",
		Args:    exactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if positions < 1 || positions > 1<<20 {
				return badInput(fmt.Errorf("--positions %d: must be 1 to %d", positions, 1<<20))
			}
			m, err := loadModel(args[0])
			if err != nil {
				return err
			}
			out := c.OutOrStdout()
			fmt.Fprintf(out, "%s: whole; network %s for %s\n", args[0], m.Config, m.Board)
			for _, backend := range nn.Backends() {
				if backend == "native" || strings.HasPrefix(backend, "check") {
					continue
				}
				r, err := bench.Agree(c.Context(), m, "native", backend, positions, 8)
				if err != nil {
					return err
				}
				fmt.Fprintf(out, "native and %s on %d positions: logits differ by at most %.1e, probabilities by %.1e\n", backend, r.Positions, r.Logit, r.Outcome)
				if nn.Approximate(backend) {
					fmt.Fprintf(out, "  %s rounds the network: probabilities differ by %.4f on average, the likeliest move is the same in %.1f %% of the positions\n", backend, r.MeanOutcome, 100*r.SameBest)
					continue
				}
				if r.Logit > nn.CheckTolerance || r.Outcome > nn.CheckTolerance {
					return fmt.Errorf("backends native and %s disagree on %s", backend, args[0])
				}
			}
			return nil
		},
	}
	c.Flags().IntVar(&positions, "positions", 64, "positions to compare on")
	return c
}

func newModelConvertCommand() *cobra.Command {
	var board boardFlags
	var replace replaceFlag
	c := &cobra.Command{
		Use:   "convert FILE OUT",
		Short: "Write a model for another board",
		Long: `Writes the model to OUT for the board given: the weights do not depend on the board's size. The result was not trained there; expect it to
play badly until it is.`,
		Example: "  rampart model convert runs/5x5-2 net-7x7.onnx --board 7x7 --walls 4",
		Args:    exactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			if err := replace.check(args[1]); err != nil {
				return err
			}
			m, err := loadModel(args[0])
			if err != nil {
				return err
			}
			b := m.Board
			if c.Flags().Changed("board") || c.Flags().Changed("walls") {
				if b, err = board.board(); err != nil {
					return err
				}
			}
			return badInput(convertModel(m, b, args[1]))
		},
	}
	board.add(c, "5x5", 2)
	replace.add(c)
	return c
}

func convertModel(m *nn.Model, b *quoridor.Board, path string) error {
	converted, err := m.WithBoard(b)
	if err != nil {
		return err
	}
	return durable.WriteFile(path, converted.Marshal())
}

func newModelPublishCommand() *cobra.Command {
	var out string
	var replace replaceFlag
	c := &cobra.Command{
		Use:   "publish DIR",
		Short: "Make the champion of a finished run a network that ships",
		Long: `Writes the champion of the run in DIR and a card that says how it was made and how strong it is to the folder --out, named after the board.
A run that has not come to its final yardsticks is refused.`,
		Example: "  rampart model publish runs/5x5-2\n  rampart model publish runs/5x5-2 --force     # instead of the network that ships now",
		Args:    exactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			p, err := train.Folder(args[0]).Publish()
			if err != nil {
				return classify(err)
			}
			yardstick, err := json.Marshal(p.Yardstick)
			if err != nil {
				return err
			}
			m := p.Model
			card := models.Card{
				Name: models.Name(m.Board), Board: m.Board.String(), Network: m.Config.String(), Generation: m.Generation, Games: m.Games, Steps: m.Steps,
				Hours: p.Hours, Workers: runtime.GOMAXPROCS(0), Version: version(), Won: p.Champion.Won, Yardstick: yardstick, Settings: string(p.Settings),
			}
			text, err := json.MarshalIndent(card, "", "  ")
			if err != nil {
				return err
			}
			base := filepath.Join(out, card.Name)
			if err := replace.check(base+".onnx", base+".json"); err != nil {
				return err
			}
			if err := errors.Join(durable.MkdirAll(out), durable.WriteFile(base+".onnx", m.Marshal()), durable.WriteFile(base+".json", append(text, '\n'))); err != nil {
				return badInput(err)
			}
			fmt.Fprintf(c.OutOrStdout(), "%s.onnx: %s\n", base, p.Yardstick)
			return nil
		},
	}
	c.Flags().StringVar(&out, "out", "models", "folder to write to")
	replace.add(c)
	return c
}
