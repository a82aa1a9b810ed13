package web

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"runtime"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"

	"rampart/models"
	"rampart/nn"
	"rampart/play"
	"rampart/quoridor"
)

// Bounds of a server.
const (
	mostGames    = 300
	mostReaders  = 300 // of one game
	mostStreams  = 1500
	mostWaiting  = 64 // searches that wait for a slot
	mostLoading  = 4  // games that are being made at once
	idleTime     = 2 * time.Hour
	evictionTime = time.Minute // a game that was idle for so long makes room for a new one
)

// Options of a server. The zero value serves the networks that ship and the classical players on loopback.
type Options struct {
	Version string
	Token   string               // that requests must carry; "" for none, on loopback only
	Hosts   []string             // names that the server goes by, besides those of loopback
	Models  map[string]*nn.Model // to offer besides those that ship
	Players []Player             // to offer besides DefaultPlayers
	Runs    []string             // run folders whose games are shown
	Slots   int                  // searches at once; 0 for one per processor
	Log     *slog.Logger         // nil for none
}

// Server is the [http.Handler] of the web application. Close ends its searches.
type Server struct {
	version string
	token   string
	hosts   map[string]bool
	offers  offers
	runs    runs
	log     *slog.Logger
	mux     *http.ServeMux

	pool    *pool
	exact   *exact
	loading chan struct{} // a token for each game that is being made
	streams chan struct{} // a token for each stream

	ctx    context.Context // of all searches
	cancel context.CancelFunc
	jobs   sync.WaitGroup

	mu    sync.Mutex
	rooms map[string]*room

	// Fixed but in tests.
	now            func() time.Time
	timeouts       timeouts
	heartbeat      time.Duration
	thinkTime      time.Duration // longest for an engine's move
	reportEvery    time.Duration // between reports of an analysis
	quantum        time.Duration // that an analysis keeps its slot when others wait
	analysisVisits int
}

// New returns a server. The error wraps those of package arena if an offered player does not exist.
func New(o Options) (*Server, error) {
	if o.Slots <= 0 {
		o.Slots = runtime.GOMAXPROCS(0)
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	s := &Server{
		version: o.Version, token: o.Token, hosts: make(map[string]bool), log: o.Log, runs: o.Runs,
		offers:  offers{players: append(DefaultPlayers(), o.Players...), models: o.Models},
		pool:    newPool(o.Slots, mostWaiting),
		loading: make(chan struct{}, mostLoading), streams: make(chan struct{}, mostStreams),
		rooms: make(map[string]*room),
		now:   time.Now, timeouts: defaultTimeouts, heartbeat: heartbeat, thinkTime: time.Minute, reportEvery: 200 * time.Millisecond, quantum: 2 * time.Second, analysisVisits: 30_000,
	}
	for _, host := range o.Hosts {
		s.hosts[strings.ToLower(host)] = true
	}
	if err := s.offers.check(); err != nil {
		return nil, err
	}
	s.exact = newExact(s.pool)
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.route()
	return s, nil
}

// Close says goodbye to all readers, ends all searches and waits for them.
func (s *Server) Close() {
	s.mu.Lock()
	rooms := s.rooms
	s.rooms = nil
	s.mu.Unlock()
	for _, r := range rooms {
		r.close("the server ends")
	}
	s.cancel()
	s.jobs.Wait()
}

// handler is a function that answers or returns an error.
type handler func(w http.ResponseWriter, r *http.Request) error

func (s *Server) route() {
	s.mux = http.NewServeMux()
	handle := func(pattern string, h handler) {
		s.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			if err := h(w, r); err != nil {
				s.writeError(w, r, err)
			}
		})
	}
	answer := func(get func(r *http.Request) (any, error)) handler {
		return func(w http.ResponseWriter, r *http.Request) error {
			v, err := get(r)
			if err == nil {
				writeJSON(w, http.StatusOK, v)
			}
			return err
		}
	}
	handle("GET /api/info", answer(func(*http.Request) (any, error) { return s.info(), nil }))
	handle("GET /api/levels", answer(s.levels))
	handle("POST /api/games", s.create)
	handle("GET /api/games/{id}", s.getState)
	handle("GET /api/games/{id}/text", s.getText)
	handle("GET /api/games/{id}/nodes/{node}", s.getView)
	handle("GET /api/games/{id}/events", s.getEvents)
	handle("POST /api/games/{id}/{action}", s.postAction)
	handle("GET /api/runs", answer(func(*http.Request) (any, error) { return s.runs.list() }))
	handle("GET /api/runs/{run}/shards", answer(func(r *http.Request) (any, error) {
		run, err := number(r, "run")
		if err != nil {
			return nil, err
		}
		return s.runs.shardList(run, r.URL.Query())
	}))
	handle("GET /api/runs/{run}/shards/{shard}/games", answer(func(r *http.Request) (any, error) {
		run, err := number(r, "run")
		if err != nil {
			return nil, err
		}
		shard, err := number(r, "shard")
		if err != nil {
			return nil, err
		}
		return s.runs.gameList(run, shard, r.URL.Query())
	}))
	handle("/api/", func(_ http.ResponseWriter, r *http.Request) error {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			other := r.Clone(r.Context())
			other.Method = method
			if _, pattern := s.mux.Handler(other); method != r.Method && pattern != "/api/" {
				return fail(http.StatusMethodNotAllowed, "method", "%s is not for this; %s is", r.Method, method)
			}
		}
		return fail(http.StatusNotFound, "path", "there is nothing at %s", clip(r.URL.Path))
	})
	s.mux.Handle("/", staticFiles(s))
}

// number reads a number of the path.
func number(r *http.Request, name string) (int, error) {
	n, err := strconv.Atoi(r.PathValue(name))
	if err != nil {
		return 0, badRequest("%s %q is not a number", name, clip(r.PathValue(name)))
	}
	return n, nil
}

type modelMessage struct {
	Name  string `json:"name"`
	Board string `json:"board"`
	Walls int    `json:"walls"`
	Text  string `json:"text"`
}

func (s *Server) info() map[string]any {
	list := []modelMessage{}
	for _, name := range s.offers.modelNames() {
		if m := s.offers.models[name]; m != nil {
			list = append(list, modelMessage{name, sizeOf(m.Board), m.Board.Walls, fmt.Sprintf("%s of generation %d", m.ID(), m.Generation)})
			continue
		}
		b, err := boardNamed(name)
		card, err2 := models.LoadCard(name)
		if err != nil || err2 != nil {
			continue
		}
		list = append(list, modelMessage{name, sizeOf(b), b.Walls, fmt.Sprintf("%s, generation %d, %d games", card.Network, card.Generation, card.Games)})
	}
	players := []map[string]any{}
	for _, p := range s.offers.players {
		players = append(players, map[string]any{"spec": p.Spec, "name": p.Spec, "summary": p.Summary, "largest": p.Largest})
	}
	return map[string]any{
		"version": s.version,
		"sizes":   map[string]int{"least": 3, "most": quoridor.MaxSize},
		"models":  list, "players": players,
		"marks":  map[string]float64{"inaccuracy": play.InaccuracyLoss, "mistake": play.MistakeLoss, "blunder": play.BlunderLoss},
		"runs":   len(s.runs),
		"limits": map[string]int{"body": mostBody, "nodes": play.MostNodes},
	}
}

type levelMessage struct {
	Spec   string `json:"spec"`
	Name   string `json:"name"`
	Rating *int   `json:"rating"`
	Text   string `json:"text"`
}

func (s *Server) levels(r *http.Request) (any, error) {
	q := r.URL.Query()
	w, h, err := quoridor.ParseSize(q.Get("board"))
	if err != nil {
		return nil, badRequest("board: %v", err)
	}
	walls, err := strconv.Atoi(q.Get("walls"))
	if err != nil {
		return nil, badRequest("walls %q is not a number", clip(q.Get("walls")))
	}
	b, err := quoridor.NewBoard(w, h, walls)
	if err != nil || w < 3 {
		return nil, badRequest("board: %dx%d with %d walls: columns and rows must be 3 to %d, walls 0 to %d", w, h, walls, quoridor.MaxSize, max(0, (w-1)*(h-1)))
	}
	_, name, trained, err := play.ShippedModel(b)
	if err != nil {
		return nil, err
	}
	list := []levelMessage{}
	for _, l := range play.Levels() {
		m := levelMessage{Spec: fmt.Sprintf("level:%d", l.Number), Name: l.Name, Text: l.Text()}
		if rating, measured := l.Rating(b); measured {
			m.Rating = &rating
		}
		list = append(list, m)
	}
	return map[string]any{"levels": list, "model": name, "trained": trained}, nil
}

// room returns the game with the id, or nil.
func (s *Server) room(id string) *room {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.rooms[id]
}

func errNoGame(id string) error {
	return fail(http.StatusNotFound, "game", "there is no game %q here; it may have been dropped, or the server may have started anew", clip(id))
}

func (s *Server) find(r *http.Request) (*room, error) {
	id := r.PathValue("id")
	if g := s.room(id); g != nil {
		return g, nil
	}
	return nil, errNoGame(id)
}

// add keeps a game. If there is one under its id, and it has the same key, that is returned instead. If there are too many, one that nobody has used or
// watched for a while makes room.
func (s *Server) add(g *room) (*room, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.rooms == nil {
		return nil, errFull("games, since it ends")
	}
	if old := s.rooms[g.id]; old != nil {
		if !old.holds(g.key) {
			return nil, errFull("games under this key")
		}
		return old, nil
	}
	if len(s.rooms) >= mostGames {
		s.drop(s.now().Add(-evictionTime), 1)
	}
	if len(s.rooms) >= mostGames {
		return nil, errFull("games")
	}
	s.rooms[g.id] = g
	return g, nil
}

// drop drops games that were idle since the given time, at most so many, the longest idle first. The caller holds mu.
func (s *Server) drop(since time.Time, most int) {
	var idle []*room
	for _, g := range s.rooms {
		if g.idle(since) {
			idle = append(idle, g)
		}
	}
	sort.Slice(idle, func(i, j int) bool { return idle[i].used.Before(idle[j].used) })
	for _, g := range idle[:min(most, len(idle))] {
		delete(s.rooms, g.id)
		g.close("nobody has used the game for a while")
	}
}

// Sweep drops the games that nobody has used for long.
func (s *Server) Sweep() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drop(s.now().Add(-idleTime), len(s.rooms))
}

func (s *Server) getState(w http.ResponseWriter, r *http.Request) error {
	g, err := s.find(r)
	if err != nil {
		return err
	}
	g.mu.Lock()
	state := g.stateBytes()
	g.mu.Unlock()
	writeBody(w, http.StatusOK, state)
	return nil
}

func (s *Server) getText(w http.ResponseWriter, r *http.Request) error {
	g, err := s.find(r)
	if err != nil {
		return err
	}
	g.mu.Lock()
	text := g.game.Text()
	g.mu.Unlock()
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="quoridor-`+g.id+`.txt"`)
	_, _ = io.WriteString(w, text)
	return nil
}

func (s *Server) getView(w http.ResponseWriter, r *http.Request) error {
	g, err := s.find(r)
	if err != nil {
		return err
	}
	id, err := number(r, "node")
	if err != nil {
		return err
	}
	g.mu.Lock()
	view, err := viewOf(g.game, play.NodeID(id), g.mayShow())
	g.mu.Unlock()
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, view)
	return nil
}

func (s *Server) getEvents(w http.ResponseWriter, r *http.Request) error {
	g, err := s.find(r)
	if err != nil {
		return err
	}
	select {
	case s.streams <- struct{}{}:
		defer func() { <-s.streams }()
		return s.stream(w, r, g)
	default:
		return errFull("streams")
	}
}

func (s *Server) postAction(w http.ResponseWriter, r *http.Request) error {
	a, known := actions[r.PathValue("action")]
	if !known {
		return fail(http.StatusNotFound, "path", "there is no action %q; there are %s", clip(r.PathValue("action")), actionNames())
	}
	g, err := s.find(r)
	if err != nil {
		return err
	}
	var body actionBody
	if err := decode(w, r, &body); err != nil {
		return err
	}
	state, err := g.act(r.Header.Get("X-Game-Key"), a, &body)
	if err != nil {
		return err
	}
	writeBody(w, http.StatusOK, state)
	return nil
}
