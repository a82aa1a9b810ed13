package web

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"encoding/json"
	"strings"
	"sync"
	"time"

	"rampart/play"
)

// room is a game with those who look at it and the search that works for it. Everything below mu is guarded by it.
type room struct {
	id, key string
	server  *Server
	seed    uint64

	mu      sync.Mutex
	game    *play.Game
	seats   [2]choice
	version int // grows whenever the tree, the head, the players or the result change
	seq     int // grows with every message
	boxes   map[*mailbox]bool
	used    time.Time // last action or reader
	gone    bool
	flag    *time.Timer

	// What is wanted. Whoever changes it calls schedule.
	thinking  bool // an engine shall move at the head
	turn      int  // grows with every time that one is told to
	turnError string
	hints     bool
	analysing bool
	model     string // of the analysis, "" for the one that ships
	review    review

	job      *job
	analysis *analysisMessage     // of the node that was analysed last
	complete jobKey               // the analysis that is finished
	solving  bool                 // exact values are being worked out for this room
	changed  map[play.NodeID]bool // evaluated since the last state
}

// idOf makes a game's id from its key: whoever has the key can make the game again under its id, and nobody else can take it.
func idOf(key string) string {
	sum := sha256.Sum256([]byte("rampart game " + key))
	return strings.ToLower(base32.StdEncoding.EncodeToString(sum[:])[:10])
}

func newRoom(s *Server, key string, g *play.Game, seats [2]choice, seed uint64) *room {
	return &room{
		id: idOf(key), key: key, server: s, seed: seed, game: g, seats: seats, version: 1, used: s.now(),
		boxes: make(map[*mailbox]bool), changed: make(map[play.NodeID]bool),
	}
}

// holds tells whether the key is the game's.
func (r *room) holds(key string) bool {
	return subtle.ConstantTimeCompare([]byte(key), []byte(r.key)) == 1
}

func (r *room) subscribe(box *mailbox) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.gone:
		return errNoGame(r.id)
	case len(r.boxes) >= mostReaders:
		return errFull("readers of this game")
	}
	r.boxes[box] = true
	r.used = r.server.now()
	box.put(eventState, r.stateBytes())
	if r.analysis != nil && r.mayShow() {
		box.put(eventAnalysis, r.analysisBytes())
	}
	return nil
}

func (r *room) unsubscribe(box *mailbox) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.boxes, box)
	r.used = r.server.now()
}

// close ends the room: its search stops, its readers are sent away.
func (r *room) close(reason string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.gone = true
	r.schedule()
	if r.flag != nil {
		r.flag.Stop()
	}
	bye, _ := json.Marshal(map[string]string{"reason": reason})
	for box := range r.boxes {
		box.put(eventBye, bye)
	}
}

// idle tells whether nobody has used or watched the room since the given time.
func (r *room) idle(since time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.boxes) == 0 && r.used.Before(since)
}

// hidden tells whether this is a game between a person and an engine that goes on: evaluations would be help.
func (r *room) hidden() bool {
	s := r.game.Setup()
	return s.IsEngine(0) != s.IsEngine(1) && !r.game.Result(r.game.Head()).Over
}

// mayShow tells whether evaluations may be shown.
func (r *room) mayShow() bool { return r.hints || !r.hidden() }

// state returns the whole state.
func (r *room) state() stateMessage {
	g := r.game
	head, _ := g.Node(g.Head())
	show := r.mayShow()
	view, _ := viewOf(g, g.Cursor(), show) // the cursor exists
	side := head.Position.Side()
	m := stateMessage{
		ID: r.id, Version: r.version, Seq: r.seq, Setup: setupOf(g.Setup()), Nodes: nodesOf(g, show), Line: g.Line(g.Cursor()),
		Cursor: g.Cursor(), Head: g.Head(), HeadMoves: texts(g.Moves(g.Head())), View: view,
		Turn:   turnMessage{Side: side, Engine: g.Setup().IsEngine(side), Thinking: r.thinking, Error: r.turnError},
		Result: resultOf(g.Result(g.Head())), Hints: r.hints, Analysis: analysisSwitch{On: r.analysing, Allowed: show},
		Review: r.review.message(), Text: g.Text(), Share: g.Share(g.Cursor()), Title: g.Title,
	}
	if g.Setup().Clock.On() {
		m.Clock = &clockMessage{Left: milliseconds(g.Left(r.server.now())), Running: g.Running()}
	}
	return m
}

func (r *room) stateBytes() []byte {
	data, err := json.Marshal(r.state())
	if err != nil {
		r.server.log.Error("state", "error", err)
	}
	return data
}

// publish sends the state to all readers and returns it.
func (r *room) publish() []byte {
	r.seq++
	clear(r.changed)
	r.armFlag()
	data := r.stateBytes()
	r.send(eventState, data)
	return data
}

func (r *room) send(kind int, data []byte) {
	for box := range r.boxes {
		box.put(kind, data)
	}
}

// publishEvals sends what was evaluated since the last state.
func (r *room) publishEvals() {
	if !r.mayShow() {
		return
	}
	r.seq++
	m := evalsMessage{Seq: r.seq, Nodes: []nodeEvaluation{}, Review: r.review.message()}
	affected := make(map[play.NodeID]bool) // the loss of a move depends on the node before it
	for id := range r.changed {
		n, err := r.game.Node(id)
		if err != nil {
			continue
		}
		affected[id] = true
		for _, child := range n.Children {
			affected[child] = true
		}
	}
	for _, n := range r.game.Nodes() {
		if affected[n.ID] {
			m.Nodes = append(m.Nodes, nodeEvaluation{n.ID, evaluationOf(r.game, n.ID)})
		}
	}
	if data, err := json.Marshal(m); err == nil {
		r.send(eventEvals, data)
	}
}

// analysisBytes returns what the analysis says, with the exact values that are known by now.
func (r *room) analysisBytes() []byte {
	m := *r.analysis
	if n, err := r.game.Node(m.Node); err == nil {
		if exact, known := r.server.exact.known(r.game.Setup().Board, n.Position); known {
			m.Exact = exact
		} else if r.solving {
			m.Exact = &exactMessage{State: "solving", Moves: map[string]exactValue{}}
		}
	}
	data, err := json.Marshal(m)
	if err != nil {
		r.server.log.Error("analysis", "error", err)
	}
	return data
}

func (r *room) publishAnalysis() {
	if r.analysis != nil && r.mayShow() {
		r.send(eventAnalysis, r.analysisBytes())
	}
}

// armFlag sets the timer for the moment when the running clock will be at 0.
func (r *room) armFlag() {
	if r.flag != nil {
		r.flag.Stop()
		r.flag = nil
	}
	when, runs := r.game.FlagTime()
	if !runs || r.gone {
		return
	}
	r.flag = time.AfterFunc(when.Sub(r.server.now()), func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if !r.gone {
			r.checkFlag()
		}
	})
}

// checkFlag ends the game if a clock is at 0.
func (r *room) checkFlag() {
	if !r.game.Flag(r.server.now()) {
		return
	}
	r.thinking = false
	r.version++
	r.schedule()
	r.publish()
}
