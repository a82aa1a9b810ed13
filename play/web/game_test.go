package web

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"rampart/play"
)

// playOut plays legal moves for the person until the game is over, by turns a wall and the first step of his shortest path.
func playOut(g *table) {
	g.t.Helper()
	for ply := 0; g.state.Result == nil; ply++ {
		view := g.state.View
		side := view.Side
		word := view.Paths[side][1]
		if !slices.Contains(view.PawnMoves, word) {
			word = view.PawnMoves[0]
		}
		if ply%3 == 0 && len(view.WallMoves) > 0 {
			word = view.WallMoves[ply%len(view.WallMoves)]
		}
		g.move(word)
		g.settle()
	}
}

// TestWholeGames plays games against engines to their end, on several boards and from both seats.
func TestWholeGames(t *testing.T) {
	s := start(t, Options{}, nil)
	for _, c := range []fields{
		{"board": "5x5", "walls": 2, "players": []string{"person", "level:5"}},
		{"board": "5x5", "walls": 2, "players": []string{"level:3", "person"}},
		{"board": "9x9", "walls": 10, "players": []string{"person", "level:6"}},
		{"board": "3x3", "walls": 1, "players": []string{"person", "perfect"}},
		{"board": "7x4", "walls": 3, "players": []string{"person", "level:2:model=9x9-10"}},
		{"start": "9x9 e4 e6 e3h,c6v 9,9 1", "players": []string{"racer", "person"}},
	} {
		g := s.create(c)
		g.settle()
		playOut(g)
		if g.state.Turn.Error != "" || g.state.Result == nil || len(g.state.View.WallMoves) != 0 {
			t.Errorf("%v: %+v", c, g.state.Turn)
		}
		back, err := play.ReadText(g.state.Text)
		if err != nil || resultOf(back.Result(back.Head())).Text != g.state.Result.Text {
			t.Errorf("%v: the text does not tell the same game: %v", c, err)
		}
	}
}

// TestEnginesAmongThemselves: with engines on both seats the game plays itself.
func TestEnginesAmongThemselves(t *testing.T) {
	s := start(t, Options{}, nil)
	g := s.create(fields{"board": "5x5", "walls": 2, "players": []string{"level:1", "racer"}})
	g.until("the end", func(m *stateMessage) bool { return m.Result != nil })
}

// TestStoppedEnginesWait: stop ends the thinking without a move, go takes it up, now makes the engine move.
func TestStoppedEnginesWait(t *testing.T) {
	s := start(t, Options{}, nil)
	g := s.create(fields{"board": "5x5", "walls": 2, "players": []string{"person", "blocking"}})
	g.move("c2")
	if !g.state.Turn.Thinking || !g.state.Turn.Engine {
		t.Fatalf("turn %+v", g.state.Turn)
	}
	wait(t, "thinking", func() bool { return thinkers.Load() == 1 })
	g.act("stop", nil)
	wait(t, "the end of thinking", func() bool { return thinkers.Load() == 0 })
	if g.state.Turn.Thinking || g.state.Turn.Error != "" || len(g.state.HeadMoves) != 1 {
		t.Errorf("after stop: %+v", g.state.Turn)
	}
	g.refused("now", nil, "state")
	g.act("go", nil)
	wait(t, "thinking", func() bool { return thinkers.Load() == 1 })
	g.act("now", nil)
	g.settle()
	if len(g.state.HeadMoves) != 2 || g.state.Turn.Error != "" {
		t.Errorf("after now: %+v, %v", g.state.Turn, g.state.HeadMoves)
	}
	g.refused("go", nil, "state") // a person's turn
}

// TestClicksWhileTheEngineThinksDoNothing [Chess-Challenge 102]: moves, stale or not, are refused and change nothing; looking around is allowed.
func TestClicksWhileTheEngineThinksDoNothing(t *testing.T) {
	s := start(t, Options{}, nil)
	g := s.create(fields{"board": "5x5", "walls": 2, "players": []string{"person", "blocking"}})
	old := g.state.Version
	g.move("c2")
	for _, word := range []string{"c4", "b5", "c3", "a1h"} {
		g.refused("move", fields{"node": 1, "move": word}, "thinking")
		g.refused("move", fields{"node": 1, "move": word, "version": old}, "stale")
		g.refused("move", fields{"node": 0, "move": word, "version": old}, "stale")
	}
	g.refused("go", nil, "thinking")
	g.refused("delete", fields{"node": 1}, "thinking")
	g.act("goto", fields{"to": "start"})
	if !g.state.Turn.Thinking || g.state.Cursor != 0 || g.state.Head != 1 {
		t.Errorf("looking around disturbed the engine: %+v", g.state.Turn)
	}
	g.refused("move", fields{"node": 0, "move": "b1"}, "thinking")
	if status, code, _ := g.try("players", fields{"players": []string{"person", "blocking"}, "version": old}); status != http.StatusOK {
		t.Errorf("who plays can be changed whatever has been played meanwhile: %d %s", status, code)
	}
	g.act("undo", nil)
	if g.state.Turn.Thinking || g.state.Head != 0 {
		t.Errorf("after undo: %+v, head %d", g.state.Turn, g.state.Head)
	}
	wait(t, "the end of thinking", func() bool { return thinkers.Load() == 0 })
}

// TestAnEngineErrorReturnsTheTurn [Checkora 1798]: an engine that fails, breaks down or plays what is not legal says so and leaves the turn to the
// person, who can move in its place, take back, or choose another.
func TestAnEngineErrorReturnsTheTurn(t *testing.T) {
	s := start(t, Options{}, nil)
	for spec, want := range map[string]string{"failing": "out of order", "panicking": "on purpose", "cheating": "illegal move"} {
		g := s.create(fields{"board": "5x5", "walls": 2, "players": []string{"person", spec}})
		g.move("a1h")
		g.settle()
		if !strings.Contains(g.state.Turn.Error, want) || !g.state.Turn.Engine || len(g.state.HeadMoves) != 1 {
			t.Errorf("%s: %+v", spec, g.state.Turn)
		}
		g.move("c4") // in the engine's place
		if g.state.Turn.Error != "" || g.state.Turn.Side != 0 {
			t.Errorf("%s: after a move in its place: %+v", spec, g.state.Turn)
		}
		g.move("c2")
		g.settle()
		g.act("players", fields{"players": []string{"person", "racer"}})
		g.settle()
		if g.state.Turn.Error != "" || len(g.state.HeadMoves) != 4 {
			t.Errorf("%s: after another was chosen: %+v, %v", spec, g.state.Turn, g.state.HeadMoves)
		}
	}
}

// TestSwitchingWhoPlaysNeverHangs [Sanmill 447]: changing the players while an engine thinks ends its thinking and lets the right one go on.
func TestSwitchingWhoPlaysNeverHangs(t *testing.T) {
	s := start(t, Options{}, nil)
	g := s.create(fields{"board": "5x5", "walls": 2, "players": []string{"person", "blocking"}})
	g.move("c2")
	for _, players := range [][]string{{"blocking", "blocking"}, {"person", "person"}, {"blocking", "person"}, {"person", "blocking"}, {"racer", "racer"}} {
		g.act("players", fields{"players": players})
		if want := players[1] != "person"; g.state.Turn.Thinking != want {
			t.Errorf("%v: %+v", players, g.state.Turn)
		}
	}
	g.until("the end", func(m *stateMessage) bool { return m.Result != nil && !m.Turn.Thinking })
	wait(t, "the end of thinking", func() bool { return thinkers.Load() == 0 })
	g.act("players", fields{"players": []string{"blocking", "blocking"}})
	if g.state.Turn.Thinking {
		t.Error("an engine thinks about a finished game")
	}
}

// TestFinishedGamesAreNotSearched [lichess-bot 1223].
func TestFinishedGamesAreNotSearched(t *testing.T) {
	s := start(t, Options{}, nil)
	g := s.create(fields{"start": "5x5 c4 b3 - 0,0 0", "players": []string{"person", "blocking"}})
	g.move("c5")
	if g.state.Turn.Thinking || g.state.Result == nil || g.state.Result.Reason != play.Goal {
		t.Errorf("%+v %+v", g.state.Turn, g.state.Result)
	}
	g.refused("go", nil, "state")
	g.refused("resign", fields{"side": 0}, "state")
	g.refused("move", fields{"node": 1, "move": "a1"}, "illegal")
	g.act("analysis", fields{"on": true})
	lost := s.create(fields{"start": "5x5 c5 b3 - 0,0 1", "players": []string{"person", "level:9"}})
	if lost.state.Turn.Thinking || lost.state.Result == nil {
		t.Errorf("%+v", lost.state.Turn)
	}
}

// TestIllegalWallsAreRefusedOnEveryPath: by move, in a list of moves, in a text, in a shared address, in a position [danielborowski 1].
func TestIllegalWallsAreRefusedOnEveryPath(t *testing.T) {
	s := start(t, Options{}, nil)
	g := s.create(fields{"board": "5x5", "walls": 6, "moves": "b2h c4"})
	for _, wall := range []string{"b2h", "a2h", "c2h", "b2v"} {
		if g.state.View.Illegal[wall].Code == "" || slices.Contains(g.state.View.WallMoves, wall) {
			t.Errorf("%s is shown as legal", wall)
		}
		g.refused("move", fields{"node": 2, "move": wall}, "illegal")
		for _, body := range []fields{
			{"board": "5x5", "walls": 6, "moves": "b2h c4 " + wall},
			{"text": "[Board \"5x5\"]\n[Walls \"6\"]\n1. b2h c4 2. " + wall + " *"},
			{"share": "5x5_c1_c5_-_6,6_0/b2h.c4." + wall},
			{"start": "5x5 c1 c4 b2h," + wall + " 5,6 0"},
		} {
			if status, data := s.do("POST", "/api/games", "", body); status != http.StatusBadRequest {
				t.Errorf("%v: %d %s", body, status, data)
			}
		}
	}
	// The plug that would seal a player in is refused, with the cut.
	g = s.create(fields{"board": "3x3", "walls": 4, "moves": "a2h"})
	cut := g.state.View.Illegal["b2v"]
	if cut.Code != "cutoff" || cut.Player == nil || *cut.Player != 1 || !slices.Equal(cut.Cells, []string{"a3", "b3"}) || !strings.Contains(cut.Text, "cut off player 1") {
		t.Errorf("%+v", cut)
	}
	g.refused("move", fields{"node": 1, "move": "b2v"}, "illegal")
}

// TestANewGameStartsClean [danielborowski 4].
func TestANewGameStartsClean(t *testing.T) {
	s := start(t, Options{}, nil)
	s.create(fields{"board": "5x5", "walls": 2, "moves": "b2h c4 d2h"})
	g := s.create(fields{"board": "5x5", "walls": 2})
	if v := g.state.View; len(v.Walls) != 0 || v.Left != [2]int{2, 2} || v.Pawns != [2]string{"c1", "c5"} || len(g.state.Nodes) != 1 {
		t.Errorf("%+v", v)
	}
}

func TestBranchesUndoAndRedo(t *testing.T) {
	s := start(t, Options{}, nil)
	g := s.create(fields{"board": "5x5", "walls": 2})
	for _, word := range strings.Fields("c2 c4 b2h") {
		g.move(word)
	}
	g.act("goto", fields{"node": 1})
	g.move("a4h")
	if g.state.Cursor != 4 || !slices.Equal(g.state.Line, []play.NodeID{0, 1, 4}) || g.state.Share != "5x5_c1_c5_-_2,2_0/c2.a4h" {
		t.Errorf("cursor %d, line %v, share %s", g.state.Cursor, g.state.Line, g.state.Share)
	}
	g.act("promote", fields{"node": 4})
	if !strings.Contains(g.state.Text, "1. c2 a4h (1... c4 2. b2h) *") {
		t.Errorf("text %s", g.state.Text)
	}
	g.act("undo", nil)
	g.act("undo", nil)
	g.refused("undo", nil, "state")
	g.act("redo", nil)
	g.act("goto", fields{"to": "end"})
	g.act("goto", fields{"to": "back"})
	g.act("goto", fields{"to": "forward"})
	g.act("goto", fields{"to": "start"})
	g.act("delete", fields{"node": 2})
	if len(g.state.Nodes) != 3 || g.state.Head != 1 {
		t.Errorf("%d nodes, head %d", len(g.state.Nodes), g.state.Head)
	}
	g.act("redo", nil)
	g.act("resign", fields{"side": 1})
	if g.state.Result == nil || g.state.Result.Reason != play.Resignation || g.state.Result.Winner != 0 {
		t.Errorf("%+v", g.state.Result)
	}
	// A node that is looked at without moving the cursor.
	status, data := s.do("GET", "/api/games/"+g.id+"/nodes/4", "", nil)
	var view viewMessage
	if err := json.Unmarshal(data, &view); status != 200 || err != nil || view.Ply != 2 || !slices.Equal(view.Walls, []string{"a4h"}) {
		t.Errorf("%d %s", status, data)
	}
	if status, data := s.do("GET", "/api/games/"+g.id+"/text", "", nil); status != 200 || !strings.Contains(string(data), "resignation") {
		t.Errorf("%d %s", status, data)
	}
}

// TestDrawByRepetitionIsShown.
func TestDrawByRepetitionIsShown(t *testing.T) {
	s := start(t, Options{}, nil)
	g := s.create(fields{"board": "5x5", "walls": 0})
	for i, word := range strings.Fields("b1 b5 c1 c5 b1 b5 c1 c5") {
		if want := i/4 + 1; g.state.View.Repetition != want {
			t.Errorf("ply %d: repetition %d, want %d", i, g.state.View.Repetition, want)
		}
		g.move(word)
	}
	if r := g.state.Result; r == nil || r.Reason != play.Repetition || r.Winner != -1 || g.state.View.Repetition != 3 {
		t.Errorf("%+v", r)
	}
}

func TestClocksOverTheWire(t *testing.T) {
	s := start(t, Options{}, nil)
	g := s.create(fields{"board": "5x5", "walls": 2, "clock": fields{"base": 60000, "increment": 1000}})
	g.move("c2")
	if c := g.state.Clock; c == nil || c.Running != 1 || c.Left[0] != 61000 || c.Left[1] > 60000 {
		t.Errorf("%+v", c)
	}
	g.act("goto", fields{"to": "start"})
	g.refused("move", fields{"node": 0, "move": "b1"}, "state") // no branches while the clock runs
	// A clock that runs out ends the game without anybody's doing.
	g = s.create(fields{"board": "5x5", "walls": 2, "clock": fields{"base": 60000, "left": []int{60000, 1}}})
	g.move("c2")
	g.until("the flag", func(m *stateMessage) bool { return m.Result != nil })
	if r := g.state.Result; r.Reason != play.Time || r.Winner != 0 || g.state.Clock.Running != -1 || g.state.Clock.Left[1] != 0 {
		t.Errorf("%+v %+v", r, g.state.Clock)
	}
}

// TestEnginesMoveWithinTheirTime: an engine is given a part of what its clock has left, and moves when that is over. The server's clock stands,
// so that no flag falls while the machine is busy.
func TestEnginesMoveWithinTheirTime(t *testing.T) {
	now := time.Now()
	s := start(t, Options{}, func(s *Server) { s.now = func() time.Time { return now } })
	given.Store(int64(time.Hour))
	for _, engine := range []string{"blocking", "level:9"} {
		g := s.create(fields{"board": "9x9", "walls": 10, "players": []string{engine, "person"}, "clock": fields{"base": 2000}})
		g.settle()
		if len(g.state.HeadMoves) != 1 || g.state.Turn.Error != "" || g.state.Clock.Left[0] != 2000 || g.state.Clock.Running != 1 {
			t.Errorf("%s: %v %+v %+v", engine, g.state.HeadMoves, g.state.Turn, g.state.Clock)
		}
	}
	if most := time.Duration(given.Load()); most >= time.Second {
		t.Errorf("an engine with 2 s on its clock is given %s for a move", most)
	}
}

// TestTwoTabsAndTenSpectators: both tabs act, a stale one is told so, everybody sees the same in the end, and spectators cannot act.
func TestTwoTabsAndTenSpectators(t *testing.T) {
	s := start(t, Options{}, nil)
	one := s.create(fields{"board": "9x9", "walls": 20})
	two := &table{site: s, id: one.id, key: one.key, state: one.state}
	spectators := make([]*reader, 10)
	for i := range spectators {
		spectators[i] = s.watchID(one.id)
		defer spectators[i].close()
	}
	stale := 0
	for ply := range 20 { // both want to move; only one may
		var group sync.WaitGroup
		before := [2]stateMessage{one.state, two.state}
		codes := [2]string{}
		for i, tab := range []*table{one, two} {
			group.Go(func() {
				view := before[i].View
				_, codes[i], _ = tab.try("move", fields{"version": before[i].Version, "node": view.Node, "move": view.WallMoves[0]})
			})
		}
		group.Wait()
		slices.Sort(codes[:])
		if codes != [2]string{"", "stale"} {
			t.Fatalf("ply %d: %v", ply, codes)
		}
		stale++
		one.state, two.state = one.get(), two.get()
	}
	want := one.get()
	if len(want.HeadMoves) != 20 {
		t.Errorf("%d moves", len(want.HeadMoves))
	}
	for _, r := range spectators {
		if got := r.until("the last move", func(m *stateMessage) bool { return m.Version == want.Version }); got.Text != want.Text {
			t.Errorf("a spectator sees %s", got.Text)
		}
	}
	for _, key := range []string{"", "00000000000000000000000000000000", one.id} {
		spectator := &table{site: s, id: one.id, key: key, state: want}
		for action := range actions {
			spectator.refused(action, fields{"node": 0, "move": "e2", "to": "start", "on": true}, "key")
		}
	}
}

// TestRestart: after a restart of the server the page makes its game again under its id, and it goes on.
func TestRestart(t *testing.T) {
	var old stateMessage
	var key string
	t.Run("before", func(t *testing.T) {
		s := start(t, Options{}, nil)
		g := s.create(fields{"board": "5x5", "walls": 2, "players": []string{"person", "racer"}, "clock": fields{"base": 300000, "increment": 2000}})
		g.move("c2")
		g.settle()
		g.act("goto", fields{"node": 0})
		old, key = g.state, g.key
		readers := make([]*reader, 16) // every one is told, however late he wakes
		for i := range readers {
			readers[i] = g.watch()
			defer readers[i].close()
			readers[i].until("the state", func(*stateMessage) bool { return true })
		}
		s.server.Close()
		for _, r := range readers {
			var bye struct{ Reason string }
			r.event("bye", "the goodbye", &bye, func() bool { return bye.Reason != "" })
		}
		if status, _ := s.do("GET", "/api/games/"+g.id, "", nil); status != http.StatusNotFound {
			t.Errorf("a closed server still has the game: %d", status)
		}
		if status, _ := s.do("POST", "/api/games", "", fields{}); status != http.StatusServiceUnavailable {
			t.Errorf("a closed server makes games: %d", status)
		}
	})
	s := start(t, Options{}, nil)
	again := fields{
		"key": key, "text": old.Text, "head": old.HeadMoves, "players": []string{old.Setup.Players[0].Spec, old.Setup.Players[1].Spec},
		"clock": fields{"base": old.Setup.Clock.Base, "increment": old.Setup.Clock.Increment, "left": old.Clock.Left}, "go": true,
	}
	g := s.create(again)
	if g.id != old.ID || g.state.Head != old.Head || g.state.Clock.Left != old.Clock.Left {
		t.Errorf("id %s, head %d, clocks %v; they were %s, %d, %v", g.id, g.state.Head, g.state.Clock.Left, old.ID, old.Head, old.Clock.Left)
	}
	g.act("goto", fields{"to": "end"})
	g.move(g.state.View.PawnMoves[0])
	g.settle()
	if len(g.state.HeadMoves) != 4 {
		t.Errorf("the game does not go on: %v", g.state.HeadMoves)
	}
	// The other tab comes too late, and finds the game as it is.
	if late := s.create(again); late.id != g.id || len(late.state.HeadMoves) != 4 {
		t.Errorf("another tab's revival gives %v", late.state.HeadMoves)
	}
	// While the engine was to move: it takes the move up.
	g = s.create(fields{"text": "[Board \"5x5\"]\n[Walls \"2\"]\n[Player1 \"racer\"]\n1. c2 *", "go": true})
	g.settle()
	if len(g.state.HeadMoves) != 2 || g.state.Setup.Players[1].Spec != "racer" {
		t.Errorf("%v", g.state.HeadMoves)
	}
}

// TestNoWallsMeansNone [kaggle-environments 1179]: a wall count of 0 is 0, by number, in a position, a text and a shared address.
func TestNoWallsMeansNone(t *testing.T) {
	s := start(t, Options{}, nil)
	for _, body := range []fields{
		{"walls": 0},
		{"board": "5x5", "walls": 0},
		{"start": "5x5 c1 c5 - 0,0 0"},
		{"text": "[Board \"5x5\"]\n[Walls \"0\"]\n*"},
		{"share": "5x5_c1_c5_-_0,0_0/"},
	} {
		g := s.create(body)
		if v := g.state.View; v.Left != [2]int{} || len(v.WallMoves) != 0 || g.state.Setup.Walls != 0 {
			t.Errorf("%v: stocks %v, %d walls can be placed, set up with %d", body, v.Left, len(v.WallMoves), g.state.Setup.Walls)
		}
		g.refused("move", fields{"node": 0, "move": "a1h"}, "illegal")
	}
}
