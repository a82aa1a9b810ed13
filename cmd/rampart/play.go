package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"rampart/arena"
	"rampart/mcts"
	"rampart/models"
	"rampart/nn"
	"rampart/play"
	"rampart/quoridor"
)

func newPlayCommand() *cobra.Command {
	var (
		board                             boardFlags
		model, backend, against, position string
		side, simulations                 int
		seed                              uint64
	)
	c := &cobra.Command{
		Use:   "play",
		Short: "Play in the terminal against a trained network or a classical player",
		Long: `Draws the board and reads moves in notation: e2 moves the pawn, e3h puts a wall above e3 and f3, e3v one right of e3 and e4. The commands
moves, hint, undo, board, position, help and quit are understood too. The level of a network is its number of simulations a move: 1 is
its first thought, 1000 is strong.`,
		Example: "  rampart play\n  rampart play --model runs/5x5-2\n  rampart play --model runs/5x5-2 --side 1 --simulations 50\n  rampart play --against racer --board 9x9 --walls 10",
		Args:    noArgs,
		RunE: func(c *cobra.Command, _ []string) (err error) {
			if side != 0 && side != 1 {
				return badInput(fmt.Errorf("--side %d: must be 0 (moves first) or 1", side))
			}
			b, err := board.board()
			if err != nil {
				return err
			}
			start := b.Start()
			if position != "" {
				if b, start, err = positionFor(position, c.Flags().Changed("board"), b); err != nil {
					return err
				}
			}
			var net *nn.Model
			if model == "" && against == "" {
				model = models.For(b) // "" if none ships for this size
			}
			if model != "" {
				if net, err = loadModel(model); err != nil {
					return err
				}
				if position != "" {
					_, _, err = positionFor(position, true, net.Board)
				} else if b, err = boardOfModel(c, b, net); err == nil {
					start = b.Start()
				}
				if err != nil {
					return err
				}
			}
			t := &play.Terminal{
				Game: quoridor.NewGame(b, start, quoridor.Rules{PlyCap: b.DefaultPlyCap(), Repetition: true}),
				In:   c.InOrStdin(), Out: c.OutOrStdout(), Names: [2]string{"you", "you"},
			}
			if net != nil {
				if t.Hint, err = hinter(net, b, backend, max(simulations, 200)); err != nil {
					return badInput(err)
				}
			}
			opponent, err := chooseOpponent(net, backend, against, simulations)
			if err != nil {
				return err
			}
			if opponent != nil {
				player, err := opponent.New(b)
				if err != nil {
					return badInput(err)
				}
				player.NewGame(seed)
				t.Players[1-side], t.Names[1-side] = player, opponent.Name
			}
			err = t.Run(c.Context())
			if errors.Is(err, context.Canceled) {
				return nil
			}
			return err
		},
	}
	board.add(c, "5x5", 2)
	c.Flags().StringVar(&model, "model", "", "network to play against: a model file, a run folder for its champion, or the name of one that ships (default the one for the board)")
	c.Flags().StringVar(&backend, "backend", "native", "evaluator of the network: "+strings.Join(nn.Backends(), ", "))
	c.Flags().StringVar(&against, "against", "", "other opponent, as for rampart match; \"person\" for two people at one keyboard (default the network, or racer if there is none)")
	c.Flags().StringVar(&position, "position", "", "position to start from")
	c.Flags().IntVar(&side, "side", 0, "your side: 0 moves first and heads up, 1 heads down")
	c.Flags().IntVar(&simulations, "simulations", 200, "simulations a move of the network: its level")
	c.Flags().Uint64Var(&seed, "seed", 1, "seed of an opponent that leaves something to chance")
	return c
}

// boardOfModel returns the board to play on: the model's, unless another number of walls was asked for.
func boardOfModel(c *cobra.Command, b *quoridor.Board, net *nn.Model) (*quoridor.Board, error) {
	if c.Flags().Changed("board") && (b.W != net.Board.W || b.H != net.Board.H) {
		return nil, badInput(fmt.Errorf("--board %dx%d: the model was trained for %s; leave --board away", b.W, b.H, net.Board))
	}
	walls := net.Board.Walls
	if c.Flags().Changed("walls") || c.Flags().Changed("board") {
		walls = b.Walls
	}
	board, err := quoridor.NewBoard(net.Board.W, net.Board.H, walls)
	return board, badInput(err)
}

// positionFor reads a position, which must be for the board if that is fixed.
func positionFor(text string, fixed bool, b *quoridor.Board) (*quoridor.Board, quoridor.Position, error) {
	board, p, err := quoridor.ParsePosition(text)
	if err != nil {
		return nil, p, badInput(fmt.Errorf("--position: %w", err))
	}
	if fixed && (board.W != b.W || board.H != b.H) {
		return nil, p, badInput(fmt.Errorf("--position is for %dx%d, the board is %dx%d", board.W, board.H, b.W, b.H))
	}
	return board, p, nil
}

// chooseOpponent returns who plays against the person; nil for another person.
func chooseOpponent(net *nn.Model, backend, against string, simulations int) (*arena.Opponent, error) {
	switch {
	case against == "person":
		return nil, nil
	case against == "" && net != nil:
		if simulations < 1 {
			return nil, badInput(fmt.Errorf("--simulations %d: must be 1 or more", simulations))
		}
		o := netOpponent(net, backend, playSearch(simulations, 0))
		return &o, nil
	case against == "":
		against = "racer"
	}
	o, err := arena.Parse(against)
	return &o, badInput(err)
}

// hinter returns the search that answers "hint".
func hinter(net *nn.Model, b *quoridor.Board, backend string, simulations int) (play.Hinter, error) {
	here, err := net.WithBoard(b)
	if err != nil {
		return nil, err
	}
	eval, err := nn.NewEvaluator(backend, here)
	if err != nil {
		return nil, err
	}
	search, err := mcts.NewSearch(eval, playSearch(simulations, 0).Search)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, g *quoridor.Game) (mcts.Result, error) {
		return search.Run(ctx, g.Position(), g.Rules.PlyCap-g.Plies(), nil)
	}, nil
}
