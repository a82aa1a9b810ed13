package web

import (
	"context"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

// timeouts are how long a client may take.
type timeouts struct {
	header  time.Duration // to send the head of a request
	request time.Duration // to send all of it
	answer  time.Duration // to take an ordinary answer
	event   time.Duration // to take one event of a stream
	idle    time.Duration // between two requests
}

var defaultTimeouts = timeouts{5 * time.Second, 15 * time.Second, 30 * time.Second, 10 * time.Second, time.Minute}

// Sizes of connections.
const (
	mostHeader      = 16 << 10
	mostConnections = 2000
	sweepEvery      = 10 * time.Minute
	shutdownTimeout = 5 * time.Second
)

// Loopback tells whether only this machine can reach the address of a listener.
func Loopback(a net.Addr) bool {
	tcp, ok := a.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// Serve answers on the listener until ctx ends, then says goodbye and closes the server and the listener. Slow and silent clients are cut off. Outside
// loopback it refuses to serve without a token.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	if s.token == "" && !Loopback(l.Addr()) {
		s.Close()
		return errors.Join(fmt.Errorf("serve: %s can be reached from other machines, so a token is needed", l.Addr()), l.Close())
	}
	h := &http.Server{
		Handler: s, ReadHeaderTimeout: s.timeouts.header, ReadTimeout: s.timeouts.request, WriteTimeout: s.timeouts.answer, IdleTimeout: s.timeouts.idle, MaxHeaderBytes: mostHeader,
		ErrorLog: quietLog(s.log), BaseContext: func(net.Listener) context.Context { return s.ctx },
	}
	var group sync.WaitGroup
	group.Go(func() {
		tick := time.NewTicker(sweepEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				s.Sweep()
			case <-s.ctx.Done():
				return
			}
		}
	})
	ended := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(ended)
		s.Close()
		grace, cancel := context.WithTimeout(context.Background(), shutdownTimeout)
		defer cancel()
		if h.Shutdown(grace) != nil {
			_ = h.Close() // connections that do not end by themselves
		}
	})
	err := h.Serve(limitListener(l, mostConnections))
	if stop() { // the listener failed; nobody else closes
		s.Close()
		err = errors.Join(err, h.Close())
	} else {
		<-ended
	}
	group.Wait()
	if errors.Is(err, http.ErrServerClosed) && ctx.Err() != nil {
		return nil
	}
	return err
}

// limitListener closes connections beyond the number at once: those who are there are served.
func limitListener(l net.Listener, most int) net.Listener {
	return &limited{Listener: l, slots: make(chan struct{}, most)}
}

type limited struct {
	net.Listener
	slots chan struct{}
}

// Accept is part of [net.Listener].
func (l *limited) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		select {
		case l.slots <- struct{}{}:
			return &counted{Conn: c, release: sync.OnceFunc(func() { <-l.slots })}, nil
		default:
			_ = c.Close()
		}
	}
}

type counted struct {
	net.Conn
	release func()
}

// Close is part of [net.Conn].
func (c *counted) Close() error {
	defer c.release()
	return c.Conn.Close()
}

// quietLog passes on what the HTTP server complains about: mostly clients that break off.
func quietLog(to *slog.Logger) *log.Logger { return slog.NewLogLogger(to.Handler(), slog.LevelDebug) }
