package kernel_test

import (
	"fmt"

	"rampart/nn/kernel"
)

// A convolution whose only weight copies each cell of channel 0 from the cell to
// its left.
func ExampleConv() {
	s := kernel.Shape{H: 3, W: 4}
	conv, err := kernel.NewConv(s, 16, 16)
	if err != nil {
		fmt.Println(err)
		return
	}
	w := kernel.Alloc(16 * 16 * 9) // [cout][cin][3][3]
	w[3] = 1                       // output 0, input 0, middle row, left column
	conv.Pack(w)

	src, dst := kernel.Alloc(s.Len(1, 16)), kernel.Alloc(s.Len(1, 16))
	for x := range s.W {
		src[s.Offset(0, 1, x, 16)] = float32(x + 1)
	}
	ws := kernel.NewWorkspace(s, 16, 1)
	conv.Forward(ws, dst, src, 1, kernel.Epilogue{Bias: w[16*9*15:][:16], ReLU: true})
	for x := range s.W {
		fmt.Printf("%.0f ", dst[s.Offset(0, 1, x, 16)])
	}
	// Output: 0 1 2 3
}
