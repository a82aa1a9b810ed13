package kernel

// portable is the implementation in Go, for every processor.
var portable = implementation{
	name:      "portable",
	product32: func(c, a, b []float32, k, lda, ldc, rows int) { productGo(c, a, b, k, lda, ldc, rows, 32) },
	product16: func(c, a, b []float32, k, lda, ldc, rows int) { productGo(c, a, b, k, lda, ldc, rows, 16) },
	transposed32: func(c, a, b []float32, k, m, lda, ldb, ldc int, add bool) {
		transposedGo(c, a, b, k, m, lda, ldb, ldc, add, 32)
	},
	transposed16: func(c, a, b []float32, k, m, lda, ldb, ldc int, add bool) {
		transposedGo(c, a, b, k, m, lda, ldb, ldc, add, 16)
	},
	inputTransform:    inputTransformGo,
	gradientTransform: gradientTransformGo,
	outputTransform:   outputTransformGo,
	weightTransform:   weightTransformGo,
	weightGradient:    weightGradientGo,
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

// multiplyAddGo runs the register tile of productGo on data in the first-level
// cache: the compiler makes nothing faster than that.
func multiplyAddGo(n int) int {
	const k = 512
	var (
		a      [k]float32
		b      [4 * k]float32
		c0, c1 [4]float32
	)
	rounds := n/(8*k) + 1
	for range rounds {
		tile2x4(&c0, &c1, a[:], a[:], b[:], 4)
	}
	return rounds * 8 * k
}
