package kernel

import (
	"fmt"
	"math"
)

// ConvBytes is a 3x3 convolution of unsigned by signed bytes that keeps the size of
// the board and the number of channels. Its sums are integers, so that every
// implementation gives the same result, bit for bit. It is fast with AVX-512 and VNNI only.
type ConvBytes struct {
	shape    Shape
	channels int
	weights  []int8    // in panels, see index
	scale    []float32 // [channels]: what a unit of the sum is worth
	bias     []float32 // [channels]
}

// NewConvBytes rounds the weights w, in ONNX order [c][c][3][3], to bytes; each
// output channel has a scale of its own, by its largest weight. A unit of the
// input is worth `unit`. The number of channels is a multiple of 16. It keeps no
// reference to w. Errors wrap [ErrShape] or [ErrChannels].
func NewConvBytes(s Shape, channels int, w, bias []float32, unit float32) (*ConvBytes, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if channels <= 0 || channels%16 != 0 {
		return nil, fmt.Errorf("%w: %d, want a positive multiple of 16", ErrChannels, channels)
	}
	c := &ConvBytes{
		shape: s, channels: channels, weights: make([]int8, 9*channels*channels), scale: make([]float32, channels),
		bias: append([]float32(nil), bias[:channels]...),
	}
	for o := range channels {
		row := w[9*channels*o:][:9*channels]
		most := float32(0)
		for _, v := range row {
			most = max(most, v, -v)
		}
		if most == 0 {
			continue
		}
		c.scale[o] = most / 127 * unit
		for i, v := range row {
			c.weights[c.index(o, i/9, i%9)] = int8(math.RoundToEven(float64(127 * v / most)))
		}
	}
	return c, nil
}

// index returns the place of the weight of a tap for input channel i and output
// channel o. A panel of 16 output channels is [3 rows][groups of 4 inputs][16][4]; the
// inputs are the channels of three neighbouring cells.
func (c *ConvBytes) index(o, i, tap int) int {
	deep := 3 * c.channels
	along := tap%3*c.channels + i
	return o/16*(3*deep*16) + (tap/3*deep+along/4*4)*16 + o%16*4 + along%4
}

// Forward computes n boards from src, in the layout of [Conv]: the convolution, plus
// bias, plus residual (nil for none; it may be floats), and ReLU. The results are
// stored as floats, as bytes after [Quantise], or both; nil leaves that out. src
// must not overlap bytes, and all halos must be 0.
func (c *ConvBytes) Forward(bytes []uint8, floats []float32, src []uint8, residual []float32, n int, inverse float32) {
	for b := range n {
		for y := range c.shape.H {
			to := c.shape.Offset(b, y, 0, c.channels)
			current.convolveBytes(c, from(bytes, to), from(floats, to), from(residual, to), src[c.shape.Offset(b, y-1, -1, c.channels):], inverse)
		}
	}
}

// Quantise writes src, a multiple of 16 values, as bytes: the value times inverse,
// rounded to the nearest integer, a half to the even one, from 0 to 255.
func Quantise(dst []uint8, src []float32, inverse float32) {
	current.quantise(dst[:len(src)], src, inverse)
}

func convolveBytesGo(c *ConvBytes, bytes []uint8, floats, residual []float32, src []uint8, inverse float32) {
	for x := range c.shape.W {
		for o := range c.channels {
			sum := c.sum(src[x*c.channels:], o)
			y := float32(float32(sum)*c.scale[o]) + c.bias[o]
			at := x*c.channels + o
			if residual != nil {
				y += residual[at]
			}
			y = max(y, 0)
			if floats != nil {
				floats[at] = y
			}
			if bytes != nil {
				bytes[at] = roundByte(y * inverse)
			}
		}
	}
}

// sum returns the products for output channel o of the cell to the lower right of
// src's first.
func (c *ConvBytes) sum(src []uint8, o int) (sum int32) {
	deep := 3 * c.channels
	for row := range 3 {
		in := src[row*(c.shape.W+2)*c.channels:][:deep]
		w := c.weights[c.index(o, 0, 3*row):]
		for i, v := range in {
			sum += int32(v) * int32(w[i/4*64+i%4])
		}
	}
	return sum
}

func quantiseGo(dst []uint8, src []float32, inverse float32) {
	for i, v := range src {
		dst[i] = roundByte(max(v, 0) * inverse)
	}
}

func roundByte(v float32) uint8 { return uint8(min(255, math.RoundToEven(float64(v)))) }
