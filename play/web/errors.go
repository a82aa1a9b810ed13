package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"rampart/arena"
	"rampart/play"
	"rampart/quoridor"
)

// apiError is an answer that says what was wrong with the request.
type apiError struct {
	status  int
	code    string
	text    string
	version int // of the game, for code stale
	retry   int // seconds after which to try again, 0 for none
}

// Error is part of error.
func (e *apiError) Error() string { return e.text }

func fail(status int, code, format string, args ...any) *apiError {
	return &apiError{status: status, code: code, text: fmt.Sprintf(format, args...)}
}

func badRequest(format string, args ...any) *apiError {
	return fail(http.StatusBadRequest, "bad", format, args...)
}

var (
	errThinking = fail(http.StatusConflict, "thinking", "an engine is thinking; stop it first, or wait for its move")
	errBusy     = &apiError{status: http.StatusTooManyRequests, code: "busy", text: "too many searches are waiting; try again soon", retry: 2}
	errInternal = fail(http.StatusInternalServerError, "internal", "something went wrong here; the server's output says more")
)

func errFull(what string) *apiError {
	return &apiError{status: http.StatusServiceUnavailable, code: "full", text: "the server takes no more " + what + " now; try again later", retry: 10}
}

// asAPIError finds the answer to an error of the packages below.
func asAPIError(err error) *apiError {
	var e *apiError
	switch {
	case errors.As(err, &e):
		return e
	case errors.Is(err, context.Canceled): // the client has gone, or the server ends
		return errFull("requests")
	case errors.Is(err, play.ErrText), errors.Is(err, play.ErrGame), errors.Is(err, arena.ErrPlayer), errors.Is(err, quoridor.ErrNotation),
		errors.Is(err, quoridor.ErrPosition), errors.Is(err, quoridor.ErrBoard):
		return badRequest("%v", err)
	case errors.Is(err, quoridor.ErrIllegalMove):
		return fail(http.StatusConflict, "illegal", "%v", err)
	case errors.Is(err, play.ErrNode):
		return fail(http.StatusNotFound, "node", "%v", err)
	case errors.Is(err, play.ErrState):
		return fail(http.StatusConflict, "state", "%v", err)
	}
	return nil
}

// writeError answers with an error. One that is nobody's fault but ours is logged, not shown.
func (s *Server) writeError(w http.ResponseWriter, r *http.Request, err error) {
	e := asAPIError(err)
	if e == nil {
		s.log.Error("request failed", "method", r.Method, "path", r.URL.Path, "error", err)
		e = errInternal
	}
	body := map[string]any{"error": e.text, "code": e.code}
	if e.code == "stale" {
		body["version"] = e.version
	}
	if e.retry > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(e.retry))
	}
	writeJSON(w, e.status, body)
}

// writeJSON answers with JSON.
func writeJSON(w http.ResponseWriter, status int, v any) {
	body, err := json.Marshal(v)
	if err != nil {
		status, body = http.StatusInternalServerError, []byte(`{"error":"the answer could not be written","code":"internal"}`)
	}
	writeBody(w, status, body)
}

func writeBody(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // a client that is gone needs no answer
}
