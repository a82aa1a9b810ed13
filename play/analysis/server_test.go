package analysis

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.uber.org/goleak"

	"rampart/play"
	"rampart/quoridor"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

//go:embed schema.json
var schemaText string

// schema is the schema of every line that a server writes.
var schema = sync.OnceValue(func() *jsonschema.Schema {
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(schemaText))
	if err != nil {
		panic(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", doc); err != nil {
		panic(err)
	}
	return c.MustCompile("schema.json")
})

// netConfig analyses with the networks that ship.
func netConfig() Config {
	return Config{
		Visits: 50, Workers: 2, Version: "1.2.3", Models: []Model{{"5x5-2", "5x5", 2}}, Solver: NewSolver(16 << 20),
		NewEngine: func(b *quoridor.Board) (play.Engine, error) {
			m, _, _, err := play.ShippedModel(b)
			if err != nil {
				return nil, err
			}
			return play.NewNetEngine(m, b, "", play.Strength{Visits: 50})
		},
	}
}

// message is any line of a server.
type message struct {
	Answer
	Error, Warning, Field, Action, TerminateID, Version, GitHash string
	Models                                                       []Model
}

// decode checks a line against the schema.
func decode(t testing.TB, line string) message {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
	if err == nil {
		err = schema().Validate(doc)
	}
	var m message
	if err == nil {
		err = json.Unmarshal([]byte(line), &m)
	}
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return m
}

// ask serves the input and returns all lines.
func ask(t testing.TB, c Config, input string) []message {
	t.Helper()
	s, err := NewServer(c)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := s.Serve(context.Background(), strings.NewReader(input), &out); err != nil {
		t.Fatal(err)
	}
	var list []message
	for line := range strings.Lines(out.String()) {
		list = append(list, decode(t, line))
	}
	return list
}

// TestAnalysis: what a search says agrees with itself and with the solver.
func TestAnalysis(t *testing.T) {
	got := ask(t, netConfig(), `{"id":"x","boardXSize":5,"boardYSize":5,"walls":2,"moves":["c2","c4"],"maxVisits":300,"analyzeTurns":[2,1,1],"includePolicy":true,"includePVVisits":true}`)
	if len(got) != 2 {
		t.Fatalf("%d answers", len(got))
	}
	for _, m := range got {
		r := m.RootInfo
		if m.ID != "x" || r.Visits != 300 || r.CurrentPlayer != m.TurnNumber%2 || r.Exact == nil || math.Abs(r.WDL[0]+r.WDL[1]/2-r.Winrate) > 1e-9 || len(m.Policy) < 30 {
			t.Errorf("%+v %+v", m, r)
		}
		b, p, err := quoridor.ParsePosition(r.Position)
		if err != nil {
			t.Fatal(err)
		}
		visits, prior := 0, 0.0
		for i, info := range m.MoveInfos {
			visits += info.Visits
			if info.Order != i || info.LCB > info.Winrate || info.PV[0] != info.Move || len(info.PVVisits) != len(info.PV) || info.PVVisits[0] != info.Visits || info.Exact == nil {
				t.Errorf("%+v", info)
			}
			var line []quoridor.Move
			for _, word := range info.PV {
				move, err := b.ParseMove(word)
				if err != nil {
					t.Fatal(err)
				}
				line = append(line, move)
			}
			if _, err := quoridor.Replay(b, p, quoridor.Rules{}, line); err != nil {
				t.Error(err)
			}
		}
		for _, x := range m.Policy {
			prior += x
		}
		if visits != 300 || math.Abs(prior-1) > 1e-4 {
			t.Errorf("%d visits, policy of %g", visits, prior)
		}
	}
	if a, b := got[0].RootInfo.Exact, got[1].RootInfo.Exact; a.Outcome == b.Outcome && a.Outcome != "draw" && got[0].TurnNumber != got[1].TurnNumber && got[0].MoveInfos[0].Exact.Outcome != a.Outcome {
		t.Errorf("exact values %+v, %+v", a, b)
	}
}

// TestPerspective: for player 0, everything is that for the side to move turned where player 1 is to move, and the choice stays first.
func TestPerspective(t *testing.T) {
	const query = `{"id":"x","boardXSize":5,"boardYSize":5,"walls":2,"moves":["c2"],"analyzeTurns":[0,1]}`
	c := netConfig()
	c.Workers = 1
	side := ask(t, c, query)
	c.Player0 = true
	player0 := ask(t, c, query)
	for turn := range 2 {
		a, b := side[turn], player0[turn]
		turned := func(x float64) float64 {
			if turn == 1 {
				return 1 - x
			}
			return x
		}
		near := func(x, y float64) bool { return math.Abs(x-y) < 1e-9 }
		if !near(b.RootInfo.Winrate, turned(a.RootInfo.Winrate)) || !near(b.RootInfo.RawWinrate, turned(a.RootInfo.RawWinrate)) || !near(b.RootInfo.WDL[0], a.RootInfo.WDL[2*turn]) {
			t.Errorf("turn %d: %+v, %+v", turn, a.RootInfo, b.RootInfo)
		}
		if (a.RootInfo.Exact.Outcome == b.RootInfo.Exact.Outcome) != (turn == 0) {
			t.Errorf("turn %d: exact %+v, %+v", turn, a.RootInfo.Exact, b.RootInfo.Exact)
		}
		for i, m := range b.MoveInfos {
			if n := a.MoveInfos[i]; m.Move != n.Move || !near(m.Winrate, turned(n.Winrate)) || !near(m.LCB, turned(n.LCB)) || !near(m.Utility, 2*m.Winrate-1) {
				t.Errorf("turn %d: %+v, %+v", turn, n, m)
			}
		}
	}
}

// TestFinishedGame: a position where the game is over is answered without a search.
func TestFinishedGame(t *testing.T) {
	got := ask(t, netConfig(), `{"id":"x","initialPosition":"5x5 c4 a3 - 0,0 0","moves":["c5"],"analyzeTurns":[0,1]}
{"id":"draw","boardXSize":5,"boardYSize":5,"walls":0,"rules":{"plyCap":2},"moves":["b1","b5"]}`)
	for _, m := range got {
		switch {
		case m.ID == "draw":
			if m.RootInfo.Winrate != 0.5 || m.RootInfo.WDL != [3]float64{0, 1, 0} || !strings.Contains(m.RootInfo.Result, "draw") {
				t.Errorf("%+v", m.RootInfo)
			}
		case m.TurnNumber == 1:
			if m.RootInfo.Winrate != 0 || m.RootInfo.Result != "player 0 wins" || len(m.MoveInfos) > 0 {
				t.Errorf("%+v", m.RootInfo)
			}
		default:
			if m.MoveInfos[0].Move != "c5" || m.RootInfo.Winrate != 1 {
				t.Errorf("%+v", m)
			}
		}
	}
	if len(got) != 3 {
		t.Errorf("%d answers", len(got))
	}
}

func TestActions(t *testing.T) {
	got := ask(t, netConfig(), `{"id":"a","action":"query_version"}
{"id":"b","action":"query_models"}
{"id":"c","action":"clear_cache"}
{"id":"d","action":"terminate","terminateId":"nobody","turnNumbers":[1]}
{"id":"e","action":"terminate_all"}`)
	if len(got) != 5 || got[0].Version != "1.2.3" || got[1].Models[0].Name != "5x5-2" || got[2].Action != "clear_cache" || got[3].TerminateID != "nobody" || got[4].ID != "e" {
		t.Errorf("%+v", got)
	}
}

// TestBadQueries: every kind of bad input names the field and does nothing else; what follows is answered.
func TestBadQueries(t *testing.T) {
	const small = `"boardXSize":5,"boardYSize":5,"walls":2,`
	for line, want := range map[string][2]string{
		`nonsense`:                         {"", "one JSON object"},
		`[]`:                               {"", "one JSON object"},
		`null`:                             {"", "one JSON object"},
		`{"id":"x"`:                        {"", "one JSON object"},
		`{"id":"x"} {}`:                    {"", "one JSON object"},
		`{"moves":[]}`:                     {"id", "missing"},
		`{"id":7}`:                         {"id", "a text"},
		`{"id":"x"}`:                       {"moves", "missing"},
		`{"id":"x","moves":"e2"}`:          {"moves", "a list of texts"},
		`{"id":"x","moves":["e3"]}`:        {"moves", "ply 1: illegal move: e3"},
		`{"id":"x","moves":["e2","e5e"]}`:  {"moves", "ply 2: "},
		`{"id":"x","moves":["e3h","e3v"]}`: {"moves", "crosses"},
		`{"id":"x","moves":["e3h","f3h"]}`: {"moves", "overlaps"},
		`{"id":"x","moves":["e3h","e3h"]}`: {"moves", "ply 2"},
		`{"id":"x",` + small + `"moves":["c2","c4","c3","b4","b1","c4","c4"]}`:       {"moves", "ply 5"},
		`{"id":"x","initialPosition":"5x5 c4 a3 - 0,0 0","moves":["c5","a2"]}`:       {"moves", "the game is over"},
		`{"id":"x","initialPosition":"5x5 c1","moves":[]}`:                           {"initialPosition", "6: size"},
		`{"id":"x","initialPosition":"5x5 c1 c5 b2h,b2v 0,0 0","moves":[]}`:          {"initialPosition", "overlaps or crosses"},
		`{"id":"x","initialPosition":"2x5 a1 a5 - 0,0 0","moves":[]}`:                {"initialPosition", "3 columns"},
		`{"id":"x","initialPosition":"5x5 c1 c5 - 2,2 0","boardXSize":6,"moves":[]}`: {"boardXSize", "is 6"},
		`{"id":"x","initialPosition":"5x5 c1 c5 - 2,2 0","boardYSize":6,"moves":[]}`: {"boardYSize", "is 6"},
		`{"id":"x","initialPosition":"5x5 c1 c5 - 2,2 0","walls":1,"moves":[]}`:      {"walls", "needs 2"},
		`{"id":"x","initialPosition":"5x5 c1 c5 - 2,2 0","walls":99,"moves":[]}`:     {"walls", "99"},
		`{"id":"x","boardXSize":12,"moves":[],"walls":1}`:                            {"boardXSize", "12x9"},
		`{"id":"x","boardXSize":2,"moves":[],"walls":1}`:                             {"boardXSize", "3 columns"},
		`{"id":"x","boardYSize":2,"moves":[],"walls":1}`:                             {"boardYSize", "9x2"},
		`{"id":"x","boardXSize":5,"moves":[]}`:                                       {"walls", "missing"},
		`{"id":"x","walls":-1,"moves":[]}`:                                           {"walls", "-1"},
		`{"id":"x","walls":1.5,"moves":[]}`:                                          {"walls", "a whole number"},
		`{"id":"x","moves":[],"rules":"chess"}`:                                      {"rules", "default"},
		`{"id":"x","moves":[],"rules":{"komi":1}}`:                                   {"rules", "default"},
		`{"id":"x","moves":[],"rules":{"plyCap":-1}}`:                                {"rules", "plyCap"},
		`{"id":"x","moves":[],"maxVisits":0}`:                                        {"maxVisits", "1 to"},
		`{"id":"x","moves":[],"maxVisits":99999999}`:                                 {"maxVisits", "1 to"},
		`{"id":"x","moves":[],"maxTime":0}`:                                          {"maxTime", "above 0"},
		`{"id":"x","moves":[],"maxTime":1e300}`:                                      {"maxTime", "at most"},
		`{"id":"x","moves":[],"reportDuringSearchEvery":-1}`:                         {"reportDuringSearchEvery", "at least"},
		`{"id":"x","moves":[],"analyzeTurns":[1]}`:                                   {"analyzeTurns", "0 to 0"},
		`{"id":"x","moves":[],"analyzeTurns":[]}`:                                    {"analyzeTurns", "0 to 0"},
		`{"id":"x","moves":[],"analyzeTurns":[-1]}`:                                  {"analyzeTurns", "0 to 0"},
		`{"id":"x","moves":[],"priority":"high"}`:                                    {"priority", "a whole number"},
		`{"id":"x","moves":[],"includePolicy":1}`:                                    {"includePolicy", "true or false"},
		`{"id":"x","action":"dance"}`:                                                {"action", "dance"},
		`{"id":"x","action":"terminate"}`:                                            {"terminateId", "missing"},
		`{"id":"x","action":"terminate","terminateId":"y","turnNumbers":"all"}`:      {"turnNumbers", "whole numbers"},
		`{"id":"x","moves":[` + strings.Repeat(`"e2",`, 5000) + `"e2"]}`:             {"moves", "more than 5000"},
		strings.Repeat("x", MostLine+1):                                              {"", "too long"},
	} {
		got := ask(t, netConfig(), line+"\n"+`{"id":"after","action":"clear_cache"}`)
		if len(got) != 2 || got[0].Field != want[0] || !strings.Contains(got[0].Error, want[1]) || got[1].ID != "after" || got[0].Error != "" && strings.Contains(line, `"id":"x",`) && got[0].ID != "x" {
			t.Errorf("%.100s: %+v", line, got)
		}
	}
	got := ask(t, netConfig(), `{"id":"x","action":"clear_cache","komi":7,"Moves":[]}`)
	if len(got) != 3 || got[0].Warning == "" || got[0].Field != "Moves" || got[1].Field != "komi" || got[2].Action != "clear_cache" {
		t.Errorf("unknown fields: %+v", got)
	}
}

// TestReadsSpaceAndEmptyLines: they mean nothing.
func TestReadsSpaceAndEmptyLines(t *testing.T) {
	if got := ask(t, netConfig(), "\n  \r\n\t{\"id\":\"a\", \"action\":\"clear_cache\"}\r\n\n"); len(got) != 1 || got[0].ID != "a" {
		t.Errorf("%+v", got)
	}
}

// TestEngineFails: a failure is an error about that query; the server goes on.
func TestEngineFails(t *testing.T) {
	s := newSession(t, context.Background(), 1)
	s.fail = errors.New("the lamp is broken")
	s.query(1, "")
	<-s.began
	s.end <- struct{}{}
	if m := s.next(); m.ID != "1" || !strings.Contains(m.Error, "lamp") {
		t.Errorf("%+v", m)
	}
	s.in.Close()
	if err := <-s.done; err != nil {
		t.Error(err)
	}
}

func TestValidate(t *testing.T) {
	for _, change := range []func(*Config){
		func(c *Config) { c.Visits = 0 },
		func(c *Config) { c.Visits = play.MostVisits + 1 },
		func(c *Config) { c.Time = -1 },
		func(c *Config) { c.Workers = 0 },
		func(c *Config) { c.Workers = MostWorkers + 1 },
	} {
		c := netConfig()
		change(&c)
		if _, err := NewServer(c); !errors.Is(err, ErrConfig) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// FuzzServer: whatever comes in, each line that goes out fits the schema and nothing hangs.
func FuzzServer(f *testing.F) {
	for _, seed := range []string{
		`{"id":"x","moves":["e2","e8"],"maxVisits":1,"analyzeTurns":[0,1,2],"includePolicy":true}`,
		`{"id":"x","initialPosition":"5x5 c1 c5 b2h 1,2 0","moves":[],"rules":{"plyCap":3,"repetition":false},"priority":-5}`,
		"{\"id\":\"x\",\"action\":\"terminate\",\"terminateId\":\"x\"}\n{\"id\":\"y\",\"action\":\"terminate_all\"}",
		`{"id":"x","action":"query_version"}`, `{"id":"\ud800","moves":[]}`, `{"id":"x","id":7,"moves":null}`, "\x00\xff{}", `{"rules":{"plyCap":1e999}}`,
		strings.Repeat(`{"id":`, 2000), `{"id":"x","boardXSize":3,"boardYSize":3,"walls":0,"moves":["b2","a3"]}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, input string) {
		c := Config{Visits: 1, Workers: 2, NewEngine: func(b *quoridor.Board) (play.Engine, error) {
			o := firstMove{b}
			return o, nil
		}}
		ask(t, c, input)
	})
}

// firstMove is an engine that plays the first legal move.
type firstMove struct{ b *quoridor.Board }

func (firstMove) Name() string { return "first move" }

func (firstMove) Close() error { return nil }

func (e firstMove) Think(_ context.Context, g *quoridor.Game, _ play.Limits, _ func(*play.Report)) (*play.Report, error) {
	p := g.Position()
	return &play.Report{Move: e.b.Moves(nil, &p)[0]}, nil
}

// TestNoWallsMeansNone: a wall count of 0 is 0, and no wall is considered.
func TestNoWallsMeansNone(t *testing.T) {
	got := ask(t, netConfig(), `{"id":"x","boardXSize":5,"boardYSize":5,"walls":0,"moves":[],"maxVisits":10}`)
	if len(got) != 1 || got[0].RootInfo.Position != "5x5 c1 c5 - 0,0 0" || len(got[0].MoveInfos) != 3 {
		t.Errorf("%+v", got)
	}
}
