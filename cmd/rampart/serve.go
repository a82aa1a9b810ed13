package main

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"rampart/arena"
	"rampart/nn"
	"rampart/play/web"
	"rampart/quoridor"
)

// serveFlags are the flags of rampart serve.
type serveFlags struct {
	listen, token, hosts string
	models, players      []string
	runs                 []string
	searches             int
}

func newServeCommand() *cobra.Command {
	var f serveFlags
	c := &cobra.Command{
		Use:   "serve",
		Short: "Play and analyse in a browser",
		Long: `Serves a web page on which to play, against people, networks and classical players, and to analyse: on any board, with levels, branches,
clocks, live search, exact values on small boards, and the games of runs. Nothing is loaded from elsewhere.

It listens on this machine only unless --listen says otherwise. Then a token is needed: one is drawn unless --token or the environment variable
RAMPART_TOKEN gives it, and is part of the address that is printed. Games live in memory and in the page that plays them: after a restart of the server
the page goes on where it was.`,
		Example: "  rampart serve\n  rampart serve --run runs/5x5-2 --model runs/5x5-2\n  rampart serve --listen 0.0.0.0:8080 --host games.example.org",
		Args:    noArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return runServe(c, &f) },
	}
	c.Flags().StringVar(&f.listen, "listen", "127.0.0.1:8080", "address to listen on; port 0 takes a free one")
	c.Flags().StringVar(&f.token, "token", "", "secret that opens the server outside loopback (default RAMPART_TOKEN, else drawn)")
	c.Flags().StringVar(&f.hosts, "host", "", "names that the server is called by in addresses, besides localhost, separated by commas")
	c.Flags().StringArrayVar(&f.models, "model", nil, "network to offer besides those that ship: a model file or a run folder; repeatable")
	c.Flags().StringArrayVar(&f.players, "player", nil, "player to offer besides the usual ones, as for rampart match; repeatable")
	c.Flags().StringArrayVar(&f.runs, "run", nil, "run folder whose games can be looked at; repeatable")
	c.Flags().IntVar(&f.searches, "searches", 0, "searches at once; 0 for one per processor")
	return c
}

func runServe(c *cobra.Command, f *serveFlags) error {
	options, err := f.options(c.ErrOrStderr())
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", f.listen)
	if err != nil {
		return badInput(fmt.Errorf("--listen: %w", err))
	}
	open := web.Loopback(l.Addr())
	switch {
	case f.token != "":
		options.Token = f.token
	case !open:
		options.Token = web.NewToken()
	}
	s, err := web.New(options)
	if err != nil {
		return errors.Join(badInput(err), l.Close())
	}
	fmt.Fprintf(c.OutOrStdout(), "open %s\n", f.address(l.Addr(), options.Token))
	if !open {
		fmt.Fprintln(c.OutOrStdout(), "other machines can reach this server; whoever has the address with its token can use it")
	}
	return s.Serve(c.Context(), l)
}

// options reads the flags.
func (f *serveFlags) options(logTo io.Writer) (web.Options, error) {
	o := web.Options{
		Version: version(), Models: make(map[string]*nn.Model), Slots: f.searches,
		Log: slog.New(slog.NewTextHandler(logTo, &slog.HandlerOptions{Level: slog.LevelWarn})),
	}
	if f.searches < 0 || f.searches > 1024 {
		return o, badInput(fmt.Errorf("--searches %d: must be 1 to 1024, or 0 for one per processor", f.searches))
	}
	if f.token == "" {
		f.token = os.Getenv("RAMPART_TOKEN")
	}
	if f.token != "" && len(f.token) < 12 {
		return o, badInput(errors.New("--token: must have 12 characters or more, so that nobody guesses it"))
	}
	for host := range strings.SplitSeq(f.hosts, ",") {
		if host = strings.TrimSpace(host); host != "" {
			o.Hosts = append(o.Hosts, host)
		}
	}
	for _, path := range f.models {
		m, err := loadModel(path)
		if err != nil {
			return o, err
		}
		name := strings.TrimSuffix(filepath.Base(filepath.Clean(path)), ".onnx")
		if strings.ContainsAny(name, ":=") || o.Models[name] != nil {
			return o, badInput(fmt.Errorf("--model %s: its name %q is taken or holds a colon; rename the file", path, name))
		}
		o.Models[name] = m
	}
	for _, spec := range f.players {
		if _, err := arena.Parse(spec); err != nil {
			return o, badInput(fmt.Errorf("--player: %w", err))
		}
		o.Players = append(o.Players, web.Player{Spec: spec, Summary: "offered by --player", Largest: quoridor.MaxSize * quoridor.MaxSize})
	}
	for _, dir := range f.runs {
		info, err := os.Stat(dir)
		if err == nil && !info.IsDir() {
			err = fmt.Errorf("%s is not a folder", dir)
		}
		if err != nil {
			return o, badInput(fmt.Errorf("--run: %w", err))
		}
		if dir, err = filepath.Abs(dir); err != nil {
			return o, err
		}
		o.Runs = append(o.Runs, dir)
	}
	return o, nil
}

// address is what to open in a browser.
func (f *serveFlags) address(a net.Addr, token string) string {
	host, port, err := net.SplitHostPort(a.String())
	if err != nil {
		return a.String()
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "localhost"
		if first, _, _ := strings.Cut(f.hosts, ","); first != "" {
			host = strings.TrimSpace(first)
		}
	}
	u := url.URL{Scheme: "http", Host: net.JoinHostPort(host, port), Path: "/"}
	if token != "" {
		u.RawQuery = url.Values{"token": {token}}.Encode()
	}
	return u.String()
}
