package web

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"rampart/arena"
	"rampart/models"
	"rampart/nn"
	"rampart/play"
	"rampart/quoridor"
)

// Player is a player that clients may choose by its text.
type Player struct {
	Spec    string // as arena.Parse takes it
	Summary string
	Largest int // most squares of a board that it plays on
}

// DefaultPlayers returns the classical players that a server offers.
func DefaultPlayers() []Player {
	const any = quoridor.MaxSize * quoridor.MaxSize
	return []Player{
		{"random", "any legal move", any},
		{"racer", "advances, or places the wall that hinders most", any},
		{"waller", "looks one move ahead", any},
		{"alphabeta:depth=2", "looks two moves ahead", any},
		{"alphabeta:depth=4", "looks four moves ahead", any},
		{"alphabeta:depth=6", "looks six moves ahead; slow on large boards", any},
		{"rollout:n=20000", "plays 20,000 games in its mind", any},
		{"perfect", "plays exactly, where the solver's tables fit", 25},
	}
}

// offers is what clients can choose from: the only names that become engines.
type offers struct {
	players []Player
	models  map[string]*nn.Model // besides those that ship, by name
}

// model returns the model with the name; with no name, the one that ships for the board.
func (o *offers) model(name string, b *quoridor.Board) (m *nn.Model, found string, trained bool, err error) {
	if name == "" {
		return play.ShippedModel(b)
	}
	if m = o.models[name]; m == nil {
		for _, ships := range models.Names() {
			if ships == name {
				var at *quoridor.Board
				if at, err = boardNamed(name); err == nil {
					m, _, _, err = play.ShippedModel(at)
				}
			}
		}
	}
	if m == nil || err != nil {
		return nil, "", false, badRequest("there is no model %q here; there are %s", clip(name), strings.Join(o.modelNames(), ", "))
	}
	return m, name, m.Board.W == b.W && m.Board.H == b.H, nil
}

// boardNamed reads the name of a network that ships, as in "9x9-10".
func boardNamed(name string) (*quoridor.Board, error) {
	size, walls, _ := strings.Cut(name, "-")
	w, h, err := quoridor.ParseSize(size)
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(walls)
	if err != nil {
		return nil, err
	}
	return quoridor.NewBoard(w, h, n)
}

func (o *offers) modelNames() []string {
	names := models.Names()
	for name := range o.models {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// choice is a player that a client has chosen.
type choice struct {
	spec, name string
	engine     func(b *quoridor.Board, seed uint64) (play.Engine, error) // nil for a person
}

// choose finds the player that a client names for the board.
func (o *offers) choose(spec string, b *quoridor.Board) (choice, error) {
	if spec == play.Person {
		return choice{spec: spec, name: "person"}, nil
	}
	for _, p := range o.players {
		if p.Spec != spec {
			continue
		}
		if b.Cells() > p.Largest {
			return choice{}, badRequest("%s does not play on %s: too large", spec, b)
		}
		return choice{spec, spec, func(b *quoridor.Board, seed uint64) (play.Engine, error) { return play.NewEngine(spec, b, seed) }}, nil
	}
	parts := strings.Split(spec, ":")
	if parts[0] != "level" || len(parts) < 2 || len(parts) > 3 {
		return choice{}, badRequest("there is no player %q here; there are person, level:N, level:N:model=NAME and the players of /api/info", clip(spec))
	}
	n, err := strconv.Atoi(parts[1])
	if err != nil {
		return choice{}, badRequest("%q is not the number of a level", clip(parts[1]))
	}
	level, err := play.LevelNumber(n)
	if err != nil {
		return choice{}, badRequest("%v", err)
	}
	c := choice{spec: spec, name: fmt.Sprintf("level %d, %s", n, level.Name)}
	name := ""
	if len(parts) == 3 {
		var named bool
		if name, named = strings.CutPrefix(parts[2], "model="); !named || name == "" {
			return choice{}, badRequest("%q is not model=NAME", clip(parts[2]))
		}
		c.name += ", " + name
	}
	m, _, _, err := o.model(name, b)
	if err != nil {
		return choice{}, err
	}
	c.engine = func(b *quoridor.Board, seed uint64) (play.Engine, error) { return level.Engine(b, m, seed) }
	return c, nil
}

// check makes sure that the server's own offers exist.
func (o *offers) check() error {
	for _, p := range o.players {
		if _, err := arena.Parse(p.Spec); err != nil {
			return err
		}
	}
	return nil
}

// clip shortens text from outside for an error message.
func clip(text string) string {
	const most = 80
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + "..."
	}
	return text
}

func sizeOf(b *quoridor.Board) string { return fmt.Sprintf("%dx%d", b.W, b.H) }
