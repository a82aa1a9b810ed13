package play

import (
	"fmt"
	"strconv"

	"rampart/arena"
	"rampart/nn"
	"rampart/quoridor"
	"rampart/train"
)

// Level is a strength of play that people choose by name. All front ends share the list.
type Level struct {
	Number   int // from 1, the weakest
	Name     string
	Strength Strength
}

// levels are the levels, weakest first.
var levels = []Level{
	{1, "Beginner", Strength{Visits: 1, Temperature: 2}},
	{2, "Novice", Strength{Visits: 1, Temperature: 1.4}},
	{3, "Casual", Strength{Visits: 1, Temperature: 1}},
	{4, "Improver", Strength{Visits: 1, Temperature: 0.5}},
	{5, "Club player", Strength{Visits: 1}},
	{6, "Strong", Strength{Visits: 16}},
	{7, "Expert", Strength{Visits: 64}},
	{8, "Master", Strength{Visits: 400}},
	{9, "Full strength", Strength{Visits: 3000}},
}

// Levels returns the levels, weakest first.
func Levels() []Level { return append([]Level(nil), levels...) }

// LevelNumber returns the level with the number. The error wraps [ErrEngine].
func LevelNumber(n int) (Level, error) {
	if n < 1 || n > len(levels) {
		return Level{}, fmt.Errorf("%w: there is no level %d; there are 1 (%s) to %d (%s)", ErrEngine, n, levels[0].Name, len(levels), levels[len(levels)-1].Name)
	}
	return levels[n-1], nil
}

// Text says in a few words how the level plays.
func (l Level) Text() string {
	switch s := l.Strength; {
	case s.Visits == 1 && s.Temperature > 1:
		return "draws among its first thoughts, unlikely ones too"
	case s.Visits == 1 && s.Temperature > 0:
		return "draws among its first thoughts"
	case s.Visits == 1:
		return "plays its first thought"
	}
	return fmt.Sprintf("looks at %d positions a move", l.Strength.Visits)
}

// Rating returns the level's measured rating on the board with the network that ships for it, and false where none was measured or another network
// ships by now. docs/players.md says how the ratings were measured and what their zero is.
func (l Level) Rating(b *quoridor.Board) (int, bool) {
	measured, ok := ratings[fmt.Sprintf("%dx%d-%d", b.W, b.H, b.Walls)]
	if !ok {
		return 0, false
	}
	m, _, _, err := ShippedModel(b)
	if err != nil || m.ID() != measured.model {
		return 0, false
	}
	return measured.levels[l.Number-1], true
}

// ratings are the measured ratings by board, and the ID of the network that they were measured with. The racer has 1000.
var ratings = map[string]struct {
	model  string
	levels []int
}{
	"5x5-2":  {"3d63ab273f66e75c", []int{1000, 1050, 1050, 1100, 1100, 1100, 1100, 1100, 1100}},
	"9x9-10": {"20932086834310d7", []int{800, 1000, 1100, 1300, 1350, 1500, 1500, 1650, 1750}},
}

// Engine returns the level's engine on the board: with the model, or with the one that ships for the board if it is nil. The seed decides what
// it draws.
func (l Level) Engine(b *quoridor.Board, m *nn.Model, seed uint64) (Engine, error) {
	s, err := l.searcher(b, m)
	if err != nil {
		return nil, err
	}
	s.seed = seed
	return s, nil
}

func (l Level) searcher(b *quoridor.Board, m *nn.Model) (*searcher, error) {
	if m == nil {
		var err error
		if m, _, _, err = ShippedModel(b); err != nil {
			return nil, err
		}
	}
	return newSearcher(m, b, "", fmt.Sprintf("level %d, %s", l.Number, l.Name), l.Strength)
}

// LevelKind is the player "level:N". A program that wants [arena.Parse] to know it registers it.
var LevelKind = arena.Kind{
	Name:    "level",
	Usage:   "level:N[:model=FILE], N from 1 (beginner) to 9 (full strength)",
	Summary: "a level as in rampart play, with the network that ships for the board unless a model or run folder is given",
	Parse: func(a *arena.Args) (func(b *quoridor.Board) (arena.Player, error), error) {
		n, err := strconv.Atoi(a.Argument())
		if err != nil {
			n = 0
		}
		l, err := LevelNumber(n)
		if err != nil {
			return nil, fmt.Errorf("%w: %q is not a level, 1 to %d", arena.ErrPlayer, a.Argument(), len(levels))
		}
		var m *nn.Model
		if path := a.String("model", ""); path != "" {
			if m, err = train.LoadModel(path); err != nil {
				return nil, fmt.Errorf("%w: %w", arena.ErrPlayer, err)
			}
		}
		return func(b *quoridor.Board) (arena.Player, error) {
			s, err := l.searcher(b, m)
			if err != nil {
				return nil, fmt.Errorf("%w: level %d: %w", arena.ErrPlayer, n, err)
			}
			return s, nil
		}, nil
	},
}
