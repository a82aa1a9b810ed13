package nn

import (
	"rampart/nn/kernel"
)

// int8Net is native with bytes for the convolutions of the blocks, which are nearly
// all of the work. The stem, the sums along the shortcuts and the heads stay
// floats.
//
// Weights are rounded to 255 steps for each output channel. Activations, which ReLU
// leaves positive, are rounded to 255 steps from 0 to the largest value that the
// layer had on calibration positions, and what exceeds it is cut off.
type int8Net struct {
	*native
	blocks          []*kernel.ConvBytes // all convolutions but the stem
	trunk8, inside8 []uint8
	inverse         []float32 // steps a unit, of the output of each convolution
}

// calibrationRows is the number of positions that the ranges are taken from.
const calibrationRows = 512

// newInt8 calibrates the network on games that it plays against itself on the
// model's board, always the same ones.
func newInt8(m *Model) (backend, error) {
	plain, err := newNative(m)
	if err != nil {
		return nil, err
	}
	n := plain.(*native)
	batch, err := m.selfPlayed(calibrationRows, unfoldSource(1))
	if err != nil {
		return nil, err
	}
	size := n.shape.Len(nativeBatch, n.channels)
	q := &int8Net{native: n, trunk8: make([]uint8, size), inside8: make([]uint8, size)}
	ranges := n.ranges(batch)
	for i, most := range ranges {
		q.inverse = append(q.inverse, 255/most)
		if i == 0 {
			continue
		}
		c, err := kernel.NewConvBytes(n.shape, n.channels, m.Net.tensors[2*i].Data, m.Net.tensors[2*i+1].Data, ranges[i-1]/255)
		if err != nil {
			return nil, err
		}
		q.blocks = append(q.blocks, c)
	}
	return q, nil
}

// ranges returns the largest output of each convolution on the batch, 1 if there
// is none above 0.
func (n *native) ranges(batch *Batch) []float32 {
	most := make([]float32, len(n.convs))
	see := func(i int, output []float32) {
		for _, v := range output[:n.shape.Len(1, n.channels)] {
			most[i] = max(most[i], v)
		}
	}
	for r := range batch.Size() {
		n.stem(batch.Planes[r*batch.encoder.Len():], 1)
		see(0, n.trunk)
		for i := 1; i < len(n.convs); i += 2 {
			n.block(i, 1)
			see(i, n.inside)
			see(i+1, n.trunk)
		}
	}
	for i, v := range most {
		if v == 0 {
			most[i] = 1
		}
	}
	return most
}

func (q *int8Net) forward(planes []float32, boards int, policy, wdl []float32) error {
	q.stem(planes, boards)
	n := q.shape.Len(boards, q.channels)
	kernel.Quantise(q.trunk8[:n], q.trunk[:n], q.inverse[0])
	for i := 1; i < len(q.convs); i += 2 {
		q.blocks[i-1].Forward(q.inside8, nil, q.trunk8, nil, boards, q.inverse[i])
		q.blocks[i].Forward(q.trunk8, q.trunk, q.inside8, q.trunk, boards, q.inverse[i+1])
	}
	q.heads(planes, boards, policy, wdl)
	return nil
}
