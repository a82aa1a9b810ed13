package web

import (
	"bytes"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// heartbeat is the time between two signs of life of a stream.
const heartbeat = 15 * time.Second

// event kinds of a stream, in the order in which they are sent.
const (
	eventState = iota
	eventEvals
	eventAnalysis
	eventBye
	eventKinds
)

var eventNames = [eventKinds]string{"state", "evals", "analysis", "bye"}

// mailbox holds the latest event of each kind for one reader: what he is too slow to take is replaced, so it never grows.
type mailbox struct {
	mu     sync.Mutex
	latest [eventKinds][]byte
	ready  chan struct{}
}

func newMailbox() *mailbox { return &mailbox{ready: make(chan struct{}, 1)} }

// put leaves an event. A state replaces evaluations that were left before it, since it holds them.
func (m *mailbox) put(kind int, data []byte) {
	m.mu.Lock()
	m.latest[kind] = data
	if kind == eventState {
		m.latest[eventEvals] = nil
	}
	m.mu.Unlock()
	select {
	case m.ready <- struct{}{}:
	default:
	}
}

// take returns what there is, as the text of a stream.
func (m *mailbox) take() (text []byte, last bool) {
	m.mu.Lock()
	latest := m.latest
	m.latest = [eventKinds][]byte{}
	m.mu.Unlock()
	var out bytes.Buffer
	for kind, data := range latest {
		if data != nil {
			fmt.Fprintf(&out, "event: %s\ndata: %s\n\n", eventNames[kind], data)
		}
	}
	return out.Bytes(), latest[eventBye] != nil
}

// stream writes a game's events until the client goes, the game is dropped or the server ends.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, game *room) error {
	box := newMailbox()
	if err := game.subscribe(box); err != nil {
		return err
	}
	defer game.unsubscribe(box)
	control := http.NewResponseController(w)
	// The server's limits are for ordinary requests.
	if err := control.SetReadDeadline(time.Time{}); err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
	beat := time.NewTicker(s.heartbeat)
	defer beat.Stop()
	text := []byte("retry: 1000\n\n")
	for last := false; ; {
		_ = control.SetWriteDeadline(time.Now().Add(s.timeouts.event))
		if _, err := w.Write(text); err != nil {
			return nil
		}
		if err := control.Flush(); err != nil || last {
			return nil
		}
		select {
		case <-box.ready:
			text, last = box.take()
		case <-beat.C:
			text = []byte(":\n\n")
		case <-r.Context().Done():
			// The server's end cancels this too; the goodbye was left before.
			if text, last = box.take(); !last {
				return nil
			}
		}
	}
}
