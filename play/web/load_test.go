package web

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"rampart/play"
)

// heapInUse returns the bytes in use after a collection.
func heapInUse() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse + m.StackInuse
}

// TestThousandConnections: a thousand readers that hold their streams open and read nothing cost little, everybody else is served meanwhile, each of them
// gets the last state when he reads, and all goes when they go.
func TestThousandConnections(t *testing.T) {
	const readers = 1000
	s := start(t, Options{}, nil)
	tables := make([]*table, 20)
	for i := range tables {
		tables[i] = s.create(fields{"board": "9x9", "walls": 10, "players": []string{"person", "racer"}})
	}
	goroutines, heap := runtime.NumGoroutine(), heapInUse()
	conns := make([]net.Conn, readers)
	for i := range conns {
		c, err := net.Dial("tcp", s.addr)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		conns[i] = c
		if _, err := io.WriteString(c, "GET /api/games/"+tables[i%len(tables)].id+"/events HTTP/1.1\r\nHost: localhost\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
	}
	wait(t, "the thousandth stream", func() bool { return len(s.server.streams) == readers })
	for _, g := range tables {
		g.move("e2")
		g.settle()
	}
	if n := runtime.NumGoroutine() - goroutines; n > 4*readers {
		t.Errorf("%d goroutines for %d streams", n, readers)
	}
	if grown := int64(heapInUse()) - int64(heap); grown > 100<<20 {
		t.Errorf("%d MiB for %d streams", grown>>20, readers)
	}
	for i, c := range conns {
		g := tables[i%len(tables)]
		_ = c.SetReadDeadline(time.Now().Add(patience))
		lines := bufio.NewReader(c)
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				t.Fatalf("reader %d: %v", i, err)
			}
			if strings.Contains(line, `"headMoves":["e2","`+g.state.HeadMoves[1]) {
				break
			}
		}
	}
	for _, c := range conns {
		_ = c.Close()
	}
	wait(t, "the end of the streams", func() bool { return len(s.server.streams) == 0 && runtime.NumGoroutine() < goroutines+50 })
}

// TestConnectionsAreBounded: those beyond the number are closed, and the places of those who go are given to others.
func TestConnectionsAreBounded(t *testing.T) {
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := limitListener(inner, 2)
	defer l.Close()
	accepted := make(chan net.Conn, 10)
	go func() {
		defer close(accepted)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			accepted <- c
		}
	}()
	dial := func() net.Conn {
		c, err := net.Dial("tcp", inner.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		_ = c.SetDeadline(time.Now().Add(patience))
		return c
	}
	dial()
	dial()
	first := <-accepted
	<-accepted
	if _, err := dial().Read(make([]byte, 1)); err == nil {
		t.Error("a third connection was served")
	}
	_ = first.Close()
	_ = first.Close() // gives one place back only
	dial()
	<-accepted
	if _, err := dial().Read(make([]byte, 1)); err == nil {
		t.Error("one that was closed twice gave two places back")
	}
}

// TestSlowClients: those who take too long for their request, or do not take their events, are cut off.
func TestSlowClients(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := startOnPipes(t, Options{}, func(s *Server) {
			s.timeouts = timeouts{header: 100 * time.Millisecond, request: 200 * time.Millisecond, answer: time.Second, event: 100 * time.Millisecond, idle: 100 * time.Millisecond}
		})
		for _, text := range []string{
			"", "GET /", "GET / HTTP/1.1\r\nHost: localhost\r\nX: y\r\n", // they wait in the head
			"POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{", // and in the body
			"GET /api/info HTTP/1.1\r\nHost: localhost\r\n\r\n",                                                            // and between requests
		} {
			began := time.Now()
			s.raw(text) // returns when the server has closed the connection
			if took := time.Since(began); took > time.Second {
				t.Errorf("%.80q is waited for for %s", text, took)
			}
		}
		g := s.createInside(`{"board": "9x9", "walls": 10, "plyCap": 0, "repetition": false, "moves": "e2 e8"}`)
		c, err := s.dial()
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if _, err := io.WriteString(c, "GET /api/games/"+g.id+"/events HTTP/1.1\r\nHost: localhost\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		for lines := bufio.NewReader(c); ; { // takes the first event and no other
			line, err := lines.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(line, "data: ") {
				break
			}
		}
		if n := len(s.server.streams); n != 1 {
			t.Errorf("%d streams while one is read", n)
		}
		wait(t, "the end of a stream that nobody reads", func() bool {
			g.actInside("goto", `{"to": "start"}`)
			return len(s.server.streams) == 0
		})
	})
}

// TestStreamsAreNotCutOff: the limits of ordinary requests do not end a stream, and a silent one shows signs of life.
func TestStreamsAreNotCutOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := startOnPipes(t, Options{}, func(s *Server) {
			s.timeouts.request, s.timeouts.answer, s.heartbeat = 500*time.Millisecond, 500*time.Millisecond, 50*time.Millisecond
		})
		g := s.createInside(`{"board": "5x5", "walls": 2}`)
		r := g.watch()
		defer r.close()
		for beats := 0; beats < 25; {
			line, err := r.lines.ReadString('\n')
			if err != nil {
				t.Fatalf("after %d signs of life: %v", beats, err)
			}
			if line == ":\n" {
				beats++
			}
		}
		g.actInside("move", `{"version": 1, "node": 0, "move": "c2"}`)
		r.until("the move", func(m *stateMessage) bool { return len(m.HeadMoves) == 1 })
	})
}

// TestMailboxKeepsTheLast: a reader who does not read costs one event of each kind.
func TestMailboxKeepsTheLast(t *testing.T) {
	box := newMailbox()
	for range 1000 {
		box.put(eventEvals, []byte("old"))
		box.put(eventState, []byte("state"))
		box.put(eventAnalysis, []byte("analysis"))
	}
	text, last := box.take()
	if want := "event: state\ndata: state\n\nevent: analysis\ndata: analysis\n\n"; string(text) != want || last {
		t.Errorf("%q", text)
	}
	box.put(eventBye, []byte("{}"))
	if text, last := box.take(); string(text) != "event: bye\ndata: {}\n\n" || !last {
		t.Errorf("%q", text)
	}
}

// TestSearchFlood: searches beyond the slots wait, beyond the places in the queue they are refused with 429 and nothing changes, never more run at once than
// there are slots, and all can be ended.
func TestSearchFlood(t *testing.T) {
	const slots = 2
	s := start(t, Options{Slots: slots}, nil)
	mostThinkers.Store(0)
	var thinking, refused []*table
	for range slots + mostWaiting + 20 {
		g := s.create(fields{"board": "5x5", "walls": 2, "players": []string{"person", "blocking"}})
		status, code, _ := g.try("move", fields{"version": 1, "node": 0, "move": "c2"})
		switch {
		case status == http.StatusOK:
			thinking = append(thinking, g)
			wait(t, "a place", func() bool {
				s.server.pool.mu.Lock()
				defer s.server.pool.mu.Unlock()
				return slots-s.server.pool.free+len(s.server.pool.queue) == len(thinking)
			})
		case status == http.StatusTooManyRequests && code == "busy":
			refused = append(refused, g)
		default:
			t.Fatalf("%d %s", status, code)
		}
	}
	if len(thinking) != slots+mostWaiting || len(refused) != 20 {
		t.Errorf("%d think or wait, %d were refused", len(thinking), len(refused))
	}
	for _, g := range refused {
		if m := g.get(); m.Version != 1 || len(m.HeadMoves) != 0 || m.Turn.Thinking {
			t.Errorf("a refused move changed the game: %+v", m.Turn)
		}
		g.refused("analysis", fields{"on": true, "hints": true}, "busy")
	}
	if status, _ := s.do("POST", "/api/games", "", fields{"board": "5x5", "walls": 2, "players": []string{"blocking", "person"}}); status != http.StatusTooManyRequests {
		t.Errorf("a new game for an engine: %d", status)
	}
	for _, g := range thinking {
		g.act("undo", nil)
	}
	wait(t, "the end of thinking", func() bool {
		s.server.pool.mu.Lock()
		defer s.server.pool.mu.Unlock()
		return thinkers.Load() == 0 && s.server.pool.free == slots && len(s.server.pool.queue) == 0
	})
	if n := mostThinkers.Load(); n > slots {
		t.Errorf("%d searches at once, %d slots", n, slots)
	}
	refused[0].move("c2")
	refused[0].act("now", nil)
}

// TestAnalysesShareTheSlots: many live analyses on one slot all get their turns.
func TestAnalysesShareTheSlots(t *testing.T) {
	s := start(t, Options{Slots: 1}, func(s *Server) {
		s.quantum, s.reportEvery, s.analysisVisits = time.Millisecond, time.Millisecond, play.MostVisits
	})
	readers := make([]*reader, 12)
	for i := range readers {
		g := s.create(fields{"board": "9x9", "walls": 10})
		g.act("analysis", fields{"on": true})
		readers[i] = g.watch()
		defer readers[i].close()
	}
	for _, r := range readers {
		var m analysisMessage
		r.event("analysis", "a turn", &m, func() bool { return m.Visits > 0 })
	}
}

// TestGamesAreBounded: when there are as many games as the server takes, one that nobody used for a while makes room, and if there is none the answer is 503.
func TestGamesAreBounded(t *testing.T) {
	var later atomic.Int64
	began := time.Now()
	tick := func() time.Time { return began.Add(time.Duration(later.Add(int64(time.Millisecond)))) } // however long it takes to make all those games
	s := start(t, Options{}, func(s *Server) { s.now = tick })
	first := s.create(fields{"board": "3x3", "walls": 0})
	watched := first.watch()
	defer watched.close()
	second := s.create(fields{"board": "3x3", "walls": 0})
	for range mostGames - 2 {
		s.create(fields{"board": "3x3", "walls": 0})
	}
	if status, data := s.do("POST", "/api/games", "", fields{}); status != 503 || !strings.Contains(string(data), `"full"`) {
		t.Errorf("one too many: %d %s", status, data)
	}
	later.Add(int64(2 * evictionTime))
	s.create(fields{})
	first.get() // somebody watches
	if status, _ := s.do("GET", "/api/games/"+second.id, "", nil); status != 404 {
		t.Errorf("the game that was idle longest is still there: %d", status)
	}
	later.Add(int64(2 * idleTime))
	s.server.Sweep()
	if n := len(s.server.rooms); n != 1 {
		t.Errorf("%d games after hours without use, want the one that is watched", n)
	}
}
