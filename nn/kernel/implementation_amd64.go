package kernel

//go:generate go run -C internal/asm . -out ../../kernels_amd64.s -stubs ../../kernels_amd64.go -pkg kernel

import "golang.org/x/sys/cpu"

// implementations returns what the processor supports, the best one first.
func implementations() []*implementation {
	var list []*implementation
	x := &cpu.X86
	if x.HasAVX512F && x.HasAVX512VL && x.HasAVX512DQ && x.HasAVX512BW && x.HasAVX2 && x.HasFMA {
		if !x.HasAVX512VNNI {
			avx512.convolveBytes, avx512.quantise = convolveBytesGo, quantiseGo
		}
		list = append(list, &avx512)
	}
	if x.HasAVX2 && x.HasFMA {
		list = append(list, &avx2)
	}
	return append(list, &portable)
}

// The number of channels in a vector register.
const (
	lanesAVX512 = 16
	lanesAVX2   = 8
)

var avx512 = implementation{
	name: "avx512",
	product32: func(c, a, b []float32, s productSize) {
		product32AVX512(&c[0], &a[0], &b[0], s.k, s.lda, s.ldc, s.rows, s.steps, s.matrices, s.aPlane, s.bPlane, s.cPlane)
	},
	product16: func(c, a, b []float32, s productSize) {
		product16AVX512(&c[0], &a[0], &b[0], s.k, s.lda, s.ldc, s.rows, s.steps, s.matrices, s.aPlane, s.bPlane, s.cPlane)
	},
	transposed32: func(c, a, b []float32, k, m, lda, ldb, ldc, panel int, add bool) {
		transposedProduct32AVX512(&c[0], &a[0], &b[0], k, m, lda, ldb, ldc, panel, flag(add))
	},
	transposed16: func(c, a, b []float32, k, m, lda, ldb, ldc int, add bool) {
		transposedProduct16AVX512(&c[0], &a[0], &b[0], k, m, lda, ldb, ldc, 0, flag(add))
	},
	inputTransform: func(dst, src []float32, patches []patch, plane, channels int) {
		inputTransformAVX512(&dst[0], &src[0], &patches[0].at, len(patches), plane, channels/lanesAVX512)
	},
	gradientTransform: func(dst, src []float32, tiles []tileCells, plane, channels int) {
		gradientTransformAVX512(&dst[0], &src[0], &tiles[0].at, len(tiles), plane, channels/lanesAVX512)
	},
	outputTransform: func(dst, src, bias, residual []float32, tiles []tileOutput, plane, channels int, floor float32) {
		if residual != nil {
			outputTransformResidualAVX512(&dst[0], &src[0], &bias[0], &residual[0], &tiles[0].at, len(tiles), plane, channels/lanesAVX512, floor)
			return
		}
		outputTransformAVX512(&dst[0], &src[0], &bias[0], &tiles[0].at, len(tiles), plane, channels/lanesAVX512, floor)
	},
	weightTransform: func(dst []float32, src *weightBlock, plane int) { weightTransformAVX512(&dst[0], &src[0][0], plane) },
	weightGradient:  func(dst *weightBlock, src []float32, plane int) { weightGradientAVX512(&dst[0][0], &src[0], plane) },
	loadTaps:        func(block *weightBlock, w []float32, stride int) { loadTapsAVX512(&block[0][0], &w[0], stride) },
	storeTaps: func(w []float32, block *weightBlock, stride int, add bool) {
		storeTapsAVX512(&w[0], &block[0][0], stride, flag(add))
	},
	channelSums: func(sums, x []float32, b boardLoop) {
		channelSumsAVX512(&sums[0], &x[0], b.h, b.w, b.pixel, b.row, b.channels/lanesAVX512)
	},
	channelDeviations: func(sums, x, mean []float32, b boardLoop) {
		channelDeviationsAVX512(&sums[0], &x[0], &mean[0], b.h, b.w, b.pixel, b.row, b.channels/lanesAVX512)
	},
	normalise: func(y, x, coefficients, residual []float32, b boardLoop, floor float32) {
		if residual != nil {
			normaliseResidualAVX512(&y[0], &x[0], &coefficients[0], &residual[0], b.h, b.w, b.pixel, b.row, b.channels/lanesAVX512, floor)
			return
		}
		normaliseAVX512(&y[0], &x[0], &coefficients[0], b.h, b.w, b.pixel, b.row, b.channels/lanesAVX512, floor)
	},
	normGradientSums: func(sums, dy, y, x, mean []float32, b boardLoop, floor float32) {
		normGradientSumsAVX512(&sums[0], &dy[0], &y[0], &x[0], &mean[0], b.h, b.w, b.pixel, b.row, b.channels/lanesAVX512, floor)
	},
	normGradient: func(dx, dres, dy, y, x, coefficients []float32, b boardLoop, floor float32) {
		if dres != nil {
			normGradientResidualAVX512(&dx[0], &dres[0], &dy[0], &y[0], &x[0], &coefficients[0], b.h, b.w, b.pixel, b.row, b.channels/lanesAVX512, floor)
			return
		}
		normGradientAVX512(&dx[0], &dy[0], &y[0], &x[0], &coefficients[0], b.h, b.w, b.pixel, b.row, b.channels/lanesAVX512, floor)
	},
	adamW: func(w, g, m, v []float32, c *adamCoefficients) {
		adamWAVX512(&w[0], &g[0], &m[0], &v[0], &c[0], len(w)/lanesAVX512)
	},
	convolveBytes: func(c *ConvBytes, bytes []uint8, floats, residual []float32, src []uint8, inverse float32) {
		deep, row := 3*c.channels/4, (c.shape.W+2)*c.channels
		pairs := c.channels / 32
		if pairs > 0 {
			convolveBytes32AVX512(first(bytes), first(floats), first(residual), &src[0], &c.weights[0], &c.scale[0], &c.bias[0], inverse, c.shape.W, c.channels, deep, row, pairs)
		}
		if o := 32 * pairs; o < c.channels {
			convolveBytes16AVX512(first(from(bytes, o)), first(from(floats, o)), first(from(residual, o)), &src[0], &c.weights[9*c.channels*o], &c.scale[o], &c.bias[o],
				inverse, c.shape.W, c.channels, deep, row, 1)
		}
	},
	quantise: func(dst []uint8, src []float32, inverse float32) {
		quantiseAVX512(&dst[0], &src[0], inverse, len(src)/lanesAVX512)
	},
	addTo: func(dst, src []float32) { addToAVX512(&dst[0], &src[0], len(dst)/lanesAVX512) },
	multiplyAdd: func(n int) int {
		const round = 12 * lanesAVX512
		rounds := n/round + 1
		peakAVX512(rounds)
		return rounds * round
	},
}

var avx2 = implementation{
	name: "avx2",
	product32: func(c, a, b []float32, s productSize) {
		product32AVX2(&c[0], &a[0], &b[0], s.k, s.lda, s.ldc, s.rows, s.steps, s.matrices, s.aPlane, s.bPlane, s.cPlane)
	},
	product16: func(c, a, b []float32, s productSize) {
		product16AVX2(&c[0], &a[0], &b[0], s.k, s.lda, s.ldc, s.rows, s.steps, s.matrices, s.aPlane, s.bPlane, s.cPlane)
	},
	transposed32: func(c, a, b []float32, k, m, lda, ldb, ldc, panel int, add bool) {
		transposedProduct16AVX2(&c[0], &a[0], &b[0], k, m, lda, ldb, ldc, 0, flag(add))
		transposedProduct16AVX2(&c[panel], &a[0], &b[16], k, m, lda, ldb, ldc, 0, flag(add))
	},
	transposed16: func(c, a, b []float32, k, m, lda, ldb, ldc int, add bool) {
		transposedProduct16AVX2(&c[0], &a[0], &b[0], k, m, lda, ldb, ldc, 0, flag(add))
	},
	inputTransform: func(dst, src []float32, patches []patch, plane, channels int) {
		inputTransformAVX2(&dst[0], &src[0], &patches[0].at, len(patches), plane, channels/lanesAVX2)
	},
	gradientTransform: func(dst, src []float32, tiles []tileCells, plane, channels int) {
		gradientTransformAVX2(&dst[0], &src[0], &tiles[0].at, len(tiles), plane, channels/lanesAVX2)
	},
	outputTransform: func(dst, src, bias, residual []float32, tiles []tileOutput, plane, channels int, floor float32) {
		if residual != nil {
			outputTransformResidualAVX2(&dst[0], &src[0], &bias[0], &residual[0], &tiles[0].at, len(tiles), plane, channels/lanesAVX2, floor)
			return
		}
		outputTransformAVX2(&dst[0], &src[0], &bias[0], &tiles[0].at, len(tiles), plane, channels/lanesAVX2, floor)
	},
	weightTransform: func(dst []float32, src *weightBlock, plane int) { weightTransformAVX2(&dst[0], &src[0][0], plane) },
	weightGradient:  func(dst *weightBlock, src []float32, plane int) { weightGradientAVX2(&dst[0][0], &src[0], plane) },
	loadTaps:        loadTapsGo,
	storeTaps:       storeTapsGo,
	convolveBytes:   convolveBytesGo,
	quantise:        quantiseGo,
	channelSums: func(sums, x []float32, b boardLoop) {
		channelSumsAVX2(&sums[0], &x[0], b.h, b.w, b.pixel, b.row, b.channels/lanesAVX2)
	},
	channelDeviations: func(sums, x, mean []float32, b boardLoop) {
		channelDeviationsAVX2(&sums[0], &x[0], &mean[0], b.h, b.w, b.pixel, b.row, b.channels/lanesAVX2)
	},
	normalise: func(y, x, coefficients, residual []float32, b boardLoop, floor float32) {
		if residual != nil {
			normaliseResidualAVX2(&y[0], &x[0], &coefficients[0], &residual[0], b.h, b.w, b.pixel, b.row, b.channels/lanesAVX2, floor)
			return
		}
		normaliseAVX2(&y[0], &x[0], &coefficients[0], b.h, b.w, b.pixel, b.row, b.channels/lanesAVX2, floor)
	},
	normGradientSums: func(sums, dy, y, x, mean []float32, b boardLoop, floor float32) {
		normGradientSumsAVX2(&sums[0], &dy[0], &y[0], &x[0], &mean[0], b.h, b.w, b.pixel, b.row, b.channels/lanesAVX2, floor)
	},
	normGradient: func(dx, dres, dy, y, x, coefficients []float32, b boardLoop, floor float32) {
		if dres != nil {
			normGradientResidualAVX2(&dx[0], &dres[0], &dy[0], &y[0], &x[0], &coefficients[0], b.h, b.w, b.pixel, b.row, b.channels/lanesAVX2, floor)
			return
		}
		normGradientAVX2(&dx[0], &dy[0], &y[0], &x[0], &coefficients[0], b.h, b.w, b.pixel, b.row, b.channels/lanesAVX2, floor)
	},
	adamW: func(w, g, m, v []float32, c *adamCoefficients) {
		adamWAVX2(&w[0], &g[0], &m[0], &v[0], &c[0], len(w)/lanesAVX2)
	},
	addTo: func(dst, src []float32) { addToAVX2(&dst[0], &src[0], len(dst)/lanesAVX2) },
	multiplyAdd: func(n int) int {
		const round = 12 * lanesAVX2
		rounds := n/round + 1
		peakAVX2(rounds)
		return rounds * round
	},
}

// first returns the address of the first element; nil for no buffer.
func first[T any](s []T) *T {
	if s == nil {
		return nil
	}
	return &s[0]
}

// flag is what the assembly takes for a bool.
func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}
