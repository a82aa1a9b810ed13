package web

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"rampart/arena"
	"rampart/play"
	"rampart/quoridor"
)

func TestMain(m *testing.M) {
	arena.Register(play.NetKind)
	arena.Register(play.LevelKind)
	for name, move := range map[string]func(ctx context.Context, g *quoridor.Game) (quoridor.Move, error){
		"blocking": block,
		"failing": func(context.Context, *quoridor.Game) (quoridor.Move, error) {
			return quoridor.NoMove, errors.New("the engine is out of order")
		},
		"panicking": func(context.Context, *quoridor.Game) (quoridor.Move, error) { panic("on purpose") },
		"cheating":  func(context.Context, *quoridor.Game) (quoridor.Move, error) { return quoridor.HWall(0, 0), nil },
	} {
		arena.Register(arena.Kind{Name: name, Usage: name, Summary: "for tests", Parse: func(*arena.Args) (func(*quoridor.Board) (arena.Player, error), error) {
			return func(*quoridor.Board) (arena.Player, error) { return testPlayer(move), nil }, nil
		}})
	}
	goleak.VerifyTestMain(m)
}

// testPlayer is a player made of a function.
type testPlayer func(ctx context.Context, g *quoridor.Game) (quoridor.Move, error)

func (testPlayer) NewGame(uint64) {}
func (p testPlayer) Move(ctx context.Context, g *quoridor.Game) (quoridor.Move, error) {
	return p(ctx, g)
}

// thinkers is the number of blocking players that think, mostThinkers the highest that it was; given is the time that the last one had at first.
var thinkers, mostThinkers, given atomic.Int64

// block thinks until it is told to stop.
func block(ctx context.Context, _ *quoridor.Game) (quoridor.Move, error) {
	if end, limited := ctx.Deadline(); limited {
		given.Store(int64(time.Until(end)))
	}
	n := thinkers.Add(1)
	defer thinkers.Add(-1)
	for old := mostThinkers.Load(); n > old && !mostThinkers.CompareAndSwap(old, n); old = mostThinkers.Load() {
	}
	<-ctx.Done()
	return quoridor.NoMove, ctx.Err()
}

// patience bounds every wait of a test: whoever runs into it has failed.
const patience = 3 * time.Minute

// site is a server that runs on a free port of loopback, or on pipes in memory.
type site struct {
	t      testing.TB
	server *Server
	client *http.Client
	base   string
	addr   string
	dial   func() (net.Conn, error)
}

// start runs a server until the test ends. change may be nil.
func start(t testing.TB, o Options, change func(*Server)) *site {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return startOn(t, l, func() (net.Conn, error) { return net.Dial("tcp", l.Addr().String()) }, o, change)
}

// startOnPipes does the same without sockets, for a test of what time does: in a bubble of package synctest it passes only while everybody waits,
// so that nobody is late because the machine is busy.
func startOnPipes(t testing.TB, o Options, change func(*Server)) *site {
	t.Helper()
	l := &pipes{conns: make(chan net.Conn), closed: make(chan struct{})}
	return startOn(t, l, l.dial, o, change)
}

// pipes is a listener of connections in memory, which hold nothing that the other side has not read.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80} }

func (p *pipes) dial() (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case p.conns <- there:
		return here, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// startOn runs a server on a listener.
func startOn(t testing.TB, l net.Listener, dial func() (net.Conn, error), o Options, change func(*Server)) *site {
	t.Helper()
	for _, name := range []string{"blocking", "failing", "panicking", "cheating"} {
		o.Players = append(o.Players, Player{name, "", 81})
	}
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	s.timeouts = timeouts{patience, patience, patience, patience, patience} // a busy machine is no slow client
	s.thinkTime = time.Hour                                                 // blocking players are told to stop
	if change != nil {
		change(s)
	}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx, l) }()
	transport := &http.Transport{MaxIdleConnsPerHost: 8, DialContext: func(context.Context, string, string) (net.Conn, error) { return dial() }}
	client := &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	st := &site{t: t, server: s, client: client, base: "http://" + l.Addr().String(), addr: l.Addr().String(), dial: dial}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		cancel()
		select {
		case err := <-served:
			if err != nil {
				t.Errorf("Serve: %v", err)
			}
		case <-time.After(patience):
			t.Error("the server does not end")
		}
	})
	return st
}

// do sends a request: the body as JSON, or as it is if it is text.
func (s *site) do(method, path, key string, body any) (int, []byte) {
	s.t.Helper()
	var reader io.Reader
	if text, ok := body.(string); ok {
		reader = strings.NewReader(text)
	} else if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			s.t.Fatal(err)
		}
		reader = bytes.NewReader(data)
	}
	req, err := http.NewRequest(method, s.base+path, reader)
	if err != nil {
		s.t.Fatal(err)
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		req.Header.Set("X-Game-Key", key)
	}
	if s.server.token != "" {
		req.Header.Set("Authorization", "Bearer "+s.server.token)
	}
	return s.send(req)
}

func (s *site) send(req *http.Request) (int, []byte) {
	s.t.Helper()
	res, err := s.client.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return res.StatusCode, data
}

// createInside makes a game without a connection, for sites that are impatient with those.
func (s *site) createInside(body string) *table {
	s.t.Helper()
	w := post(s.server, "/api/games", "", body)
	var made struct {
		ID, Key string
		State   stateMessage
	}
	if err := json.Unmarshal(w.Body.Bytes(), &made); w.Code != http.StatusCreated || err != nil {
		s.t.Fatalf("create %s: %d %s", body, w.Code, w.Body)
	}
	return &table{site: s, id: made.ID, key: made.Key, state: made.State}
}

// actInside acts without a connection.
func (g *table) actInside(action, body string) {
	g.t.Helper()
	if w := post(g.server, "/api/games/"+g.id+"/"+action, g.key, body); w.Code != http.StatusOK {
		g.t.Fatalf("%s %s: %d %s", action, body, w.Code, w.Body)
	}
}

// table is a game on a site, for one who has the key.
type table struct {
	*site
	id, key string
	state   stateMessage
}

type fields = map[string]any

// create makes a game.
func (s *site) create(body fields) *table {
	s.t.Helper()
	status, data := s.do("POST", "/api/games", "", body)
	if status != http.StatusCreated && status != http.StatusOK {
		s.t.Fatalf("create %v: %d %s", body, status, data)
	}
	var made struct {
		ID, Key string
		State   stateMessage
	}
	if err := json.Unmarshal(data, &made); err != nil {
		s.t.Fatal(err)
	}
	return &table{site: s, id: made.ID, key: made.Key, state: made.State}
}

// try acts and returns the status and the error's code, "" for none; it keeps the state.
func (g *table) try(action string, body fields) (status int, code, text string) {
	g.t.Helper()
	status, data := g.do("POST", "/api/games/"+g.id+"/"+action, g.key, body)
	if status == http.StatusOK {
		var m stateMessage
		if err := json.Unmarshal(data, &m); err != nil {
			g.t.Fatal(err)
		}
		g.state = m
		return status, "", ""
	}
	var e struct{ Error, Code string }
	if err := json.Unmarshal(data, &e); err != nil || e.Error == "" || e.Code == "" {
		g.t.Fatalf("%s %v: %d %q is no error message", action, body, status, data)
	}
	return status, e.Code, e.Error
}

// act acts at the current version and must succeed.
func (g *table) act(action string, body fields) {
	g.t.Helper()
	if body == nil {
		body = fields{}
	}
	if actions[action].versioned {
		body["version"] = g.state.Version
	}
	if status, code, text := g.try(action, body); status != http.StatusOK {
		g.t.Fatalf("%s %v: %d %s: %s", action, body, status, code, text)
	}
}

// refused acts at the current version and must fail with the code.
func (g *table) refused(action string, body fields, code string) {
	g.t.Helper()
	if body == nil {
		body = fields{}
	}
	if _, given := body["version"]; !given && actions[action].versioned {
		body["version"] = g.state.Version
	}
	before := g.get()
	if _, got, text := g.try(action, body); got != code {
		g.t.Errorf("%s %v: code %q (%s), want %q", action, body, got, text, code)
	}
	if after := g.get(); after.Version != before.Version || after.Text != before.Text || after.Cursor != before.Cursor {
		g.t.Errorf("%s %v was refused and changed the game", action, body)
	}
}

func (g *table) move(word string) {
	g.t.Helper()
	g.act("move", fields{"node": g.state.Cursor, "move": word})
}

func (g *table) get() stateMessage {
	g.t.Helper()
	status, data := g.do("GET", "/api/games/"+g.id, "", nil)
	var m stateMessage
	if err := json.Unmarshal(data, &m); status != http.StatusOK || err != nil {
		g.t.Fatalf("state: %d %s %v", status, data, err)
	}
	return m
}

// until waits for a state that fulfils the condition and keeps it.
func (g *table) until(what string, condition func(m *stateMessage) bool) {
	g.t.Helper()
	s := g.watch()
	defer s.close()
	g.state = s.until(what, condition)
}

// settle waits until no engine thinks.
func (g *table) settle() {
	g.t.Helper()
	g.until("the engine's move", func(m *stateMessage) bool { return !m.Turn.Thinking })
}

// reader reads a stream.
type reader struct {
	t      testing.TB
	body   io.ReadCloser
	lines  *bufio.Reader
	cancel context.CancelFunc
	last   map[string]json.RawMessage
}

// watchID opens the game's stream.
func (s *site) watchID(id string) *reader {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	req, err := http.NewRequestWithContext(ctx, "GET", s.base+"/api/games/"+id+"/events", nil)
	if err != nil {
		s.t.Fatal(err)
	}
	res, err := s.client.Do(req)
	if err != nil {
		cancel()
		s.t.Fatal(err)
	}
	if res.StatusCode != http.StatusOK || res.Header.Get("Content-Type") != "text/event-stream" {
		s.t.Errorf("stream: %d, %s", res.StatusCode, res.Header.Get("Content-Type"))
	}
	return &reader{t: s.t, body: res.Body, lines: bufio.NewReader(res.Body), cancel: cancel, last: map[string]json.RawMessage{}}
}

func (g *table) watch() *reader { return g.watchID(g.id) }

func (r *reader) close() {
	r.cancel()
	_ = r.body.Close()
}

// next returns the next event.
func (r *reader) next() (kind string, data json.RawMessage, err error) {
	for {
		line, err := r.lines.ReadString('\n')
		if err != nil {
			return "", nil, err
		}
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "event: "):
			kind = line[7:]
		case strings.HasPrefix(line, "data: "):
			data = json.RawMessage(line[6:])
		case line == "" && kind != "":
			r.last[kind] = data
			return kind, data, nil
		}
	}
}

// until reads on to a state that fulfils the condition.
func (r *reader) until(what string, condition func(m *stateMessage) bool) stateMessage {
	r.t.Helper()
	var m stateMessage
	r.event("state", what, &m, func() bool { return condition(&m) })
	return m
}

// event reads on to an event of the kind that fulfils the condition.
func (r *reader) event(kind, what string, into any, condition func() bool) {
	r.t.Helper()
	for {
		got, data, err := r.next()
		if err != nil {
			r.t.Fatalf("waiting for %s: %v; the last state was %s", what, err, r.last["state"])
		}
		if got != kind {
			continue
		}
		switch m := into.(type) {
		case *stateMessage:
			*m = stateMessage{}
		case *analysisMessage:
			*m = analysisMessage{}
		case *evalsMessage:
			*m = evalsMessage{}
		}
		if err := json.Unmarshal(data, into); err != nil {
			r.t.Fatalf("%s: %v in %s", kind, err, data)
		}
		if condition() {
			return
		}
	}
}

// wait polls a condition that no event tells of.
func wait(t testing.TB, what string, condition func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !condition(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s does not happen", what)
		}
	}
}

// raw sends bytes over a connection of their own and returns what comes back until the server closes it.
func (s *site) raw(text string) string {
	s.t.Helper()
	c, err := s.dial()
	if err != nil {
		s.t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(patience))
	go func() { _, _ = io.WriteString(c, text) }() // the server need not read all of it
	answer, err := io.ReadAll(c)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		s.t.Errorf("the connection of %.80q is not closed", text)
	}
	return string(answer)
}
