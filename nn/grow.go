package nn

import (
	"fmt"
	"strings"
)

// grow returns folded weights of a larger network that gives the same outputs
// (Chen et al. 2016, Net2Net; here what is new is drawn at random instead of
// copied, so that it can learn to differ). New channels and hidden units take
// from everything before them, and what was there before takes nothing from them
// yet; new blocks come last, and add nothing yet. random are the folded weights
// that the new parts are taken from, and are changed. The error wraps
// [ErrIncompatible] if the network would have to shrink.
func (f *Folded) grow(random *Folded) (*Folded, error) {
	if !random.config.CanBeginFrom(f.config) {
		return nil, fmt.Errorf("%w: a %v network cannot begin from a %v network: it may be wider or deeper, not smaller, and must see the same planes",
			ErrIncompatible, random.config.trunk().Text(), f.config.trunk().Text())
	}
	old := make(map[string]Tensor, len(f.tensors))
	for _, t := range f.tensors {
		old[t.Name] = t
	}
	for _, t := range random.tensors {
		if from, ok := old[t.Name]; ok {
			t.widen(from)
		} else if strings.Contains(t.Name, ".conv2.") {
			clear(t.Data)
		}
	}
	return random, nil
}

// widen copies a layer of fewer inputs or outputs into its place in t: the first
// of each. The outputs that the layer has take nothing from the inputs that it
// lacks.
func (t Tensor) widen(from Tensor) {
	switch len(t.Shape) {
	case 1:
		copy(t.Data, from.Data)
	case 2: // [inputs][outputs]
		parts := 1
		if t.Name == "hidden.weight" {
			parts = 3 // the features of all cells and of either pawn, [3][channels]
		}
		inputs, outputs, had := t.Shape[0]/parts, t.Shape[1], from.Shape[1]
		for row := range t.Shape[0] {
			part, i := row/inputs, row%inputs
			to := t.Data[row*outputs:][:had]
			if n := from.Shape[0] / parts; i < n {
				copy(to, from.Data[(part*n+i)*had:])
			} else {
				clear(to)
			}
		}
	case 4: // [out channels][in channels][row][column]
		each, had := len(t.Data)/t.Shape[0], len(from.Data)/from.Shape[0]
		for o := range from.Shape[0] {
			to := t.Data[o*each:][:each]
			copy(to, from.Data[o*had:][:had])
			clear(to[had:])
		}
	}
}
