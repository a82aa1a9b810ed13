//go:build ort

package ort

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/ebitengine/purego"
)

// Errors of this package, wrapped with the details.
var (
	// ErrLibrary is returned when the shared library cannot be used.
	ErrLibrary = errors.New("ONNX Runtime library")
	// ErrProvider is returned for an execution provider that the library lacks or
	// that does not work on this machine.
	ErrProvider = errors.New("ONNX Runtime execution provider")
	// ErrRuntime is returned when a call of the runtime fails.
	ErrRuntime = errors.New("ONNX Runtime")
)

// Runtime is a loaded library.
type Runtime struct {
	library uintptr
	version string
	api     *table
	env     uintptr
}

var (
	mutex  sync.Mutex // of opened
	opened = map[string]*Runtime{}
)

// Open loads the library at a path, or returns it if it is loaded already. It is
// never unloaded: the runtime's threads may outlive its sessions. Errors wrap
// [ErrLibrary].
func Open(path string) (*Runtime, error) {
	mutex.Lock()
	defer mutex.Unlock()
	if r := opened[path]; r != nil {
		return r, nil
	}
	r, err := load(path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrLibrary, err)
	}
	opened[path] = r
	return r, nil
}

func load(path string) (*Runtime, error) {
	library, err := openLibrary(path)
	if err != nil {
		return nil, err
	}
	symbol, err := findSymbol(library, "OrtGetApiBase")
	if err != nil {
		return nil, fmt.Errorf("%s is not ONNX Runtime: %w", path, err)
	}
	var (
		base    func() *apiBase
		version func() string
		get     func(version uint32) *[tableSize]uintptr
	)
	purego.RegisterFunc(&base, symbol)
	b := base()
	purego.RegisterFunc(&version, b.getVersionString)
	purego.RegisterFunc(&get, b.getAPI)
	r := &Runtime{library: library, version: version()}
	functions := get(APIVersion)
	if functions == nil {
		return nil, fmt.Errorf("%s is ONNX Runtime %s, which does not serve API version %d", path, r.version, APIVersion)
	}
	r.api = newTable(functions)
	return r, r.check(r.api.createEnv(logFatal, "rampart", &r.env))
}

// Version returns the version of the library, as in "1.23.2".
func (r *Runtime) Version() string { return r.version }

// check turns a status into an error, in one line, and releases it.
func (r *Runtime) check(s status) error {
	if s == 0 {
		return nil
	}
	defer r.api.releaseStatus(s)
	return fmt.Errorf("%w: %s", ErrRuntime, strings.Join(strings.Fields(r.api.errorMessage(s)), " "))
}
