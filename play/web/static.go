package web

import (
	"embed"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strconv"
)

// files is the client's bundle, made by app/build.mjs.
//
//go:embed static
var files embed.FS

// staticFiles serves the bundle: "/" is index.html, any other path must name a file exactly. There are no folders to list and no links to follow.
func staticFiles(s *Server) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			s.writeError(w, r, fail(http.StatusMethodNotAllowed, "method", "%s is not for this; GET is", clip(r.Method)))
			return
		}
		name := r.URL.Path
		if name == "/" {
			name = "/index.html"
		}
		content, err := fs.ReadFile(files, "static"+name) // an embedded file system takes clean paths only
		if err != nil {
			s.writeError(w, r, fail(http.StatusNotFound, "path", "there is nothing at %s", clip(r.URL.Path)))
			return
		}
		kind := mime.TypeByExtension(path.Ext(name))
		if known := kinds[path.Ext(name)]; known != "" {
			kind = known
		}
		w.Header().Set("Content-Type", kind)
		w.Header().Set("Content-Length", strconv.Itoa(len(content)))
		w.Header().Set("Cache-Control", "no-cache")
		if r.Method == http.MethodGet {
			_, _ = w.Write(content)
		}
	})
}

// kinds are the types of the bundle's files, whatever the machine's own table says.
var kinds = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml",
	".json": "application/json", ".webmanifest": "application/manifest+json", ".png": "image/png", ".ico": "image/x-icon",
}
