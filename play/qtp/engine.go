package qtp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"rampart/internal/lines"
	"rampart/play"
	"rampart/quoridor"
)

// Config says who answers. NewEngine and Board are required.
type Config struct {
	NewEngine func(b *quoridor.Board) (play.Engine, error) // called when a move is wanted on a board for the first time
	Board     *quoridor.Board                              // to begin with
	Limits    play.Limits                                  // of each move
	Version   string                                       // of the program
}

// mostLine bounds a command.
const mostLine = 4096

// Serve answers commands until quit, the end of the input, or the end of ctx, whose error it then returns.
func Serve(ctx context.Context, c Config, in io.Reader, out io.Writer) (err error) {
	s := &session{config: c}
	if err := s.start(c.Board); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.closeEngine()) }()
	reading, stop := context.WithCancel(ctx)
	defer stop()
	input := lines.Channel(reading, in, mostLine)
	for {
		var line lines.Line
		var more bool
		select {
		case line, more = <-input:
		case <-ctx.Done():
			return ctx.Err()
		}
		switch {
		case !more:
			return nil
		case line.Err != nil && !errors.Is(line.Err, lines.ErrTooLong):
			return fmt.Errorf("input: %w", line.Err)
		}
		id, name, args := split(line.Text)
		var answer string
		err := line.Err
		if err == nil {
			if name == "" {
				continue
			}
			answer, err = s.do(ctx, name, args)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if _, err := io.WriteString(out, format(id, answer, err)); err != nil {
			return fmt.Errorf("output: %w", err)
		}
		if name == "quit" && err == nil {
			return nil
		}
	}
}

// split takes a line apart: comments and control characters are dropped, as in GTP.
func split(line string) (id, name string, args []string) {
	line, _, _ = strings.Cut(line, "#")
	line = strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case r < ' ' || r == 0x7f:
			return -1
		}
		return r
	}, line)
	words := strings.Fields(line)
	if len(words) > 1 {
		if _, err := strconv.ParseUint(words[0], 10, 31); err == nil {
			id, words = words[0], words[1:]
		}
	}
	if len(words) == 0 {
		return "", "", nil
	}
	return id, words[0], words[1:]
}

// format writes an answer.
func format(id, answer string, err error) string {
	mark := "="
	if err != nil {
		mark, answer = "?", strings.ReplaceAll(err.Error(), "\n", "; ")
	}
	text := mark + id
	if answer != "" && answer[0] != '\n' {
		text += " "
	}
	return text + answer + "\n\n"
}

// The protocol's messages.
var (
	errUnknown = errors.New("unknown command")
	errSyntax  = errors.New("invalid syntax")
	errIllegal = errors.New("illegal move")
	errUndo    = errors.New("cannot undo")
)

// session is one conversation.
type session struct {
	config Config
	game   *play.Game

	engine play.Engine // nil before it is wanted
	made   *quoridor.Board
}

// command is what a name stands for.
type command struct {
	least, most int // arguments
	do          func(s *session, ctx context.Context, args []string) (string, error)
}

var commands map[string]command

func init() { // not a literal, since list_commands reads it
	commands = map[string]command{
		"name":             {0, 0, func(*session, context.Context, []string) (string, error) { return "Rampart", nil }},
		"version":          {0, 0, func(s *session, _ context.Context, _ []string) (string, error) { return s.config.Version, nil }},
		"protocol_version": {0, 0, func(*session, context.Context, []string) (string, error) { return "1", nil }},
		"known_command":    {1, 1, known},
		"list_commands":    {0, 0, list},
		"quit":             {0, 0, func(*session, context.Context, []string) (string, error) { return "", nil }},
		"boardsize":        {1, 1, (*session).boardSize},
		"walls":            {1, 1, (*session).walls},
		"clear_board":      {0, 0, (*session).clear},
		"playmove":         {2, 2, (*session).playMove},
		"playwall":         {3, 3, (*session).playWall},
		"genmove":          {1, 1, (*session).genMove},
		"undo":             {0, 1, (*session).undo},
		"winner":           {0, 0, (*session).winner},
		"showboard":        {0, 0, (*session).show},
	}
}

func (s *session) do(ctx context.Context, name string, args []string) (string, error) {
	c, ok := commands[name]
	switch {
	case !ok:
		return "", errUnknown
	case len(args) < c.least || len(args) > c.most:
		return "", fmt.Errorf("%w: %s takes %d to %d arguments, not %d", errSyntax, name, c.least, c.most, len(args))
	}
	return c.do(s, ctx, args)
}

func known(_ *session, _ context.Context, args []string) (string, error) {
	_, ok := commands[args[0]]
	return strconv.FormatBool(ok), nil
}

func list(*session, context.Context, []string) (string, error) {
	var names []string
	for name := range commands {
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, "\n"), nil
}

// start begins a new game.
func (s *session) start(b *quoridor.Board) error {
	setup := play.NewSetup(b)
	setup.Rules = quoridor.Rules{} // the protocol knows no draws
	g, err := play.New(setup)
	if err != nil {
		return err
	}
	s.game = g
	return nil
}

func (s *session) board() *quoridor.Board { return s.game.Setup().Board }

func (s *session) position() quoridor.Position {
	n, err := s.game.Node(s.game.Head())
	if err != nil {
		panic(err) // the head is always a node
	}
	return n.Position
}

// boardSize keeps the number of walls as far as the new board has room for it.
func (s *session) boardSize(_ context.Context, args []string) (string, error) {
	n, err := strconv.Atoi(args[0])
	if err != nil {
		return "", errSyntax
	}
	if n < quoridor.MinHeight || n > quoridor.MaxSize {
		return "", fmt.Errorf("unacceptable size: %d to %d", quoridor.MinHeight, quoridor.MaxSize)
	}
	b, err := quoridor.NewBoard(n, n, min(s.board().Walls, (n-1)*(n-1)))
	if err == nil {
		err = s.start(b)
	}
	return "", err
}

func (s *session) walls(_ context.Context, args []string) (string, error) {
	n, err := strconv.Atoi(args[0])
	if err != nil {
		return "", errSyntax
	}
	b, err := quoridor.NewBoard(s.board().W, s.board().H, n)
	if err == nil {
		err = s.start(b)
	}
	return "", err
}

func (s *session) clear(context.Context, []string) (string, error) {
	return "", s.start(s.board())
}

func (s *session) playMove(_ context.Context, args []string) (string, error) {
	side, ok := parseColor(args[0])
	if !ok {
		return "", errSyntax
	}
	x, y, ok := parseCell(s.board(), args[1])
	if !ok {
		return "", fmt.Errorf("%w: %.10q is not a square", errIllegal, args[1])
	}
	return "", s.play(side, quoridor.PawnMove(quoridor.CellAt(x, y)))
}

func (s *session) playWall(_ context.Context, args []string) (string, error) {
	side, ok := parseColor(args[0])
	if !ok {
		return "", errSyntax
	}
	m, ok := parseWall(s.board(), args[1], args[2])
	if !ok {
		if _, ok = parseWall(s.board(), args[1], "h"); ok {
			return "", errSyntax
		}
		return "", fmt.Errorf("%w: no wall begins at %.10q", errIllegal, args[1])
	}
	return "", s.play(side, m)
}

// play plays a move of the side, or changes nothing.
func (s *session) play(side int, m quoridor.Move) error {
	p := s.position()
	if s.board().Winner(&p) < 0 && p.Side() != side {
		return fmt.Errorf("%w: it is the turn of %s", errIllegal, colors[p.Side()])
	}
	if reason := s.board().WhyIllegal(&p, m); reason != quoridor.Legal {
		return fmt.Errorf("%w: %s", errIllegal, reason)
	}
	_, err := s.game.Play(s.game.Head(), m, time.Time{})
	return err
}

func (s *session) genMove(ctx context.Context, args []string) (string, error) {
	side, ok := parseColor(args[0])
	if !ok {
		return "", errSyntax
	}
	p := s.position()
	switch {
	case s.board().Winner(&p) >= 0:
		return "", fmt.Errorf("%w: %s", errIllegal, quoridor.GameOver)
	case p.Side() != side:
		return "", fmt.Errorf("%w: it is the turn of %s", errIllegal, colors[p.Side()])
	}
	engine, err := s.engineFor(s.board())
	if err != nil {
		return "", err
	}
	r, err := engine.Think(ctx, s.game.At(s.game.Head()), s.config.Limits, nil)
	if err == nil {
		err = s.play(side, r.Move)
	}
	if err != nil {
		return "", fmt.Errorf("the engine failed: %w", err)
	}
	return formatMove(s.board(), r.Move), nil
}

// engineFor returns the engine, made anew if the board is another.
func (s *session) engineFor(b *quoridor.Board) (play.Engine, error) {
	if s.engine != nil && s.made == b {
		return s.engine, nil
	}
	if err := s.closeEngine(); err != nil {
		return nil, err
	}
	engine, err := s.config.NewEngine(b)
	if err == nil {
		s.engine, s.made = engine, b
	}
	return engine, err
}

func (s *session) closeEngine() error {
	if s.engine == nil {
		return nil
	}
	err := s.engine.Close()
	s.engine = nil
	return err
}

func (s *session) undo(_ context.Context, args []string) (string, error) {
	n := 1
	if len(args) > 0 {
		var err error
		if n, err = strconv.Atoi(args[0]); err != nil || n < 1 {
			return "", errSyntax
		}
	}
	path := s.game.Path(s.game.Head())
	if n >= len(path) {
		return "", errUndo
	}
	after := path[len(path)-n]
	return "", s.game.Delete(after) // so that a long game does not fill up with moves that were taken back
}

func (s *session) winner(context.Context, []string) (string, error) {
	p := s.position()
	if w := s.board().Winner(&p); w >= 0 {
		return "true " + colors[w], nil
	}
	return "false", nil
}

func (s *session) show(context.Context, []string) (string, error) {
	return "\n" + render(s.board(), s.position()), nil
}
