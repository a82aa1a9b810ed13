//go:build ort

package ort

import (
	"errors"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"rampart/nn/onnx"
)

// library loads what RAMPART_ORT_LIBRARY names.
func library(t *testing.T) *Runtime {
	t.Helper()
	path := os.Getenv("RAMPART_ORT_LIBRARY")
	if path == "" {
		t.Fatal("set RAMPART_ORT_LIBRARY to the path of libonnxruntime: these tests, with the tag ort, run it")
	}
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// sum is a model that adds two vectors of 3 for each row of a batch.
func sum() []byte {
	shape := []int64{-1, 3}
	m := onnx.Model{
		IRVersion: 7, Opset: 13,
		Graph: onnx.Graph{
			Name:    "sum",
			Nodes:   []onnx.Node{{Op: "Add", Name: "add", Inputs: []string{"a", "b"}, Outputs: []string{"c"}}},
			Inputs:  []onnx.Value{{Name: "a", Dims: shape}, {Name: "b", Dims: shape}},
			Outputs: []onnx.Value{{Name: "c", Dims: shape}},
		},
	}
	return m.Marshal()
}

func session(t *testing.T, threads int) *Session {
	t.Helper()
	s, err := library(t).NewSession(sum(), Options{Threads: threads, Provider: "cpu"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func prepare(t *testing.T, s *Session, rows int64) *Call {
	t.Helper()
	dims := []int64{rows, 3}
	c, err := s.Prepare([]Tensor{{"a", dims}, {"b", dims}}, []Tensor{{"c", dims}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// Calls of different batch sizes, with different values, in turns.
func TestRun(t *testing.T) {
	s := session(t, 1)
	one, two := prepare(t, s, 1), prepare(t, s, 2)
	for range 3 {
		copy(one.Input(0), []float32{1, 2, 3})
		copy(one.Input(1), []float32{10, 20, 30})
		copy(two.Input(0), []float32{1, 2, 3, 4, 5, 6})
		copy(two.Input(1), []float32{5, 5, 5, -5, -5, -5})
		for c, want := range map[*Call][]float32{one: {11, 22, 33}, two: {6, 7, 8, -1, 0, 1}} {
			if err := c.Run(); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(c.Output(0), want) {
				t.Errorf("%v, want %v", c.Output(0), want)
			}
			clear(c.Output(0))
		}
	}
}

// Goroutines share a session; each has a call.
func TestRunInParallel(t *testing.T) {
	s := session(t, 2)
	var group sync.WaitGroup
	for i := range 4 {
		c := prepare(t, s, 1)
		group.Go(func() {
			for n := range 200 {
				c.Input(0)[2], c.Input(1)[2] = float32(i), float32(n)
				if err := c.Run(); err != nil || c.Output(0)[2] != float32(i+n) {
					t.Errorf("%v, %v", c.Output(0), err)
				}
			}
		})
	}
	group.Wait()
}

func TestOpen(t *testing.T) {
	r := library(t)
	if again := library(t); again != r {
		t.Error("the library was loaded twice")
	}
	if !strings.HasPrefix(r.Version(), "1.") {
		t.Errorf("version %q", r.Version())
	}
	if _, err := Open("/no/such/library.so"); !errors.Is(err, ErrLibrary) {
		t.Errorf("error %v", err)
	}
}

func TestErrors(t *testing.T) {
	r := library(t)
	for name, c := range map[string]struct {
		model []byte
		o     Options
		want  error
	}{
		"empty model": {nil, Options{1, "cpu"}, ErrRuntime},
		"not a model": {[]byte("not a model"), Options{1, "cpu"}, ErrRuntime},
		"no threads":  {sum(), Options{0, "cpu"}, ErrRuntime},
		"provider":    {sum(), Options{1, "abacus"}, ErrProvider},
	} {
		if _, err := r.NewSession(c.model, c.o); !errors.Is(err, c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v, want one line that wraps %v", name, err, c.want)
		}
	}
	s := session(t, 1)
	if _, err := s.Prepare([]Tensor{{"a", []int64{0, 3}}}, nil); !errors.Is(err, ErrRuntime) {
		t.Errorf("no rows: %v", err)
	}
	dims := []int64{1, 3}
	for name, in := range map[string][]Tensor{
		"unknown input": {{"a", dims}, {"x", dims}},
		"wrong shape":   {{"a", dims}, {"b", []int64{1, 4}}},
	} {
		c, err := s.Prepare(in, []Tensor{{"c", dims}})
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Run(); !errors.Is(err, ErrRuntime) {
			t.Errorf("%s: %v", name, err)
		}
		c.Close()
	}
}
