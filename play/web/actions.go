package web

import (
	"net/http"
	"strings"

	"rampart/play"
)

// actionBody is the body of every action; each uses some of the fields.
type actionBody struct {
	Version *int         `json:"version"`
	Node    *play.NodeID `json:"node"`
	Move    string       `json:"move"`
	To      string       `json:"to"`
	Side    *int         `json:"side"`
	Players []string     `json:"players"`
	Go      *bool        `json:"go"`
	On      *bool        `json:"on"`
	Model   string       `json:"model"`
	Hints   *bool        `json:"hints"`
	Visits  int          `json:"visits"`
}

// action changes a room, whose lock is held.
type action struct {
	versioned bool // the request must name the version it was meant for
	do        func(r *room, b *actionBody) error
}

var actions = map[string]action{
	"move":     {true, (*room).doMove},
	"undo":     {true, func(r *room, _ *actionBody) error { return r.moveHead(r.game.Undo) }},
	"redo":     {true, func(r *room, _ *actionBody) error { return r.moveHead(r.game.Redo) }},
	"go":       {true, (*room).doGo},
	"stop":     {false, (*room).doStop},
	"now":      {false, (*room).doNow},
	"resign":   {true, (*room).doResign},
	"goto":     {false, (*room).doGoto},
	"delete":   {true, (*room).doDelete},
	"promote":  {true, (*room).doPromote},
	"players":  {false, (*room).doPlayers},
	"analysis": {false, (*room).doAnalysis},
	"review":   {false, (*room).doReview},
}

// act does what a request asks for and returns the state after it. If it returns an error, nothing has changed.
func (r *room) act(key string, a action, b *actionBody) ([]byte, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.gone {
		return nil, errNoGame(r.id)
	}
	if !r.holds(key) {
		return nil, fail(http.StatusForbidden, "key", "this needs the game's key in the header X-Game-Key; without it one can only watch")
	}
	r.used = r.server.now()
	r.checkFlag()
	if a.versioned {
		if b.Version == nil {
			return nil, badRequest("the version that the action is meant for is missing")
		}
		if *b.Version != r.version {
			return nil, r.stale()
		}
	}
	if err := a.do(r, b); err != nil {
		return nil, err
	}
	r.schedule()
	return r.publish(), nil
}

func (r *room) stale() error {
	return &apiError{status: http.StatusConflict, code: "stale", text: "the game has moved on since; look at it again", version: r.version}
}

func (r *room) state409(text string) error {
	return fail(http.StatusConflict, "state", "%s", text)
}

// node returns the node that the request names.
func (b *actionBody) node() (play.NodeID, error) {
	if b.Node == nil {
		return 0, badRequest("the node is missing")
	}
	return *b.Node, nil
}

// changes marks the game as another one.
func (r *room) changes() {
	r.version++
	r.turnError = ""
}

func (r *room) doMove(b *actionBody) error {
	at, err := b.node()
	if err != nil {
		return err
	}
	n, err := r.game.Node(at)
	if err != nil {
		return err
	}
	if r.thinking {
		return errThinking
	}
	if at != r.game.Cursor() {
		return r.stale()
	}
	m, err := r.game.Setup().Board.ParseMove(b.Move)
	if err != nil {
		return err
	}
	if r.game.Setup().IsEngine(1-n.Position.Side()) && r.server.pool.full() {
		return errBusy
	}
	id, err := r.game.Play(at, m, r.server.now())
	if err != nil {
		return err
	}
	r.changes()
	r.letEngineThink(id)
	return nil
}

// letEngineThink has an engine move at the node, which is the head, if it is its turn and the game goes on.
func (r *room) letEngineThink(id play.NodeID) {
	n, err := r.game.Node(id)
	if err != nil || !r.game.Setup().IsEngine(n.Position.Side()) || r.game.Result(id).Over {
		return
	}
	r.thinking, r.turnError = true, ""
	r.turn++
	r.game.StartClock(r.server.now())
}

// moveHead takes play back or forward.
func (r *room) moveHead(move func() error) error {
	if err := move(); err != nil {
		return err
	}
	r.thinking = false
	r.changes()
	return nil
}

func (r *room) doGo(*actionBody) error {
	if r.thinking {
		return errThinking
	}
	at := r.game.Cursor()
	n, _ := r.game.Node(at)
	switch {
	case r.game.Result(at).Over:
		return r.state409("the game is over here (" + r.game.Result(at).String() + ")")
	case !r.game.Setup().IsEngine(n.Position.Side()):
		return r.state409("it is a person's turn")
	case at != r.game.Head() && r.game.Running() >= 0:
		return r.state409("the clock runs; play goes on at the last move")
	case r.server.pool.full():
		return errBusy
	}
	if at != r.game.Head() {
		if err := r.game.SetHead(at); err != nil {
			return err
		}
	}
	r.changes()
	r.letEngineThink(at)
	return nil
}

func (r *room) doStop(*actionBody) error {
	if r.thinking {
		r.thinking = false
		r.game.StopClock(r.server.now())
	}
	return nil
}

func (r *room) doNow(*actionBody) error {
	if !r.thinking {
		return r.state409("no engine is thinking")
	}
	if r.job != nil && r.job.key.kind == thinkJob && r.job.hurry != nil {
		r.job.hurry()
	}
	return nil
}

func (r *room) doResign(b *actionBody) error {
	if b.Side == nil || *b.Side != 0 && *b.Side != 1 {
		return badRequest("the side that resigns must be 0 or 1")
	}
	if r.game.Setup().IsEngine(*b.Side) {
		return badRequest("player %d is an engine; only a person resigns", *b.Side)
	}
	if err := r.game.Resign(*b.Side, r.server.now()); err != nil {
		return err
	}
	r.thinking = false
	r.changes()
	return nil
}

func (r *room) doGoto(b *actionBody) error {
	switch {
	case b.Node != nil && b.To != "":
		return badRequest("node and to exclude each other")
	case b.Node != nil:
		return r.game.GoTo(*b.Node)
	}
	moves := map[string]func(){"start": r.game.ToStart, "back": r.game.Back, "forward": r.game.Forward, "end": r.game.ToEnd}
	move := moves[b.To]
	if move == nil {
		return badRequest("to must be start, back, forward or end, or a node must be given")
	}
	move()
	return nil
}

func (r *room) doDelete(b *actionBody) error {
	id, err := b.node()
	if err != nil {
		return err
	}
	if r.thinking {
		return errThinking
	}
	if err := r.game.Delete(id); err != nil {
		return err
	}
	r.changes()
	r.review = review{} // what it had to evaluate may be gone
	return nil
}

func (r *room) doPromote(b *actionBody) error {
	id, err := b.node()
	if err != nil {
		return err
	}
	if err := r.game.Promote(id); err != nil {
		return err
	}
	r.changes()
	return nil
}

func (r *room) doPlayers(b *actionBody) error {
	if len(b.Players) != 2 {
		return badRequest("players must name two")
	}
	setup := r.game.Setup()
	var seats [2]choice
	for seat, spec := range b.Players {
		var err error
		if seats[seat], err = r.server.offers.choose(spec, setup.Board); err != nil {
			return err
		}
	}
	if r.server.pool.full() {
		return errBusy
	}
	if err := r.game.SetPlayers([2]string{seats[0].spec, seats[1].spec}, [2]string{seats[0].name, seats[1].name}); err != nil {
		return err
	}
	r.seats, r.thinking = seats, false
	r.changes()
	r.game.StopClock(r.server.now())
	if b.Go == nil || *b.Go {
		r.letEngineThink(r.game.Head())
	}
	return nil
}

// ask takes the wish for hints and tells whether evaluations may be asked for.
func (r *room) ask(b *actionBody, what string) error {
	hints := r.hints
	if b.Hints != nil {
		hints = *b.Hints
	}
	switch {
	case b.On == nil:
		return badRequest("on must be true or false")
	case *b.On && r.hidden() && !hints:
		return r.state409("no " + what + " during a game against an engine, unless hints are asked for")
	case *b.On && r.server.pool.full():
		return errBusy
	}
	r.hints = hints
	return nil
}

func (r *room) doAnalysis(b *actionBody) error {
	if b.Model != "" {
		if _, _, _, err := r.server.offers.model(b.Model, r.game.Setup().Board); err != nil {
			return err
		}
	}
	if err := r.ask(b, "analysis"); err != nil {
		return err
	}
	r.analysing = *b.On
	r.complete = jobKey{}
	if *b.On {
		r.model = b.Model
	}
	if !r.analysing && r.analysis != nil {
		r.analysis.Running = false
		r.publishAnalysis()
	}
	return nil
}

// Visits of a review.
const (
	reviewVisits     = 100
	mostReviewVisits = 2000
)

func (r *room) doReview(b *actionBody) error {
	if b.Visits == 0 {
		b.Visits = reviewVisits
	}
	if b.Visits < 1 || b.Visits > mostReviewVisits {
		return badRequest("visits %d: must be 1 to %d", b.Visits, mostReviewVisits)
	}
	if err := r.ask(b, "review"); err != nil {
		return err
	}
	r.review = review{}
	if !*b.On {
		return nil
	}
	for _, id := range r.game.Line(r.game.Head()) {
		if e := r.game.EvalAt(id); r.game.Result(id).ByRules() || e != nil && (e.Exact || e.Visits >= b.Visits) {
			continue
		}
		r.review.queue = append(r.review.queue, id)
	}
	r.review.of, r.review.visits = len(r.review.queue), b.Visits
	r.review.on = r.review.of > 0
	return nil
}

// actionNames lists the actions for an error message.
func actionNames() string {
	return strings.Join([]string{"move", "undo", "redo", "go", "stop", "now", "resign", "goto", "delete", "promote", "players", "analysis", "review"}, ", ")
}
