package onnx_test

import (
	"fmt"

	"rampart/nn/onnx"
)

// A model that doubles its input, written and read back.
func Example() {
	m := &onnx.Model{
		IRVersion: 7, Opset: 13, Producer: "example",
		Graph: onnx.Graph{
			Name:         "double",
			Nodes:        []onnx.Node{{Op: "Add", Name: "add", Inputs: []string{"x", "x"}, Outputs: []string{"y"}}},
			Initializers: []onnx.Tensor{{Name: "unused", Dims: []int64{2}, Data: []float32{1, 2}}},
			Inputs:       []onnx.Value{{Name: "x", Dims: []int64{-1, 2}}},
			Outputs:      []onnx.Value{{Name: "y", Dims: []int64{-1, 2}}},
		},
		Metadata: []onnx.Property{{Key: "made by", Value: "hand"}},
	}
	file := m.Marshal()
	back, err := onnx.Unmarshal(file)
	if err != nil {
		fmt.Println(err)
		return
	}
	maker, _ := back.Property("made by")
	fmt.Println(back.Graph.Nodes[0].Op, back.Graph.Outputs[0].Dims, maker)

	_, err = onnx.Unmarshal(file[:len(file)-3])
	fmt.Println(err)
	// Output:
	// Add [-1 2] hand
	// malformed ONNX file: field 14 at offset 120 is cut short
}
