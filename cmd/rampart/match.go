package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"rampart/arena"
	"rampart/quoridor"
)

// matchFlags are the flags that matches and ladders share.
type matchFlags struct {
	board        boardFlags
	pairs        int
	openingPlies int
	plyCap       int
	repetition   bool
	seed         uint64
	workers      int
	save         string
}

func (f *matchFlags) add(c *cobra.Command, pairs int) {
	f.board.add(c, "9x9", 10)
	c.Flags().IntVar(&f.pairs, "pairs", pairs, "pairs of games; both games of a pair start from one opening, with the seats exchanged")
	c.Flags().IntVar(&f.openingPlies, "opening-plies", 4, "random legal plies before the players take over")
	c.Flags().IntVar(&f.plyCap, "ply-cap", 0, "plies after which a game is a draw; 0 for two and a half times the squares")
	c.Flags().BoolVar(&f.repetition, "repetition", false, "the third occurrence of a position is a draw")
	c.Flags().Uint64Var(&f.seed, "seed", 1, "seed of openings and players; the same seed gives the same games with any number of workers")
	c.Flags().IntVar(&f.workers, "workers", 0, "games played at once; 0 for one per processor")
	c.Flags().StringVar(&f.save, "save", "", "file to save the games in, as text; it must not exist")
}

// config returns the settings of a match; bad ones are bad input.
func (f *matchFlags) config() (arena.MatchConfig, error) {
	b, err := f.board.board()
	if err != nil {
		return arena.MatchConfig{}, err
	}
	c := arena.MatchConfig{
		Board: b, Pairs: f.pairs, OpeningPlies: f.openingPlies, Seed: f.seed, Workers: f.workers,
		Rules: quoridor.Rules{PlyCap: f.plyCap, Repetition: f.repetition},
	}
	return c, badInput(c.Validate())
}

// parsePlayers reads the players of the command line.
func parsePlayers(args []string) ([]arena.Opponent, error) {
	players := make([]arena.Opponent, len(args))
	for i, text := range args {
		o, err := arena.Parse(text)
		if err != nil {
			return nil, badInput(err)
		}
		players[i] = o
	}
	return players, nil
}

// playersHelp lists the players for help texts.
func playersHelp() string {
	var s strings.Builder
	s.WriteString("Players:\n")
	for _, k := range arena.Kinds() {
		fmt.Fprintf(&s, "  %s\n      %s\n", k.Usage, k.Summary)
	}
	return s.String()
}

func newMatchCommand() *cobra.Command {
	var flags matchFlags
	var sprt string
	var minPairs int
	c := &cobra.Command{
		Use:   "match A B",
		Short: "Play pairs of games between two players and say who is stronger",
		Long: `Play pairs of games between two players and say who is stronger.

Both games of a pair start from the same random opening, with the seats exchanged. The result shows wins, draws and losses by seat,
the score and the Elo difference with their 95 % intervals, and how many of the games were distinct. With --sprt the match ends as
soon as the test of two Elo differences is decided. --save writes the games as text, which any editor shows.

` + playersHelp(),
		Example: `  rampart match racer random --pairs 100
  rampart match alphabeta:depth=4 alphabeta:depth=2 --board 7x7 --walls 6 --pairs 200 --sprt 0,50
  rampart match rollout:n=20000 alphabeta:time=1s --pairs 50 --save games.txt`,
		Args: exactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			config, err := flags.config()
			if err != nil {
				return err
			}
			if sprt != "" {
				test, err := arena.ParseSPRT(sprt)
				if err != nil {
					return badInput(fmt.Errorf("--sprt: %w", err))
				}
				config.SPRT, config.MinPairs = &test, minPairs
			}
			players, err := parsePlayers(args)
			if err != nil {
				return err
			}
			return runMatch(c, players[0], players[1], config, flags.save)
		},
	}
	flags.add(c, 100)
	c.Flags().StringVar(&sprt, "sprt", "", "stop as soon as a test of these two Elo differences is decided, e.g. 0,20 (errors 5 %)")
	c.Flags().IntVar(&minPairs, "min-pairs", 0, "pairs to play before --sprt may stop the match")
	return c
}

func runMatch(c *cobra.Command, a, b arena.Opponent, config arena.MatchConfig, save string) error {
	games, err := createGameFile(save)
	if err != nil {
		return err
	}
	config.OnGame = games.write
	progress := newMatchProgress(c.ErrOrStderr(), config.Pairs)
	config.OnPair = progress.pair
	result, err := arena.Match(c.Context(), a, b, config)
	progress.end()
	if closeErr := games.close(); err == nil {
		err = closeErr
	}
	if result != nil {
		fmt.Fprint(c.OutOrStdout(), result)
	}
	return matchError(err)
}

// matchError marks the errors that are the caller's doing.
func matchError(err error) error {
	if errors.Is(err, arena.ErrPlayer) || errors.Is(err, arena.ErrConfig) {
		return badInput(err)
	}
	return err
}

// gameFile takes the games of a match as text. Without a path it does nothing.
type gameFile struct {
	file *os.File
	text *bufio.Writer
	err  error // the first one
}

// createGameFile creates the file, which must not exist yet.
func createGameFile(path string) (*gameFile, error) {
	if path == "" {
		return &gameFile{}, nil
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, os.ErrExist) {
		return nil, badInput(fmt.Errorf("--save %s: the file exists; give another name or remove it", path))
	}
	if err != nil {
		return nil, badInput(fmt.Errorf("--save: %w", err))
	}
	return &gameFile{file: file, text: bufio.NewWriter(file)}, nil
}

func (f *gameFile) write(g *arena.Game) {
	if f.file == nil || f.err != nil {
		return
	}
	_, f.err = g.WriteTo(f.text)
}

func (f *gameFile) close() error {
	if f.file == nil {
		return nil
	}
	err := errors.Join(f.err, f.text.Flush(), f.file.Close())
	if err != nil {
		return fmt.Errorf("--save %s: %w", f.file.Name(), err)
	}
	return nil
}

// matchProgress shows how a match stands: in place on a terminal, else one line a minute.
type matchProgress struct {
	out      io.Writer
	terminal bool
	pairs    int
	start    time.Time
	shown    time.Time
	prefix   string
}

func newMatchProgress(out io.Writer, pairs int) *matchProgress {
	file, isFile := out.(*os.File)
	return &matchProgress{
		out: out, pairs: pairs, start: time.Now(), shown: time.Now(),
		terminal: isFile && term.IsTerminal(int(file.Fd())),
	}
}

func (p *matchProgress) pair(r *arena.MatchResult) {
	period := time.Minute
	if p.terminal {
		period = time.Second / 5
	}
	if time.Since(p.shown) < period {
		return
	}
	p.shown = time.Now()
	done := r.Pairs.Count()
	left := time.Duration(float64(time.Since(p.start)) / float64(done) * float64(p.pairs-done)).Round(time.Second)
	line := fmt.Sprintf("%s%d of %d pairs, %s, Elo %s, at most %s left", p.prefix, done, p.pairs, r.Total(), r.Elo(), left)
	if r.SPRT != nil {
		line += fmt.Sprintf(", LLR %.2f", r.LLR)
	}
	if p.terminal {
		fmt.Fprintf(p.out, "\r%s\x1b[K", line)
	} else {
		fmt.Fprintln(p.out, line)
	}
}

// end clears the line in place.
func (p *matchProgress) end() {
	if p.terminal {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}
