package analysis

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"golang.org/x/sync/errgroup"

	"rampart/internal/lines"
)

// Server answers JSON lines.
type Server struct {
	config Config
	queue  *queue

	mu       sync.Mutex // guards the output
	out      io.Writer
	stop     context.CancelFunc // ends all work, when nobody reads what comes out
	writeErr error
}

// NewServer returns a server with the settings. The error wraps [ErrConfig].
func NewServer(c Config) (*Server, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	return &Server{config: c, queue: newQueue()}, nil
}

// Serve answers the queries of the input until it ends and all are answered, or until ctx ends, which drops what waits. It serves one input. The error is that of
// ctx, or of an input or output that fails.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	serving, stop := context.WithCancel(ctx)
	defer stop()
	s.out, s.stop = out, stop
	var workers errgroup.Group
	for range s.config.Workers {
		workers.Go(s.work)
	}
	readErr := s.read(serving, in)
	if readErr != nil {
		stop()
	}
	defer context.AfterFunc(serving, func() { s.queue.close(true) })()
	s.queue.close(false)
	return errors.Join(workers.Wait(), readErr, s.writeErr, ctx.Err())
}

// read takes the queries in, until the input or ctx ends.
func (s *Server) read(ctx context.Context, in io.Reader) error {
	input := lines.Channel(ctx, in, MostLine)
	for {
		select {
		case <-ctx.Done():
			return nil
		case line, more := <-input:
			switch {
			case !more:
				return nil
			case errors.Is(line.Err, lines.ErrTooLong):
				s.write(complaint{Error: line.Err.Error()})
			case line.Err != nil:
				return fmt.Errorf("input: %w", line.Err)
			default:
				s.handle(ctx, line.Text)
			}
		}
	}
}

// complaint is an error or a warning about a line.
type complaint struct {
	Error   string `json:"error,omitempty"`
	Warning string `json:"warning,omitempty"`
	Field   string `json:"field,omitempty"`
	ID      string `json:"id,omitempty"`
}

func (s *Server) handle(ctx context.Context, line string) {
	if len(bytes.TrimSpace([]byte(line))) == 0 {
		return
	}
	q, err := s.config.parseQuery(line)
	if err != nil {
		c := complaint{Error: err.Error(), ID: q.id}
		if f, ok := errors.AsType[fieldError](err); ok {
			c.Field = f.field
		}
		s.write(c)
		return
	}
	for _, field := range q.unknown {
		s.write(complaint{Warning: "this field means nothing here", Field: field, ID: q.id})
	}
	switch q.action {
	case "":
		if !s.queue.add(ctx, q) {
			s.write(complaint{Error: fmt.Sprintf("more than %d positions would wait; ask again later", MostPending), ID: q.id})
		}
	case "terminate", "terminate_all":
		s.terminate(q)
	case "query_version":
		s.write(struct {
			ID      string `json:"id"`
			Action  string `json:"action"`
			Version string `json:"version"`
			GitHash string `json:"git_hash"`
		}{q.id, q.action, s.config.Version, s.config.Version})
	case "query_models":
		s.write(struct {
			ID     string  `json:"id"`
			Action string  `json:"action"`
			Models []Model `json:"models"`
		}{q.id, q.action, append([]Model{}, s.config.Models...)})
	case "clear_cache": // every search forgets the last one already
		s.write(struct {
			ID     string `json:"id"`
			Action string `json:"action"`
		}{q.id, q.action})
	}
}

func (s *Server) terminate(q *query) {
	waiting := s.queue.terminate(q.action == "terminate_all", q.terminateID, q.onlyTurns)
	s.write(struct {
		ID          string `json:"id"`
		Action      string `json:"action"`
		TerminateID string `json:"terminateId,omitempty"`
		TurnNumbers []int  `json:"turnNumbers,omitempty"`
	}{q.id, q.action, q.terminateID, q.onlyTurns})
	for _, j := range waiting {
		s.write(&Answer{ID: j.id, TurnNumber: j.turn, NoResults: true})
	}
}

// work answers jobs until there are no more.
func (s *Server) work() error {
	analyst := NewAnalyst(&s.config)
	for {
		j := s.queue.take()
		if j == nil {
			return analyst.Close()
		}
		s.analyse(analyst, j)
		s.queue.done(j)
	}
}

func (s *Server) analyse(analyst *Analyst, j *job) {
	g, err := j.at(j.turn)
	if err != nil {
		s.write(complaint{Error: err.Error(), ID: j.id})
		return
	}
	tell := func(o *Opinion, during bool) {
		a := s.config.answer(g, o, j.policy, j.pvVisits)
		a.ID, a.TurnNumber, a.IsDuringSearch = j.id, j.turn, during
		s.write(a)
	}
	var during func(*Opinion)
	if j.limits.Every > 0 {
		during = func(o *Opinion) { tell(o, true) }
	}
	o, err := analyst.Think(j.ctx, g, j.limits, during)
	if err != nil {
		s.write(complaint{Error: fmt.Sprintf("turn %d: %v", j.turn, err), ID: j.id})
		return
	}
	tell(o, false)
}

// write writes one line.
func (s *Server) write(v any) {
	line, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("analysis: %T cannot be written as JSON: %v", v, err)) // our own types can
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.writeErr != nil {
		return
	}
	if _, err := s.out.Write(append(line, '\n')); err != nil {
		s.writeErr = fmt.Errorf("output: %w", err)
		s.stop()
	}
}
