package web

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"rampart/play"
)

// jobKind is what a search is for.
type jobKind int

const (
	noJob jobKind = iota
	thinkJob
	reviewJob
	analysisJob
)

// jobKey says what a search works on.
type jobKey struct {
	kind  jobKind
	node  play.NodeID
	model string // of an analysis
	turn  int    // of an engine: which time it was told to move
}

// job is a search for a room, in a goroutine of its own.
type job struct {
	key    jobKey
	cancel context.CancelFunc // it ends, and what it found is not used
	hurry  context.CancelFunc // it ends with what it has; nil before it has begun
}

// review is the evaluation of a whole line.
type review struct {
	on     bool
	visits int
	queue  []play.NodeID
	of     int
}

func (v *review) message() reviewMessage {
	return reviewMessage{Running: v.on, Done: v.of - len(v.queue), Of: v.of}
}

// wanted returns what the room's search should work on now.
func (r *room) wanted() jobKey {
	switch {
	case r.gone:
	case r.thinking:
		return jobKey{kind: thinkJob, node: r.game.Head(), turn: r.turn}
	case r.review.on && r.mayShow():
		return jobKey{kind: reviewJob, node: r.review.queue[0]}
	case r.analysing && r.mayShow() && !r.game.Result(r.game.Cursor()).ByRules():
		if key := (jobKey{kind: analysisJob, node: r.game.Cursor(), model: r.model}); key != r.complete {
			return key
		}
	}
	return jobKey{}
}

// schedule makes the room's search be the one that is wanted: a wrong one is told to end, and schedules again when it has.
func (r *room) schedule() {
	if r.server.ctx.Err() != nil {
		return
	}
	want := r.wanted()
	switch {
	case r.job != nil && r.job.key == want:
	case r.job != nil:
		r.job.cancel()
	case want.kind != noJob:
		ctx, cancel := context.WithCancel(r.server.ctx)
		r.job = &job{key: want, cancel: cancel}
		j := r.job
		r.server.jobs.Go(func() { r.run(ctx, j) })
	}
	r.solve()
}

// run does a job and looks for the next.
func (r *room) run(ctx context.Context, j *job) {
	defer j.cancel()
	err := r.server.pool.acquire(ctx, func() { r.waits(j) })
	if err == nil {
		err = r.work(ctx, j)
		r.server.pool.release()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.job = nil
	if err != nil && ctx.Err() == nil {
		r.give(j, err)
	}
	r.schedule()
}

// waits tells readers that an analysis waits for its turn.
func (r *room) waits(j *job) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if j.key.kind == analysisJob && r.job == j && r.analysis != nil && r.analysis.Node == j.key.node {
		r.analysis.Waiting = true
		r.publishAnalysis()
	}
}

// give gives a job up that has failed: the turn goes back to the person, or the analysis ends with a message.
func (r *room) give(j *job, err error) {
	if asAPIError(err) == nil && !errors.Is(err, play.ErrEngine) {
		r.server.log.Error("search failed", "game", r.id, "error", err)
	}
	switch j.key.kind {
	case thinkJob:
		r.thinking, r.turnError = false, err.Error()
		r.game.StopClock(r.server.now())
	case reviewJob:
		r.review = review{}
	case analysisJob:
		r.analysing = false
		r.analysis = &analysisMessage{Node: j.key.node, Moves: []candidateMessage{}, Policy: map[string]float64{}, Error: err.Error()}
		r.publishAnalysis()
	}
	r.publish()
}

// work does the job in its slot of the pool. A panic is an error like others.
func (r *room) work(ctx context.Context, j *job) (err error) {
	defer func() {
		if p := recover(); p != nil {
			r.server.log.Error("panic in a search", "game", r.id, "panic", p, "stack", string(debug.Stack()))
			err = fmt.Errorf("%w: it broke down: %v", play.ErrEngine, p)
		}
	}()
	switch j.key.kind {
	case thinkJob:
		return r.think(ctx, j)
	case reviewJob:
		return r.reviewNode(ctx, j)
	}
	return r.analyse(ctx, j)
}

// think lets the engine whose turn it is move at the head.
func (r *room) think(ctx context.Context, j *job) error {
	r.mu.Lock()
	if ctx.Err() != nil {
		r.mu.Unlock()
		return ctx.Err()
	}
	game, board := r.game.At(j.key.node), r.game.Setup().Board
	p := game.Position()
	seat, seed := r.seats[p.Side()], r.seed+uint64(p.Side())
	limit, byClock := r.server.thinkTime, false
	if c := r.game.Setup().Clock; c.On() {
		if budget := r.game.Left(r.server.now())[p.Side()]/20 + c.Increment/2; budget < limit {
			limit, byClock = budget, true
		}
	}
	limited, hurry := context.WithTimeout(ctx, limit)
	defer hurry()
	j.hurry = hurry
	r.mu.Unlock()

	engine, err := seat.engine(board, seed)
	if err != nil {
		return err
	}
	report, err := engine.Think(limited, game, play.Limits{}, nil)
	if err = errors.Join(err, engine.Close()); err != nil {
		return err
	}
	if !report.Judged && !byClock && errors.Is(limited.Err(), context.DeadlineExceeded) {
		return fmt.Errorf("%w: %s found no move in %s", play.ErrEngine, seat.name, limit)
	}

	r.mu.Lock()
	defer r.mu.Unlock()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	r.checkFlag()
	if !r.thinking {
		return nil
	}
	id, err := r.game.Play(j.key.node, report.Move, r.server.now())
	if err != nil {
		return err
	}
	n, _ := r.game.Node(id)
	s := r.game.Setup()
	r.thinking = s.IsEngine(n.Position.Side()) && !r.game.Result(id).Over
	r.turn++
	r.version++
	r.publish()
	return nil
}

// reviewNode evaluates the first position of the review's queue.
func (r *room) reviewNode(ctx context.Context, j *job) error {
	r.mu.Lock()
	if ctx.Err() != nil {
		r.mu.Unlock()
		return ctx.Err()
	}
	game, visits := r.game.At(j.key.node), r.review.visits
	r.mu.Unlock()
	m, _, _, err := r.server.offers.model("", game.Board)
	if err != nil {
		return err
	}
	engine, err := play.NewNetEngine(m, game.Board, "", play.Strength{Visits: visits})
	if err != nil {
		return err
	}
	report, err := engine.Think(ctx, game, play.Limits{}, nil)
	if err = errors.Join(err, engine.Close()); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	r.keep(j.key.node, game.Position().Side(), report)
	if r.review.queue = r.review.queue[1:]; len(r.review.queue) > 0 {
		r.publishEvals()
		return nil
	}
	r.review.on = false
	r.publish()
	return nil
}

// keep keeps what a search said of a node.
func (r *room) keep(id play.NodeID, side int, report *play.Report) {
	rate := report.WinRate
	if side == 1 {
		rate = 1 - rate
	}
	if r.game.SetEval(id, play.Eval{WinRate: rate, Visits: report.Visits, Exact: report.Exact}) == nil {
		r.changed[id] = true
	}
}

// analyse searches the cursor's position and shows what it finds, until it has looked at enough, is told to end, or others wait.
func (r *room) analyse(ctx context.Context, j *job) error {
	r.mu.Lock()
	if ctx.Err() != nil {
		r.mu.Unlock()
		return ctx.Err()
	}
	game := r.game.At(j.key.node)
	r.mu.Unlock()
	m, name, trained, err := r.server.offers.model(j.key.model, game.Board)
	if err != nil {
		return err
	}
	engine, err := play.NewNetEngine(m, game.Board, "", play.Strength{Visits: r.server.analysisVisits})
	if err != nil {
		return err
	}
	limited, yield := context.WithCancel(ctx)
	defer yield()
	show := func(report *play.Report, running bool) {
		r.mu.Lock()
		defer r.mu.Unlock()
		if ctx.Err() != nil {
			return
		}
		if last := r.analysis; last != nil && last.Node == j.key.node && last.Engine == name && last.Visits > report.Visits {
			last.Running, last.Waiting = running, false // this search began anew and is not yet as far
			r.publishAnalysis()
			return
		}
		side := game.Position().Side()
		msg := &analysisMessage{Node: j.key.node, Side: side, Running: running, Engine: name, Trained: trained}
		msg.report(report)
		r.analysis = msg
		r.keep(j.key.node, side, report)
		r.publishAnalysis()
		r.publishEvals()
	}
	began := time.Now()
	report, err := engine.Think(limited, game, play.Limits{Every: r.server.reportEvery}, func(report *play.Report) {
		show(report, true)
		if time.Since(began) > r.server.quantum && r.server.pool.contested() {
			yield()
		}
	})
	if err = errors.Join(err, engine.Close()); err != nil {
		return err
	}
	done := limited.Err() == nil
	show(report, !done)
	if done {
		r.mu.Lock()
		r.complete = j.key
		r.mu.Unlock()
	}
	return nil
}

// solve has the exact values of the analysed position worked out, if they are not known.
func (r *room) solve() {
	if r.gone || r.solving || !r.analysing || !r.mayShow() || r.game.Result(r.game.Cursor()).ByRules() {
		return
	}
	n, _ := r.game.Node(r.game.Cursor())
	board, position := r.game.Setup().Board, n.Position
	if _, known := r.server.exact.known(board, position); known {
		return
	}
	r.solving = true
	r.server.jobs.Go(func() {
		r.server.exact.solve(r.server.ctx, board, position)
		r.mu.Lock()
		defer r.mu.Unlock()
		r.solving = false
		if r.server.ctx.Err() == nil {
			if _, known := r.server.exact.known(board, position); known {
				r.solve() // the cursor may be elsewhere by now
			}
			r.publishAnalysis()
		}
	})
}
