package ugi

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"rampart/arena"
	"rampart/nn"
	"rampart/play"
	"rampart/quoridor"
	"rampart/train"
)

// Options are what setoption changes.
type Options struct {
	Board      *quoridor.Board // of startpos
	PlyCap     int             // plies after which a game is a draw; 0 for none
	Repetition bool            // the third occurrence of a position is a draw

	Player  string // any player of package arena; "" for the network
	Model   string // model file, run folder or name; "" for the one that ships for the board
	Level   int    // of [play.Levels], for a network
	Visits  int    // of a move, instead of the level's; 0 for the level's
	Threads int    // of a network's search
	Hash    int    // MiB that a network's search tree may take
	Seed    uint64
}

// DefaultOptions returns the options that hold before any are set.
func DefaultOptions() Options {
	return Options{Board: quoridor.MustBoard(9, 9, 10), Level: 8, Threads: 1, Hash: 1024}
}

// option is one of them in the words of the protocol.
type option struct {
	name     string
	kind     string // string, spin or check
	least    int    // of a spin
	most     int
	get      func(o *Options) string
	set      func(o *Options, text string) error // of a string
	setSpin  func(o *Options, n int) error
	setCheck func(o *Options, on bool)
}

func spin(name string, least, most int, at func(o *Options) *int) option {
	return option{
		name: name, kind: "spin", least: least, most: most,
		get:     func(o *Options) string { return strconv.Itoa(*at(o)) },
		setSpin: func(o *Options, n int) error { *at(o) = n; return nil },
	}
}

// list holds all options, in the order in which they are told.
var list = []option{
	{
		name: "Board", kind: "string",
		get: func(o *Options) string { return fmt.Sprintf("%dx%d", o.Board.W, o.Board.H) },
		set: func(o *Options, text string) error {
			w, h, err := quoridor.ParseSize(text)
			if err != nil {
				return err
			}
			if w < 3 {
				return fmt.Errorf("%w: at least 3 columns", quoridor.ErrBoard)
			}
			walls := 0
			if h >= quoridor.MinHeight {
				walls = min(o.Board.Walls, (w-1)*(h-1))
			}
			b, err := quoridor.NewBoard(w, h, walls)
			if err == nil {
				o.Board = b
			}
			return err
		},
	},
	{
		name: "Walls", kind: "spin", most: 64,
		get: func(o *Options) string { return strconv.Itoa(o.Board.Walls) },
		setSpin: func(o *Options, n int) error {
			b, err := quoridor.NewBoard(o.Board.W, o.Board.H, n)
			if err == nil {
				o.Board = b
			}
			return err
		},
	},
	spin("PlyCap", 0, play.MostNodes, func(o *Options) *int { return &o.PlyCap }),
	{
		name: "Repetition", kind: "check",
		get:      func(o *Options) string { return strconv.FormatBool(o.Repetition) },
		setCheck: func(o *Options, on bool) { o.Repetition = on },
	},
	{
		name: "Player", kind: "string",
		get: func(o *Options) string { return o.Player },
		set: func(o *Options, text string) error {
			if strings.HasPrefix(strings.ToLower(text), "ugi") {
				return errors.New("a program that is driven does not start others")
			}
			if text != "" {
				if _, err := arena.Parse(text); err != nil {
					return err
				}
			}
			o.Player = text
			return nil
		},
	},
	{
		name: "Model", kind: "string",
		get: func(o *Options) string { return o.Model },
		set: func(o *Options, text string) error {
			if text != "" {
				if _, err := train.LoadModel(text); err != nil {
					return err
				}
			}
			o.Model = text
			return nil
		},
	},
	spin("Level", 1, len(play.Levels()), func(o *Options) *int { return &o.Level }),
	spin("Visits", 0, play.MostVisits, func(o *Options) *int { return &o.Visits }),
	spin("Threads", 1, play.MostThreads, func(o *Options) *int { return &o.Threads }),
	spin("Hash", 1, 8192, func(o *Options) *int { return &o.Hash }),
	{
		name: "Seed", kind: "string",
		get: func(o *Options) string { return strconv.FormatUint(o.Seed, 10) },
		set: func(o *Options, text string) error {
			n, err := strconv.ParseUint(text, 10, 64)
			if err != nil {
				return fmt.Errorf("%.30q is not a whole number of at most 64 bits", text)
			}
			o.Seed = n
			return nil
		},
	},
}

// tell writes the options as the answer to ugi has them.
func tell(w io.Writer, defaults *Options) {
	for _, op := range list {
		value := op.get(defaults)
		if value == "" {
			value = "<empty>"
		}
		fmt.Fprintf(w, "option name %s type %s default %s", op.name, op.kind, value)
		if op.kind == "spin" {
			fmt.Fprintf(w, " min %d max %d", op.least, op.most)
		}
		fmt.Fprintln(w)
	}
}

// Set changes an option; names are the same in upper and lower case. With an error nothing has changed.
func (o *Options) Set(name, value string) error {
	if value == "<empty>" {
		value = ""
	}
	for _, op := range list {
		if !strings.EqualFold(op.name, name) {
			continue
		}
		var err error
		switch op.kind {
		case "string":
			err = op.set(o, value)
		case "check":
			on, parseErr := strconv.ParseBool(value)
			if err = parseErr; err != nil {
				err = fmt.Errorf("%.30q is not true or false", value)
				break
			}
			op.setCheck(o, on)
		case "spin":
			n, parseErr := strconv.Atoi(value)
			if parseErr != nil || n < op.least || n > op.most {
				err = fmt.Errorf("%.30q is not a whole number from %d to %d", value, op.least, op.most)
				break
			}
			err = op.setSpin(o, n)
		}
		if err != nil {
			return fmt.Errorf("option %s: %w", op.name, err)
		}
		return nil
	}
	return fmt.Errorf("there is no option %.30q", name)
}

// rules returns what ends games that would not end by themselves.
func (o *Options) rules() quoridor.Rules {
	return quoridor.Rules{PlyCap: o.PlyCap, Repetition: o.Repetition}
}

// engine returns the engine that the options describe.
func (o *Options) engine(b *quoridor.Board) (play.Engine, error) {
	if o.Player != "" {
		return play.NewEngine(o.Player, b, o.Seed)
	}
	level, err := play.LevelNumber(o.Level)
	if err != nil {
		return nil, err
	}
	strength := level.Strength
	if o.Visits > 0 {
		strength = play.Strength{Visits: o.Visits}
	}
	strength.Threads, strength.TreeMiB = o.Threads, o.Hash
	var m *nn.Model
	if o.Model != "" {
		m, err = train.LoadModel(o.Model)
	} else {
		m, _, _, err = play.ShippedModel(b)
	}
	if err != nil {
		return nil, err
	}
	return play.NewNetEngine(m, b, "", strength)
}
