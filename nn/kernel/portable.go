package kernel

// portable is the implementation in Go, for every processor.
var portable = implementation{
	name:              "portable",
	product32:         product32Go,
	product16:         product16Go,
	transposed32:      transposed32Go,
	transposed16:      transposed16Go,
	inputTransform:    inputTransformGo,
	gradientTransform: gradientTransformGo,
	outputTransform:   outputTransformGo,
	weightTransform:   weightTransformGo,
	weightGradient:    weightGradientGo,
	loadTaps:          loadTapsGo,
	storeTaps:         storeTapsGo,
	convolveBytes:     convolveBytesGo,
	quantise:          quantiseGo,
	channelSums:       channelSumsGo,
	channelDeviations: channelDeviationsGo,
	normalise:         normaliseGo,
	normGradientSums:  normGradientSumsGo,
	normGradient:      normGradientGo,
	adamW:             adamWGo,
	addTo:             addToGo,
	multiplyAdd:       multiplyAddGo,
}

func addToGo(dst, src []float32) {
	for i, v := range src[:len(dst)] {
		dst[i] += v
	}
}

// multiplyAddGo runs the register tile of the products on data in the first-level
// cache: the compiler makes nothing faster than that.
func multiplyAddGo(n int) int {
	const k = 256
	var (
		a      [k]float32
		b      [k * panelWidth]float32
		c0, c1 [4]float32
	)
	rounds := n/(8*k) + 1
	for range rounds {
		tile2x4(&c0, &c1, a[:], a[:], b[:])
	}
	return rounds * 8 * k
}
