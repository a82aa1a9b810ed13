package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"rampart/nn"
	"rampart/play"
	"rampart/play/tui"
	"rampart/quoridor"
)

// playFlags are what "rampart play" is asked for.
type playFlags struct {
	board                             boardFlags
	model, backend, against, position string
	clock                             string
	side, level, simulations          int
	seed                              uint64
	plain                             bool
}

func newPlayCommand() *cobra.Command {
	var f playFlags
	c := &cobra.Command{
		Use:   "play",
		Short: "Play in the terminal against a trained network or a classical player",
		Long: `Shows the board, moves and on request a live analysis; ? lists the keys. If input or output is not a terminal, or with --plain, it draws the board in
plain text and reads moves in notation: e2 moves the pawn, e3h puts a wall above e3 and f3, e3v one right of e3 and e4; help lists the
commands. Levels are the same as in rampart serve.`,
		Example: "  rampart play\n  rampart play --level 3\n  rampart play --model runs/5x5-2 --side 1 --simulations 50\n" +
			"  rampart play --against racer --board 9x9 --walls 10",
		Args: noArgs,
		RunE: f.run,
	}
	f.board.add(c, "5x5", 2)
	c.Flags().StringVar(&f.model, "model", "", "network to play against: a model file, a run folder for its champion, or the name of one that ships (default the one for the board)")
	c.Flags().StringVar(&f.backend, "backend", "native", "evaluator of the network: "+strings.Join(nn.Backends(), ", "))
	c.Flags().StringVar(&f.against, "against", "", "other opponent, as for rampart match; \"person\" for two people at one keyboard (default the network)")
	c.Flags().StringVar(&f.position, "position", "", "position to start from")
	c.Flags().IntVar(&f.side, "side", 0, "your side: 0 moves first and heads up, 1 heads down")
	c.Flags().IntVar(&f.level, "level", 6, "level of the network: "+levelNames())
	c.Flags().IntVar(&f.simulations, "simulations", 0, "simulations a move of the network, instead of a level")
	c.Flags().StringVar(&f.clock, "clock", "", "time for each side and increment, as in 5m+3s (default no clock)")
	c.Flags().Uint64Var(&f.seed, "seed", 1, "seed of an opponent that leaves something to chance")
	c.Flags().BoolVar(&f.plain, "plain", false, "plain text, also in a terminal")
	return c
}

// levelNames lists the levels in a line.
func levelNames() string {
	var names []string
	for _, l := range play.Levels() {
		names = append(names, fmt.Sprintf("%d %s", l.Number, l.Name))
	}
	return strings.Join(names, ", ")
}

func (f *playFlags) run(c *cobra.Command, _ []string) (err error) {
	if f.side != 0 && f.side != 1 {
		return badInput(fmt.Errorf("--side %d: must be 0 (moves first) or 1", f.side))
	}
	net, setup, err := f.setup(c)
	if err != nil {
		return err
	}
	var engines [2]play.Engine
	if f.against != play.Person {
		if engines[1-f.side], err = f.opponent(c, net, setup.Board); err != nil {
			return badInput(err)
		}
		setup.Players[1-f.side], setup.Names[1-f.side], setup.Names[f.side] = f.spec(), engines[1-f.side].Name(), "you"
		defer func() { err = errors.Join(err, engines[1-f.side].Close()) }()
	}
	analyst, err := play.NewNetEngine(net, setup.Board, f.backend, play.Strength{Visits: play.DefaultVisits})
	if err != nil {
		return badInput(err)
	}
	defer func() { err = errors.Join(err, analyst.Close()) }()
	game, err := play.New(setup)
	if err != nil {
		return badInput(err)
	}
	if f.plain || !isTerminal(c.InOrStdin()) || !isTerminal(os.Stdout) {
		t := &play.Terminal{Game: game, Engines: engines, Analyst: analyst, In: c.InOrStdin(), Out: c.OutOrStdout()}
		err = t.Run(c.Context())
	} else {
		err = tui.Run(c.Context(), tui.Config{Game: game, Engines: engines, Analyst: analyst}, os.Stdin, os.Stdout)
		if err == nil || errors.Is(err, context.Canceled) {
			fmt.Fprint(c.OutOrStdout(), game.Text())
		}
	}
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// setup returns the network to play or analyse with, and what is played.
func (f *playFlags) setup(c *cobra.Command) (*nn.Model, play.Setup, error) {
	var setup play.Setup
	b, err := f.board.board()
	if err != nil {
		return nil, setup, err
	}
	start := b.Start()
	if f.position != "" {
		if b, start, err = positionFor(f.position, c.Flags().Changed("board"), b); err != nil {
			return nil, setup, err
		}
	}
	var net *nn.Model
	if f.model == "" {
		net, _, _, err = play.ShippedModel(b)
	} else {
		net, err = loadModel(f.model)
	}
	if err != nil {
		return nil, setup, err
	}
	if f.model != "" {
		if f.position != "" {
			_, _, err = positionFor(f.position, true, net.Board)
		} else if b, err = boardOfModel(c, b, net); err == nil {
			start = b.Start()
		}
		if err != nil {
			return nil, setup, err
		}
	}
	setup = play.NewSetup(b)
	setup.Start = start
	if f.clock != "" {
		if setup.Clock, err = play.ParseClock(f.clock); err != nil {
			return nil, setup, badInput(fmt.Errorf("--clock: %w", err))
		}
	}
	return net, setup, nil
}

// spec is the opponent's text in a saved game.
func (f *playFlags) spec() string {
	switch {
	case f.against != "":
		return f.against
	case f.simulations > 0 && f.model != "":
		return fmt.Sprintf("net:%s:sims=%d", f.model, f.simulations)
	case f.simulations > 0:
		return fmt.Sprintf("net with %d simulations", f.simulations)
	case f.model != "":
		return fmt.Sprintf("level:%d:model=%s", f.level, f.model)
	}
	return fmt.Sprintf("level:%d", f.level)
}

// opponent returns who plays against the person.
func (f *playFlags) opponent(c *cobra.Command, net *nn.Model, b *quoridor.Board) (play.Engine, error) {
	if f.against != "" {
		return play.NewEngine(f.against, b, f.seed)
	}
	level, err := play.LevelNumber(f.level)
	if err != nil {
		return nil, fmt.Errorf("--level: %w", err)
	}
	strength, name := level.Strength, fmt.Sprintf("level %d, %s", level.Number, level.Name)
	if c.Flags().Changed("simulations") {
		if f.simulations < 1 || f.simulations > play.MostVisits {
			return nil, fmt.Errorf("--simulations %d: must be 1 to %d", f.simulations, play.MostVisits)
		}
		strength, name = play.Strength{Visits: f.simulations}, ""
	}
	engine, err := play.NewNetEngine(net, b, f.backend, strength)
	if err != nil {
		return nil, err
	}
	if seeded, ok := engine.(interface{ NewGame(seed uint64) }); ok {
		seeded.NewGame(f.seed)
	}
	return named{engine, name}, nil
}

// named is an engine under another name, unless that is empty.
type named struct {
	play.Engine
	name string
}

func (n named) Name() string {
	if n.name == "" {
		return n.Engine.Name()
	}
	return n.name
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
