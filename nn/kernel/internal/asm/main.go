// Command asm writes the amd64 assembly of rampart/nn/kernel and the Go
// declarations of its functions:
//
//	go generate rampart/nn/kernel
//
// Every kernel is written once, for a vector width, and emitted for AVX-512 and
// for AVX2 with FMA. The kernels take plain pointers and check nothing: the Go
// code that calls them has checked the lengths. Strides are in floats. No kernel
// may run for more than about 100 microseconds, because the scheduler cannot
// preempt it; the callers cut their work accordingly.
//
// The generator is a module of its own so that nobody who builds Rampart needs
// avo.
package main

import x86 "github.com/mmcloughlin/avo/build"

func main() {
	emit()
	x86.Generate()
}

// emit adds every kernel to avo's context.
func emit() {
	transposedProduct(avx512, 2, 8)
	transposedProduct(avx512, 1, 8)
	transposedProduct(avx2, 2, 4)
	convolveBytes(avx512, 2)
	convolveBytes(avx512, 1)
	quantise(avx512)
	loadTaps(avx512)
	storeTaps(avx512)
	for _, v := range []isa{avx512, avx2} {
		product(v, 32/v.lanes, v.tallRows(32/v.lanes))
		product(v, 16/v.lanes, v.tallRows(16/v.lanes))
		inputTransform(v)
		outputTransform(v, false)
		outputTransform(v, true)
		gradientTransform(v)
		weightTransform(v)
		weightGradient(v)
		channelSums(v)
		channelDeviations(v)
		normalise(v, false)
		normalise(v, true)
		normGradientSums(v)
		normGradient(v, false)
		normGradient(v, true)
		adamW(v)
		addTo(v)
		peak(v)
	}
}
