package ugi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"rampart/arena"
	"rampart/internal/lines"
	"rampart/play"
	"rampart/quoridor"
)

func TestMain(m *testing.M) {
	arena.Register(play.NetKind)
	arena.Register(play.LevelKind)
	if os.Getenv(childVariable) != "" {
		os.Exit(child(os.Args[1:]))
	}
	goleak.VerifyTestMain(m)
}

// small are options for a quick game.
func small() Options {
	o := DefaultOptions()
	o.Board, o.Visits = quoridor.MustBoard(5, 5, 2), 5
	return o
}

// converse sends the lines and returns all that is said.
func converse(t testing.TB, input string) string {
	t.Helper()
	var out strings.Builder
	if err := Serve(context.Background(), Config{Options: small(), Version: "1"}, strings.NewReader(input), &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestGoDoesNotPlayItsMove: the position stays, so that the next go answers about the same one.
func TestGoDoesNotPlayItsMove(t *testing.T) {
	for _, player := range []string{"", "racer"} {
		got := converse(t, "setoption name Player value "+player+"\nposition startpos moves c2\nquery p1turn\ngo\nstop\n"+"query p1turn\n")
		if n := strings.Count(got, "response false\n"); n != 2 || strings.Count(got, "bestmove ") != 1 {
			t.Errorf("player %q:\n%s", player, got)
		}
	}
}

// TestIllegalMoveChangesNothing: an illegal or unreadable position is an error, and the one before stays [titanium].
func TestIllegalMoveChangesNothing(t *testing.T) {
	for _, bad := range []string{
		"position startpos moves c2 c4 c9", "position startpos moves c2 c2", "position startpos moves b2h b2v", "position startpos moves b2h a2h", "position startpos moves b2h b2h",
		"position startpos moves", "position startpos c2", "position", "position fen 5x5 c1 c5", "position fen 5x5 c1 c1 - 2,2 0", "position fen 2x5 a1 a5 - 0,0 0", "position fen 5x5 c1 c5 - 2,2 0 c2",
		"setoption name Board value 12x12", "setoption name Walls value 99", "setoption name Walls value 17", "setoption Walls 2", "setoption name Nonsense value 1",
		"setoption name Level value 0", "setoption name Level value 10", "setoption name Threads value 0", "setoption name Hash value many", "setoption name Repetition value maybe",
		"setoption name Player value nobody", "setoption name Player value ugi:sh", "setoption name Model value nowhere", "setoption name Seed value -1", "setoption name Board value 2x5",
		"go nodes", "go nodes 0", "go nodes x", "go movetime -1", "go depth 3", "go infinite nodes 3", "go p1time", "query", "query weather", "dance", strings.Repeat("x", mostLine+1),
	} {
		if bad == "position startpos moves" { // no error: an empty list
			continue
		}
		got := converse(t, "position startpos moves c2\n"+bad+"\nquery p1turn\n")
		if !regexp.MustCompile(`^info string error: [^\n]+\nresponse false\n$`).MatchString(got) {
			t.Errorf("%.60s:\n%s", bad, got)
		}
	}
}

func TestQuery(t *testing.T) {
	for position, want := range map[string]string{
		"startpos":                             "true false none",
		"startpos moves c2":                    "false false none",
		"fen 5x5 c4 a3 - 0,0 0 moves c5":       "false true p1win",
		"fen 5x5 a3 c2 - 0,0 1 moves c1":       "true true p2win",
		"fen 5x5 c1 c5 - 0,0 0 moves b1 b5 c1": "false true draw",
		"fen 5x5 c1 c5 b2h 1,0 0 moves a2v":    "false false none",
		"fen 5X5 C1 C5 B2H 1,0 0 moves A2V\r":  "false false none",
	} {
		got := converse(t, "setoption name PlyCap value 3\nposition "+position+"\nquery p1turn\nquery gameover\nquery result\n")
		if got = strings.Join(strings.Fields(strings.ReplaceAll(got, "response", "")), " "); got != want {
			t.Errorf("%s: %s, want %s", position, got, want)
		}
	}
	got := converse(t, "setoption name repetition value true\nposition startpos moves b1 b5 c1 c5 b1 b5 c1 c5\nquery result\ngo\n")
	if !strings.HasPrefix(got, "response draw\ninfo string error: go: the game is over") {
		t.Error(got)
	}
}

// TestBestmoveIsTheBoards: after an option or a position for another board, the engine is one for that board.
func TestBestmoveIsTheBoards(t *testing.T) {
	got := converse(t, "setoption name Board value 7x4\nsetoption name Walls value 0\nuginewgame\nposition startpos\ngo nodes 2\nstop\nposition fen 3x3 b1 b3 - 0,0 0 moves a1 a3\ngo nodes 2\n")
	moves := regexp.MustCompile(`bestmove (\S+)`).FindAllStringSubmatch(got, -1)
	if len(moves) != 2 {
		t.Fatal(got)
	}
	b := quoridor.MustBoard(7, 4, 0)
	p := b.Start()
	if _, err := b.ParseLegal(&p, moves[0][1]); err != nil {
		t.Error(err)
	}
	b = quoridor.MustBoard(3, 3, 0)
	g, err := quoridor.Replay(b, b.Start(), quoridor.Rules{}, []quoridor.Move{quoridor.PawnMove(quoridor.CellAt(0, 0)), quoridor.PawnMove(quoridor.CellAt(0, 2))})
	if err != nil {
		t.Fatal(err)
	}
	p = g.Position()
	if _, err := b.ParseLegal(&p, moves[1][1]); err != nil {
		t.Error(err)
	}
}

// TestWinningMove: it is found, with its line and rate.
func TestWinningMove(t *testing.T) {
	got := converse(t, "position fen 5x5 c4 a3 - 2,2 0\ngo\n")
	if !regexp.MustCompile(`info depth 1 nodes \d+ nps \d+ time \d+ score winrate 1.0000 pv c5\nbestmove c5\n$`).MatchString(got) {
		t.Error(got)
	}
}

// talk is a conversation that a test goes on with.
type talk struct {
	t    *testing.T
	in   *io.PipeWriter
	out  *lines.Reader
	done chan error
}

func newTalk(t *testing.T, ctx context.Context, c Config) *talk {
	in, inWriter := io.Pipe()
	outReader, out := io.Pipe()
	s := &talk{t: t, in: inWriter, out: lines.NewReader(outReader, mostLine), done: make(chan error, 1)}
	go func() {
		err := Serve(ctx, c, in, out)
		out.Close()
		in.Close()
		s.done <- err
	}()
	return s
}

func (s *talk) send(text string) { fmt.Fprintln(s.in, text) }

// until reads lines up to one with the prefix.
func (s *talk) until(prefix string) string {
	s.t.Helper()
	for {
		line, err := s.out.Next()
		if err != nil {
			s.t.Fatalf("waiting for %q: %v", prefix, err)
		}
		if strings.HasPrefix(line, prefix) {
			return line
		}
	}
}

func (s *talk) end() {
	s.t.Helper()
	s.in.Close()
	if err := <-s.done; err != nil {
		s.t.Error(err)
	}
}

// endless thinks until it is stopped.
type endless struct{ began chan struct{} }

func (endless) Name() string { return "endless" }
func (endless) Close() error { return nil }
func (e endless) Think(ctx context.Context, g *quoridor.Game, _ play.Limits, report func(*play.Report)) (*play.Report, error) {
	p := g.Position()
	r := &play.Report{Move: g.Board.Moves(nil, &p)[0]}
	report(r)
	e.began <- struct{}{}
	<-ctx.Done()
	return r, nil
}

// TestStopAtAnyMoment: stop ends a search at once, isready and query are answered meanwhile, and what would disturb the search is refused.
func TestStopAtAnyMoment(t *testing.T) {
	e := endless{make(chan struct{}, 1)}
	s := newTalk(t, context.Background(), Config{Options: small(), NewEngine: func(*Options, *quoridor.Board) (play.Engine, error) { return e, nil }})
	s.send("stop") // without a search it means nothing
	for _, command := range []string{"go", "go nodes 1000000", "go movetime 100000", "go infinite", "go p1time 1000000 p2time 5"} {
		s.send(command)
		s.until("info depth 1")
		<-e.began
		s.send("isready")
		s.until("readyok")
		s.send("query p1turn")
		s.until("response true")
		for _, refused := range []string{"go", "position startpos moves c2", "uginewgame", "setoption name Level value 1"} {
			s.send(refused)
			if got := s.until("info"); !strings.Contains(got, "stop it first") {
				t.Errorf("%s while thinking: %s", refused, got)
			}
		}
		s.send("stop")
		s.until("bestmove c2")
	}
	s.send("go infinite")
	s.until("info")
	<-e.began
	s.send("quit")
	s.until("bestmove c2")
	s.end()
}

// TestEndOfInput: an infinite search is stopped, any other finished.
func TestEndOfInput(t *testing.T) {
	for _, command := range []string{"go infinite", "go nodes 20", "go movetime 1", "go"} {
		if got := converse(t, command); strings.Count(got, "bestmove ") != 1 {
			t.Errorf("%s: %s", command, got)
		}
	}
}

// TestInterrupt: the end of the context ends the search and the conversation.
func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	e := endless{make(chan struct{}, 1)}
	s := newTalk(t, ctx, Config{Options: small(), NewEngine: func(*Options, *quoridor.Board) (play.Engine, error) { return e, nil }})
	s.send("go infinite")
	s.until("info")
	<-e.began
	cancel()
	s.until("bestmove")
	if err := <-s.done; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// broken is an engine that fails.
type broken struct{}

func (broken) Name() string { return "broken" }
func (broken) Close() error { return nil }
func (broken) Think(context.Context, *quoridor.Game, play.Limits, func(*play.Report)) (*play.Report, error) {
	return nil, errors.New("the lamp\nis broken")
}

// TestEngineFails: the failure is told, with a null move so that nobody waits, and the conversation goes on.
func TestEngineFails(t *testing.T) {
	s := newTalk(t, context.Background(), Config{Options: small(), NewEngine: func(*Options, *quoridor.Board) (play.Engine, error) { return broken{}, nil }})
	s.send("go")
	if got := s.until("info string error"); !strings.Contains(got, "the lamp; is broken") {
		t.Error(got)
	}
	s.until("bestmove 0000")
	s.send("isready")
	s.until("readyok")
	s.end()
	s = newTalk(t, context.Background(), Config{Options: small(), NewEngine: func(*Options, *quoridor.Board) (play.Engine, error) { return nil, errors.New("none left") }})
	s.send("go")
	s.until("info string error: none left")
	s.end()
}

// TestMoveTime: a move never takes the clock below the margin as long as there is one, grows with what is left, and is never nothing.
func TestMoveTime(t *testing.T) {
	last := time.Duration(0)
	for left := time.Duration(0); left < 10*time.Minute; left += 77 * time.Millisecond {
		for _, increment := range []time.Duration{0, time.Second, time.Minute} {
			got := moveTime(left, increment)
			if got < time.Millisecond || left > 2*clockMargin && left-got < clockMargin {
				t.Fatalf("%s left, %s increment: %s", left, increment, got)
			}
		}
		got := moveTime(left, 0)
		if got < last {
			t.Fatalf("%s left: %s, less than %s with less time", left, got, last)
		}
		last = got
	}
}

func TestParseGo(t *testing.T) {
	for text, want := range map[string]play.Limits{
		"":                                   {},
		"nodes 7":                            {Visits: 7},
		"nodes 999999":                       {Visits: play.MostVisits},
		"movetime 30":                        {Time: 30 * time.Millisecond},
		"nodes 7 movetime 30":                {Visits: 7, Time: 30 * time.Millisecond},
		"p1time 1000 p2time 50000":           {Time: 2 * time.Second},
		"p2time 50000 p2inc 1000 p1inc 9000": {Time: 2750 * time.Millisecond},
		"p2time 50000 movetime 100":          {Time: 100 * time.Millisecond},
	} {
		if got, infinite, err := parseGo(strings.Fields(text), 1); err != nil || infinite || got != want {
			t.Errorf("%s: %+v, %t, %v, want %+v", text, got, infinite, err, want)
		}
	}
}

// TestParseGoTellsLimits: what the message allows is what is taken.
func TestParseGoTellsLimits(t *testing.T) {
	for text, want := range map[string]string{
		"nodes 0":         `go: nodes "0": must be a whole number from 1 to 86400000`,
		"movetime 0":      `go: movetime "0": must be a whole number from 1 to 86400000`,
		"p1inc -1":        `go: p1inc "-1": must be a whole number from 0 to 86400000`,
		"nodes 86400001":  `go: nodes "86400001": must be a whole number from 1 to 86400000`,
		"movetime sooner": `go: movetime "sooner": must be a whole number from 1 to 86400000`,
	} {
		if _, _, err := parseGo(strings.Fields(text), 0); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	for _, text := range []string{"nodes 1", "nodes 86400000", "p1time 0"} {
		if _, _, err := parseGo(strings.Fields(text), 0); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// FuzzServe: whatever comes in, the conversation ends and each line is one of the protocol's.
func FuzzServe(f *testing.F) {
	f.Add("ugi\nisready\nuginewgame\nsetoption name Walls value 2\nposition startpos moves c2 c4\ngo nodes 3\nstop\nquery result\nquit\n")
	f.Add("position fen 5x5 c1 c5 b2h,a1v 0,1 1 moves c4\ngo movetime 1\nsetoption name Board value 3x3\n\x00\xff\n")
	f.Add("go infinite\ngo\nquery\nsetoption name  value \nsetoption name Level value\n")
	said := regexp.MustCompile(`^(id (name|author) .*|option name .*|ugiok|readyok|response (true|false|p1win|p2win|draw|none)|info .*|bestmove ([a-i][1-9][hv]?|0000))$`)
	f.Fuzz(func(t *testing.T, input string) {
		if strings.Count(input, "go") > 20 {
			t.Skip("more than 20 searches: too slow for a fuzzer")
		}
		var out strings.Builder
		c := Config{Options: small(), NewEngine: func(_ *Options, b *quoridor.Board) (play.Engine, error) { return play.NewEngine("racer", b, 1) }}
		if err := Serve(context.Background(), c, strings.NewReader(input), &out); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if !said.MatchString(strings.TrimSuffix(line, "\n")) {
				t.Errorf("%q", line)
			}
		}
	})
}

// TestNewGameStartsClean: after uginewgame the position is the start of the board of the options, without the last game's moves.
func TestNewGameStartsClean(t *testing.T) {
	got := converse(t, "setoption name Player value racer\nposition fen 5x5 b2 d4 a1h 1,2 1\nuginewgame\nquery p1turn\ngo\n")
	want := converse(t, "setoption name Player value racer\nquery p1turn\ngo\n")
	if !strings.HasPrefix(got, "response true\n") || !strings.Contains(want, "bestmove c2\n") || !strings.Contains(got, "bestmove c2\n") {
		t.Errorf("%s\nwithout an earlier game:\n%s", got, want)
	}
}

// TestNoWallsMeansNone: with the option Walls at 0 no wall can be placed, also after the board was changed.
func TestNoWallsMeansNone(t *testing.T) {
	for _, options := range []string{"setoption name Walls value 0\n", "setoption name Walls value 0\nsetoption name Board value 7x7\n"} {
		if got := converse(t, options+"position startpos moves a1h\n"); !strings.Contains(got, "no walls left") {
			t.Errorf("%s%s", options, got)
		}
	}
}
