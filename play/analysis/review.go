package analysis

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"rampart/play"
	"rampart/quoridor"
	"rampart/solver"
)

// Review says what each move of a game's main line cost.
type Review struct {
	Board  string       `json:"board"`
	Walls  int          `json:"walls"`
	Start  string       `json:"start"`
	Names  [2]string    `json:"players"`
	Result string       `json:"result"`
	Visits int          `json:"visits"` // of each position
	Moves  []MoveReview `json:"moves"`
}

// MoveReview is about one move. Rates and exact values are for the player who made it.
type MoveReview struct {
	Ply         int        `json:"ply"` // from 1
	Player      int        `json:"player"`
	Move        string     `json:"move"`
	Before      float64    `json:"winrateBefore"`
	After       float64    `json:"winrateAfter"`
	Loss        float64    `json:"loss"` // of win rate, 0 or more; from exact values 0, 0.5 or 1
	Mark        play.Mark  `json:"mark,omitempty"`
	Best        string     `json:"best"` // what the search would play
	PV          []string   `json:"pv"`
	ExactBefore *ExactInfo `json:"exactBefore,omitempty"`
	ExactAfter  *ExactInfo `json:"exactAfter,omitempty"`
}

// ReviewGame analyses every position of the main line, keeps the evaluations in the game, and calls progress, if it is not nil, after each. Where exact values are
// known, they alone decide what a move cost.
func ReviewGame(ctx context.Context, c *Config, g *play.Game, progress func(done, of int)) (*Review, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	line := g.MainLine()
	games := make([]*quoridor.Game, len(line))
	for i, id := range line {
		games[i] = g.At(id)
	}
	opinions, err := opinionsOf(ctx, c, games, progress)
	if err != nil {
		return nil, err
	}
	for i, o := range opinions {
		if o.Report == nil {
			continue
		}
		e := play.Eval{WinRate: view{games[i].Position().Side() == 1}.rate(o.Report.WinRate), Visits: o.Report.Visits}
		if err := g.SetEval(line[i], e); err != nil {
			return nil, err
		}
	}
	setup := g.Setup()
	r := &Review{
		Board: fmt.Sprintf("%dx%d", setup.Board.W, setup.Board.H), Walls: setup.Board.Walls, Start: setup.Board.Format(setup.Start),
		Names: [2]string{setup.Name(0), setup.Name(1)}, Result: g.Result(line[len(line)-1]).String(), Visits: c.Visits, Moves: []MoveReview{},
	}
	for i := range len(line) - 1 {
		r.Moves = append(r.Moves, reviewMove(games[i], games[i+1], opinions[i], opinions[i+1]))
	}
	return r, nil
}

// opinionsOf analyses the positions, several at once.
func opinionsOf(ctx context.Context, c *Config, games []*quoridor.Game, progress func(done, of int)) ([]*Opinion, error) {
	opinions := make([]*Opinion, len(games))
	var next atomic.Int64
	var mu sync.Mutex // guards done and progress
	done := 0
	group, ctx := errgroup.WithContext(ctx)
	for range min(c.Workers, len(games)) {
		group.Go(func() (err error) {
			analyst := NewAnalyst(c)
			defer func() {
				if closing := analyst.Close(); err == nil {
					err = closing
				}
			}()
			for {
				i := int(next.Add(1)) - 1
				if i >= len(games) {
					return nil
				}
				o, err := analyst.Think(ctx, games[i], play.Limits{Visits: c.Visits, Time: c.Time}, nil)
				if err == nil {
					err = ctx.Err()
				}
				if err != nil {
					return fmt.Errorf("ply %d: %w", i, err)
				}
				opinions[i] = o
				mu.Lock()
				done++
				if progress != nil {
					progress(done, len(games))
				}
				mu.Unlock()
			}
		})
	}
	return opinions, group.Wait()
}

// reviewMove compares the positions before and after a move.
func reviewMove(before, after *quoridor.Game, o, next *Opinion) MoveReview {
	moves := after.Moves()
	side := before.Position().Side()
	best := choiceFirst(o.Report)[0]
	m := MoveReview{
		Ply: len(moves), Player: side, Move: moves[len(moves)-1].String(), Before: o.Report.WinRate, Best: best.Move.String(), PV: names(best.Line),
	}
	if next.Result != quoridor.Undecided {
		m.After = next.Result.Score(side)
	} else {
		m.After = 1 - next.Report.WinRate
	}
	if m.Move == m.Best {
		m.Mark = play.NoMark
	} else {
		m.Loss = max(0, m.Before-m.After)
		m.Mark = play.MarkOf(m.Loss)
	}
	if o.Exact == nil {
		return m
	}
	value := o.Exact.Moves[moves[len(moves)-1]]
	m.ExactBefore, m.ExactAfter = view{}.exact(o.Exact.Value), view{}.exact(value)
	m.Loss = exactScore(o.Exact.Value) - exactScore(value)
	m.Mark = play.MarkOf(m.Loss)
	if len(o.Exact.Line) > 0 {
		m.Best, m.PV = o.Exact.Line[0].String(), names(o.Exact.Line)
	}
	return m
}

func exactScore(v solver.Value) float64 { return float64(1+v.Outcome) / 2 }

// String returns the review as a table to read.
func (r *Review) String() string {
	var s strings.Builder
	fmt.Fprintf(&s, "%s with %d walls, %s against %s: %s\n", r.Board, r.Walls, r.Names[0], r.Names[1], r.Result)
	fmt.Fprintf(&s, "win rates are for the player who moves\n\n")
	fmt.Fprintf(&s, "%4s %2s %-5s %7s %7s  %-20s %-11s %s\n", "ply", "by", "move", "before", "after", "exact", "", "better")
	var count [2]map[play.Mark]int
	for i := range count {
		count[i] = make(map[play.Mark]int)
	}
	for _, m := range r.Moves {
		exact, better := "", ""
		if m.ExactBefore != nil {
			exact = m.ExactBefore.String()
			if m.ExactBefore.Outcome != m.ExactAfter.Outcome {
				exact += " to " + m.ExactAfter.Outcome
			}
		}
		if m.Mark != play.NoMark {
			better = strings.Join(m.PV, " ")
			count[m.Player][m.Mark]++
		}
		row := fmt.Sprintf("%4d %2d %-5s %5.1f %% %5.1f %%  %-20s %-11s %s", m.Ply, m.Player, m.Move, 100*m.Before, 100*m.After, exact, m.Mark, better)
		fmt.Fprintln(&s, strings.TrimRight(row, " "))
	}
	s.WriteByte('\n')
	for player, c := range count {
		fmt.Fprintf(&s, "player %d: %d blunders, %d mistakes, %d inaccuracies\n", player, c[play.Blunder], c[play.Mistake], c[play.Inaccuracy])
	}
	return s.String()
}

// String returns the value in words.
func (e *ExactInfo) String() string {
	if e.Plies == 0 {
		return e.Outcome
	}
	return fmt.Sprintf("%s in %d", e.Outcome, e.Plies)
}
