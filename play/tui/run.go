package tui

import (
	"context"
	"errors"
	"fmt"
	"io"

	tea "charm.land/bubbletea/v2"

	"rampart/play"
	"rampart/quoridor"
)

// Run plays in the terminal until the person quits or ctx ends. The engines are idle when it returns.
func Run(ctx context.Context, c Config, in io.Reader, out io.Writer) error {
	thinking, stop := context.WithCancel(ctx)
	m := New(thinking, c)
	_, err := tea.NewProgram(m, tea.WithContext(ctx), tea.WithInput(in), tea.WithOutput(out)).Run()
	stop()
	m.drain()
	if errors.Is(err, tea.ErrProgramKilled) && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// drain waits for engines that still think; their contexts have ended.
func (m *Model) drain() {
	m.engine.wait()
	m.analysis.wait()
}

// think is [play.Engine.Think] that turns a panic into an error: a screen in raw mode must not be left behind.
func think(ctx context.Context, e play.Engine, g *quoridor.Game, limits play.Limits, say func(*play.Report)) (r *play.Report, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("%w: %v", play.ErrEngine, fault)
		}
	}()
	return e.Think(ctx, g, limits, say)
}
