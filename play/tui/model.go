package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"rampart/play"
	"rampart/quoridor"
)

// Config says what is played. Game is required.
type Config struct {
	Game    *play.Game
	Engines [2]play.Engine // by seat; nil for a person
	Analyst play.Engine    // for the analysis; nil for none
	Visits  int            // of the analysis of a position; 0 for [DefaultVisits]
	Now     func() time.Time
}

// DefaultVisits bounds the analysis of a position.
const DefaultVisits = 20_000

// kind is what the cursor stands for.
type kind int

const (
	pawn kind = iota
	hWall
	vWall
)

// Model is the state of the screen. All of it changes in Update only.
type Model struct {
	config Config
	game   *play.Game
	board  *quoridor.Board
	ctx    context.Context
	now    func() time.Time

	width, height int
	x, y          int // of the cursor
	kind          kind
	flipped       bool // player 1 is below
	paths, walls  bool // shown
	help          bool
	typing        bool
	typed         string
	message       string // about what did not work, until the next key

	engine   thinker // whose turn it is
	stopped  bool    // the engine whose turn it is waits for "g"
	analysis thinker
	showing  bool // of the analysis
	report   *play.Report
	reportAt play.NodeID // that report is about
}

// New returns the screen at the start of the game. When ctx ends, so do all thoughts.
func New(ctx context.Context, c Config) *Model {
	if c.Visits == 0 {
		c.Visits = DefaultVisits
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	m := &Model{config: c, game: c.Game, board: c.Game.Setup().Board, ctx: ctx, now: c.Now, width: 80, height: 24}
	m.flipped = m.game.Setup().IsEngine(0) && !m.game.Setup().IsEngine(1)
	m.home()
	return m
}

// home puts the cursor on the square of the pawn that is to move.
func (m *Model) home() {
	p := m.shown().Position
	c := p.Pawn(p.Side())
	m.x, m.y, m.kind = c.X(), c.Y(), pawn
}

// shown returns the node on the screen.
func (m *Model) shown() *play.Node { return m.node(m.game.Cursor()) }

func (m *Model) node(id play.NodeID) *play.Node {
	n, err := m.game.Node(id)
	if err != nil {
		panic(err) // cursor and head are always nodes
	}
	return n
}

// atHead tells whether the screen shows where play stands.
func (m *Model) atHead() bool { return m.game.Cursor() == m.game.Head() }

// personToMove tells whether a move may be played now: a person is to move, or stands in for an engine that has stopped.
func (m *Model) personToMove() bool {
	head := m.game.Head()
	if m.game.Result(head).Over {
		return false
	}
	return m.config.Engines[m.node(head).Position.Side()] == nil || m.stopped
}

// Init is part of [tea.Model].
func (m *Model) Init() tea.Cmd {
	m.game.StartClock(m.now())
	return tea.Batch(m.next(), m.tick())
}

// tickMsg lets clocks run on the screen.
type tickMsg struct{}

func (m *Model) tick() tea.Cmd {
	if !m.game.Setup().Clock.On() {
		return nil
	}
	return tea.Tick(200*time.Millisecond, func(time.Time) tea.Msg { return tickMsg{} })
}

// Update is part of [tea.Model].
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.KeyPressMsg:
		return m, m.key(msg)
	case tea.PasteMsg:
		if m.typing {
			m.typed = clipTyped(m.typed + msg.Content)
		}
	case tickMsg:
		if m.game.Flag(m.now()) {
			m.engine.stop()
			m.stopped = false
		}
		return m, m.tick()
	case thoughtMsg:
		return m, m.thought(msg)
	}
	return m, nil
}

// complain shows until the next key what did not work.
func (m *Model) complain(text string) { m.message = text }
