package play

import (
	"fmt"
	"sync"

	"rampart/arena"
	"rampart/mcts"
	"rampart/models"
	"rampart/nn"
	"rampart/quoridor"
	"rampart/train"
)

// NetKind is the player "net:FILE": a network that searches before it moves. A program that wants [arena.Parse] to know it registers it.
var NetKind = arena.Kind{
	Name:    "net",
	Usage:   "net:FILE[:sims=N|:time=D][:temperature=T][:threads=N][:tree=MIB][:cpuct=C][:fpu=R][:lcb=S][:prove=on|off][:backend=NAME], FILE being a model, a run folder, or a network that ships (5x5-2)",
	Summary: "a trained network with PUCT search and exact races; with a temperature it draws its move by visits, or by first thought if sims=1; cpuct, fpu and lcb change constants of the search, prove=off keeps it from carrying known outcomes up its tree",
	Parse: func(a *arena.Args) (func(b *quoridor.Board) (arena.Player, error), error) {
		path := a.Argument()
		a.OneOf("sims", "time")
		strength := Strength{
			Visits: a.Int("sims", DefaultVisits, 1, MostVisits), Time: a.Duration("time", 0), Temperature: a.Float("temperature", 0, 0, 100),
			Threads: a.Int("threads", 1, 1, MostThreads), TreeMiB: a.Int("tree", 0, 1, mcts.MostTreeMiB),
		}
		cfg := SearchConfig(strength.Visits)
		cfg.CPUCT, cfg.FPUReduction, cfg.LCBStdevs = a.Float("cpuct", cfg.CPUCT, 1e-3, 1e3), a.Float("fpu", cfg.FPUReduction, 0, 2), a.Float("lcb", cfg.LCBStdevs, 0, 1e3)
		cfg.Prove = a.String("prove", "on", "on", "off") == "on"
		strength.Search = &cfg
		if strength.Time > 0 {
			strength.Visits = MostVisits
		}
		backend := a.String("backend", "native")
		if path == "" {
			return nil, fmt.Errorf("%w: a file or run folder must follow, as in net:runs/5x5-2", arena.ErrPlayer)
		}
		if err := nn.CheckBackend(backend); err != nil {
			return nil, fmt.Errorf("%w: %w", arena.ErrPlayer, err)
		}
		m, err := train.LoadModel(path)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", arena.ErrPlayer, err)
		}
		return NetOpponent(m, backend, strength).New, nil
	},
}

// shipped keeps the networks that ship once they are read.
var shipped struct {
	sync.Mutex
	models map[string]*nn.Model
}

// ShippedModel returns the network that ships for the board, and its name: the one for its size, or else the one for the largest board,
// which was not trained for this one (trained is false) but plays on any.
func ShippedModel(b *quoridor.Board) (m *nn.Model, name string, trained bool, err error) {
	name = models.For(b)
	trained = name != ""
	if !trained {
		name = "9x9-10"
	}
	shipped.Lock()
	defer shipped.Unlock()
	if m = shipped.models[name]; m != nil {
		return m, name, trained, nil
	}
	if m, err = models.Load(name); err != nil {
		return nil, "", false, err
	}
	if shipped.models == nil {
		shipped.models = make(map[string]*nn.Model)
	}
	shipped.models[name] = m
	return m, name, trained, nil
}
