package web

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rampart/data"
	"rampart/play"
	"rampart/quoridor"
)

// TestAnalysisFollowsTheCursor: the live search says what it finds of the position that is shown, and goes where the cursor goes.
func TestAnalysisFollowsTheCursor(t *testing.T) {
	s := start(t, Options{}, func(s *Server) { s.analysisVisits = 200 }) // too few for a proof
	g := s.create(fields{"board": "5x5", "walls": 1})
	r := g.watch()
	defer r.close()
	g.act("analysis", fields{"on": true})
	var m analysisMessage
	r.event("analysis", "the whole search and the exact values", &m, func() bool { return m.Visits == 200 && !m.Running && m.Exact != nil && m.Exact.State == "known" })
	sum := m.WDL[0] + m.WDL[1] + m.WDL[2]
	if m.Node != 0 || m.Engine != "5x5-2" || !m.Trained || math.Abs(sum-1) > 1e-6 || m.Error != "" {
		t.Errorf("%+v", m)
	}
	if len(m.Moves) == 0 || m.Moves[0].PV[0] != m.Moves[0].Move || m.Policy[m.Moves[0].Move] == 0 {
		t.Errorf("candidates %+v", m.Moves)
	}
	if m.Exact.Outcome != "loss" || len(m.Exact.Moves) != 35 { // the published table: the second player wins
		t.Errorf("exact: %s in %d, %d moves", m.Exact.Outcome, m.Exact.Plies, len(m.Exact.Moves))
	}
	plies := m.Exact.Plies
	best := ""
	for move, v := range m.Exact.Moves {
		if v.Outcome == "loss" && v.Plies == plies {
			best = move
		}
	}
	g.move(best)
	r.event("analysis", "the next position", &m, func() bool { return m.Node == 1 && m.Visits > 0 && m.Exact != nil && m.Exact.State == "known" })
	if m.Side != 1 || m.Exact.Outcome != "win" || m.Exact.Plies != plies-1 {
		t.Errorf("after the best move: %s in %d, before %d", m.Exact.Outcome, m.Exact.Plies, plies)
	}
	var state stateMessage
	g.act("analysis", fields{"on": false})
	state = g.get()
	if state.Analysis.On || state.Nodes[0].Eval == nil || state.Nodes[0].Eval.Visits != 200 || state.Nodes[1].Loss == nil {
		t.Errorf("%+v %+v", state.Analysis, state.Nodes)
	}
	wait(t, "the end of the search", func() bool {
		s.server.pool.mu.Lock()
		defer s.server.pool.mu.Unlock()
		return s.server.pool.free > 0 && len(s.server.pool.queue) == 0
	})
	// Another model, and one that does not fit the board.
	g.act("analysis", fields{"on": true, "model": "9x9-10"})
	r.event("analysis", "the other model", &m, func() bool { return m.Engine == "9x9-10" && m.Visits > 0 })
	if m.Trained {
		t.Error("a network for 9x9 is said to be trained for 5x5")
	}
}

// TestHintsAreHidden: while a person plays against an engine nothing is said about the position, by no way, unless he asks.
func TestHintsAreHidden(t *testing.T) {
	s := start(t, Options{}, nil)
	text := "[Board \"5x5\"]\n[Walls \"2\"]\n1. c2 {+0.500/400} c4 {-0.500/400} *"
	g := s.create(fields{"text": text, "players": []string{"person", "racer"}})
	r := g.watch()
	defer r.close()
	silent := func(m *stateMessage) {
		t.Helper()
		for _, n := range m.Nodes {
			if n.Eval != nil || n.Loss != nil || n.Mark != "" {
				t.Errorf("node %d: %+v", n.ID, n.evaluation)
			}
		}
		if m.Analysis.Allowed {
			t.Error("analysis is said to be allowed")
		}
	}
	silent(&g.state)
	g.refused("analysis", fields{"on": true}, "state")
	g.refused("review", fields{"on": true}, "state")
	g.act("analysis", fields{"on": true, "hints": true})
	if !g.state.Hints || g.state.Nodes[0].Eval == nil {
		t.Error("hints were asked for and are not shown")
	}
	var m analysisMessage
	r.event("analysis", "hints", &m, func() bool { return m.Visits > 0 })
	g.act("analysis", fields{"on": false, "hints": false})
	silent(&g.state)
	g.act("resign", fields{"side": 0})
	if g.state.Nodes[0].Eval == nil || !g.state.Analysis.Allowed {
		t.Error("after the game nothing is shown")
	}
}

// TestReviewMarksMistakes: a review evaluates the whole line, and a blunder is marked.
func TestReviewMarksMistakes(t *testing.T) {
	s := start(t, Options{}, nil)
	// Player 0 could win at once with c5, steps back and loses.
	g := s.create(fields{"start": "5x5 c3 a3 - 0,0 0", "moves": "c4 a2 c3 a1"})
	r := g.watch()
	defer r.close()
	g.act("review", fields{"on": true, "visits": 50})
	if v := g.state.Review; !v.Running || v.Of != 4 {
		t.Fatalf("%+v", v)
	}
	m := r.until("the end of the review", func(m *stateMessage) bool { return !m.Review.Running && m.Review.Of == 4 })
	for _, n := range m.Nodes {
		if n.Eval == nil {
			t.Errorf("node %d has no evaluation", n.ID)
		}
	}
	if n := m.Nodes[3]; n.Mark != play.Blunder || *n.Loss < 0.5 {
		t.Errorf("the missed win: %+v", n)
	}
	if m.Review.Done != 4 {
		t.Errorf("%+v", m.Review)
	}
	g.act("review", fields{"on": true, "visits": 50})
	if g.state.Review.Running {
		t.Error("what is known is evaluated again")
	}
	// What was resigned is still a position.
	resigned := s.create(fields{"board": "5x5", "walls": 2, "moves": "c2"})
	resigned.act("resign", fields{"side": 1})
	last := resigned.watch()
	defer last.close()
	resigned.act("review", fields{"on": true, "visits": 5})
	last.until("the evaluation of a resigned position", func(m *stateMessage) bool { return m.Nodes[1].Eval != nil })
	resigned.act("analysis", fields{"on": true})
	var a analysisMessage
	last.event("analysis", "the analysis of a resigned position", &a, func() bool { return a.Node == 1 && a.Visits > 5 })
	g.act("review", fields{"on": true, "visits": 2000})
	g.act("review", fields{"on": false})
	if g.state.Review.Running {
		t.Error("a review does not stop")
	}
}

// writeRun writes a run folder with one shard of two games.
func writeRun(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "my-run")
	if err := os.MkdirAll(filepath.Join(dir, "games"), 0o755); err != nil {
		t.Fatal(err)
	}
	board := quoridor.MustBoard(3, 3, 0)
	from := board.Start()
	game := data.Game{Generation: 1, Seed: 42, Rules: quoridor.Rules{PlyCap: 22}, Result: quoridor.Win0}
	for _, name := range []string{"b2", "a3", "b3"} {
		m, err := board.ParseMove(name)
		if err != nil {
			t.Fatal(err)
		}
		game.Moves = append(game.Moves, m)
	}
	policy, err := data.AppendPolicy(nil, board.Moves(nil, &from), []float32{0.8, 0.1, 0.1})
	if err != nil {
		t.Fatal(err)
	}
	game.Searches = []data.Search{{Ply: 0, Visits: 16, Value: data.FixedValue(0.5), Policy: policy}}
	w, err := data.Create(data.ShardPath(filepath.Join(dir, "games"), 1), data.Header{Board: board, Rules: game.Rules, Model: "some net"})
	if err != nil {
		t.Fatal(err)
	}
	for id := range uint64(2) {
		game.ID = id
		if err := w.Append(&game); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Seal(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestGamesOfARun: a run's shards and games are listed, and one is opened with what the search said.
func TestGamesOfARun(t *testing.T) {
	dir := writeRun(t)
	if err := os.WriteFile(data.ShardPath(filepath.Join(dir, "games"), 2), []byte("rubbish"), 0o644); err != nil {
		t.Fatal(err)
	}
	s := start(t, Options{Runs: []string{dir, t.TempDir()}}, nil)
	for path, want := range map[string]string{
		"/api/runs":                                  `{"runs":[{"run":0,"name":"my-run","shards":2},{"run":1,`,
		"/api/runs/0/shards?from=0&count=1":          `{"of":2,"shards":[{"shard":1,"games":2,"board":"3x3","walls":0,"model":"some net","open":false}]}`,
		"/api/runs/0/shards?from=1":                  `"error":"`,
		"/api/runs/1/shards":                         `{"of":0,"shards":[]}`,
		"/api/runs/0/shards/1/games":                 `{"games":[{"game":0,"id":0,"generation":1,"plies":3,"result":"1-0","text":"player 0 wins"},{"game":1,`,
		"/api/runs/0/shards/1/games?from=1&count=5":  `{"games":[{"game":1,"id":1,`,
		"/api/runs/0/shards/1/games?from=99&count=5": `{"games":[],"of":2}`,
		"/api/runs/0/shards/1/games?from=-1":         `"code":"bad"`,
		"/api/runs/0/shards/2/games":                 `"code":"run"`,
		"/api/runs/0/shards/3/games":                 `"code":"run"`,
		"/api/runs/2/shards":                         `"code":"run"`,
	} {
		if _, data := s.do("GET", path, "", nil); !strings.Contains(string(data), want) || strings.Contains(string(data), dir) {
			t.Errorf("%s: %s, want %s", path, data, want)
		}
	}
	g := s.create(fields{"run": fields{"run": 0, "shard": 1, "game": 1}})
	if g.state.Title != "my-run, generation 1, game 1" || g.state.Cursor != 0 || g.state.Head != 3 || g.state.Result == nil || g.state.Setup.Players[0].Name != "some net" {
		t.Errorf("%+v", g.state)
	}
	record := g.state.View.Record
	if record == nil || record.Value < 0.499 || record.Visits != 16 || math.Abs(record.Policy["b2"]-0.8) > 1e-3 {
		t.Errorf("record %+v", record)
	}
	if e := g.state.Nodes[0].Eval; e == nil || math.Abs(e.Win0-0.75) > 1e-3 {
		t.Errorf("evaluation %+v", e)
	}
	if g.act("goto", fields{"to": "forward"}); g.state.View.Record != nil {
		t.Error("a ply without search has a record")
	}
	for _, id := range []fields{{"run": 0, "shard": 1, "game": 2}, {"run": 0, "shard": 1, "game": -1}, {"run": 0, "shard": 2, "game": 0}, {"run": 5, "shard": 1, "game": 0}} {
		if status, data := s.do("POST", "/api/games", "", fields{"run": id}); status != 404 || strings.Contains(string(data), dir) {
			t.Errorf("%v: %d %s", id, status, data)
		}
	}
}
