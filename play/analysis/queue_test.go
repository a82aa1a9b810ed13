package analysis

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"rampart/internal/lines"
	"rampart/play"
	"rampart/quoridor"
)

// slow is an engine whose searches last until they are told to end.
type slow struct {
	began chan string   // position of each search that begins
	end   chan struct{} // ends one search
	fail  error
}

func (s *slow) Name() string { return "slow" }

func (s *slow) Close() error { return nil }

func (s *slow) Think(ctx context.Context, g *quoridor.Game, _ play.Limits, report func(*play.Report)) (*play.Report, error) {
	p := g.Position()
	r := &play.Report{Move: g.Board.Moves(nil, &p)[0], Visits: 1}
	if report != nil {
		report(r)
	}
	s.began <- g.Board.Format(p)
	select {
	case <-ctx.Done():
	case <-s.end:
		r.Visits = 2
	}
	return r, s.fail
}

// session is a server that a test talks to.
type session struct {
	t    *testing.T
	in   *io.PipeWriter
	out  *lines.Reader
	done chan error
	*slow
}

func newSession(t *testing.T, ctx context.Context, workers int) *session {
	s := &session{t: t, done: make(chan error, 1), slow: &slow{began: make(chan string), end: make(chan struct{})}}
	c := Config{Visits: 1, Workers: workers, NewEngine: func(*quoridor.Board) (play.Engine, error) { return s.slow, nil }}
	server, err := NewServer(c)
	if err != nil {
		t.Fatal(err)
	}
	in, inWriter := io.Pipe()
	outReader, out := io.Pipe()
	s.in, s.out = inWriter, lines.NewReader(outReader, 1<<20)
	go func() {
		err := server.Serve(ctx, in, out)
		out.Close()
		in.Close()
		s.done <- err
	}()
	return s
}

func (s *session) send(format string, args ...any) { fmt.Fprintf(s.in, format+"\n", args...) }

func (s *session) next() message {
	s.t.Helper()
	line, err := s.out.Next()
	if err != nil {
		s.t.Fatal(err)
	}
	return decode(s.t, line)
}

// query asks about a position that says its number in the walls left.
func (s *session) query(n int, more string) {
	s.send(`{"id":"%d","initialPosition":"5x5 c1 c5 - %d,0 0","moves":[]%s}`, n, n, more)
}

func position(n int) string { return fmt.Sprintf("5x5 c1 c5 - %d,0 0", n) }

// TestPriority: what waits is taken by priority, then by arrival.
func TestPriority(t *testing.T) {
	s := newSession(t, context.Background(), 1)
	s.query(0, "")
	if got := <-s.began; got != position(0) {
		t.Fatal(got)
	}
	for n, priority := range []int{1: 0, 2: 5, 3: 5, 4: -1, 5: 7} {
		if n > 0 {
			s.query(n, fmt.Sprintf(`,"priority":%d`, priority))
		}
	}
	s.send(`{"id":"sync","action":"clear_cache"}`)
	if m := s.next(); m.ID != "sync" {
		t.Fatalf("%+v", m)
	}
	s.in.Close()
	for i, n := range []int{0, 5, 2, 3, 1, 4} {
		if i > 0 {
			if got := <-s.began; got != position(n) {
				t.Errorf("search %d is of %s, want %s", i, got, position(n))
			}
		}
		s.end <- struct{}{}
		if m := s.next(); m.ID != fmt.Sprint(n) || m.IsDuringSearch || m.RootInfo.Visits != 2 {
			t.Errorf("%+v", m)
		}
	}
	if err := <-s.done; err != nil {
		t.Error(err)
	}
}

// TestTerminate: a search that runs ends and gives what it has; one that waits gives nothing; others are not touched.
func TestTerminate(t *testing.T) {
	s := newSession(t, context.Background(), 1)
	s.send(`{"id":"a","boardXSize":5,"boardYSize":5,"walls":0,"moves":["c2","c4"],"analyzeTurns":[0,1,2],"reportDuringSearchEvery":0.5}`)
	s.query(1, "")
	if m := s.next(); !m.IsDuringSearch || m.TurnNumber != 0 {
		t.Fatalf("%+v", m)
	}
	<-s.began
	s.send(`{"id":"t","action":"terminate","terminateId":"a","turnNumbers":[1]}`)
	if m := s.next(); m.ID != "t" || m.TerminateID != "a" {
		t.Errorf("%+v", m)
	}
	if m := s.next(); m.ID != "a" || m.TurnNumber != 1 || !m.NoResults {
		t.Errorf("%+v", m)
	}
	s.send(`{"id":"u","action":"terminate","terminateId":"a"}`)
	seen := map[string]message{}
	for range 3 {
		m := s.next()
		seen[fmt.Sprint(m.ID, m.TurnNumber)] = m
	}
	if m := seen["a0"]; m.NoResults || m.IsDuringSearch || m.RootInfo == nil || m.RootInfo.Visits != 1 || !seen["a2"].NoResults || seen["u0"].Action != "terminate" {
		t.Errorf("%+v", seen)
	}
	if got := <-s.began; got != position(1) {
		t.Error(got)
	}
	s.query(2, "")
	s.send(`{"id":"all","action":"terminate_all"}`)
	seen = map[string]message{}
	for range 3 {
		m := s.next()
		seen[m.ID] = m
	}
	if seen["1"].RootInfo.Visits != 1 || !seen["2"].NoResults {
		t.Errorf("%+v", seen)
	}
	s.in.Close()
	if err := <-s.done; err != nil {
		t.Error(err)
	}
}

// TestSearchesRunAtOnce: as many as there are workers.
func TestSearchesRunAtOnce(t *testing.T) {
	s := newSession(t, context.Background(), 3)
	for n := range 3 {
		s.query(n, "")
	}
	var got []string
	for range 3 {
		got = append(got, <-s.began)
	}
	if slices.Sort(got); !slices.Equal(got, []string{position(0), position(1), position(2)}) {
		t.Errorf("%q", got)
	}
	s.in.Close()
	for range 3 {
		s.end <- struct{}{}
		s.next()
	}
	if err := <-s.done; err != nil {
		t.Error(err)
	}
}

// TestInterrupt: when the context ends, searches end and what waits is dropped.
func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	s := newSession(t, ctx, 1)
	s.query(1, "")
	<-s.began
	s.query(2, "")
	cancel()
	if m := s.next(); m.ID != "1" {
		t.Errorf("%+v", m)
	}
	if _, err := s.out.Next(); err != io.EOF {
		t.Errorf("after the interrupt: %v", err)
	}
	if err := <-s.done; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// TestNobodyReads: when the output fails, the server ends with that error.
func TestNobodyReads(t *testing.T) {
	s, err := NewServer(netConfig())
	if err != nil {
		t.Fatal(err)
	}
	in, hold := io.Pipe()
	defer in.Close()
	go hold.Write([]byte("{\"id\":\"a\",\"action\":\"clear_cache\"}\n"))
	reader, out := io.Pipe()
	reader.CloseWithError(errors.New("gone"))
	if err := s.Serve(context.Background(), in, out); err == nil || !strings.Contains(err.Error(), "gone") {
		t.Errorf("error %v", err)
	}
}

// TestQueueIsBounded: more positions than may wait are refused as a whole.
func TestQueueIsBounded(t *testing.T) {
	q := newQueue()
	turns := make([]int, MostPending/2+1)
	if !q.add(context.Background(), &query{turns: turns}) || q.add(context.Background(), &query{turns: turns}) || q.waiting.Len() != len(turns) {
		t.Errorf("%d positions wait", q.waiting.Len())
	}
	q.close(true)
}
