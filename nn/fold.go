package nn

import (
	"math"

	"rampart/nn/graph"
)

// Folded are the weights that inference uses: each batch norm is folded into
// the convolution before it, which has a bias instead. Training cannot go on
// from them.
type Folded struct {
	config  Config
	tensors []Tensor
}

// Fold computes the weights for inference, with the running statistics.
func (w *Weights) Fold() *Folded {
	f := &Folded{config: w.config, tensors: allocate(w.config.foldedParams())}
	to := f.tensors
	for from := w.tensors; len(from) > 0; {
		if len(from[0].Shape) == 4 && from[0].Shape[2] == 3 {
			foldNorm(to[0].Data, to[1].Data, from[0].Data, from[1].Data, from[2].Data, from[3].Data, from[4].Data)
			from, to = from[5:], to[2:]
			continue
		}
		copy(to[0].Data, from[0].Data)
		from, to = from[1:], to[1:]
	}
	return f
}

// foldNorm folds scale*(conv(x)-mean)/sqrt(variance+epsilon) + bias.
func foldNorm(dst, dstBias, weight, scale, bias, mean, variance []float32) {
	each := len(weight) / len(scale)
	for o, s := range scale {
		factor := float64(s) / math.Sqrt(float64(variance[o])+graph.Epsilon)
		for i, v := range weight[o*each:][:each] {
			dst[o*each+i] = float32(float64(v) * factor)
		}
		dstBias[o] = float32(float64(bias[o]) - float64(mean[o])*factor)
	}
}

// Config returns the size of the network.
func (f *Folded) Config() Config { return f.config }

// Tensors returns the tensors in their fixed order. Data is shared.
func (f *Folded) Tensors() []Tensor { return f.tensors }
