package analysis

import (
	"context"
	"fmt"
	"strings"

	"rampart/play"
	"rampart/quoridor"
)

// Position analyses one position, of a game under the rules, as the server would.
func Position(ctx context.Context, c *Config, g *quoridor.Game) (*Answer, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	analyst := NewAnalyst(c)
	o, err := analyst.Think(ctx, g, play.Limits{Visits: c.Visits, Time: c.Time}, nil)
	if closing := analyst.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return nil, err
	}
	a := c.answer(g, o, true, true)
	a.TurnNumber = g.Plies()
	return a, nil
}

// mostRows is the number of moves that a printed answer lists.
const mostRows = 10

// String returns the answer as a table to read.
func (a *Answer) String() string {
	var s strings.Builder
	r := a.RootInfo
	if r.Result != "" {
		fmt.Fprintf(&s, "the game is over: %s\n", r.Result)
		return s.String()
	}
	fmt.Fprintf(&s, "player %d to move; win rate %.1f %% after %d visits (win %.1f, draw %.1f, loss %.1f), %.1f %% at first sight\n",
		r.CurrentPlayer, 100*r.Winrate, r.Visits, 100*r.WDL[0], 100*r.WDL[1], 100*r.WDL[2], 100*r.RawWinrate)
	if r.Exact != nil {
		fmt.Fprintf(&s, "exact: %s\n", r.Exact)
	}
	fmt.Fprintf(&s, "\n%-5s %7s %8s %8s %8s  %s\n", "move", "visits", "win", "at worst", "prior", "line")
	for i, m := range a.MoveInfos {
		if i == mostRows {
			fmt.Fprintf(&s, "and %d more\n", len(a.MoveInfos)-mostRows)
			break
		}
		line := strings.Join(m.PV[:min(8, len(m.PV))], " ")
		if m.Exact != nil {
			line = m.Exact.String() + ": " + line
		}
		fmt.Fprintf(&s, "%-5s %7d %6.1f %% %6.1f %% %6.1f %%  %s\n", m.Move, m.Visits, 100*m.Winrate, 100*m.LCB, 100*m.Prior, line)
	}
	return s.String()
}
