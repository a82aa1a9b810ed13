package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"rampart/data"
)

func newDataShowCommand() *cobra.Command {
	var show gamePrinter
	var number int
	var list bool
	c := &cobra.Command{
		Use:   "show SHARD",
		Short: "Print a game with the board and what the search said at each ply",
		Long: `Prints one game of a shard ply by ply: the board, the move, and for plies that were searched the root value for the side to move (-1 to 1), the
visits and the most probable moves of the improved policy. With --list it prints a line for each game instead.`,
		Example: "  rampart data show runs/5x5-2/games/00000001.rgz --list\n  rampart data show runs/5x5-2/games/00000001.rgz --game 17 --top 8",
		Args:    exactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case number < 0:
				return badInput(fmt.Errorf("--game %d: games are counted from 0", number))
			case show.top < 0:
				return badInput(fmt.Errorf("--top %d: must be 0 or more", show.top))
			}
			show.w = c.OutOrStdout()
			if list {
				return dataError(listGames(show.w, args[0]))
			}
			h, g, err := data.GameOf(args[0], number)
			if err != nil {
				return dataError(err)
			}
			show.print(h, g)
			return nil
		},
	}
	c.Flags().IntVar(&number, "game", 0, "number of the game in the shard, from 0")
	c.Flags().IntVar(&show.top, "top", 5, "moves of the policy to print")
	c.Flags().BoolVar(&show.noBoard, "no-board", false, "leave the boards out")
	c.Flags().BoolVar(&list, "list", false, "list the games instead")
	return c
}

// listGames prints a line for each game of the shard.
func listGames(w io.Writer, path string) error {
	n := 0
	return data.Visit(path, func(_ *data.Header, g *data.Game) error {
		_, err := fmt.Fprintf(w, "%6d  generation %d game %d: %d plies, %d searched, %s\n", n, g.Generation, g.ID, len(g.Moves), len(g.Searches), g.Result)
		n++
		return err
	})
}

// gamePrinter prints games.
type gamePrinter struct {
	w       io.Writer
	top     int
	noBoard bool
}

func (s *gamePrinter) print(h *data.Header, g *data.Game) {
	tags, _, _ := strings.Cut(data.GameText(h, g), "\n\n")
	fmt.Fprintf(s.w, "%s\n", tags)
	p := h.Board.Start()
	next := 0
	for ply, m := range g.Moves {
		fmt.Fprintln(s.w)
		if !s.noBoard {
			fmt.Fprint(s.w, h.Board.Render(p))
		}
		fmt.Fprintf(s.w, "ply %d: player %d plays %s", ply+1, p.Side(), m)
		if next < len(g.Searches) && g.Searches[next].Ply == ply {
			s.search(&g.Searches[next])
			next++
		} else {
			fmt.Fprintln(s.w, " (not searched)")
		}
		p = h.Board.Play(p, m)
	}
	fmt.Fprintln(s.w)
	if !s.noBoard {
		fmt.Fprint(s.w, h.Board.Render(p))
	}
	fmt.Fprintf(s.w, "%s after %d plies\n", g.Result, len(g.Moves))
}

// search prints what the search said.
func (s *gamePrinter) search(search *data.Search) {
	fmt.Fprintf(s.w, "; value %+.3f, %d visits", search.RootValue(), search.Visits)
	for _, flag := range search.Flags.Names() {
		fmt.Fprintf(s.w, ", %s", flag)
	}
	policy := slices.Clone(search.Policy)
	slices.SortStableFunc(policy, func(a, b data.Prob) int { return int(b.P) - int(a.P) })
	fmt.Fprint(s.w, "\n  ")
	for _, e := range policy[:min(s.top, len(policy))] {
		fmt.Fprintf(s.w, " %s %.1f %%", e.Move, 100*float64(e.P)/data.ProbSum)
	}
	if n := len(policy) - s.top; n > 0 {
		fmt.Fprintf(s.w, " and %d more", n)
	}
	fmt.Fprintln(s.w)
}
