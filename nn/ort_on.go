//go:build ort

package nn

import (
	"fmt"
	"os"
	"strconv"

	"rampart/nn/graph"
	"rampart/nn/kernel"
	"rampart/nn/ort"
)

// hasORT says whether the back end ort is there.
const hasORT = true

// ortBatch is how many boards run through ONNX Runtime together: enough for a
// graphics card to have something to do.
const ortBatch = 64

// ortNet gives the model's own file to ONNX Runtime.
type ortNet struct {
	shape   kernel.Shape
	actions int64
	session *ort.Session
	calls   [ortBatch + 1]*ort.Call // by number of boards, made when first needed
}

func newORT(m *Model) (backend, error) {
	library := os.Getenv(EnvORTLibrary)
	if library == "" {
		return nil, fmt.Errorf("where is ONNX Runtime? Set %s (or --ort-library) to the path of libonnxruntime", EnvORTLibrary)
	}
	options, err := ortOptions()
	if err != nil {
		return nil, err
	}
	runtime, err := ort.Open(library)
	if err != nil {
		return nil, err
	}
	session, err := runtime.NewSession(m.Marshal(), options)
	if err != nil {
		return nil, err
	}
	return &ortNet{shape: kernel.Shape{H: m.Board.H, W: m.Board.W}, actions: int64(m.Board.NumActions()), session: session}, nil
}

func ortOptions() (ort.Options, error) {
	o := ort.Options{Threads: 1, Provider: "cpu"}
	if text := os.Getenv(EnvORTThreads); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > 1024 {
			return o, fmt.Errorf("%s is %q, want a number from 1 to 1024", EnvORTThreads, text)
		}
		o.Threads = n
	}
	if text := os.Getenv(EnvORTProvider); text != "" {
		o.Provider = text
	}
	return o, nil
}

func (o *ortNet) maxBatch() int { return ortBatch }

func (o *ortNet) forward(planes []float32, n int, policy, wdl []float32) error {
	c, err := o.call(n)
	if err != nil {
		return err
	}
	planesNCHW(c.Input(0), planes, o.shape, n)
	if err := c.Run(); err != nil {
		return err
	}
	copy(policy, c.Output(0))
	copy(wdl, c.Output(1))
	return nil
}

// call returns the tensors for n boards.
func (o *ortNet) call(n int) (*ort.Call, error) {
	if o.calls[n] != nil {
		return o.calls[n], nil
	}
	boards := int64(n)
	c, err := o.session.Prepare(
		[]ort.Tensor{{Name: "planes", Dims: []int64{boards, NumPlanes, int64(o.shape.H), int64(o.shape.W)}}},
		[]ort.Tensor{{Name: "policy", Dims: []int64{boards, o.actions}}, {Name: "wdl", Dims: []int64{boards, graph.Outcomes}}},
	)
	o.calls[n] = c
	return c, err
}

func (o *ortNet) close() error {
	for i, c := range o.calls {
		if c != nil {
			c.Close()
			o.calls[i] = nil
		}
	}
	if o.session != nil {
		o.session.Close()
		o.session = nil
	}
	return nil
}
