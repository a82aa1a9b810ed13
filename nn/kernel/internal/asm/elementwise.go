package main

import (
	x86 "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// board is what the kernels of batch normalisation loop over: h rows of w cells,
// pixel and row floats apart, of one board. They handle a vector of channels at a
// time, for all cells.
type board struct {
	isa
	h, pixel, rowSkip reg.GPVirtual
	width             reg.GPVirtual
}

const boardSignature = "h, w, pixel, row, vectors int"

func loadBoard(v isa) board {
	b := board{isa: v, h: param("h"), width: param("w"), pixel: stride("pixel"), rowSkip: stride("row")}
	over := copyOf(b.width)
	x86.IMULQ(b.pixel, over)
	x86.SUBQ(over, b.rowSkip)
	return b
}

// cells emits the loop over the cells of a board; offset is that of the cell, in
// bytes, for all of the kernel's buffers.
func (b board) cells(body func(offset reg.GPVirtual)) {
	offset, y := x86.GP64(), copyOf(b.h)
	x86.XORQ(offset, offset)
	x86.Label("row")
	x := copyOf(b.width)
	x86.Label("cell")
	body(offset)
	x86.ADDQ(b.pixel, offset)
	x86.DECQ(x)
	x86.JNE(operand.LabelRef("cell"))
	x86.ADDQ(b.rowSkip, offset)
	x86.DECQ(y)
	x86.JNE(operand.LabelRef("row"))
}

func value(base, offset reg.GPVirtual) operand.Mem { return at(base, offset, 1, 0) }

// coefficient loads row i of an array [..][channels], whose rows are `channels`
// bytes apart.
func (b board) coefficient(base, channels reg.GPVirtual, i int) vec {
	if i < 3 {
		return b.load(at(base, channels, i, 0))
	}
	r := x86.GP64()
	x86.LEAQ(at(base, channels, i-1, 0), r)
	return b.load(at(r, channels, 1, 0))
}

// channelBytes returns the size of the vectors that the kernel handles.
func channelBytes(v isa, vectors reg.GPVirtual) reg.GPVirtual {
	c := x86.GP64()
	x86.IMUL3Q(operand.Imm(uint64(v.bytes())), vectors, c)
	return c
}

// channelSums emits sums[c] = the sum of x over the cells.
func channelSums(v isa) {
	v.function("channelSums", "func(sums, x *float32, "+boardSignature+")", "adds the cells of a board, for each channel.")
	sums, x, b, vectors := param("sums"), param("x"), loadBoard(v), param("vectors")
	eachVector(v, vectors, []reg.GPVirtual{sums, x}, func() {
		acc := v.zero()
		b.cells(func(offset reg.GPVirtual) { x86.VADDPS(value(x, offset), acc, acc) })
		x86.VMOVUPS(acc, operand.Mem{Base: sums})
	})
	finish()
}

// channelDeviations emits sums[0][c] = the sum of x-mean[c] and sums[1][c] = the
// sum of (x-mean[c])^2 over the cells.
func channelDeviations(v isa) {
	v.function("channelDeviations", "func(sums, x, mean *float32, "+boardSignature+")",
		"adds the distances of the cells of a board from the mean, and their squares, for each channel.")
	sums, x, mean, b, vectors := param("sums"), param("x"), param("mean"), loadBoard(v), param("vectors")
	channels := channelBytes(v, vectors)
	eachVector(v, vectors, []reg.GPVirtual{sums, x, mean}, func() {
		sum, squares, mu := v.zero(), v.zero(), v.load(operand.Mem{Base: mean})
		b.cells(func(offset reg.GPVirtual) {
			d := v.load(value(x, offset))
			x86.VSUBPS(mu, d, d)
			x86.VADDPS(d, sum, sum)
			x86.VFMADD231PS(d, d, squares)
		})
		x86.VMOVUPS(sum, operand.Mem{Base: sums})
		x86.VMOVUPS(squares, at(sums, channels, 1, 0))
	})
	finish()
}

// normalise emits y = max(floor, (x-mean)*scale + shift [+ residual]), where
// coefficients is [3][channels]: mean, scale, shift.
func normalise(v isa, residual bool) {
	name, arguments := "normalise", "y, x, coefficients"
	if residual {
		name, arguments = "normaliseResidual", "y, x, coefficients, residual"
	}
	v.function(name, "func("+arguments+" *float32, "+boardSignature+", floor float32)", "applies batch normalisation to the cells of a board.")
	floor := v.spread("floor")
	y, x, coefficients := param("y"), param("x"), param("coefficients")
	pointers := []reg.GPVirtual{y, x, coefficients}
	var res reg.GPVirtual
	if residual {
		res = param("residual")
		pointers = append(pointers, res)
	}
	b, vectors := loadBoard(v), param("vectors")
	channels := channelBytes(v, vectors)
	eachVector(v, vectors, pointers, func() {
		mean, scale, shift := b.coefficient(coefficients, channels, 0), b.coefficient(coefficients, channels, 1), b.coefficient(coefficients, channels, 2)
		b.cells(func(offset reg.GPVirtual) {
			r := v.load(value(x, offset))
			x86.VSUBPS(mean, r, r)
			x86.VFMADD213PS(shift, scale, r)
			if residual {
				x86.VADDPS(value(res, offset), r, r)
			}
			x86.VMAXPS(r, floor, r) // a NaN in r stays one
			x86.VMOVUPS(r, value(y, offset))
		})
	})
	finish()
}

// above returns the vector at m where the vector at test is above floor, and 0
// elsewhere.
func (v isa) above(test, m operand.Mem, floor vec) vec {
	const less = 1 // the predicate "less than, ordered, signalling"
	if v == avx512 {
		k, r := x86.K(), v.reg()
		x86.VCMPPS(operand.Imm(less), test, floor, k)
		x86.VMOVUPS_Z(m, k, r)
		return r
	}
	r := v.reg()
	x86.VCMPPS(operand.Imm(less), test, floor, r)
	x86.VANDPS(m, r, r)
	return r
}

// normGradientSums emits sums[0][c] = the sum of g and sums[1][c] = the sum of
// g*(x-mean) over the cells, where g is dy wherever y > floor, and 0 elsewhere.
func normGradientSums(v isa) {
	v.function("normGradientSums", "func(sums, dy, y, x, mean *float32, "+boardSignature+", floor float32)",
		"adds up what the gradient of batch normalisation needs from a board.")
	floor := v.spread("floor")
	sums, dy, y, x, mean := param("sums"), param("dy"), param("y"), param("x"), param("mean")
	b, vectors := loadBoard(v), param("vectors")
	channels := channelBytes(v, vectors)
	eachVector(v, vectors, []reg.GPVirtual{sums, dy, y, x, mean}, func() {
		sum, dot, mu := v.zero(), v.zero(), v.load(operand.Mem{Base: mean})
		b.cells(func(offset reg.GPVirtual) {
			grad := v.above(value(y, offset), value(dy, offset), floor)
			d := v.load(value(x, offset))
			x86.VSUBPS(mu, d, d)
			x86.VADDPS(grad, sum, sum)
			x86.VFMADD231PS(grad, d, dot)
		})
		x86.VMOVUPS(sum, operand.Mem{Base: sums})
		x86.VMOVUPS(dot, at(sums, channels, 1, 0))
	})
	finish()
}

// normGradient emits dx = scale*g + slope*(x-mean) + shift, and the residual's
// gradient, which is g, if there is one. g is dy wherever y > floor, and 0
// elsewhere; coefficients is [4][channels]: mean, scale, shift, slope.
func normGradient(v isa, residual bool) {
	name, outputs := "normGradient", "dx"
	if residual {
		name, outputs = "normGradientResidual", "dx, dres"
	}
	v.function(name, "func("+outputs+", dy, y, x, coefficients *float32, "+boardSignature+", floor float32)",
		"applies the gradient of batch normalisation to the cells of a board.")
	floor := v.spread("floor")
	dx, dy, y, x, coefficients := param("dx"), param("dy"), param("y"), param("x"), param("coefficients")
	pointers := []reg.GPVirtual{dx, dy, y, x, coefficients}
	var dres reg.GPVirtual
	if residual {
		dres = param("dres")
		pointers = append(pointers, dres)
	}
	b, vectors := loadBoard(v), param("vectors")
	channels := channelBytes(v, vectors)
	eachVector(v, vectors, pointers, func() {
		mean, scale := b.coefficient(coefficients, channels, 0), b.coefficient(coefficients, channels, 1)
		shift, slope := b.coefficient(coefficients, channels, 2), b.coefficient(coefficients, channels, 3)
		b.cells(func(offset reg.GPVirtual) {
			grad := v.above(value(y, offset), value(dy, offset), floor)
			d := v.load(value(x, offset))
			x86.VSUBPS(mean, d, d)
			if residual {
				x86.VMOVUPS(grad, value(dres, offset))
			}
			x86.VFMADD213PS(shift, scale, grad)
			x86.VFMADD231PS(d, slope, grad)
			x86.VMOVUPS(grad, value(dx, offset))
		})
	})
	finish()
}

// adamW emits the update of AdamW. coefficients holds, in this order: beta1,
// 1-beta1, beta2, 1-beta2, 1/sqrt(1-beta2^t), epsilon, lr/(1-beta1^t) and
// 1-lr*decay.
func adamW(v isa) {
	v.function("adamW", "func(w, grad, m, v, coefficients *float32, vectors int)", "updates weights and moments.")
	w, grad, m1, m2, coefficients, vectors := param("w"), param("grad"), param("m"), param("v"), param("coefficients"), param("vectors")
	var c [8]vec
	for i := range c {
		c[i] = v.reg()
		x86.VBROADCASTSS(operand.Mem{Base: coefficients, Disp: 4 * i}, c[i])
	}
	eachVector(v, vectors, []reg.GPVirtual{w, grad, m1, m2}, func() {
		d := v.load(operand.Mem{Base: grad})
		m, s, step := v.reg(), v.reg(), v.reg()
		x86.VMULPS(operand.Mem{Base: m1}, c[0], m)
		x86.VFMADD231PS(c[1], d, m)
		x86.VMOVUPS(m, operand.Mem{Base: m1})
		x86.VMULPS(d, d, d)
		x86.VMULPS(operand.Mem{Base: m2}, c[2], s)
		x86.VFMADD231PS(c[3], d, s)
		x86.VMOVUPS(s, operand.Mem{Base: m2})
		x86.VSQRTPS(s, s)
		x86.VFMADD213PS(c[5], c[4], s)
		x86.VMULPS(c[6], m, m)
		x86.VDIVPS(s, m, step)
		r := v.reg()
		x86.VMULPS(operand.Mem{Base: w}, c[7], r)
		x86.VSUBPS(step, r, r)
		x86.VMOVUPS(r, operand.Mem{Base: w})
	})
	finish()
}

// addTo emits dst += src.
func addTo(v isa) {
	v.function("addTo", "func(dst, src *float32, vectors int)", "adds src to dst.")
	dst, src, vectors := param("dst"), param("src"), param("vectors")
	eachVector(v, vectors, []reg.GPVirtual{dst, src}, func() {
		r := v.load(operand.Mem{Base: src})
		x86.VADDPS(operand.Mem{Base: dst}, r, r)
		x86.VMOVUPS(r, operand.Mem{Base: dst})
	})
	finish()
}

// peak emits a loop of n rounds of 12 independent multiply-adds, which is what no
// real kernel can beat.
func peak(v isa) {
	v.function("peak", "func(n int)", "runs n rounds of 12 independent multiply-adds.")
	n := param("n")
	var acc [12]vec
	for i := range acc {
		acc[i] = v.zero()
	}
	x, y := v.zero(), v.zero()
	x86.Label("round")
	for _, a := range acc {
		x86.VFMADD231PS(x, y, a)
	}
	x86.DECQ(n)
	x86.JNE(operand.LabelRef("round"))
	finish()
}
