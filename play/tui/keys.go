package tui

import (
	"errors"
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"rampart/play"
	"rampart/quoridor"
)

// binding is what keys do.
type binding struct {
	keys  []string
	label string // as the help shows the keys
	text  string
	do    func(m *Model) tea.Cmd
}

// bindings are all keys but those of a move that is typed. Where the web page has the same thing, it has the same key.
var bindings = []binding{
	{[]string{"up"}, "arrows", "move the cursor", func(m *Model) tea.Cmd { return m.move(0, 1) }},
	{[]string{"down"}, "", "", func(m *Model) tea.Cmd { return m.move(0, -1) }},
	{[]string{"left"}, "", "", func(m *Model) tea.Cmd { return m.move(-1, 0) }},
	{[]string{"right"}, "", "", func(m *Model) tea.Cmd { return m.move(1, 0) }},
	{[]string{"h"}, "h v", "a wall, horizontal or vertical; again for the pawn", func(m *Model) tea.Cmd { return m.turn(hWall) }},
	{[]string{"v"}, "", "", func(m *Model) tea.Cmd { return m.turn(vWall) }},
	{[]string{"enter", "space", " "}, "enter", "play what the cursor shows", (*Model).enter},
	{[]string{"m"}, "m", "type a move, as in e2 or e3h", (*Model).startTyping},
	{[]string{"esc"}, "esc", "cursor back to the pawn", func(m *Model) tea.Cmd { m.home(); return nil }},
	{[]string{"u"}, "u", "undo your move", (*Model).undo},
	{[]string{"r", "U", "shift+u"}, "r", "redo", (*Model).redo},
	{[]string{"["}, "[ ]", "look one move back or forward; home and end go all the way", func(m *Model) tea.Cmd { return m.browse((*play.Game).Back) }},
	{[]string{"]"}, "", "", func(m *Model) tea.Cmd { return m.browse((*play.Game).Forward) }},
	{[]string{"home"}, "", "", func(m *Model) tea.Cmd { return m.browse((*play.Game).ToStart) }},
	{[]string{"end"}, "", "", func(m *Model) tea.Cmd { return m.browse((*play.Game).ToEnd) }},
	{[]string{"a"}, "a", "analysis on or off", (*Model).toggleAnalysis},
	{[]string{"l"}, "l", "where walls can go: + both, - and | one way only", func(m *Model) tea.Cmd { m.walls = !m.walls; return nil }},
	{[]string{"s"}, "s", "shortest paths", func(m *Model) tea.Cmd { m.paths = !m.paths; return nil }},
	{[]string{"f"}, "f", "flip the board", func(m *Model) tea.Cmd { m.flipped = !m.flipped; return nil }},
	{[]string{"g"}, "g", "let the engine move, or move now", (*Model).goOn},
	{[]string{"?"}, "?", "this help", func(m *Model) tea.Cmd { m.help = true; return nil }},
	{[]string{"q", "ctrl+c"}, "q", "quit", (*Model).quit},
}

// key does what a key says.
func (m *Model) key(msg tea.KeyPressMsg) tea.Cmd {
	name := msg.String()
	m.message = ""
	switch {
	case name == "ctrl+c":
		return m.quit()
	case m.help:
		m.help = false
		return nil
	case m.typing:
		return m.typeKey(name, msg.Key().Text)
	}
	for _, b := range bindings {
		for _, k := range b.keys {
			if k == name {
				return b.do(m)
			}
		}
	}
	return nil
}

func (m *Model) quit() tea.Cmd {
	m.engine.stop()
	m.analysis.stop()
	return tea.Quit
}

// move moves the cursor as it lies on the screen, within the board.
func (m *Model) move(right, up int) tea.Cmd {
	if m.flipped {
		right, up = -right, -up
	}
	m.x, m.y = m.x+right, m.y+up
	m.keepInside()
	m.explain()
	return nil
}

func (m *Model) keepInside() {
	w, h := m.board.W, m.board.H
	if m.kind != pawn {
		w, h = w-1, h-1
	}
	m.x, m.y = max(0, min(m.x, w-1)), max(0, min(m.y, h-1))
}

func (m *Model) turn(k kind) tea.Cmd {
	if m.kind == k {
		k = pawn
	}
	m.kind = k
	m.keepInside()
	m.explain()
	return nil
}

// aimed is the move that the cursor stands for.
func (m *Model) aimed() quoridor.Move {
	switch m.kind {
	case hWall:
		return quoridor.HWall(m.x, m.y)
	case vWall:
		return quoridor.VWall(m.x, m.y)
	}
	return quoridor.PawnMove(quoridor.CellAt(m.x, m.y))
}

// explain says why the wall at the cursor cannot be placed.
func (m *Model) explain() {
	p := m.shown().Position
	if m.kind == pawn || m.board.Winner(&p) >= 0 {
		return
	}
	if reason := m.board.WhyIllegal(&p, m.aimed()); reason != quoridor.Legal {
		m.complain(m.aimed().String() + ": " + reason.String())
	}
}

func (m *Model) enter() tea.Cmd { return m.play(m.aimed()) }

// play plays the person's move.
func (m *Model) play(move quoridor.Move) tea.Cmd {
	head := m.game.Head()
	switch {
	case m.game.Result(head).Over:
		m.complain("the game is over; u takes a move back")
		return nil
	case !m.personToMove():
		m.complain("it is not your turn: the engine is thinking")
		return nil
	case !m.atHead():
		m.complain("this is an earlier position; end goes to the last one, u takes moves back")
		return nil
	}
	if _, err := m.game.Play(head, move, m.now()); err != nil {
		m.complain(err.Error())
		return nil
	}
	m.stopped = false
	m.home()
	return m.next()
}

func (m *Model) undo() tea.Cmd { return m.travel((*play.Game).Undo) }

func (m *Model) redo() tea.Cmd { return m.travel((*play.Game).Redo) }

// travel takes play back or forward.
func (m *Model) travel(to func(*play.Game) error) tea.Cmd {
	if err := to(m.game); err != nil {
		m.complain(strings.TrimPrefix(err.Error(), play.ErrState.Error()+": "))
		return nil
	}
	m.stopped = m.config.Engines[m.node(m.game.Head()).Position.Side()] != nil // between two engines it waits
	m.game.StartClock(m.now())
	m.home()
	return m.next()
}

// browse looks at another position; play goes on meanwhile.
func (m *Model) browse(to func(*play.Game)) tea.Cmd {
	to(m.game)
	m.home()
	return m.next()
}

func (m *Model) toggleAnalysis() tea.Cmd {
	if m.config.Analyst == nil {
		m.complain("there is no network to ask (--model)")
		return nil
	}
	m.showing = !m.showing
	return m.next()
}

// goOn lets an engine that waits go on, and one that thinks move at once.
func (m *Model) goOn() tea.Cmd {
	switch {
	case m.engine.busy && m.engine.wanted:
		m.engine.cancel()
	case m.stopped:
		m.stopped = false
		_ = m.game.GoTo(m.game.Head())
	default:
		m.complain("no engine is to move")
	}
	return m.next()
}

func (m *Model) startTyping() tea.Cmd {
	m.typing, m.typed = true, ""
	return nil
}

// typeKey edits the move that is typed.
func (m *Model) typeKey(name, text string) tea.Cmd {
	switch name {
	case "esc":
		m.typing = false
	case "backspace":
		if m.typed != "" {
			m.typed = m.typed[:len(m.typed)-1]
		}
	case "enter":
		m.typing = false
		if m.typed == "" {
			return nil
		}
		move, err := m.board.ParseMove(m.typed)
		if err != nil {
			m.complain(strings.TrimPrefix(err.Error(), errors.Unwrap(err).Error()+": "))
			return nil
		}
		return m.play(move)
	default:
		m.typed = clipTyped(m.typed + text)
	}
	return nil
}

// clipTyped keeps what can be part of a move.
func clipTyped(text string) string {
	text = strings.Map(func(r rune) rune {
		if r < 128 && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return -1
	}, text)
	return text[:min(len(text), 3)]
}
