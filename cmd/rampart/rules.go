package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"rampart/quoridor"
)

// boardFlags are the flags that choose a board.
type boardFlags struct {
	size  string
	walls int
}

func (f *boardFlags) add(c *cobra.Command, size string, walls int) {
	c.Flags().StringVar(&f.size, "board", size, "board size, columns x rows")
	c.Flags().IntVar(&f.walls, "walls", walls, "walls that each player has at the start")
}

func (f *boardFlags) board() (*quoridor.Board, error) {
	w, h, err := quoridor.ParseSize(f.size)
	if err != nil {
		return nil, badInput(fmt.Errorf("--board: %w", err))
	}
	b, err := quoridor.NewBoard(w, h, f.walls)
	if err != nil {
		return nil, badInput(fmt.Errorf("--board, --walls: %w", err))
	}
	return b, nil
}

func newPerftCommand() *cobra.Command {
	var board boardFlags
	var depth, hash int
	var divide bool
	var text string
	c := &cobra.Command{
		Use:     "perft",
		Short:   "Count the move sequences of a given length",
		Long:    "Counts the move sequences of exactly --depth plies from the start or from --position; a finished game has no continuation.",
		Example: "  rampart perft --board 6x6 --walls 2 --depth 4\n  rampart perft --depth 5 --hash 2048\n  rampart perft --depth 3 --divide",
		Args:    noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			b, err := board.board()
			if err != nil {
				return err
			}
			p := b.Start()
			if text != "" {
				if b, p, err = quoridor.ParsePosition(text); err != nil {
					return badInput(fmt.Errorf("--position: %w", err))
				}
			}
			if depth < 0 || divide && depth < 1 {
				return badInput(fmt.Errorf("--depth %d: must be 0 or more, with --divide 1 or more", depth))
			}
			if hash < 0 || hash > 1<<16 {
				return badInput(fmt.Errorf("--hash %d: must be 0 to %d MiB, and less than the machine has", hash, 1<<16))
			}
			count := b.PerftContext
			if hash > 0 {
				count = b.NewPerftTable(hash << 20).PerftContext
			}
			if !divide {
				n, err := count(c.Context(), p, depth)
				if err == nil {
					fmt.Fprintln(c.OutOrStdout(), n)
				}
				return err
			}
			total := uint64(0)
			for _, m := range b.Moves(nil, &p) {
				n, err := count(c.Context(), b.Play(p, m), depth-1)
				if err != nil {
					return err
				}
				total += n
				fmt.Fprintf(c.OutOrStdout(), "%s %d\n", m, n)
			}
			fmt.Fprintln(c.OutOrStdout(), "total", total)
			return nil
		},
	}
	board.add(c, "9x9", 10)
	c.Flags().IntVar(&depth, "depth", 3, "number of plies")
	c.Flags().StringVar(&text, "position", "", "position to count from instead of the start")
	c.Flags().BoolVar(&divide, "divide", false, "show the count after each first move")
	c.Flags().IntVar(&hash, "hash", 0, "MiB for a table of counted positions; it never changes a count")
	return c
}

func newMovesCommand() *cobra.Command {
	var text string
	c := &cobra.Command{
		Use:     "moves",
		Short:   "List the legal moves of a position, pawn moves first",
		Example: `  rampart moves --position "9x9 e4 e6 e3h,c6v 9,9 1"`,
		Args:    noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			b, p, err := quoridor.ParsePosition(text)
			if err != nil {
				return badInput(fmt.Errorf("--position: %w", err))
			}
			var names []string
			for _, m := range b.Moves(nil, &p) {
				names = append(names, m.String())
			}
			if len(names) == 0 {
				fmt.Fprintf(c.ErrOrStderr(), "no legal moves: player %d has won\n", b.Winner(&p))
				return nil
			}
			fmt.Fprintln(c.OutOrStdout(), strings.Join(names, " "))
			return nil
		},
	}
	c.Flags().StringVar(&text, "position", "9x9 e1 e9 - 10,10 0", "the position: size, pawn of player 0, pawn of player 1, walls, walls left, side to move")
	return c
}
