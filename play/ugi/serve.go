package ugi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"rampart/internal/lines"
	"rampart/play"
	"rampart/quoridor"
)

// mostLine bounds a command; a game of [play.MostNodes] plies fits.
const mostLine = 1 << 16

// Config says what a session begins with.
type Config struct {
	Options Options
	Version string // of the program

	// NewEngine makes the engine of the options for a board; nil stands for all that package play has.
	NewEngine func(o *Options, b *quoridor.Board) (play.Engine, error)
}

// session is one conversation. The goroutine that reads commands owns it; a search runs beside it and shares only the output.
type session struct {
	config  Config
	options Options
	game    *quoridor.Game

	engine play.Engine // nil before it is wanted
	made   Options     // what engine was made of
	board  *quoridor.Board

	search *search // that runs, or ran last

	mu       sync.Mutex // guards the output
	out      io.Writer
	writeErr error
}

// Serve answers commands until quit, the end of the input, or the end of ctx, whose error it then returns.
func Serve(ctx context.Context, c Config, in io.Reader, out io.Writer) error {
	if c.NewEngine == nil {
		c.NewEngine = (*Options).engine
	}
	s := &session{config: c, options: c.Options, out: out}
	s.game = s.newGame(s.options.Board, s.options.Board.Start())
	err := s.converse(ctx, in)
	s.finish(err != nil)
	return errors.Join(err, s.closeEngine(), s.writeErr)
}

func (s *session) newGame(b *quoridor.Board, start quoridor.Position) *quoridor.Game {
	return quoridor.NewGame(b, start, s.options.rules())
}

// converse works commands off.
func (s *session) converse(ctx context.Context, in io.Reader) error {
	reading, stop := context.WithCancel(ctx)
	defer stop()
	input := lines.Channel(reading, in, mostLine)
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case line, more := <-input:
			switch {
			case !more:
				return nil
			case errors.Is(line.Err, lines.ErrTooLong):
				s.complain(line.Err)
				continue
			case line.Err != nil:
				return fmt.Errorf("input: %w", line.Err)
			}
			words := strings.Fields(line.Text)
			if len(words) == 0 {
				continue
			}
			if words[0] == "quit" {
				s.finish(true)
				return nil
			}
			if err := s.do(ctx, words[0], words[1:]); err != nil {
				s.complain(err)
			}
			if s.failed() {
				return nil // Serve tells it
			}
		}
	}
}

func (s *session) do(ctx context.Context, name string, args []string) error {
	switch name {
	case "ugi":
		s.print(func(w io.Writer) {
			fmt.Fprintf(w, "id name Rampart %s\nid author the Rampart authors\n", s.config.Version)
			tell(w, &s.config.Options)
			fmt.Fprintln(w, "ugiok")
		})
		return nil
	case "isready":
		s.println("readyok")
		return nil
	case "stop":
		s.finish(true)
		return nil
	case "query":
		return s.query(args)
	case "setoption", "uginewgame", "position", "go":
	default:
		return fmt.Errorf("unknown command %.40q", name)
	}
	if s.thinking() {
		return fmt.Errorf("%s: the engine thinks; stop it first", name)
	}
	switch name {
	case "setoption":
		return s.setOption(args)
	case "position":
		return s.position(args)
	case "go":
		return s.think(ctx, args)
	}
	if e, ok := s.engine.(interface{ NewGame(seed uint64) }); ok {
		e.NewGame(s.options.Seed)
	}
	s.game = s.newGame(s.options.Board, s.options.Board.Start())
	return nil
}

// setOption takes "name N value V", where both may have several words.
func (s *session) setOption(args []string) error {
	text := strings.Join(args, " ")
	name, hasName := strings.CutPrefix(text, "name ")
	name, value, _ := strings.Cut(name, " value")
	if !hasName {
		return errors.New("setoption: expected name N value V")
	}
	return s.options.Set(strings.TrimSpace(name), strings.TrimSpace(value))
}

// position replaces the game, or changes nothing.
func (s *session) position(args []string) error {
	b, start := s.options.Board, s.options.Board.Start()
	switch {
	case len(args) >= 1 && args[0] == "startpos":
		args = args[1:]
	case len(args) >= 7 && args[0] == "fen":
		var err error
		if b, start, err = quoridor.ParsePosition(strings.Join(args[1:7], " ")); err != nil {
			return err
		}
		if b.W < 3 {
			return fmt.Errorf("%w: at least 3 columns", quoridor.ErrBoard)
		}
		args = args[7:]
	default:
		return errors.New(`position: expected startpos, or fen and the six fields of a position as in "9x9 e1 e9 - 10,10 0"`)
	}
	if len(args) > 0 {
		if args[0] != "moves" {
			return fmt.Errorf("position: expected moves, got %.40q", args[0])
		}
		args = args[1:]
	}
	g := s.newGame(b, start)
	for i, word := range args {
		m, err := b.ParseMove(word)
		if err == nil {
			err = g.Play(m)
		}
		if err != nil {
			return fmt.Errorf("position: ply %d: %w", i+1, err)
		}
	}
	s.game = g
	return nil
}

func (s *session) query(args []string) error {
	what := strings.Join(args, " ")
	p := s.game.Position()
	answer := ""
	switch what {
	case "p1turn":
		answer = fmt.Sprint(p.Side() == 0)
	case "gameover":
		answer = fmt.Sprint(s.game.Result() != quoridor.Undecided)
	case "result":
		answer = map[quoridor.Result]string{
			quoridor.Undecided: "none", quoridor.Win0: "p1win", quoridor.Win1: "p2win", quoridor.DrawCap: "draw", quoridor.DrawRepetition: "draw",
		}[s.game.Result()]
	default:
		return fmt.Errorf("query %.40q: expected p1turn, gameover or result", what)
	}
	s.println("response " + answer)
	return nil
}

// engineFor returns the engine for the board, made anew if the options that it depends on have changed.
func (s *session) engineFor(b *quoridor.Board) (play.Engine, error) {
	want := s.options
	want.Board, want.PlyCap, want.Repetition = nil, 0, false
	if s.engine != nil && s.board == b && s.made == want {
		return s.engine, nil
	}
	if err := s.closeEngine(); err != nil {
		return nil, err
	}
	engine, err := s.config.NewEngine(&s.options, b)
	if err != nil {
		return nil, err
	}
	if e, ok := engine.(interface{ NewGame(seed uint64) }); ok {
		e.NewGame(s.options.Seed)
	}
	s.engine, s.made, s.board = engine, want, b
	return engine, nil
}

func (s *session) closeEngine() error {
	if s.engine == nil {
		return nil
	}
	err := s.engine.Close()
	s.engine = nil
	return err
}

// print writes as one piece.
func (s *session) print(write func(w io.Writer)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var text strings.Builder
	write(&text)
	if s.writeErr == nil {
		if _, err := io.WriteString(s.out, text.String()); err != nil {
			s.writeErr = fmt.Errorf("output: %w", err)
		}
	}
}

func (s *session) println(text string) {
	s.print(func(w io.Writer) { fmt.Fprintln(w, text) })
}

func (s *session) complain(err error) {
	s.println("info string error: " + strings.ReplaceAll(err.Error(), "\n", "; "))
}

func (s *session) failed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.writeErr != nil
}
