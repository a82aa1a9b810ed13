package tui

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"rampart/play"
)

// thinker is an engine that may be at work on a node. It does one thing at a time: what is wanted next begins when the last thought has ended.
type thinker struct {
	busy   bool
	node   play.NodeID
	wanted bool // the thought is still wanted
	cancel context.CancelFunc
	ended  chan struct{} // closed when the goroutine of the last thought has ended
}

// wait waits for the end of the last thought.
func (t *thinker) wait() {
	if t.ended != nil {
		<-t.ended
	}
}

// stop ends the thought, if there is one; what it says is dropped.
func (t *thinker) stop() {
	if t.busy {
		t.wanted = false
		t.cancel()
	}
}

// thoughtMsg is what an engine says of a node.
type thoughtMsg struct {
	analysis bool
	node     play.NodeID
	report   *play.Report
	err      error
	more     <-chan thoughtMsg // where the next one comes from; nil after the last
}

// start lets an engine think about the node, and returns the command that waits for what it says.
func (m *Model) start(t *thinker, e play.Engine, id play.NodeID, limits play.Limits, analysis bool) tea.Cmd {
	ctx, cancel := context.WithCancel(m.ctx)
	ended := make(chan struct{})
	t.busy, t.wanted, t.node, t.cancel, t.ended = true, true, id, cancel, ended
	g := m.game.At(id)
	said := make(chan thoughtMsg, 1)
	go func() {
		defer close(ended)
		defer cancel()
		say := func(r *play.Report) {
			select {
			case said <- thoughtMsg{analysis: analysis, node: id, report: r, more: said}:
			default: // the screen has not taken the last one yet
			}
		}
		r, err := think(ctx, e, g, limits, say)
		last := thoughtMsg{analysis: analysis, node: id, report: r, err: err}
		for {
			select {
			case said <- last:
				return
			case <-said: // makes room: only the last counts
			}
		}
	}()
	return wait(said)
}

func wait(said <-chan thoughtMsg) tea.Cmd {
	return func() tea.Msg { return <-said }
}

// next lets those think whose turn it is: the engine that is to move, and the analysis of what is shown.
func (m *Model) next() tea.Cmd {
	var commands []tea.Cmd
	head := m.game.Head()
	p := m.node(head).Position
	e := m.config.Engines[p.Side()]
	over := m.game.Result(head).Over
	if m.engine.busy && (m.engine.node != head || over) {
		m.engine.stop()
	}
	if !m.engine.busy && e != nil && !over && !m.stopped {
		commands = append(commands, m.start(&m.engine, e, head, play.Limits{}, false))
	}
	cursor := m.game.Cursor()
	if m.analysis.busy && (!m.showing || m.analysis.node != cursor) {
		m.analysis.stop()
		m.report = nil
	}
	if !m.analysis.busy && m.showing && !m.game.Result(cursor).Over && (m.report == nil || m.reportAt != cursor) {
		m.report = nil
		commands = append(commands, m.start(&m.analysis, m.config.Analyst, cursor, play.Limits{Visits: m.config.Visits}, true))
	}
	return tea.Batch(commands...)
}

// thought takes what an engine says.
func (m *Model) thought(msg thoughtMsg) tea.Cmd {
	t := &m.engine
	if msg.analysis {
		t = &m.analysis
	}
	wanted := t.wanted
	if msg.more == nil {
		t.busy = false
	}
	switch {
	case !wanted:
	case msg.analysis:
		m.analysed(msg)
	case msg.err != nil:
		m.stopped = true
		m.complain(fmt.Sprintf("the engine failed: %v; move in its place, or press g", msg.err))
	case msg.more == nil:
		m.answered(msg)
	}
	if msg.more != nil {
		return wait(msg.more)
	}
	return m.next()
}

// answered plays an engine's move.
func (m *Model) answered(msg thoughtMsg) {
	follow := m.atHead()
	if _, err := m.game.Play(msg.node, msg.report.Move, m.now()); err != nil {
		if !m.game.Result(m.game.Head()).Over { // else its time was up
			m.stopped = true
			m.complain(fmt.Sprintf("the engine failed: %v; move in its place, or press g", err))
		}
		return
	}
	if follow {
		m.home()
	}
}

// analysed shows and keeps what the analysis says.
func (m *Model) analysed(msg thoughtMsg) {
	if msg.err != nil {
		m.showing = false
		m.complain(fmt.Sprintf("the analysis failed: %v", msg.err))
		return
	}
	m.report, m.reportAt = msg.report, msg.node
	e := play.Eval{WinRate: msg.report.WinRate, Visits: msg.report.Visits}
	if m.node(msg.node).Position.Side() == 1 {
		e.WinRate = 1 - e.WinRate
	}
	_ = m.game.SetEval(msg.node, e) // the node exists: branches are never deleted here
}
