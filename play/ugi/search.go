package ugi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"rampart/play"
	"rampart/quoridor"
)

// search is a search that runs beside the conversation.
type search struct {
	stop     context.CancelFunc
	infinite bool
	over     atomic.Bool   // set before bestmove is written, so that whoever reads it may go on
	done     chan struct{} // closed when all is written
}

// thinking tells whether a search runs.
func (s *session) thinking() bool { return s.search != nil && !s.search.over.Load() }

// finish waits for the search that runs, if there is one. With now, or if it would not end by itself, it is stopped.
func (s *session) finish(now bool) {
	if s.search == nil {
		return
	}
	if now || s.search.infinite {
		s.search.stop()
	}
	<-s.search.done
}

// think starts a search.
func (s *session) think(ctx context.Context, args []string) error {
	if r := s.game.Result(); r != quoridor.Undecided {
		return fmt.Errorf("go: the game is over (%s)", r)
	}
	limits, infinite, err := parseGo(args, s.game.Position().Side())
	if err != nil {
		return err
	}
	engine, err := s.engineFor(s.game.Board)
	if err != nil {
		return err
	}
	g, err := quoridor.Replay(s.game.Board, s.game.PositionAt(0), s.game.Rules, s.game.Moves()) // the search has its own
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	s.search = &search{stop: stop, infinite: infinite, done: make(chan struct{})}
	go s.run(ctx, s.search, engine, g, limits)
	return nil
}

func (s *session) run(ctx context.Context, this *search, engine play.Engine, g *quoridor.Game, limits play.Limits) {
	defer close(this.done)
	defer this.stop()
	answer := "0000"
	r, err := engine.Think(ctx, g, limits, func(r *play.Report) { s.println(info(r)) })
	if err == nil {
		s.println(info(r))
		answer = r.Move.String()
	} else {
		s.complain(fmt.Errorf("go: the engine failed: %w", err))
	}
	if err == nil && this.infinite {
		<-ctx.Done()
	}
	s.print(func(w io.Writer) {
		this.over.Store(true)
		fmt.Fprintln(w, "bestmove "+answer)
	})
}

// info puts a report into words.
func info(r *play.Report) string {
	var text strings.Builder
	line := []quoridor.Move{r.Move}
	for _, c := range r.Moves {
		if c.Move == r.Move && len(c.Line) > 0 {
			line = c.Line
		}
	}
	perSecond := float64(r.Visits) / max(1e-6, r.Elapsed.Seconds())
	fmt.Fprintf(&text, "info depth %d nodes %d nps %.0f time %d", len(line), r.Visits, perSecond, r.Elapsed.Milliseconds())
	if r.Judged {
		fmt.Fprintf(&text, " score winrate %.4f", r.WinRate)
	}
	writeMoves(&text, line)
	return text.String()
}

func writeMoves(w io.Writer, line []quoridor.Move) {
	fmt.Fprint(w, " pv")
	for _, m := range line {
		fmt.Fprint(w, " ", m)
	}
}

// most is the largest number in a go command: a day in milliseconds, and more nodes than any search has.
const most = 24 * 60 * 60 * 1000

// parseGo reads the limits of a search for the side.
func parseGo(args []string, side int) (limits play.Limits, infinite bool, err error) {
	numbers := make(map[string]int)
	for len(args) > 0 {
		name := args[0]
		switch name {
		case "infinite":
			infinite, args = true, args[1:]
			continue
		case "nodes", "movetime", "p1time", "p2time", "p1inc", "p2inc":
		default:
			return limits, false, fmt.Errorf("go: %.40q is not nodes, movetime, p1time, p2time, p1inc, p2inc or infinite", name)
		}
		if len(args) < 2 {
			return limits, false, fmt.Errorf("go: a number must follow %s", name)
		}
		least := 0
		if name == "nodes" || name == "movetime" {
			least = 1
		}
		n, err := strconv.Atoi(args[1])
		if err != nil || n < least || n > most {
			return limits, false, fmt.Errorf("go: %s %.40q: must be a whole number from %d to %d", name, args[1], least, most)
		}
		numbers[name], args = n, args[2:]
	}
	if infinite && len(numbers) > 0 {
		return limits, false, errors.New("go: infinite and limits exclude each other")
	}
	if infinite {
		return play.Limits{Visits: play.MostVisits}, true, nil
	}
	limits.Visits = min(numbers["nodes"], play.MostVisits)
	limits.Time = time.Duration(numbers["movetime"]) * time.Millisecond
	clock, inc := [2]string{"p1time", "p2time"}[side], [2]string{"p1inc", "p2inc"}[side]
	if left, given := numbers[clock]; given {
		share := moveTime(time.Duration(left)*time.Millisecond, time.Duration(numbers[inc])*time.Millisecond)
		if limits.Time == 0 || share < limits.Time {
			limits.Time = share
		}
	}
	return limits, false, nil
}

// Of the clock, a move gets a fixed share and most of the increment, but never so much that less than the margin would be left.
const (
	movesToGo   = 25
	clockMargin = 50 * time.Millisecond
)

// moveTime returns the time to think when so much is left on the clock.
func moveTime(left, increment time.Duration) time.Duration {
	return max(time.Millisecond, min(left/movesToGo+increment*3/4, left-clockMargin))
}
