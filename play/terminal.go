package play

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"rampart/internal/lines"
	"rampart/quoridor"
)

// Terminal is a game in lines of text between a person and an engine, two persons, or two engines.
type Terminal struct {
	Game    *Game
	Engines [2]Engine // by seat; nil for a person
	Analyst Engine    // answers "hint"; nil if there is nobody to ask
	In      io.Reader
	Out     io.Writer

	failed bool // the engine whose turn it is has failed: the person may move in its place
}

// errQuit ends the game at the person's wish.
var errQuit = errors.New("quit")

// mostTerminalLine bounds what a person may type.
const mostTerminalLine = 4096

// hintVisits is the least that a hint looks at.
const hintVisits = 200

const help = `Type a move: e2 moves the pawn, e3h puts a wall above e3 and f3, e3v one right of e3 and e4.
Or a command: moves (list the legal moves), hint, undo, redo, go (let the engine move), board, position (as text), game (as text), resign, help, quit.
`

// Run plays until the game is over, the input ends, the person quits, or ctx ends, whose error it then returns.
func (t *Terminal) Run(ctx context.Context) error {
	reading, stop := context.WithCancel(ctx)
	defer stop()
	input := lines.Channel(reading, t.In, mostTerminalLine)
	fmt.Fprint(t.Out, help)
	t.board()
	t.Game.StartClock(time.Now())
	for !t.Game.Result(t.Game.Head()).Over {
		var err error
		if engine := t.Engines[t.side()]; engine != nil && !t.failed {
			err = t.answer(ctx, engine)
		} else {
			err = t.ask(ctx, input)
		}
		if errors.Is(err, errQuit) {
			fmt.Fprintf(t.Out, "stopped at: %s\n", t.Game.setup.Board.Format(t.position()))
			return nil
		}
		if err != nil {
			return err
		}
	}
	head := t.Game.Head()
	fmt.Fprintf(t.Out, "%s after %d plies\n", t.Game.Result(head), t.Game.node(head).Ply)
	return nil
}

func (t *Terminal) position() quoridor.Position { return t.Game.node(t.Game.Head()).Position }

func (t *Terminal) side() int { return t.position().Side() }

func (t *Terminal) board() {
	fmt.Fprintf(t.Out, "\n%s\n", t.Game.setup.Board.Render(t.position()))
}

// answer plays an engine's move. If the engine fails, it is the person's turn.
func (t *Terminal) answer(ctx context.Context, engine Engine) error {
	head, side := t.Game.Head(), t.side()
	r, err := engine.Think(ctx, t.Game.At(head), Limits{}, nil)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err == nil {
		_, err = t.Game.Play(head, r.Move, time.Now())
	}
	if err != nil {
		if !t.Game.Result(t.Game.Head()).Over { // else its time was up
			t.failed = true
			fmt.Fprintf(t.Out, "%s has failed: %v\nmove in its place, or let it try again with go\n", t.Game.setup.Name(side), err)
		}
		return nil
	}
	fmt.Fprintf(t.Out, "%s (player %d) plays %s\n", t.Game.setup.Name(side), side, r.Move)
	t.board()
	return nil
}

// ask reads one line from the person and does what it says.
func (t *Terminal) ask(ctx context.Context, input <-chan lines.Line) error {
	fmt.Fprintf(t.Out, "player %d> ", t.side())
	var flag <-chan time.Time
	if at, runs := t.Game.FlagTime(); runs {
		timer := time.NewTimer(time.Until(at))
		defer timer.Stop()
		flag = timer.C
	}
	select {
	case line, more := <-input:
		switch {
		case !more:
			fmt.Fprintln(t.Out)
			return errQuit
		case errors.Is(line.Err, lines.ErrTooLong):
			fmt.Fprintf(t.Out, "%v (help lists the commands)\n", line.Err)
			return nil
		case line.Err != nil:
			return fmt.Errorf("input: %w", line.Err)
		}
		return t.do(ctx, strings.ToLower(strings.TrimSpace(line.Text)))
	case now := <-flag:
		fmt.Fprintln(t.Out)
		t.Game.Flag(now)
		return nil
	case <-ctx.Done():
		fmt.Fprintln(t.Out)
		return ctx.Err()
	}
}

func (t *Terminal) do(ctx context.Context, line string) error {
	switch line {
	case "":
	case "quit", "exit", "q":
		return errQuit
	case "help", "?":
		fmt.Fprint(t.Out, help)
	case "board":
		t.board()
	case "position":
		fmt.Fprintln(t.Out, t.Game.setup.Board.Format(t.position()))
	case "game":
		fmt.Fprint(t.Out, t.Game.Text())
	case "moves":
		t.listMoves()
	case "undo":
		t.travel(t.Game.Undo)
	case "redo":
		t.travel(t.Game.Redo)
	case "go":
		if t.Engines[t.side()] == nil {
			fmt.Fprintln(t.Out, "no engine is to move")
		}
		t.failed = false
	case "resign":
		return t.Game.Resign(t.side(), time.Now())
	case "hint":
		return t.hint(ctx)
	default:
		t.play(line)
	}
	return nil
}

// play plays what the person has typed.
func (t *Terminal) play(line string) {
	p := t.position()
	m, err := t.Game.setup.Board.ParseLegal(&p, line)
	if err == nil {
		_, err = t.Game.Play(t.Game.Head(), m, time.Now())
	}
	if err != nil {
		fmt.Fprintf(t.Out, "%v (help lists the commands)\n", err)
		return
	}
	t.failed = false
	t.board()
}

func (t *Terminal) listMoves() {
	p := t.position()
	var names []string
	for _, m := range t.Game.setup.Board.Moves(nil, &p) {
		names = append(names, m.String())
	}
	fmt.Fprintln(t.Out, strings.Join(names, " "))
}

// travel takes play back or forward.
func (t *Terminal) travel(to func() error) {
	if err := to(); err != nil {
		fmt.Fprintln(t.Out, strings.TrimPrefix(err.Error(), ErrState.Error()+": "))
		return
	}
	t.Game.StartClock(time.Now())
	t.failed = false
	t.board()
}

// hint shows the best moves that a search finds.
func (t *Terminal) hint(ctx context.Context) error {
	if t.Analyst == nil {
		fmt.Fprintln(t.Out, "there is nobody to ask: no network is loaded (--model)")
		return nil
	}
	r, err := t.Analyst.Think(ctx, t.Game.At(t.Game.Head()), Limits{Visits: hintVisits}, nil)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		fmt.Fprintf(t.Out, "no hint: %v\n", err)
		return nil
	}
	fmt.Fprintf(t.Out, "try %s; you win %.0f %% of such games\n", r.Move, 100*r.WinRate)
	for _, m := range r.Moves[:min(3, len(r.Moves))] {
		fmt.Fprintf(t.Out, "  %-4s %5.1f %% of %d simulations, wins %.0f %%\n", m.Move, 100*m.Share, r.Visits, 100*m.WinRate)
	}
	return nil
}
