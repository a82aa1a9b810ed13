package play

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"rampart/arena"
	"rampart/mcts"
	"rampart/quoridor"
)

// Hinter searches a position for the person.
type Hinter func(ctx context.Context, g *quoridor.Game) (mcts.Result, error)

// Terminal is a game in text between a person and a player, two persons, or two players.
type Terminal struct {
	Game    *quoridor.Game
	Players [2]arena.Player // by seat; nil for a person
	Names   [2]string       // by seat
	Hint    Hinter          // nil if there is nobody to ask
	In      io.Reader
	Out     io.Writer
}

// errQuit ends the game at the person's wish.
var errQuit = errors.New("quit")

const help = `Type a move: e2 moves the pawn, e3h puts a wall above e3 and f3, e3v one right of e3 and e4.
Or a command: moves (list the legal moves), hint, undo, board, position (as text), help, quit.
`

// Run plays until the game is over, the input ends, the person quits, or ctx ends, whose error it then returns.
func (t *Terminal) Run(ctx context.Context) error {
	reading, stop := context.WithCancel(ctx)
	defer stop()
	lines := readLines(reading, t.In)
	fmt.Fprint(t.Out, help)
	t.board()
	for t.Game.Result() == quoridor.Undecided {
		p := t.Game.Position()
		var err error
		if player := t.Players[p.Side()]; player != nil {
			err = t.answer(ctx, player)
		} else {
			err = t.ask(ctx, lines)
		}
		if errors.Is(err, errQuit) {
			fmt.Fprintf(t.Out, "stopped at: %s\n", t.Game.Board.Format(t.Game.Position()))
			return nil
		}
		if err != nil {
			return err
		}
	}
	fmt.Fprintf(t.Out, "%s after %d plies\n", t.Game.Result(), t.Game.Plies())
	return nil
}

// readLines sends the lines of the input until it ends or ctx does. The goroutine may stay blocked in a read that never returns; it
// goes with the process.
func readLines(ctx context.Context, in io.Reader) <-chan string {
	lines := make(chan string)
	go func() {
		defer close(lines)
		scanner := bufio.NewScanner(in)
		for scanner.Scan() {
			select {
			case lines <- scanner.Text():
			case <-ctx.Done():
				return
			}
		}
	}()
	return lines
}

func (t *Terminal) board() {
	fmt.Fprintf(t.Out, "\n%s\n", t.Game.Board.Render(t.Game.Position()))
}

// answer plays a player's move.
func (t *Terminal) answer(ctx context.Context, player arena.Player) error {
	side := t.Game.Position().Side()
	m, err := player.Move(ctx, t.Game)
	if err != nil {
		return err
	}
	if err := t.Game.Play(m); err != nil {
		return fmt.Errorf("%s: %w", t.Names[side], err)
	}
	fmt.Fprintf(t.Out, "%s (player %d) plays %s\n", t.Names[side], side, m)
	t.board()
	return nil
}

// ask reads one line from the person and does what it says.
func (t *Terminal) ask(ctx context.Context, lines <-chan string) error {
	p := t.Game.Position()
	fmt.Fprintf(t.Out, "player %d> ", p.Side())
	var line string
	select {
	case text, more := <-lines:
		if !more {
			fmt.Fprintln(t.Out)
			return errQuit
		}
		line = strings.ToLower(strings.TrimSpace(text))
	case <-ctx.Done():
		fmt.Fprintln(t.Out)
		return ctx.Err()
	}
	switch line {
	case "":
		return nil
	case "quit", "exit", "q":
		return errQuit
	case "help", "?":
		fmt.Fprint(t.Out, help)
	case "board":
		t.board()
	case "position":
		fmt.Fprintln(t.Out, t.Game.Board.Format(p))
	case "moves":
		t.listMoves(p)
	case "undo":
		t.undo()
	case "hint":
		return t.hint(ctx)
	default:
		m, err := t.Game.Board.ParseLegal(&p, line)
		if err == nil {
			err = t.Game.Play(m)
		}
		if err != nil {
			fmt.Fprintf(t.Out, "%v (help lists the commands)\n", err)
			return nil
		}
		t.board()
	}
	return nil
}

func (t *Terminal) listMoves(p quoridor.Position) {
	var names []string
	for _, m := range t.Game.Board.Moves(nil, &p) {
		names = append(names, m.String())
	}
	fmt.Fprintln(t.Out, strings.Join(names, " "))
}

// undo takes back to the person's last move: his own, and the answer to it if a player gave one.
func (t *Terminal) undo() {
	side := t.Game.Position().Side()
	if t.Game.Plies() < 1 || t.Players[1-side] != nil && t.Game.Plies() < 2 {
		fmt.Fprintln(t.Out, "there is nothing to take back")
		return
	}
	t.Game.Undo()
	if t.Players[1-side] != nil {
		t.Game.Undo()
	}
	t.board()
}

// hint shows the best moves that a search finds.
func (t *Terminal) hint(ctx context.Context) error {
	if t.Hint == nil {
		fmt.Fprintln(t.Out, "there is nobody to ask: no network is loaded (--model)")
		return nil
	}
	r, err := t.Hint(ctx, t.Game)
	if err != nil {
		return err
	}
	fmt.Fprintf(t.Out, "try %s; you win %.0f %% of such games\n", r.Move, 50*(r.Value+1))
	for _, m := range r.Moves[:min(3, len(r.Moves))] {
		fmt.Fprintf(t.Out, "  %-4s %5.1f %% of %d simulations, wins %.0f %%\n", m.Move, 100*float64(m.Visits)/float64(max(1, r.Simulations)), r.Simulations, 50*(m.Q+1))
	}
	return nil
}
