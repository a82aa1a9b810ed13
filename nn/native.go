package nn

import (
	"rampart/nn/graph"
	"rampart/nn/kernel"
)

// nativeBatch is how many boards run through the network together: few, so that
// their activations stay in the cache.
const nativeBatch = 4

// native computes the network with the kernels, without a graph.
type native struct {
	shape    kernel.Shape
	channels int
	anchors  int
	space    *kernel.Workspace

	convs         []*kernel.Conv
	biases        [][]float32
	trunk, inside []float32 // activations between and within blocks

	walls, hidden, outputs  *kernel.Panel
	wallBias                [2]float32
	mean                    []float32 // 1/cells at the cells, 0 in the halo
	taps, summary, h, final []float32
}

// outputWidth is the number of outputs of the dense heads, side by side.
const outputWidth = graph.PawnActions + graph.Outcomes

func newNative(m *Model) (backend, error) {
	a := m.Config.arch(m.Board.H, m.Board.W)
	s := kernel.Shape{H: a.H, W: a.W}
	rows := s.Len(1, 1)
	n := &native{
		shape: s, channels: a.Channels, anchors: a.Anchors(),
		space: kernel.NewWorkspace(s, a.Channels, 1),
		trunk: kernel.Alloc(s.Len(nativeBatch, a.Channels)), inside: kernel.Alloc(s.Len(nativeBatch, a.Channels)),
		walls: kernel.NewPanel(a.Channels, 8), hidden: kernel.NewPanel(3*a.Channels, a.Hidden),
		outputs: kernel.NewPanel(a.Hidden, outputWidth),
		mean:    kernel.Alloc(rows),
	}
	n.taps = kernel.Alloc(rows * n.walls.Stride())
	n.summary = kernel.Alloc(nativeBatch * 3 * a.Channels)
	n.h = kernel.Alloc(nativeBatch * n.hidden.Stride())
	n.final = kernel.Alloc(nativeBatch * n.outputs.Stride())
	for y := range a.H {
		for x := range a.W {
			n.mean[s.Offset(0, y, x, 1)] = 1 / float32(a.Cells())
		}
	}
	return n, n.pack(m.Net.tensors, a)
}

// pack prepares the weights, which come in the order of [graph.FoldedParams].
func (n *native) pack(t []Tensor, a graph.Arch) error {
	for range 1 + 2*a.Blocks {
		c, err := kernel.NewConv(n.shape, t[0].Shape[1], t[0].Shape[0])
		if err != nil {
			return err
		}
		c.Pack(t[0].Data)
		n.convs, n.biases = append(n.convs, c), append(n.biases, t[1].Data)
		t = t[2:]
	}
	n.walls.Pack(wallMatrix(t[0].Data, a.Channels), nil)
	n.wallBias = [2]float32(t[1].Data)
	n.hidden.Pack(t[2].Data, t[3].Data)
	n.outputs.Pack(sideBySide(t[4].Data, t[6].Data, a.Hidden), append(append([]float32(nil), t[5].Data...), t[7].Data...))
	return nil
}

// wallMatrix arranges [2][C][2][2] as [C][8]: column 2*corner + orientation.
func wallMatrix(w []float32, channels int) []float32 {
	m := make([]float32, len(w))
	for i, v := range w {
		o, c, corner := i/(4*channels), i/4%channels, i%4
		m[c*8+2*corner+o] = v
	}
	return m
}

// sideBySide joins the rows of two matrices.
func sideBySide(a, b []float32, rows int) []float32 {
	var m []float32
	for i := range rows {
		wa, wb := len(a)/rows, len(b)/rows
		m = append(append(m, a[i*wa:][:wa]...), b[i*wb:][:wb]...)
	}
	return m
}

func (n *native) maxBatch() int { return nativeBatch }

func (n *native) close() error { return nil }

func (n *native) forward(planes []float32, boards int, policy, wdl []float32) error {
	n.stem(planes, boards)
	for i := 1; i < len(n.convs); i += 2 {
		n.block(i, boards)
	}
	n.heads(planes, boards, policy, wdl)
	return nil
}

// stem computes the trunk's first activations.
func (n *native) stem(planes []float32, boards int) {
	n.convs[0].Forward(n.space, n.trunk, planes, boards, kernel.Epilogue{Bias: n.biases[0], ReLU: true})
}

// block computes the residual block whose first convolution is the i-th.
func (n *native) block(i, boards int) {
	n.convs[i].Forward(n.space, n.inside, n.trunk, boards, kernel.Epilogue{Bias: n.biases[i], ReLU: true})
	n.convs[i+1].Forward(n.space, n.trunk, n.inside, boards, kernel.Epilogue{Bias: n.biases[i+1], Residual: n.trunk, ReLU: true})
}

// heads computes policy and value from the trunk.
func (n *native) heads(planes []float32, boards int, policy, wdl []float32) {
	actions := graph.PawnActions + 2*n.anchors
	for b := range boards {
		trunk := n.trunk[n.shape.Len(b, n.channels):][:n.shape.Len(1, n.channels)]
		n.wallLogits(policy[b*actions+graph.PawnActions:][:2*n.anchors], trunk)
		n.summarise(n.summary[b*3*n.channels:][:3*n.channels], trunk, planes[n.shape.Len(b, NumPlanes):])
	}
	n.hidden.Mul(n.h, n.hidden.Stride(), n.summary, 3*n.channels, boards, true)
	n.outputs.Mul(n.final, n.outputs.Stride(), n.h, n.hidden.Stride(), boards, false)
	for b := range boards {
		out := n.final[b*n.outputs.Stride():]
		copy(policy[b*actions:], out[:graph.PawnActions])
		copy(wdl[b*graph.Outcomes:], out[graph.PawnActions:outputWidth])
	}
}

// wallLogits multiplies every cell with the weights of all four corners, then
// sums the four cells around each anchor.
func (n *native) wallLogits(dst, trunk []float32) {
	stride := n.walls.Stride()
	n.walls.Mul(n.taps, stride, trunk, n.channels, len(n.mean), false)
	for y := range n.shape.H - 1 {
		for x := range n.shape.W - 1 {
			low := n.taps[n.shape.Offset(0, y, x, stride):][:2*stride]
			high := n.taps[n.shape.Offset(0, y+1, x, stride):][:2*stride]
			for o := range 2 {
				dst[o*n.anchors+y*(n.shape.W-1)+x] = n.wallBias[o] + low[o] + low[stride+2+o] + high[4+o] + high[stride+6+o]
			}
		}
	}
}

// summarise is the heads' view of a board: the mean of the trunk, and the trunk
// at the two pawns.
func (n *native) summarise(dst, trunk, planes []float32) {
	kernel.MatMul(n.space, dst[:n.channels], n.mean, trunk, 1, len(n.mean), n.channels)
	for cell := range n.mean {
		for p, v := range planes[cell*NumPlanes:][:2] {
			if v != 0 {
				copy(dst[(1+p)*n.channels:], trunk[cell*n.channels:][:n.channels])
			}
		}
	}
}
