package play

import "time"

// StartClock lets the clock of the side to move at the head run, if there is a clock and the game goes on.
func (g *Game) StartClock(now time.Time) {
	if g.setup.Clock.On() && g.since.IsZero() && !g.Result(g.head).Over {
		g.since = now
	}
}

// StopClock lets the clocks stand.
func (g *Game) StopClock(now time.Time) {
	g.left = g.Left(now)
	g.since = time.Time{}
}

// Running returns whose clock runs, or -1.
func (g *Game) Running() int {
	if g.since.IsZero() {
		return -1
	}
	return g.node(g.head).Position.Side()
}

// Left returns the time left on both clocks, never below 0. It has no meaning without a clock.
func (g *Game) Left(now time.Time) [2]time.Duration {
	left := g.left
	if side := g.Running(); side >= 0 {
		left[side] = max(0, left[side]-now.Sub(g.since))
	}
	return left
}

// FlagTime returns when the running clock will be at 0, and false if none runs.
func (g *Game) FlagTime() (time.Time, bool) {
	side := g.Running()
	if side < 0 {
		return time.Time{}, false
	}
	return g.since.Add(g.left[side]), true
}

// Flag ends the game if the running clock is at 0, and tells whether it is.
func (g *Game) Flag(now time.Time) bool {
	side := g.Running()
	if side < 0 || g.Left(now)[side] > 0 {
		return false
	}
	g.end(Outcome{true, 1 - side, Time}, now)
	return true
}

// punch stops the clock of the side that has moved from one node to the next and starts the other's.
func (g *Game) punch(from, to NodeID, now time.Time) {
	if !g.setup.Clock.On() {
		return
	}
	if from != g.head { // the game was over, and goes on elsewhere
		g.left, g.since = g.node(from).Left, time.Time{}
	}
	g.StopClock(now)
	g.left[g.node(from).Position.Side()] += g.setup.Clock.Increment
	g.node(to).Left = g.left
	if !g.Result(to).Over {
		g.since = now
	}
}

// SetClock gives the game another clock: both players have its full time, at every node. It stands.
func (g *Game) SetClock(c Clock) error {
	s := g.setup
	s.Clock = c
	if err := s.validate(); err != nil {
		return err
	}
	g.setup, g.since = s, time.Time{}
	g.left = [2]time.Duration{c.Base, c.Base}
	for _, n := range g.Nodes() {
		n.Left = g.left
	}
	return nil
}

// SetLeft sets the time left at the head, on a clock that stands.
func (g *Game) SetLeft(left [2]time.Duration) {
	for side := range left {
		left[side] = max(0, min(mostClock, left[side]))
	}
	g.left, g.node(g.head).Left = left, left
}
