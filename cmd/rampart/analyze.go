package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"rampart/models"
	"rampart/nn"
	"rampart/play"
	"rampart/play/analysis"
	"rampart/quoridor"
	"rampart/train"
)

// mostGameText bounds a file with one game.
const mostGameText = 4 << 20

func newAnalyzeCommand() *cobra.Command {
	var (
		model, backend, position, game, perspective string
		asJSON                                      bool
		exactMemory                                 int
		config                                      analysis.Config
	)
	c := &cobra.Command{
		Use:   "analyze",
		Short: "Analyse positions and games, on demand of other programs too",
		Long: `Without --position and --game it reads queries as JSON lines and answers in the same manner, with the field names of KataGo's analysis engine:
many at once, with priorities and cancellation (play/analysis/PROTOCOL.md). With --position it says what a search thinks of one position, with
--game what each move of a saved game cost. Small boards get exact values.`,
		Example: "  rampart analyze --position \"5x5 c2 c4 - 2,2 0\"\n  rampart analyze --game game.txt --visits 400\n" +
			"  echo '{\"id\":\"a\",\"moves\":[\"e2\"]}' | rampart analyze",
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			switch perspective {
			case "side", "player0":
				config.Player0 = perspective == "player0"
			default:
				return badInput(fmt.Errorf("--report-winrates-as %q: must be side or player0", perspective))
			}
			if position != "" && game != "" {
				return badInput(errors.New("--position and --game exclude each other"))
			}
			if exactMemory < 0 || exactMemory > 1<<20 {
				return badInput(fmt.Errorf("--exact-memory %d: must be 0 (no exact values) to %d MiB", exactMemory, 1<<20))
			}
			if err := config.Validate(); err != nil {
				return badInput(err)
			}
			config.Solver = analysis.NewSolver(int64(exactMemory) << 20)
			config.Version = version()
			if err := chooseNet(&config, model, backend); err != nil {
				return badInput(err)
			}
			switch {
			case position != "":
				return analyzePosition(c, &config, position, asJSON)
			case game != "":
				return analyzeGame(c, &config, game, asJSON)
			}
			server, err := analysis.NewServer(config)
			if err != nil {
				return err
			}
			err = server.Serve(c.Context(), c.InOrStdin(), c.OutOrStdout())
			if errors.Is(err, context.Canceled) && c.Context().Err() != nil {
				return nil
			}
			return err
		},
	}
	c.Flags().StringVar(&model, "model", "", "network: a model file, a run folder, or the name of one that ships (default the one for each board)")
	c.Flags().StringVar(&backend, "backend", "native", "evaluator of the network: "+strings.Join(nn.Backends(), ", "))
	c.Flags().StringVar(&position, "position", "", "position to analyse")
	c.Flags().StringVar(&game, "game", "", "file with a saved game to analyse; - for standard input")
	c.Flags().BoolVar(&asJSON, "json", false, "print the analysis of --position or --game as one JSON object")
	c.Flags().IntVar(&config.Visits, "visits", play.DefaultVisits, "simulations for a position")
	c.Flags().DurationVar(&config.Time, "time", 0, "most time for a position; 0 for no limit")
	c.Flags().IntVar(&config.Workers, "workers", min(runtime.GOMAXPROCS(0), analysis.MostWorkers), "positions thought about at once")
	c.Flags().StringVar(&perspective, "report-winrates-as", "side", "whose win rates are reported: side (to move) or player0; --game always tells the mover's")
	c.Flags().IntVar(&exactMemory, "exact-memory", 16, "MiB for the tables of exact values of a small board; 0 for none")
	return c
}

// chooseNet makes the configuration use the model, or for each board the network that ships for it if none is named.
func chooseNet(config *analysis.Config, model, backend string) error {
	if err := nn.CheckBackend(backend); err != nil {
		return err
	}
	var fixed *nn.Model
	names := models.Names()
	if model != "" {
		names = []string{model}
	}
	for _, name := range names {
		m, err := train.LoadModel(name)
		if err != nil {
			return err
		}
		if model != "" {
			fixed = m
		}
		config.Models = append(config.Models, analysis.Model{Name: name, Board: fmt.Sprintf("%dx%d", m.Board.W, m.Board.H), Walls: m.Board.Walls})
	}
	config.NewEngine = func(b *quoridor.Board) (play.Engine, error) {
		m := fixed
		if m == nil {
			var err error
			if m, _, _, err = play.ShippedModel(b); err != nil {
				return nil, err
			}
		}
		return play.NewNetEngine(m, b, backend, play.Strength{Visits: config.Visits, Time: config.Time})
	}
	return nil
}

func analyzePosition(c *cobra.Command, config *analysis.Config, text string, asJSON bool) error {
	b, p, err := quoridor.ParsePosition(text)
	if err != nil {
		return badInput(fmt.Errorf("--position: %w", err))
	}
	setup := play.NewSetup(b)
	setup.Start = p
	if _, err := play.New(setup); err != nil {
		return badInput(fmt.Errorf("--position: %w", err))
	}
	a, err := analysis.Position(c.Context(), config, quoridor.NewGame(b, p, setup.Rules))
	if err != nil {
		return err
	}
	if asJSON {
		return printJSON(c.OutOrStdout(), a)
	}
	_, err = fmt.Fprintf(c.OutOrStdout(), "%s\n%s", b.Render(p), a)
	return err
}

func analyzeGame(c *cobra.Command, config *analysis.Config, path string, asJSON bool) error {
	text, err := readGameText(c.InOrStdin(), path)
	if err != nil {
		return badInput(fmt.Errorf("--game: %w", err))
	}
	g, err := play.ReadText(text)
	if err != nil {
		return badInput(fmt.Errorf("--game %s: %w", path, err))
	}
	var progress func(done, of int)
	if isTerminal(c.ErrOrStderr()) {
		var shown time.Time
		progress = func(done, of int) {
			if time.Since(shown) > terminalInterval || done == of {
				shown = time.Now()
				fmt.Fprintf(c.ErrOrStderr(), "\r%d of %d positions ", done, of)
			}
			if done == of {
				fmt.Fprint(c.ErrOrStderr(), "\r\x1b[K")
			}
		}
	}
	r, err := analysis.ReviewGame(c.Context(), config, g, progress)
	if err != nil {
		return err
	}
	if asJSON {
		return printJSON(c.OutOrStdout(), r)
	}
	_, err = fmt.Fprint(c.OutOrStdout(), r)
	return err
}

// readGameText reads a file of bounded size.
func readGameText(in io.Reader, path string) (string, error) {
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return "", err
		}
		defer file.Close()
		in = file
	}
	text, err := io.ReadAll(io.LimitReader(in, mostGameText+1))
	if err == nil && len(text) > mostGameText {
		err = fmt.Errorf("%s is larger than %d MiB; that is no game", path, mostGameText>>20)
	}
	return string(text), err
}

func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// isTerminal tells whether a stream of the command is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
