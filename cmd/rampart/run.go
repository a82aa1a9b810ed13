package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/spf13/cobra"

	"rampart/data"
	"rampart/internal/durable"
	"rampart/mcts"
	"rampart/nn"
	"rampart/quoridor"
	"rampart/selfplay"
	"rampart/train"
)

// runFlags choose a run folder and the settings of the run in it.
type runFlags struct {
	dir         string
	config      string
	board       boardFlags
	net         string
	backend     string
	seed        uint64
	generations int
	games       int
	simulations int
	gate        string
	initFrom    string
	gamesFrom   string
	set         []string
	workers     int

	configText []byte // content of the file config, once it was read
}

func (f *runFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.dir, "dir", "", "run folder (default runs/WxH-N for the board)")
	f.board.add(c, "5x5", 2)
	c.Flags().StringVar(&f.config, "config", "", "TOML file with settings, laid over the preset of the board")
	c.Flags().StringVar(&f.net, "net", "", netUsage)
	c.Flags().StringVar(&f.backend, "backend", "", "evaluator of self-play and gate: "+strings.Join(nn.Backends(), ", "))
	c.Flags().Uint64Var(&f.seed, "seed", 0, "seed of everything random in the run")
	c.Flags().IntVar(&f.generations, "generations", 0, "rounds of self-play, training and gate until the run ends")
	c.Flags().IntVar(&f.games, "games", 0, "self-play games a generation")
	c.Flags().IntVar(&f.simulations, "simulations", 0, "simulations a move in self-play")
	c.Flags().StringVar(&f.gate, "gate", "", "gate mode: sprt, winrate or off")
	c.Flags().StringVar(&f.initFrom, "init-from", "", "begin from this network instead of a random one: a model file, a run folder, or one that ships (5x5-2); it may be of another board, narrower and shallower, and must see the same planes: older ones go with --net SIZE-detours")
	c.Flags().StringVar(&f.gamesFrom, "games-from", "", "begin with the games of this run folder, which must be of the same board and walls")
	c.Flags().StringArrayVar(&f.set, "set", nil, "any setting of run.toml, as in --set trainer.batch=512 (repeatable); it counts more than --config, a flag of its own more than both")
	c.Flags().IntVar(&f.workers, "workers", 0, "goroutines that play and train (default one for each processor)")
}

// mostWorkers bounds --workers: each holds an evaluator of its own.
const mostWorkers = 1024

// folder returns the run folder that the flags mean.
func (f *runFlags) folder(b *quoridor.Board) train.Folder {
	if f.dir != "" {
		return train.Folder(f.dir)
	}
	return train.Folder(filepath.Join("runs", fmt.Sprintf("%dx%d-%d", b.W, b.H, b.Walls)))
}

// open opens the run that the flags mean: the one in the folder with the settings that are given changed, or a new one if it may begin.
func (f *runFlags) open(c *cobra.Command, mayBegin bool) (*train.Run, error) {
	if err := f.checkWorkers(); err != nil {
		return nil, err
	}
	board, err := f.chooseBoard(c)
	if err != nil {
		return nil, badInput(err)
	}
	folder := f.folder(board)
	base, err := folder.ReadConfig()
	switch {
	case errors.Is(err, train.ErrNoRun) && mayBegin:
		base = train.Preset(board)
	case err != nil:
		return nil, unusable(folder, err)
	}
	changed, err := f.apply(c, &base)
	if err != nil {
		return nil, badInput(err)
	}
	config := &base
	if _, err := os.Stat(filepath.Join(string(folder), "run.toml")); err == nil && !changed {
		config = nil
	}
	r, err := train.Open(folder, config)
	if err != nil {
		return nil, unusable(folder, err)
	}
	f.setWorkers(r)
	return r, nil
}

func (f *runFlags) checkWorkers() error {
	if f.workers < 0 || f.workers > mostWorkers {
		return badInput(fmt.Errorf("--workers %d: must be 1 to %d, or 0 for one for each processor", f.workers, mostWorkers))
	}
	return nil
}

func (f *runFlags) setWorkers(r *train.Run) {
	if f.workers > 0 {
		r.Workers = f.workers
	}
}

// unusable explains why a run folder cannot be opened. Whatever the file system has against it is the caller's to mend.
func unusable(folder train.Folder, err error) error {
	if errors.As(err, new(*fs.PathError)) {
		return badInput(fmt.Errorf("run folder %s cannot be used: %w; mend that or choose another with --dir", folder, err))
	}
	return classify(err)
}

// chooseBoard returns the board that the flags mean, the settings in --set, or else the file: what preset and run folder follow from.
func (f *runFlags) chooseBoard(c *cobra.Command) (*quoridor.Board, error) {
	settings := train.Config{Board: f.board.size, Walls: f.board.walls}
	if _, err := f.lay(c, &settings); err != nil {
		return nil, err
	}
	return settings.NewBoard()
}

// apply lays the settings that were given over the configuration and tells whether there were any.
func (f *runFlags) apply(c *cobra.Command, cfg *train.Config) (changed bool, err error) {
	if changed, err = f.lay(c, cfg); err != nil {
		return changed, err
	}
	return changed, cfg.Validate()
}

// lay is apply without a check of the settings as a whole. A flag of its own counts more than --set, and that more than the file.
func (f *runFlags) lay(c *cobra.Command, cfg *train.Config) (changed bool, err error) {
	given := func(name string) bool {
		if c.Flags().Changed(name) {
			changed = true
			return true
		}
		return false
	}
	if given("config") {
		if f.configText == nil { // a pipe can be read but once
			if f.configText, err = readSettings(f.config); err != nil {
				return changed, fmt.Errorf("--config: %w", err)
			}
		}
		if *cfg, err = train.DecodeConfig(f.configText, *cfg); err != nil {
			return changed, fmt.Errorf("--config %s: %w", f.config, err)
		}
	}
	if given("set") {
		for _, s := range f.set {
			if err := setOne(cfg, s); err != nil {
				return changed, fmt.Errorf("--set %w", err)
			}
		}
	}
	if given("board") {
		cfg.Board = strings.ToLower(f.board.size)
	}
	if given("walls") {
		cfg.Walls = f.board.walls
	}
	if given("net") {
		if cfg.Net, err = nn.ParseConfig(f.net); err != nil {
			return changed, fmt.Errorf("--net: %w", err)
		}
	}
	if given("backend") {
		cfg.Backend = f.backend
	}
	if given("seed") {
		cfg.Seed = f.seed
	}
	if given("generations") {
		cfg.Generations = f.generations
	}
	if given("games") {
		cfg.Games = f.games
	}
	if given("simulations") {
		cfg.SelfPlay.Search.Simulations = f.simulations
	}
	if given("gate") {
		cfg.Gate.Mode = f.gate
	}
	if given("init-from") {
		cfg.Origin.Net = f.initFrom
	}
	if given("games-from") {
		cfg.Origin.Games = f.gamesFrom
	}
	return changed, nil
}

// readSettings reads a file with settings, which may be a pipe.
func readSettings(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return durable.ReadAll(file, path, train.MaxConfig)
}

// setOne lays one setting, "key=value" with a dotted key, over the configuration. Text needs no quotes.
func setOne(cfg *train.Config, setting string) error {
	key, value, ok := strings.Cut(setting, "=")
	if !ok {
		return fmt.Errorf("%q: expected key=value, as in trainer.batch=512", setting)
	}
	parsed, err := train.DecodeConfig([]byte(key+" = "+value), *cfg)
	if err != nil {
		quoted, errQuoted := train.DecodeConfig(fmt.Appendf(nil, "%s = %q", key, value), *cfg)
		if errQuoted != nil {
			if errors.As(err, new(*toml.DecodeError)) { // the value is text without quotes
				err = errQuoted
			}
			return fmt.Errorf("%s: %w", setting, err)
		}
		parsed = quoted
	}
	*cfg = parsed
	return nil
}

// classify marks errors that are the caller's doing.
func classify(err error) error {
	for _, kind := range []error{
		train.ErrConfig, train.ErrLocked, train.ErrNoRun, train.ErrExists, train.ErrDamaged, train.ErrStage, train.ErrNoYardstick, selfplay.ErrConfig, mcts.ErrConfig,
		nn.ErrConfig, nn.ErrFormat, nn.ErrIncompatible, nn.ErrBackend, data.ErrBoard, fs.ErrPermission, fs.ErrNotExist,
	} {
		if errors.Is(err, kind) {
			return badInput(err)
		}
	}
	return err
}

func newRunCommand() *cobra.Command {
	var flags runFlags
	var status, curriculum string
	var resume bool
	c := &cobra.Command{
		Use:   "run",
		Short: "Learn: self-play, training and gate, generation after generation",
		Long: `Starts a run in a folder, or resumes the one that is there. Without flags it learns 5x5 with 2 walls in runs/5x5-2, ends by itself and
says how to play against the result. Stop it with Ctrl-C at any time; the same command goes on where it was. With --resume a run must have begun there:
a mistyped folder then starts nothing.

With --curriculum it learns on one board after the other, each time beginning with what was learned before: the folder then holds a run folder
for each stage.`,
		Example: "  rampart run\n  rampart run --status runs/5x5-2\n  rampart run --resume --dir runs/5x5-2\n  rampart run --board 9x9 --walls 10\n  rampart run --board 7x7 --walls 4 --net 48x4 --set trainer.batch=512\n" +
			"  rampart run --board 7x7 --walls 5 --net 32x4 --init-from 5x5-2\n  rampart run --dir runs/wide --net 64x6 --init-from runs/5x5-2 --games-from runs/5x5-2 --generations 120\n" +
			"  rampart run --dir runs/up --curriculum \"5x5-3:12,9x9-10:*\"",
		Args: func(c *cobra.Command, args []string) error {
			if resume && len(args) == 1 {
				return badInput(fmt.Errorf("the folder goes into --dir: %s --resume --dir %s", c.CommandPath(), args[0]))
			}
			return noArgs(c, args)
		},
		RunE: func(c *cobra.Command, _ []string) error {
			if c.Flags().Changed("status") {
				return writeStatus(c.OutOrStdout(), train.Folder(status))
			}
			folder := train.Folder(flags.dir)
			if c.Flags().Changed("curriculum") && flags.dir == "" {
				folder = train.Folder(filepath.Join("runs", "curriculum"))
			}
			if resume && c.Flags().Changed("curriculum") && !folder.IsCurriculum() {
				return unusable(folder, fmt.Errorf("%w in %s: no curriculum has begun there", train.ErrNoRun, folder))
			}
			if c.Flags().Changed("curriculum") || flags.dir != "" && folder.IsCurriculum() {
				return runCurriculum(c, &flags, folder, curriculum)
			}
			return withRun(c, &flags, !resume, func(ctx context.Context, r *train.Run) error { return r.Loop(ctx) })
		},
	}
	flags.add(c)
	c.Flags().StringVar(&curriculum, "curriculum", "", "stages WxH-N:GENERATIONS, in their order, as in 5x5-2:20,7x7-5:20,9x9-10:* (* for the preset's number); default folder runs/curriculum")
	c.Flags().BoolVar(&resume, "resume", false, "only go on with the run that is in the folder; never begin one")
	c.Flags().StringVar(&status, "status", "", "only tell how far the run in this folder is, also while it is worked on")
	return c
}

// newStageCommand returns the command that does one stage of the run's current generation.
func newStageCommand(stage train.Stage, short, long string) *cobra.Command {
	var flags runFlags
	c := &cobra.Command{
		Use:     string(stage),
		Short:   short,
		Long:    long + "\nThe stages of a generation follow one another; a stage that is not the next one is refused.",
		Example: fmt.Sprintf("  rampart %s --dir runs/5x5-2", stage),
		Args:    noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return withRun(c, &flags, stage == train.StageSelfPlay, func(ctx context.Context, r *train.Run) error { return r.Do(ctx, stage) })
		},
	}
	flags.add(c)
	return c
}

// withRun opens the run, shows its progress while use works on it, and says what to do next.
func withRun(c *cobra.Command, flags *runFlags, mayBegin bool, use func(context.Context, *train.Run) error) (err error) {
	r, err := flags.open(c, mayBegin)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	err = work(c, r, use)
	if errors.Is(err, context.Canceled) {
		fmt.Fprintf(c.OutOrStdout(), "stopped; nothing but the games in flight is lost. Go on with: %s\n", resumeCommand(c, r.Folder))
		return nil
	}
	if err != nil {
		return classify(err)
	}
	return sayWhatNext(c, r)
}

// work shows a run's progress while use works on it.
func work(c *cobra.Command, r *train.Run, use func(context.Context, *train.Run) error) error {
	display := newDisplay(c.ErrOrStderr(), c.OutOrStdout())
	r.Observer = display.observer()
	stage, generation, err := r.Next()
	if err != nil {
		return err
	}
	display.begin(r, stage, generation)
	defer display.end()
	return use(c.Context(), r)
}

func resumeCommand(c *cobra.Command, folder train.Folder) string {
	return fmt.Sprintf("%s --dir %s", c.CommandPath(), folder)
}

func sayWhatNext(c *cobra.Command, r *train.Run) error {
	stage, generation, err := r.Next()
	if err != nil {
		return err
	}
	out := c.OutOrStdout()
	if stage != train.StageDone {
		fmt.Fprintf(out, "next: %s of generation %d (rampart %s --dir %s, or rampart run --dir %s for all that is left)\n", stage, max(1, generation), stage, r.Folder, r.Folder)
		return nil
	}
	champion := r.Champion()
	fmt.Fprintf(out, "done: %d generations; the champion is generation %d.\n", champion.Gated, champion.Generation)
	if champion.Final != nil {
		fmt.Fprintln(out, champion.Final)
	}
	fmt.Fprintf(out, "play against it:   rampart play --model %s\n", r.Folder)
	fmt.Fprintf(out, "learn on:          rampart run --dir %s --generations %d\n", r.Folder, 2*r.Config.Generations)
	return nil
}
