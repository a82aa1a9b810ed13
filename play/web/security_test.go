package web

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// get sends a GET request with headers.
func (s *site) get(path string, header map[string]string) (*http.Response, string) {
	s.t.Helper()
	return s.request("GET", path, "", header)
}

func (s *site) request(method, path, body string, header map[string]string) (*http.Response, string) {
	s.t.Helper()
	req, err := http.NewRequest(method, s.base+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	for name, value := range header {
		if name == "Host" {
			req.Host = value
		}
		req.Header.Set(name, value)
	}
	res, err := s.client.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer res.Body.Close()
	var text strings.Builder
	buffer := make([]byte, 1<<16)
	for {
		n, err := res.Body.Read(buffer)
		text.Write(buffer[:n])
		if err != nil {
			return res, text.String()
		}
	}
}

// TestForeignHostsAndOrigins: a name that somebody bound to this machine, and a page of another origin, get nothing.
func TestForeignHostsAndOrigins(t *testing.T) {
	s := start(t, Options{Hosts: []string{"games.example"}}, nil)
	_, port, _ := net.SplitHostPort(s.addr)
	for host, want := range map[string]int{
		"evil.example": 403, "evil.example:" + port: 403, "localhost.evil.example": 403, "127.0.0.1.evil.example": 403, "192.168.1.5": 403, "0.0.0.0": 403, "[::]": 403,
		"localhost": 200, "LOCALHOST:1": 200, "localhost.": 200, "127.0.0.1:" + port: 200, "127.8.8.8": 200, "[::1]:80": 200, "games.example": 200, "Games.Example:8080": 200,
	} {
		for _, path := range []string{"/api/info", "/"} {
			if res, body := s.get(path, map[string]string{"Host": host}); res.StatusCode != want {
				t.Errorf("Host %s: %s gives %d %.80s, want %d", host, path, res.StatusCode, body, want)
			}
		}
	}
	for origin, want := range map[string]int{
		"http://evil.example": 403, "null": 403, "http://localhost": 403, "http://127.0.0.1": 403, "https://evil.example:" + port: 403,
		s.base: 201, "https://" + s.addr: 201,
	} {
		header := map[string]string{"Origin": origin, "Content-Type": "application/json"}
		if res, body := s.request("POST", "/api/games", "{}", header); res.StatusCode != want {
			t.Errorf("Origin %s: %d %.80s, want %d", origin, res.StatusCode, body, want)
		}
	}
	for site, want := range map[string]int{"cross-site": 403, "same-site": 403, "same-origin": 200, "none": 200, "": 200} {
		if res, _ := s.get("/api/info", map[string]string{"Sec-Fetch-Site": site}); res.StatusCode != want {
			t.Errorf("Sec-Fetch-Site %q: %d, want %d", site, res.StatusCode, want)
		}
	}
	if res, _ := s.get("/", map[string]string{"Sec-Fetch-Site": "cross-site"}); res.StatusCode != 200 { // a link from elsewhere
		t.Errorf("a link to the page: %d", res.StatusCode)
	}
	if n := len(s.server.rooms); n != 2 {
		t.Errorf("%d games, want the 2 that were allowed", n)
	}
}

func TestToken(t *testing.T) {
	const token = "correct-horse-battery"
	s := start(t, Options{Token: token}, nil)
	for name, c := range map[string]struct {
		path   string
		header map[string]string
		want   int
	}{
		"none":            {"/api/info", nil, 401},
		"page":            {"/", nil, 401},
		"wrong":           {"/api/info", map[string]string{"Authorization": "Bearer wrong-horse-battery"}, 401},
		"empty":           {"/api/info", map[string]string{"Authorization": "Bearer "}, 401},
		"prefix":          {"/api/info", map[string]string{"Authorization": "Bearer " + token[:8]}, 401},
		"basic":           {"/api/info", map[string]string{"Authorization": "Basic " + token}, 401},
		"header":          {"/api/info", map[string]string{"Authorization": "Bearer " + token}, 200},
		"cookie":          {"/api/info", map[string]string{"Cookie": tokenCookie + "=" + token}, 200},
		"wrong cookie":    {"/api/info", map[string]string{"Cookie": tokenCookie + "=x"}, 401},
		"address":         {"/?token=" + token, nil, 303},
		"wrong address":   {"/?token=x", nil, 401},
		"address of api":  {"/api/info?token=" + token, nil, 401},
		"any address":     {"/api/info", map[string]string{"Host": "192.168.1.5:80", "Authorization": "Bearer " + token}, 200},
		"not any name":    {"/api/info", map[string]string{"Host": "evil.example", "Authorization": "Bearer " + token}, 403},
		"stream needs it": {"/api/games/x/events", nil, 401},
	} {
		res, body := s.get(c.path, c.header)
		if res.StatusCode != c.want {
			t.Errorf("%s: %d %.80s, want %d", name, res.StatusCode, body, c.want)
		}
		if cookie := res.Header.Get("Set-Cookie"); (cookie != "") != (c.want == 303) || cookie != "" && !(strings.Contains(cookie, "HttpOnly") && strings.Contains(cookie, "SameSite=Strict")) {
			t.Errorf("%s: cookie %q", name, cookie)
		}
	}
	g := s.create(fields{"board": "5x5", "walls": 2})
	g.move("c2")
}

// TestOutsideLoopbackNeedsAToken: the server does not begin to serve.
func TestOutsideLoopbackNeedsAToken(t *testing.T) {
	l, err := net.Listen("tcp", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Serve(context.Background(), l); err == nil || !strings.Contains(err.Error(), "token") {
		t.Errorf("error %v", err)
	}
	if a, b := NewToken(), NewToken(); a == b || len(a) < 20 {
		t.Errorf("tokens %s and %s", a, b)
	}
}

func TestHeaders(t *testing.T) {
	s := start(t, Options{}, nil)
	for _, path := range []string{"/", "/app.js", "/api/info", "/api/nothing", "/nothing"} {
		res, _ := s.get(path, nil)
		for name, value := range headers {
			if res.Header.Get(name) != value {
				t.Errorf("%s: %s is %q", path, name, res.Header.Get(name))
			}
		}
		if csp := res.Header.Get("Content-Security-Policy"); strings.Contains(csp, "unsafe") || !strings.HasPrefix(csp, "default-src 'none'") {
			t.Errorf("policy %s", csp)
		}
		if cache := res.Header.Get("Cache-Control"); strings.HasPrefix(path, "/api/") && cache != "no-store" {
			t.Errorf("%s: Cache-Control %s", path, cache)
		}
	}
	if res, body := s.get("/", nil); res.StatusCode != 200 || !strings.Contains(res.Header.Get("Content-Type"), "text/html") || strings.Contains(body, "http://") || strings.Contains(body, "https://") {
		t.Errorf("the page: %d %s", res.StatusCode, body)
	}
}

// TestTraversal: nothing but the embedded files is served, however the path is written.
func TestTraversal(t *testing.T) {
	s := start(t, Options{}, nil)
	for _, path := range []string{
		"/../server.go", "/..%2fserver.go", "/%2e%2e/server.go", "/static/../../server.go", "//etc/passwd", "/etc/passwd", "/..\\server.go", "/..%5cserver.go", "/static",
		"/static/", "/.", "/index.html/", "/index.html/..", "/%00", "/index.html%00", "/./../go.mod", "/api/../../go.mod", "/....//go.mod", "/%c0%ae%c0%ae/go.mod",
	} {
		answer := s.raw("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
		status, _, _ := strings.Cut(strings.TrimPrefix(answer, "HTTP/1.1 "), " ")
		if status != "404" && status != "400" && status != "301" && status != "307" || strings.Contains(answer, "package web") || strings.Contains(answer, "root:") {
			t.Errorf("%s: %.200s", path, answer)
		}
	}
}

// TestRefusals: every request that is not right gets its status and code, and an error in words.
func TestRefusals(t *testing.T) {
	s := start(t, Options{}, nil)
	g := s.create(fields{"board": "5x5", "walls": 2})
	at := "/api/games/" + g.id
	for _, c := range []struct {
		method, path string
		body         any
		status       int
		code         string
	}{
		{"POST", "/api/games", "", 400, "bad"},
		{"POST", "/api/games", "{", 400, "bad"},
		{"POST", "/api/games", "[]", 400, "bad"},
		{"POST", "/api/games", "{} {}", 400, "bad"},
		{"POST", "/api/games", `{"bord": "9x9"}`, 400, "bad"},
		{"POST", "/api/games", `{"board": 9}`, 400, "bad"},
		{"POST", "/api/games", fields{"board": "10x10"}, 400, "bad"},
		{"POST", "/api/games", fields{"board": "2x5"}, 400, "bad"},
		{"POST", "/api/games", fields{"board": "0x0"}, 400, "bad"},
		{"POST", "/api/games", fields{"board": "-9x-9"}, 400, "bad"},
		{"POST", "/api/games", fields{"board": "5x5", "walls": 17}, 400, "bad"},
		{"POST", "/api/games", fields{"board": "5x5", "walls": -1}, 400, "bad"},
		{"POST", "/api/games", fields{"start": "9x9 e1"}, 400, "bad"},
		{"POST", "/api/games", fields{"board": "5x5", "start": "9x9 e1 e9 - 10,10 0"}, 400, "bad"},
		{"POST", "/api/games", fields{"board": "5x5", "moves": "c3"}, 400, "bad"},
		{"POST", "/api/games", fields{"players": []string{"person"}}, 400, "bad"},
		{"POST", "/api/games", fields{"players": []string{"person", "net:/etc/passwd"}}, 400, "bad"},
		{"POST", "/api/games", fields{"players": []string{"person", "level:0"}}, 400, "bad"},
		{"POST", "/api/games", fields{"players": []string{"person", "level:5:model=/etc/passwd"}}, 400, "bad"},
		{"POST", "/api/games", fields{"players": []string{"person", "level:5:model=../x"}}, 400, "bad"},
		{"POST", "/api/games", fields{"players": []string{"person", "level:5:modle=5x5-2"}}, 400, "bad"},
		{"POST", "/api/games", fields{"players": []string{"person", "alphabeta:depth=20"}}, 400, "bad"},
		{"POST", "/api/games", fields{"players": []string{"person", "perfect"}}, 400, "bad"}, // too large
		{"POST", "/api/games", fields{"plyCap": -1}, 400, "bad"},
		{"POST", "/api/games", fields{"plyCap": 1 << 30}, 400, "bad"},
		{"POST", "/api/games", fields{"clock": fields{"base": -1}}, 400, "bad"},
		{"POST", "/api/games", fields{"clock": fields{"base": 1 << 60}}, 400, "bad"},
		{"POST", "/api/games", fields{"clock": fields{"base": 1000, "left": []int{1}}}, 400, "bad"},
		{"POST", "/api/games", fields{"clock": fields{"increment": 1000}}, 400, "bad"},
		{"POST", "/api/games", fields{"text": "x"}, 400, "bad"},
		{"POST", "/api/games", fields{"text": "x", "share": "y"}, 400, "bad"},
		{"POST", "/api/games", fields{"text": g.state.Text, "head": []string{"c3"}}, 400, "bad"},
		{"POST", "/api/games", fields{"text": g.state.Text, "plyCap": 5}, 400, "bad"},
		{"POST", "/api/games", fields{"share": "x"}, 400, "bad"},
		{"POST", "/api/games", fields{"key": "short"}, 400, "bad"},
		{"POST", "/api/games", fields{"run": fields{"run": 0, "shard": 1, "game": 0}}, 404, "run"},
		{"GET", "/api/games/nothere000", nil, 404, "game"},
		{"GET", "/api/games/nothere000/events", nil, 404, "game"},
		{"GET", "/api/games/nothere000/text", nil, 404, "game"},
		{"GET", "/api/games/nothere000/nodes/0", nil, 404, "game"},
		{"POST", "/api/games/nothere000/move", fields{}, 404, "game"},
		{"GET", at + "/nodes/7", nil, 404, "node"},
		{"GET", at + "/nodes/-1", nil, 404, "node"},
		{"GET", at + "/nodes/x", nil, 400, "bad"},
		{"POST", at + "/jump", fields{}, 404, "path"},
		{"POST", at + "/move", fields{"node": 0, "move": "c2"}, 400, "bad"}, // no version
		{"POST", at + "/move", fields{"version": 1, "move": "c2"}, 400, "bad"},
		{"POST", at + "/move", fields{"version": 1, "node": 9, "move": "c2"}, 404, "node"},
		{"POST", at + "/move", fields{"version": 2, "node": 0, "move": "c2"}, 409, "stale"},
		{"POST", at + "/move", fields{"version": 1, "node": 0, "move": "zz"}, 400, "bad"},
		{"POST", at + "/move", fields{"version": 1, "node": 0, "move": "c3"}, 409, "illegal"},
		{"POST", at + "/move", fields{"version": 1, "node": 0, "move": "c1"}, 409, "illegal"},
		{"POST", at + "/move", fields{"version": 1, "node": 0, "move": "c5"}, 409, "illegal"},
		{"POST", at + "/resign", fields{"version": 1}, 400, "bad"},
		{"POST", at + "/resign", fields{"version": 1, "side": 2}, 400, "bad"},
		{"POST", at + "/goto", fields{}, 400, "bad"},
		{"POST", at + "/goto", fields{"to": "nowhere"}, 400, "bad"},
		{"POST", at + "/goto", fields{"to": "end", "node": 0}, 400, "bad"},
		{"POST", at + "/goto", fields{"node": 5}, 404, "node"},
		{"POST", at + "/delete", fields{"version": 1, "node": 0}, 409, "state"},
		{"POST", at + "/delete", fields{"version": 1}, 400, "bad"},
		{"POST", at + "/promote", fields{"version": 1, "node": 3}, 404, "node"},
		{"POST", at + "/players", fields{"version": 1, "players": []string{"person"}}, 400, "bad"},
		{"POST", at + "/players", fields{"version": 1, "players": []string{"person", "nobody"}}, 400, "bad"},
		{"POST", at + "/undo", fields{"version": 1}, 409, "state"},
		{"POST", at + "/redo", fields{"version": 1}, 409, "state"},
		{"POST", at + "/go", fields{"version": 1}, 409, "state"},
		{"POST", at + "/now", fields{}, 409, "state"},
		{"POST", at + "/analysis", fields{}, 400, "bad"},
		{"POST", at + "/analysis", fields{"on": true, "model": "nowhere"}, 400, "bad"},
		{"POST", at + "/review", fields{"on": true, "visits": 1 << 30}, 400, "bad"},
		{"GET", "/api/levels", nil, 400, "bad"},
		{"GET", "/api/levels?board=9x9&walls=x", nil, 400, "bad"},
		{"GET", "/api/levels?board=2x9&walls=1", nil, 400, "bad"},
		{"GET", "/api/levels?board=9x9&walls=1000", nil, 400, "bad"},
		{"GET", "/api/runs/0/shards", nil, 404, "run"},
		{"GET", "/api/runs/x/shards", nil, 400, "bad"},
		{"GET", "/api/runs/0/shards/1/games", nil, 404, "run"},
		{"GET", "/api/", nil, 404, "path"},
		{"GET", "/api/nothing", nil, 404, "path"},
		{"GET", "/nothing.html", nil, 404, "path"},
		{"GET", "/api/games", nil, 405, "method"},
		{"POST", "/api/info", fields{}, 405, "method"},
		{"PUT", "/api/games", fields{}, 405, "method"},
		{"DELETE", at, nil, 405, "method"},
		{"POST", "/", fields{}, 405, "method"},
	} {
		status, data := s.do(c.method, c.path, g.key, c.body)
		if status != c.status || !strings.Contains(string(data), `"code":"`+c.code+`"`) || !strings.Contains(string(data), `"error":"`) {
			t.Errorf("%s %s %v: %d %s, want %d %s", c.method, c.path, c.body, status, data, c.status, c.code)
		}
		if strings.Contains(string(data), "/etc/") && !strings.Contains(fmt.Sprint(c.body), "/etc/") {
			t.Errorf("%s: the answer names a path: %s", c.path, data)
		}
	}
	if after := g.get(); after.Version != 1 || after.Seq != g.state.Seq || len(after.Nodes) != 1 {
		t.Errorf("refused requests changed the game: %+v", after)
	}
	for kind, want := range map[string]int{"": 415, "text/plain": 415, "application/x-www-form-urlencoded": 415, "multipart/form-data": 415, "application/json; charset=utf-8": 201} {
		res, body := s.request("POST", "/api/games", "{}", map[string]string{"Content-Type": kind})
		if res.StatusCode != want {
			t.Errorf("Content-Type %q: %d %s", kind, res.StatusCode, body)
		}
	}
}

// TestHugeAndLyingBodies: a body that is too large is refused, whatever it says of its length; one that is shorter or longer than it says harms nobody.
func TestHugeAndLyingBodies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := startOnPipes(t, Options{}, func(s *Server) {
			s.timeouts.header, s.timeouts.request, s.timeouts.idle = 200*time.Millisecond, 200*time.Millisecond, 200*time.Millisecond
		})
		huge := `{"moves": "` + strings.Repeat("e2 ", mostBody/3+10) + `"}`
		if status, data := s.do("POST", "/api/games", "", huge); status != 413 || !strings.Contains(string(data), `"large"`) {
			t.Errorf("a huge body: %d %s", status, data)
		}
		const head = "POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
		for name, c := range map[string]struct{ text, want string }{
			"says a terabyte":        {head + "Content-Length: 1099511627776\r\n\r\n{", "413"},
			"says more than it has":  {head + "Content-Length: 100\r\n\r\n{}", "400"},
			"says less than it has":  {head + "Content-Length: 2\r\n\r\n{}GET / SMUGGLED\r\n\r\n", "201"},
			"says two lengths":       {head + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", "400"},
			"says both":              {head + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n", "20"},
			"says a negative length": {head + "Content-Length: -2\r\n\r\n{}", "400"},
			"endless chunks":         {head + "Transfer-Encoding: chunked\r\n\r\n" + strings.Repeat("2000\r\n"+strings.Repeat(" ", 0x2000)+"\r\n", 40), "413"},
			"broken chunk":           {head + "Transfer-Encoding: chunked\r\n\r\nzz\r\n", "400"},
			"huge header":            {"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + strings.Repeat("x", 1<<20) + "\r\n\r\n", "431"},
			"no host":                {"GET / HTTP/1.1\r\n\r\n", "400"},
			"no HTTP":                {"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", ""},
			"old HTTP without host":  {"GET /api/info HTTP/1.0\r\n\r\n", "403"},
		} {
			answer := s.raw(c.text)
			status, _ := strings.CutPrefix(answer, "HTTP/1.1 ")
			status = strings.TrimPrefix(status, "HTTP/1.0 ")
			if !strings.HasPrefix(status, c.want) {
				t.Errorf("%s: %.200q, want %s", name, answer, c.want)
			}
		}
		s.create(fields{})
	})
}

// TestPanics: a handler that breaks down answers 500, and the server goes on.
func TestPanics(t *testing.T) {
	s := start(t, Options{}, func(s *Server) {
		s.mux.HandleFunc("GET /api/panic", func(http.ResponseWriter, *http.Request) { panic("on purpose") })
	})
	for range 3 {
		if status, data := s.do("GET", "/api/panic", "", nil); status != 500 || !strings.Contains(string(data), `"internal"`) || strings.Contains(string(data), "purpose") {
			t.Errorf("%d %s", status, data)
		}
	}
}
