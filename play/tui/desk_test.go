package tui

import (
	"context"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"go.uber.org/goleak"

	"rampart/play"
	"rampart/quoridor"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience bounds every wait of a test: whoever runs into it has failed.
const patience = 3 * time.Minute

// desk is a screen that a test looks at, with the commands that bubbletea would run.
type desk struct {
	*Model
	t    *testing.T
	msgs chan tea.Msg
	quit bool
}

// newDesk sets a game up on a board of the size, with a person on each seat without an engine.
func newDesk(t *testing.T, w, h, walls int, change func(c *Config, s *play.Setup)) *desk {
	t.Helper()
	s := play.NewSetup(quoridor.MustBoard(w, h, walls))
	var c Config
	if change != nil {
		change(&c, &s)
	}
	for seat, e := range c.Engines {
		if e != nil {
			s.Players[seat] = "engine"
		}
	}
	g, err := play.New(s)
	if err != nil {
		t.Fatal(err)
	}
	c.Game = g
	ctx, cancel := context.WithCancel(context.Background())
	d := &desk{Model: New(ctx, c), t: t, msgs: make(chan tea.Msg, 100)}
	t.Cleanup(func() {
		cancel()
		d.drain()
	})
	d.run(d.Init())
	return d
}

func (d *desk) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	go func() { d.msgs <- cmd() }()
}

// take handles one message.
func (d *desk) take(msg tea.Msg) {
	switch msg := msg.(type) {
	case tea.BatchMsg:
		for _, cmd := range msg {
			d.run(cmd)
		}
	case tea.QuitMsg:
		d.quit = true
	default:
		_, cmd := d.Update(msg)
		d.run(cmd)
	}
}

// until handles messages until the condition holds.
func (d *desk) until(what string, holds func() bool) {
	d.t.Helper()
	timeout := time.NewTimer(patience)
	defer timeout.Stop()
	for !holds() {
		select {
		case msg := <-d.msgs:
			d.take(msg)
		case <-timeout.C:
			d.t.Fatalf("%s: does not come; the screen is\n%s", what, d.text())
		}
	}
}

// keys presses keys: names with spaces between.
func (d *desk) keys(names string) {
	special := map[string]rune{"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight, "enter": tea.KeyEnter, "esc": tea.KeyEscape, "home": tea.KeyHome, "end": tea.KeyEnd, "backspace": tea.KeyBackspace}
	for _, name := range strings.Fields(names) {
		if code, ok := special[name]; ok {
			d.take(tea.KeyPressMsg{Code: code})
			continue
		}
		d.take(tea.KeyPressMsg{Code: []rune(name)[0], Text: name})
	}
}

// text is the screen without colours.
func (d *desk) text() string { return ansi.Strip(d.screen()) }

func (d *desk) moves() string { return moveNames(d.game.Moves(d.game.Head())) }

func (d *desk) want(moves, onScreen string) {
	d.t.Helper()
	if d.moves() != moves || !strings.Contains(d.text(), onScreen) {
		d.t.Errorf("moves %q, want %q; %q on the screen:\n%s", d.moves(), moves, onScreen, d.text())
	}
}

// actor is an engine that does what a test says.
type actor struct {
	asked  chan string       // receives the position of each thought
	answer chan *play.Report // what to answer; a thought that is told to end says its first legal move
	errs   chan error        // how to fail
	fail   func() error
	report *play.Report // that is made at the start of each thought
}

func newActor() *actor {
	return &actor{asked: make(chan string, 100), answer: make(chan *play.Report), errs: make(chan error)}
}

func (*actor) Name() string { return "actor" }

func (*actor) Close() error { return nil }

func (a *actor) Think(ctx context.Context, g *quoridor.Game, _ play.Limits, report func(*play.Report)) (*play.Report, error) {
	p := g.Position()
	if a.report != nil {
		report(a.report)
	}
	a.asked <- g.Board.Format(p)
	if a.fail != nil {
		if err := a.fail(); err != nil {
			return nil, err
		}
	}
	select {
	case r := <-a.answer:
		return r, nil
	case err := <-a.errs:
		return nil, err
	case <-ctx.Done():
		return &play.Report{Move: g.Board.Moves(nil, &p)[0]}, nil
	}
}

// asked handles messages until the actor is asked, and returns about what.
func (d *desk) asked(a *actor) string {
	d.t.Helper()
	timeout := time.NewTimer(patience)
	defer timeout.Stop()
	for {
		select {
		case position := <-a.asked:
			return position
		case msg := <-d.msgs:
			d.take(msg)
		case <-timeout.C:
			d.t.Fatalf("nobody is asked; the screen is\n%s", d.text())
		}
	}
}

// says answers with a move.
func (a *actor) says(t *testing.T, b *quoridor.Board, move string) {
	t.Helper()
	m, err := b.ParseMove(move)
	if err != nil {
		t.Fatal(err)
	}
	a.answer <- &play.Report{Move: m}
}

// against sets a person against an actor.
func against(t *testing.T, w, h, walls int) (*desk, *actor) {
	a := newActor()
	return newDesk(t, w, h, walls, func(c *Config, _ *play.Setup) { c.Engines[1] = a }), a
}
