package web

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"time"

	"rampart/play"
	"rampart/quoridor"
)

// createBody is the body of a request for a game.
type createBody struct {
	Key        string      `json:"key"`
	Board      string      `json:"board"`
	Walls      *int        `json:"walls"`
	Start      string      `json:"start"`
	Moves      string      `json:"moves"`
	Players    []string    `json:"players"`
	Clock      *clockSetup `json:"clock"`
	PlyCap     *int        `json:"plyCap"`
	Repetition *bool       `json:"repetition"`
	Go         *bool       `json:"go"`
	Text       string      `json:"text"`
	Head       []string    `json:"head"`
	Share      string      `json:"share"`
	Run        *runGame    `json:"run"`
}

var keyForm = regexp.MustCompile(`^[0-9a-f]{32}$`)

// newKey draws a key.
func newKey() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

func newSeed() uint64 {
	var b [8]byte
	_, _ = rand.Read(b[:])
	return binary.LittleEndian.Uint64(b[:])
}

// create makes a game, or finds the one that the key belongs to.
func (s *Server) create(w http.ResponseWriter, r *http.Request) error {
	var body createBody
	if err := decode(w, r, &body); err != nil {
		return err
	}
	if body.Key == "" {
		body.Key = newKey()
	}
	if !keyForm.MatchString(body.Key) {
		return badRequest("a key is 32 hexadecimal digits in lower case, drawn at random")
	}
	if old := s.room(idOf(body.Key)); old != nil && old.holds(body.Key) {
		return s.created(w, http.StatusOK, old)
	}
	select {
	case s.loading <- struct{}{}:
		defer func() { <-s.loading }()
	case <-r.Context().Done():
		return r.Context().Err()
	}
	g, loaded, err := s.load(&body)
	if err != nil {
		return err
	}
	seats, err := s.seat(g, body.Players)
	if err != nil {
		return err
	}
	if err := body.setClock(g); err != nil {
		return err
	}
	begin := !loaded
	if body.Go != nil {
		begin = *body.Go
	}
	if begin && engineToMove(g) && s.pool.full() {
		return errBusy
	}
	made := newRoom(s, body.Key, g, seats, newSeed())
	kept, err := s.add(made)
	if err != nil {
		return err
	}
	if kept != made { // another request was faster
		return s.created(w, http.StatusOK, kept)
	}
	if begin {
		made.mu.Lock()
		made.letEngineThink(g.Head())
		made.schedule()
		made.armFlag()
		made.mu.Unlock()
	}
	return s.created(w, http.StatusCreated, made)
}

// engineToMove tells whether an engine is to move at the head.
func engineToMove(g *play.Game) bool {
	n, err := g.Node(g.Head())
	return err == nil && g.Setup().IsEngine(n.Position.Side()) && !g.Result(g.Head()).Over
}

// created answers with a game, its key and its state.
func (s *Server) created(w http.ResponseWriter, status int, g *room) error {
	g.mu.Lock()
	state := g.stateBytes()
	g.mu.Unlock()
	writeJSON(w, status, map[string]any{"id": g.id, "key": g.key, "state": json.RawMessage(state)})
	return nil
}

// load makes the game that the body describes. loaded tells whether it was saved before, by whatever means.
func (s *Server) load(b *createBody) (g *play.Game, loaded bool, err error) {
	sources := 0
	for _, given := range []bool{b.Text != "", b.Share != "", b.Run != nil, b.Board != "" || b.Walls != nil || b.Start != "" || b.Moves != ""} {
		if given {
			sources++
		}
	}
	if sources > 1 {
		return nil, false, badRequest("a game is made from a board, a text, a shared address or a run, not from several of them")
	}
	if sources > 0 && b.Board == "" && b.Walls == nil && b.Start == "" && b.Moves == "" && (b.PlyCap != nil || b.Repetition != nil) && b.Share == "" {
		return nil, false, badRequest("the rules of a saved game are its own")
	}
	switch {
	case b.Text != "":
		g, err = play.ReadText(b.Text)
		if err == nil && b.Head != nil {
			if err = g.SetHead(play.Root); err == nil {
				if err = g.Extend(b.Head); err != nil {
					err = badRequest("head: %v", err)
				}
			}
		}
		return g, true, err
	case b.Run != nil:
		g, err = s.runs.game(b.Run)
		return g, true, err
	case b.Share != "":
		g, err = play.ReadShare(b.Share)
		return g, true, err
	}
	g, err = b.newGame()
	return g, false, err
}

// newGame makes a game from board, start and moves.
func (b *createBody) newGame() (*play.Game, error) {
	w, h, walls := 9, 9, 10
	if b.Board != "" {
		var err error
		if w, h, err = quoridor.ParseSize(b.Board); err != nil {
			return nil, badRequest("board: %v", err)
		}
		walls = min(10, max(0, (w-1)*(h-1)))
	}
	var start *quoridor.Position
	if b.Start != "" {
		at, p, err := quoridor.ParsePosition(b.Start)
		if err != nil {
			return nil, badRequest("start: %v", err)
		}
		if b.Board != "" && (at.W != w || at.H != h) {
			return nil, badRequest("start: a position on %dx%d for a board of %dx%d", at.W, at.H, w, h)
		}
		w, h, walls, start = at.W, at.H, at.Walls, &p
	}
	if b.Walls != nil {
		walls = *b.Walls
	}
	board, err := quoridor.NewBoard(w, h, walls)
	if err != nil {
		return nil, badRequest("%v", err)
	}
	setup := play.NewSetup(board)
	if start != nil {
		setup.Start = *start
	}
	if b.PlyCap != nil {
		setup.Rules.PlyCap = *b.PlyCap
	}
	if b.Repetition != nil {
		setup.Rules.Repetition = *b.Repetition
	}
	g, err := play.New(setup)
	if err != nil {
		return nil, err
	}
	if err := g.Extend(strings.Fields(b.Moves)); err != nil {
		return nil, badRequest("moves: %v", err)
	}
	return g, nil
}

// seat puts the players on their seats: those of the request, else those of a saved game as far as they are offered here, else persons.
func (s *Server) seat(g *play.Game, specs []string) (seats [2]choice, err error) {
	board := g.Setup().Board
	if specs != nil && len(specs) != 2 {
		return seats, badRequest("players must name two")
	}
	var names [2]string
	for seat := range seats {
		if specs == nil {
			seats[seat], err = s.offers.choose(g.Setup().Name(seat), board)
			if err != nil || seats[seat].engine == nil {
				seats[seat] = choice{spec: play.Person, name: g.Setup().Name(seat)}
			}
		} else if seats[seat], err = s.offers.choose(specs[seat], board); err != nil {
			return seats, err
		}
		names[seat] = seats[seat].name
	}
	return seats, g.SetPlayers([2]string{seats[0].spec, seats[1].spec}, names)
}

// setClock sets the clock that the request names.
func (b *createBody) setClock(g *play.Game) error {
	c := b.Clock
	if c == nil {
		return nil
	}
	const most = int64(24 * time.Hour / time.Millisecond)
	for _, t := range append([]int64{c.Base, c.Increment}, c.Left...) {
		if t < 0 || t > most {
			return badRequest("clock: %d: must be 0 to %d milliseconds", t, most)
		}
	}
	if c.Left != nil && len(c.Left) != 2 {
		return badRequest("clock: left must be two times")
	}
	if err := g.SetClock(play.Clock{Base: time.Duration(c.Base) * time.Millisecond, Increment: time.Duration(c.Increment) * time.Millisecond}); err != nil {
		return err
	}
	if c.Left != nil {
		g.SetLeft([2]time.Duration{time.Duration(c.Left[0]) * time.Millisecond, time.Duration(c.Left[1]) * time.Millisecond})
	}
	return nil
}
