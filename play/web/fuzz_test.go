package web

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"rampart/play"
)

// fuzzServer is a server without a listener; whoever asks is on loopback.
func fuzzServer(t testing.TB) *Server {
	s, err := New(Options{Slots: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// post sends a body straight to the handler.
func post(s *Server, path, key, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest("POST", "http://localhost"+path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Game-Key", key)
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

// answered checks that an answer is either a good one or an error in words that is not ours.
func answered(t *testing.T, w *httptest.ResponseRecorder) (good bool) {
	t.Helper()
	var m struct{ Error, Code string }
	if err := json.Unmarshal(w.Body.Bytes(), &m); err != nil {
		t.Fatalf("%d %s: %v", w.Code, w.Body, err)
	}
	if good = w.Code < 300; !good && (w.Code < 400 || w.Code >= 500 && w.Code != 503 || m.Error == "" || m.Code == "") {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	return good
}

// consistent checks that a state's parts belong together.
func consistent(t *testing.T, data []byte) {
	t.Helper()
	var m stateMessage
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	ids := map[play.NodeID]bool{}
	for _, n := range m.Nodes {
		ids[n.ID] = true
	}
	for _, id := range append([]play.NodeID{m.Cursor, m.Head, m.View.Node}, m.Line...) {
		if !ids[id] {
			t.Fatalf("there is no node %d in %s", id, data)
		}
	}
	if m.View.Node != m.Cursor || m.Turn.Thinking && m.Result != nil {
		t.Fatalf("%s", data)
	}
	back, err := play.ReadText(m.Text)
	if err != nil || len(back.Nodes()) != len(m.Nodes) {
		t.Fatalf("%v in %s", err, m.Text)
	}
}

// FuzzCreate sends any body to make a game.
func FuzzCreate(f *testing.F) {
	for _, body := range []string{
		`{}`, `{"board":"5x5","walls":2,"moves":"c2 c4","players":["person","level:1"],"go":false}`, `{"start":"9x9 e4 e6 e3h,c6v 9,9 1","plyCap":0,"repetition":false}`,
		`{"share":"9x9_e1_e9_-_10,10_0/e2.e8.e3h"}`, `{"text":"[Board \"5x5\"]\n[Walls \"2\"]\n1. c2 c4 (1... a4h) *","head":["c2","a4h"]}`,
		`{"clock":{"base":1000,"increment":10,"left":[5,6]},"key":"0123456789abcdef0123456789abcdef"}`, `{"run":{"run":0,"shard":1,"game":0}}`, `[]`, `null`, `{"board":"3x3","walls":4,"moves":"a2h"}`,
	} {
		f.Add(body)
	}
	s := fuzzServer(f)
	f.Fuzz(func(t *testing.T, body string) {
		w := post(s, "/api/games", "", body)
		if !answered(t, w) {
			return
		}
		var made struct {
			ID    string
			State json.RawMessage
		}
		if err := json.Unmarshal(w.Body.Bytes(), &made); err != nil {
			t.Fatal(err)
		}
		consistent(t, made.State)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.rooms[made.ID].close("")
		delete(s.rooms, made.ID)
	})
}

// FuzzActions sends any body to any action of a game, twice: the first may change what the second finds.
func FuzzActions(f *testing.F) {
	for name, body := range map[string]string{
		"move": `{"version":1,"node":2,"move":"b2h"}`, "undo": `{"version":1}`, "redo": `{"version":1}`, "go": `{"version":1}`, "stop": `{}`, "now": `{}`,
		"resign": `{"version":1,"side":0}`, "goto": `{"to":"start"}`, "delete": `{"version":1,"node":2}`, "promote": `{"version":1,"node":3}`,
		"players": `{"players":["person","racer"],"go":true}`, "analysis": `{"on":true,"model":"5x5-2","hints":true}`, "review": `{"on":true,"visits":1}`,
	} {
		f.Add(name, body, "goto", `{"node":1}`)
		f.Add("goto", `{"node":1}`, name, body)
	}
	s := fuzzServer(f)
	f.Fuzz(func(t *testing.T, first, body, second, body2 string) {
		if actions[first].do == nil || actions[second].do == nil || first == second && first == "players" {
			return
		}
		w := post(s, "/api/games", "", `{"text":"[Board \"5x5\"]\n[Walls \"2\"]\n1. c2 c4 (1... a4h) *"}`)
		if w.Code != http.StatusCreated {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		var made struct{ ID, Key string }
		if err := json.Unmarshal(w.Body.Bytes(), &made); err != nil {
			t.Fatal(err)
		}
		for _, a := range [][2]string{{first, body}, {second, body2}} {
			if w := post(s, "/api/games/"+made.ID+"/"+a[0], made.Key, a[1]); answered(t, w) {
				consistent(t, w.Body.Bytes())
			}
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.rooms[made.ID].close("")
		delete(s.rooms, made.ID)
	})
}
