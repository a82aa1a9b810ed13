package web

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net"
	"net/http"
	"runtime/debug"
	"strings"
)

// mostBody bounds the body of a request in bytes.
const mostBody = 256 << 10

// tokenCookie holds the token in a browser.
const tokenCookie = "rampart_token"

// NewToken draws a token.
func NewToken() string {
	var b [18]byte
	_, _ = rand.Read(b[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// headers are sent with every answer. There is no inline script or style, nothing from elsewhere, and no page may frame ours.
var headers = map[string]string{
	"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
	"X-Content-Type-Options":       "nosniff",
	"X-Frame-Options":              "DENY",
	"Referrer-Policy":              "no-referrer",
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Permissions-Policy":           "camera=(), microphone=(), geolocation=()",
}

// ServeHTTP answers one request: who asks is checked before what is asked.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for name, value := range headers {
		w.Header().Set(name, value)
	}
	w.Header().Set("Cache-Control", "no-store")
	answered := &trackedWriter{ResponseWriter: w}
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("panic in a request", "method", r.Method, "path", r.URL.Path, "panic", p, "stack", string(debug.Stack()))
			if !answered.begun {
				s.writeError(answered, r, errInternal)
			}
		}
	}()
	if err := s.admit(r); err != nil {
		s.writeError(answered, r, err)
		return
	}
	if s.token != "" && !s.authorise(answered, r) {
		return
	}
	s.mux.ServeHTTP(answered, r)
}

// trackedWriter knows whether an answer has begun.
type trackedWriter struct {
	http.ResponseWriter
	begun bool
}

// WriteHeader is part of [http.ResponseWriter].
func (w *trackedWriter) WriteHeader(status int) {
	w.begun = true
	w.ResponseWriter.WriteHeader(status)
}

// Write is part of [http.ResponseWriter].
func (w *trackedWriter) Write(p []byte) (int, error) {
	w.begun = true
	return w.ResponseWriter.Write(p)
}

// Unwrap lets [http.ResponseController] find the connection.
func (w *trackedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// admit refuses requests that another web page makes: those to a host name that is not ours (a name bound anew to this machine) and those that come
// from a page of another origin.
func (s *Server) admit(r *http.Request) error {
	if !s.knowsHost(r.Host) {
		return fail(http.StatusForbidden, "host", "this server is not called %q; use the address that it printed, or name it with --host", clip(r.Host))
	}
	if origin := r.Header.Get("Origin"); origin != "" && origin != "http://"+r.Host && origin != "https://"+r.Host {
		return fail(http.StatusForbidden, "origin", "requests from pages of %q are refused", clip(origin))
	}
	site := r.Header.Get("Sec-Fetch-Site")
	if strings.HasPrefix(r.URL.Path, "/api/") && (site == "cross-site" || site == "same-site") {
		return fail(http.StatusForbidden, "origin", "requests from other sites are refused")
	}
	return nil
}

// knowsHost tells whether the Host of a request is ours: this machine's names, those that were given, and outside loopback any address, since only a
// name can be bound anew.
func (s *Server) knowsHost(host string) bool {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = host
	}
	name = strings.ToLower(strings.TrimSuffix(strings.Trim(name, "[]"), "."))
	if name == "localhost" || s.hosts[name] {
		return true
	}
	ip := net.ParseIP(name)
	return ip != nil && (ip.IsLoopback() || s.token != "")
}

// authorise checks the token and answers if it is missing. A token in the address of the page is put into a cookie.
func (s *Server) authorise(w http.ResponseWriter, r *http.Request) bool {
	if given := r.URL.Query().Get("token"); given != "" && r.URL.Path == "/" && r.Method == http.MethodGet && s.isToken(given) {
		http.SetCookie(w, &http.Cookie{Name: tokenCookie, Value: given, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: r.TLS != nil})
		http.Redirect(w, r, "/", http.StatusSeeOther)
		return false
	}
	if given, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok && s.isToken(given) {
		return true
	}
	if c, err := r.Cookie(tokenCookie); err == nil && s.isToken(c.Value) {
		return true
	}
	s.writeError(w, r, fail(http.StatusUnauthorized, "token", "this server wants a token; open the address with ?token=... that it printed when it started"))
	return false
}

// isToken compares in a time that does not depend on what is given.
func (s *Server) isToken(given string) bool {
	a, b := sha256.Sum256([]byte(given)), sha256.Sum256([]byte(s.token))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

// decode reads the JSON body of a request.
func decode(w http.ResponseWriter, r *http.Request, into any) error {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return fail(http.StatusUnsupportedMediaType, "type", "the body must be JSON, with Content-Type: application/json")
	}
	if r.ContentLength > mostBody {
		return errLarge
	}
	return decodeFrom(http.MaxBytesReader(w, r.Body, mostBody), into)
}

var errLarge = fail(http.StatusRequestEntityTooLarge, "large", "the body is longer than %d bytes", mostBody)

// decodeFrom reads exactly one JSON value.
func decodeFrom(body io.Reader, into any) error {
	d := json.NewDecoder(body)
	d.DisallowUnknownFields()
	err := d.Decode(into)
	if err == nil {
		if _, err = d.Token(); errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = errors.New("something follows the JSON value")
		}
	}
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return errLarge
	}
	if errors.Is(err, io.EOF) {
		return badRequest("the body is empty; it must be a JSON object")
	}
	return badRequest("the body is not the JSON that is expected here: %v", err)
}
