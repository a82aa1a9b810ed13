package nn

import (
	"fmt"

	onnxgo "github.com/owulveryck/onnx-go"
	"github.com/owulveryck/onnx-go/backend/x/gorgonnx"
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"rampart/nn/graph"
	"rampart/nn/kernel"
)

// onnxGo gives the model's own file to onnx-go: the slowest evaluator, and an
// independent reading of the file.
type onnxGo struct {
	batch  int
	shape  kernel.Shape
	planes []float32 // [N][16][H][W]
	input  tensor.Tensor
	model  *onnxgo.Model
	net    *gorgonnx.Graph
}

// newONNX evaluates one board at a time: onnx-go's matrix products round
// differently in batches of different sizes.
func newONNX(m *Model) (backend, error) { return newONNXBatch(m, 1) }

// newONNXBatch decodes the file for one batch size, which onnx-go needs to know
// before it runs. It never panics: onnx-go does, on files that it does not like.
func newONNXBatch(m *Model, batch int) (o *onnxGo, err error) {
	defer recoverTo(&err)
	o = &onnxGo{batch: batch, shape: kernel.Shape{H: m.Board.H, W: m.Board.W}, net: gorgonnx.NewGraph()}
	size := []int{batch, NumPlanes, o.shape.H, o.shape.W}
	o.planes = make([]float32, tensor.Shape(size).TotalSize())
	o.input = tensor.New(tensor.WithShape(size...), tensor.WithBacking(o.planes))
	o.model = onnxgo.NewModel(o.net)
	if err := o.model.UnmarshalBinary(m.Marshal()); err != nil {
		return nil, err
	}
	if err := o.model.SetInput(0, o.input); err != nil {
		return nil, err
	}
	return o, graph.Building(func() error {
		g, err := o.net.GetExprGraph()
		if err != nil {
			return err
		}
		o.net.SetVM(gorgonia.NewTapeMachine(g, gorgonia.EvalMode()))
		return nil
	})
}

func recoverTo(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("onnx-go panicked: %v", r)
	}
}

func (o *onnxGo) maxBatch() int { return o.batch }

func (o *onnxGo) forward(planes []float32, n int, policy, wdl []float32) (err error) {
	defer recoverTo(&err)
	planesNCHW(o.planes, planes, o.shape, n)
	if err := o.model.SetInput(0, o.input); err != nil {
		return err
	}
	if err := o.net.Run(); err != nil {
		return err
	}
	out, err := o.model.GetOutputTensors()
	if err != nil {
		return err
	}
	copy(policy, out[0].Data().([]float32))
	copy(wdl, out[1].Data().([]float32))
	return nil
}

// planesNCHW copies n boards from NHWC with halo to NCHW without, the order of the
// planes in files.
func planesNCHW(dst, src []float32, s kernel.Shape, n int) {
	for b := range n {
		for y := range s.H {
			for x := range s.W {
				for p, v := range src[s.Offset(b, y, x, NumPlanes):][:NumPlanes] {
					dst[((b*NumPlanes+p)*s.H+y)*s.W+x] = v
				}
			}
		}
	}
}

func (o *onnxGo) close() error { return nil }
