//go:build ort

package ort

import (
	"fmt"
	"strings"
	"unsafe"

	"github.com/ebitengine/purego"
)

// Options are how a session runs.
type Options struct {
	// Threads is the number of threads that one operator uses; at least 1.
	Threads int
	// Provider is what computes: "cpu", or "cuda" with a library that was built
	// for it.
	Provider string
}

// Session is a model made ready to run.
type Session struct {
	runtime *Runtime
	handle  uintptr
}

// NewSession reads an ONNX file. Errors wrap [ErrRuntime] or [ErrProvider].
func (r *Runtime) NewSession(model []byte, o Options) (*Session, error) {
	if len(model) == 0 || o.Threads < 1 {
		return nil, fmt.Errorf("%w: model of %d bytes, %d threads", ErrRuntime, len(model), o.Threads)
	}
	var options uintptr
	if err := r.check(r.api.createOptions(&options)); err != nil {
		return nil, err
	}
	defer r.api.releaseSessionSetup(options)
	for _, s := range []status{
		r.api.setIntraThreads(options, int32(o.Threads)),
		r.api.setInterThreads(options, 1),
		r.api.setOptimization(options, optimizeAll),
	} {
		if err := r.check(s); err != nil {
			return nil, err
		}
	}
	if err := r.addProvider(options, o.Provider); err != nil {
		return nil, err
	}
	s := &Session{runtime: r}
	return s, r.check(r.api.createSession(r.env, model, uintptr(len(model)), options, &s.handle))
}

// addProvider puts an execution provider before the CPU's, on its first device.
func (r *Runtime) addProvider(options uintptr, name string) error {
	switch name {
	case "cpu":
		return nil
	case "cuda":
	default:
		return fmt.Errorf("%w: %q, want cpu or cuda", ErrProvider, name)
	}
	symbol, err := findSymbol(r.library, "OrtSessionOptionsAppendExecutionProvider_"+strings.ToUpper(name))
	if err != nil {
		return fmt.Errorf("%w: this library was built without %s: %w", ErrProvider, name, err)
	}
	var add func(options uintptr, device int32) status
	purego.RegisterFunc(&add, symbol)
	if err := r.check(add(options, 0)); err != nil {
		return fmt.Errorf("%w %s: %w", ErrProvider, name, err)
	}
	return nil
}

// Close releases the session.
func (s *Session) Close() {
	s.runtime.api.releaseSession(s.handle)
	s.handle = 0
}

// Tensor names an input or output of a model and gives its shape: float32,
// row-major.
type Tensor struct {
	Name string
	Dims []int64
}

// Call runs a session on tensors of its own.
type Call struct {
	session *Session
	in, out side
}

// side are the inputs or the outputs.
type side struct {
	names  []*byte // C strings
	values []uintptr
	data   [][]float32
}

// Prepare makes the tensors of a call.
func (s *Session) Prepare(in, out []Tensor) (*Call, error) {
	c := &Call{session: s}
	var allocator uintptr
	err := s.runtime.check(s.runtime.api.defaultAllocator(&allocator))
	for i, t := range append(append([]Tensor(nil), in...), out...) {
		to := &c.in
		if i >= len(in) {
			to = &c.out
		}
		if err == nil {
			err = s.runtime.add(to, allocator, t)
		}
	}
	if err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

func (r *Runtime) add(to *side, allocator uintptr, t Tensor) error {
	n := int64(1)
	for _, d := range t.Dims {
		if d < 1 || n*d > 1<<31 {
			return fmt.Errorf("%w: tensor %q of shape %v", ErrRuntime, t.Name, t.Dims)
		}
		n *= d
	}
	var value uintptr
	if err := r.check(r.api.createTensor(allocator, t.Dims, uintptr(len(t.Dims)), elementFloat, &value)); err != nil {
		return err
	}
	to.values = append(to.values, value)
	var data *float32
	if err := r.check(r.api.tensorData(value, &data)); err != nil {
		return err
	}
	to.data = append(to.data, unsafe.Slice(data, n))
	to.names = append(to.names, unsafe.SliceData(append([]byte(t.Name), 0)))
	return nil
}

// Input and Output return the memory of the i-th tensor, until Close.
func (c *Call) Input(i int) []float32  { return c.in.data[i] }
func (c *Call) Output(i int) []float32 { return c.out.data[i] }

// Run computes the outputs from the inputs.
func (c *Call) Run() error {
	r := c.session.runtime
	return r.check(r.api.run(c.session.handle, 0,
		c.in.names, c.in.values, uintptr(len(c.in.values)),
		c.out.names, uintptr(len(c.out.values)), c.out.values))
}

// Close releases the tensors.
func (c *Call) Close() {
	for _, s := range []*side{&c.in, &c.out} {
		for _, v := range s.values {
			c.session.runtime.api.releaseValue(v)
		}
		*s = side{}
	}
}
