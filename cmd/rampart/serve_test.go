package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"testing"
)

// TestServeCommand: the address that is printed opens the page, outside loopback with the token in it, and an interrupt ends the command without an error.
func TestServeCommand(t *testing.T) {
	for _, listen := range []string{"127.0.0.1:0", "0.0.0.0:0"} {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		out, in := io.Pipe()
		root := newRootCommand()
		root.SetArgs([]string{"serve", "--listen", listen})
		root.SetOut(in)
		ended := make(chan error, 1)
		go func() { ended <- root.ExecuteContext(ctx) }()
		lines := bufio.NewReader(out)
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		go func() { _, _ = io.Copy(io.Discard, lines) }()
		address := strings.TrimSpace(strings.TrimPrefix(line, "open "))
		if strings.Contains(address, "token=") != (listen == "0.0.0.0:0") {
			t.Errorf("%s: %s", listen, address)
		}
		jar, err := cookiejar.New(nil)
		if err != nil {
			t.Fatal(err)
		}
		client := &http.Client{Jar: jar}
		res, err := client.Get(address)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(res.Body)
		res.Body.Close()
		client.CloseIdleConnections()
		if res.StatusCode != 200 || !strings.Contains(string(body), "<html") {
			t.Errorf("%s: %d %.100s", address, res.StatusCode, body)
		}
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("%s: %v", listen, err)
		}
		in.Close()
	}
}

// TestServeBadFlags: one line and exit code 2.
func TestServeBadFlags(t *testing.T) {
	for _, args := range [][]string{
		{"--listen", "nowhere:port"},
		{"--listen", "256.1.1.1:80"},
		{"--model", "nothing"},
		{"--player", "nobody"},
		{"--run", "nothing"},
		{"--run", "serve.go"},
		{"--searches", "-1"},
		{"--token", "short"},
		{"extra"},
	} {
		root := newRootCommand()
		root.SetArgs(append([]string{"serve"}, args...))
		if err := root.Execute(); err == nil || exitCode(err) != exitBadInput || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", args, err)
		}
	}
}
