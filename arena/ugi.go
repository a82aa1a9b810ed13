package arena

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"rampart/quoridor"
)

// ugiConfig says how another program is driven through the Universal Game Interface.
type ugiConfig struct {
	command []string
	nodes   int
	time    time.Duration // for each move
	timeout time.Duration // for an answer, beyond the time for the move
}

func init() {
	Register(Kind{
		Name:    "ugi",
		Usage:   "ugi:COMMAND[:nodes=N|:time=D][:timeout=D], as in \"ugi:rampart ugi --level 5\"; quotes keep a word with spaces together",
		Summary: "another program that speaks UGI, one process for each goroutine of the match",
		Parse: func(a *Args) (func(b *quoridor.Board) (Player, error), error) {
			c := ugiConfig{
				nodes: a.Int("nodes", 0, 1, 1<<30), time: a.Duration("time", 0), timeout: a.Duration("timeout", time.Minute),
			}
			a.OneOf("nodes", "time")
			var err error
			if c.command, err = splitCommand(a.Argument()); err != nil {
				return nil, fmt.Errorf("%w: %w", ErrPlayer, err)
			}
			if _, err := exec.LookPath(c.command[0]); err != nil {
				return nil, fmt.Errorf("%w: %w", ErrPlayer, err)
			}
			return func(b *quoridor.Board) (Player, error) { return newUGIPlayer(b, c) }, nil
		},
	})
}

// splitCommand takes a command line apart at spaces outside of double quotes.
func splitCommand(text string) ([]string, error) {
	var words []string
	for i, part := range strings.Split(text, `"`) {
		if i%2 == 0 {
			words = append(words, strings.Fields(part)...)
		} else {
			words = append(words, part)
		}
	}
	switch {
	case strings.Count(text, `"`)%2 == 1:
		return nil, errors.New("a quote is not closed")
	case len(words) == 0 || words[0] == "":
		return nil, errors.New("a command must follow, as in ugi:./engine")
	}
	return words, nil
}

// ugiPlayer is a player in another process. After a failure that process is gone, and every further move fails in the same way.
type ugiPlayer struct {
	config  ugiConfig
	board   *quoridor.Board
	process *ugiProcess
	options map[string]bool // that the program has, in lower case
	rules   quoridor.Rules  // that it was told
	failed  error
}

// newUGIPlayer starts the program and makes it ready for the board.
func newUGIPlayer(b *quoridor.Board, c ugiConfig) (Player, error) {
	process, err := startUGI(c.command)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrPlayer, err)
	}
	p := &ugiPlayer{config: c, board: b, process: process, options: make(map[string]bool)}
	if err := p.greet(); err != nil {
		process.kill()
		return nil, fmt.Errorf("%w: %s: %w", ErrPlayer, c.command[0], err)
	}
	return p, nil
}

// greet asks for the options and sets the board.
func (p *ugiPlayer) greet() error {
	err := p.ask(context.Background(), "ugi", 0, func(words []string) bool {
		if len(words) > 3 && words[0] == "option" && words[1] == "name" {
			name, _, _ := strings.Cut(strings.Join(words[2:], " "), " type ")
			p.options[strings.ToLower(name)] = true
		}
		return words[0] == "ugiok"
	})
	if err != nil {
		return err
	}
	if p.options["board"] && p.options["walls"] {
		p.process.send("setoption name Board value %dx%d", p.board.W, p.board.H)
		p.process.send("setoption name Walls value %d", p.board.Walls)
	} else if p.board != quoridor.MustBoard(9, 9, 10) {
		return fmt.Errorf("the program has no options Board and Walls, so it plays on 9x9 with 10 walls only, not on %s", p.board)
	}
	return p.ready(context.Background())
}

func (p *ugiPlayer) ready(ctx context.Context) error {
	return p.ask(ctx, "isready", 0, func(words []string) bool { return words[0] == "readyok" })
}

// ask sends a command and reads lines until one is the answer. A complaint of the program is an error.
func (p *ugiPlayer) ask(ctx context.Context, command string, extra time.Duration, isAnswer func(words []string) bool) error {
	p.process.send("%s", command)
	timer := time.NewTimer(p.config.timeout + extra)
	defer timer.Stop()
	for {
		select {
		case line, more := <-p.process.lines:
			if !more {
				return p.process.died()
			}
			words := strings.Fields(line.Text)
			switch {
			case line.Err != nil:
				return fmt.Errorf("output: %w", line.Err)
			case len(words) == 0:
			case strings.HasPrefix(line.Text, "info string error"):
				return fmt.Errorf("the program says: %s", clip(line.Text))
			case isAnswer(words):
				return nil
			}
		case <-timer.C:
			return fmt.Errorf("no answer to %q within %s", clip(command), p.config.timeout+extra)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// NewGame is part of [Player].
func (p *ugiPlayer) NewGame(seed uint64) {
	if p.failed != nil {
		return
	}
	if p.options["seed"] {
		p.process.send("setoption name Seed value %d", seed)
	}
	p.process.send("uginewgame")
	p.fail(p.ready(context.Background()))
}

// fail remembers the first error and ends the process.
func (p *ugiPlayer) fail(err error) error {
	if err != nil && p.failed == nil {
		p.failed = err
		p.process.kill()
	}
	return p.failed
}

// Move is part of [Player]. When ctx ends, the process is ended, since nobody would read its answer.
func (p *ugiPlayer) Move(ctx context.Context, g *quoridor.Game) (quoridor.Move, error) {
	if p.failed != nil {
		return quoridor.NoMove, p.failed
	}
	p.tellRules(g.Rules)
	p.process.send("%s", positionCommand(g))
	var answer string
	err := p.ask(ctx, p.goCommand(), p.config.time, func(words []string) bool {
		if words[0] != "bestmove" || len(words) < 2 {
			return false
		}
		answer = words[1]
		return true
	})
	if p.fail(err) != nil {
		return quoridor.NoMove, p.failed
	}
	position := g.Position()
	m, err := g.Board.ParseLegal(&position, answer)
	return m, p.fail(err)
}

func (p *ugiPlayer) goCommand() string {
	switch {
	case p.config.nodes > 0:
		return fmt.Sprintf("go nodes %d", p.config.nodes)
	case p.config.time > 0:
		return fmt.Sprintf("go movetime %d", max(1, p.config.time.Milliseconds()))
	}
	return "go"
}

// tellRules tells the program when a game is a draw, if it wants to know.
func (p *ugiPlayer) tellRules(rules quoridor.Rules) {
	if p.options["plycap"] && rules.PlyCap != p.rules.PlyCap {
		p.process.send("setoption name PlyCap value %d", rules.PlyCap)
	}
	if p.options["repetition"] && rules.Repetition != p.rules.Repetition {
		p.process.send("setoption name Repetition value %t", rules.Repetition)
	}
	p.rules = rules
}

// positionCommand says the game from its start, which programs with a position text of their own understand too where it is the board's.
func positionCommand(g *quoridor.Game) string {
	var s strings.Builder
	s.WriteString("position startpos")
	if start := g.PositionAt(0); start != g.Board.Start() {
		s.Reset()
		s.WriteString("position fen " + g.Board.Format(start))
	}
	if g.Plies() > 0 {
		s.WriteString(" moves")
	}
	for _, m := range g.Moves() {
		s.WriteString(" " + m.String())
	}
	return s.String()
}

// Close ends the program.
func (p *ugiPlayer) Close() error {
	if p.failed == nil {
		p.process.quit()
	}
	return nil
}
