package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"rampart/arena"
	"rampart/mcts"
	"rampart/models"
	"rampart/nn"
	"rampart/quoridor"
	"rampart/train"
)

// netKind is the player "net:FILE": a network that searches before it moves.
var netKind = arena.Kind{
	Name:    "net",
	Usage:   "net:FILE[:sims=N|:time=D][:backend=NAME], FILE being a model, a run folder, or a network that ships (5x5-2)",
	Summary: "a trained network with PUCT search",
	Parse: func(a *arena.Args) (func(b *quoridor.Board) (arena.Player, error), error) {
		path := a.Argument()
		a.OneOf("sims", "time")
		cfg := playSearch(a.Int("sims", 200, 1, 1<<20), a.Duration("time", 0))
		backend := a.String("backend", "native")
		if path == "" {
			return nil, fmt.Errorf("%w: a file or run folder must follow, as in net:runs/5x5-2", arena.ErrPlayer)
		}
		if err := nn.CheckBackend(backend); err != nil {
			return nil, fmt.Errorf("%w: %w", arena.ErrPlayer, err)
		}
		m, err := loadModel(path)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", arena.ErrPlayer, err)
		}
		return netOpponent(m, backend, cfg).New, nil
	},
}

// mostSimulations bounds the tree of a search that is limited by time, to about half a gigabyte on 9x9.
const mostSimulations = 1 << 17

// playSearch returns the search that nets play with against others: PUCT on a tree that is kept from move to move, bounded by simulations or
// time.
func playSearch(simulations int, limit time.Duration) arena.SearchConfig {
	cfg := mcts.DefaultConfig(mcts.PUCT)
	cfg.Simulations, cfg.Reuse = simulations, true
	if limit > 0 {
		cfg.Simulations = mostSimulations
	}
	return arena.SearchConfig{Search: cfg, Time: limit}
}

// netOpponent returns the opponent that searches with the model, on boards of the size that it was trained for.
func netOpponent(m *nn.Model, backend string, cfg arena.SearchConfig) arena.Opponent {
	name := fmt.Sprintf("net %s of generation %d", m.ID(), m.Generation)
	return arena.NewSearchOpponent(name, cfg, func(b *quoridor.Board) (mcts.Evaluator, error) {
		if b.W != m.Board.W || b.H != m.Board.H {
			return nil, fmt.Errorf("%w: the model was trained for %s, not for %s", nn.ErrIncompatible, m.Board, b)
		}
		here, err := m.WithBoard(b)
		if err != nil {
			return nil, err
		}
		return nn.NewEvaluator(backend, here)
	})
}

// loadModel reads a model file, the champion of a run folder, or a network that ships.
func loadModel(path string) (*nn.Model, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) && !strings.ContainsAny(path, `./\`) {
		m, err := models.Load(path)
		return m, badInput(err)
	}
	if err != nil {
		return nil, badInput(fmt.Errorf("model: %w", err))
	}
	if info.IsDir() {
		if path, err = train.Folder(path).ChampionModel(); err != nil {
			return nil, badInput(err)
		}
	}
	m, err := nn.Load(path)
	return m, badInput(err)
}
