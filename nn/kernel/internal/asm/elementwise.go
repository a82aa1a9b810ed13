package main

import (
	"fmt"

	x86 "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// board is what the kernels of batch normalisation loop over: h rows of w cells,
// pixel and row floats apart, of one board. They handle a group of channels at a
// time, for all cells: long enough that the reads follow each other in memory,
// and short enough that the sums stay in registers.
type board struct {
	isa
	pixel, rowSkip reg.GPVirtual
	channels       reg.GPVirtual // bytes of all channels
}

const boardSignature = "h, w, pixel, row, vectors int"

func loadBoard(v isa) board {
	b := board{isa: v, pixel: stride("pixel"), rowSkip: stride("row"), channels: param("vectors")}
	over := param("w")
	x86.IMULQ(b.pixel, over)
	x86.SUBQ(over, b.rowSkip)
	x86.IMUL3Q(operand.Imm(uint64(v.bytes())), b.channels, b.channels)
	return b
}

// group is a number of neighbouring vectors of channels.
type group struct {
	board
	size int
}

// groups emits body for groups of four vectors, and for what is left one at a
// time, and moves the pointers on.
func (b board) groups(pointers []reg.GPVirtual, body func(g group)) {
	for _, size := range []int{4, 1} {
		loop, end := fmt.Sprintf("groupOf%d", size), fmt.Sprintf("endOf%d", size)
		x86.Label(loop)
		x86.CMPQ(argument("vectors"), operand.Imm(uint64(size)))
		x86.JLT(operand.LabelRef(end))
		body(group{b, size})
		for _, p := range pointers {
			x86.ADDQ(operand.U32(uint32(size*b.bytes())), p)
		}
		x86.SUBQ(operand.Imm(uint64(size)), argument("vectors"))
		x86.JMP(operand.LabelRef(loop))
		x86.Label(end)
	}
}

// cells emits the loop over the cells of a board; offset is that of the cell, in
// bytes, for all of the kernel's buffers.
func (g group) cells(body func(offset reg.GPVirtual)) {
	row, cell := fmt.Sprintf("rowOf%d", g.size), fmt.Sprintf("cellOf%d", g.size)
	offset, y := x86.GP64(), param("h")
	x86.XORQ(offset, offset)
	x86.Label(row)
	x := param("w")
	x86.Label(cell)
	body(offset)
	x86.ADDQ(g.pixel, offset)
	x86.DECQ(x)
	x86.JNE(operand.LabelRef(cell))
	x86.ADDQ(g.rowSkip, offset)
	x86.DECQ(y)
	x86.JNE(operand.LabelRef(row))
}

// value is the address of vector i of a cell.
func (g group) value(base, offset reg.GPVirtual, i int) operand.Mem {
	return at(base, offset, 1, i*g.bytes())
}

// zeros returns a register of zeros for each vector.
func (g group) zeros() []vec {
	r := make([]vec, g.size)
	for i := range r {
		r[i] = g.zero()
	}
	return r
}

// row is a row of an array [..][channels].
type row struct {
	group
	base  reg.GPVirtual
	index int
	kept  []vec
}

// row prepares row i of the array at base. Where there are 32 registers, it stays
// in them.
func (g group) row(base reg.GPVirtual, i int) row {
	r := row{group: g, base: base, index: i}
	if i == 3 {
		r.base, r.index = x86.GP64(), 1
		x86.LEAQ(at(base, g.channels, 2, 0), r.base)
	}
	if g.registers == 32 {
		for j := range g.size {
			r.kept = append(r.kept, g.load(r.address(j)))
		}
	}
	return r
}

func (r row) address(i int) operand.Mem { return at(r.base, r.channels, r.index, i*r.bytes()) }

// at returns the row's vector i, as a register or an address.
func (r row) at(i int) operand.Op {
	if r.kept != nil {
		return r.kept[i]
	}
	return r.address(i)
}

// inRegister returns the row's vector i in a register.
func (r row) inRegister(i int) vec {
	if r.kept != nil {
		return r.kept[i]
	}
	return r.load(r.address(i))
}

// store stores registers as row i of the array at base.
func (g group) store(registers []vec, base reg.GPVirtual, i int) {
	for j, r := range registers {
		x86.VMOVUPS(r, at(base, g.channels, i, j*g.bytes()))
	}
}

// channelSums emits sums[c] = the sum of x over the cells.
func channelSums(v isa) {
	v.function("channelSums", "func(sums, x *float32, "+boardSignature+")", "adds the cells of a board, for each channel.")
	sums, x, b := param("sums"), param("x"), loadBoard(v)
	b.groups([]reg.GPVirtual{sums, x}, func(g group) {
		acc := g.zeros()
		g.cells(func(offset reg.GPVirtual) {
			for i, a := range acc {
				x86.VADDPS(g.value(x, offset, i), a, a)
			}
		})
		g.store(acc, sums, 0)
	})
	finish()
}

// channelDeviations emits sums[0][c] = the sum of x-mean[c] and sums[1][c] = the
// sum of (x-mean[c])^2 over the cells.
func channelDeviations(v isa) {
	v.function("channelDeviations", "func(sums, x, mean *float32, "+boardSignature+")",
		"adds the distances of the cells of a board from the mean, and their squares, for each channel.")
	sums, x, means, b := param("sums"), param("x"), param("mean"), loadBoard(v)
	b.groups([]reg.GPVirtual{sums, x, means}, func(g group) {
		sum, squares, mean := g.zeros(), g.zeros(), g.row(means, 0)
		g.cells(func(offset reg.GPVirtual) {
			for i := range g.size {
				d := v.load(g.value(x, offset, i))
				x86.VSUBPS(mean.at(i), d, d)
				x86.VADDPS(d, sum[i], sum[i])
				x86.VFMADD231PS(d, d, squares[i])
			}
		})
		g.store(sum, sums, 0)
		g.store(squares, sums, 1)
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
	loadBoard(v).groups(pointers, func(g group) {
		mean, scale, shift := g.row(coefficients, 0), g.row(coefficients, 1), g.row(coefficients, 2)
		g.cells(func(offset reg.GPVirtual) {
			for i := range g.size {
				r := v.load(g.value(x, offset, i))
				x86.VSUBPS(mean.at(i), r, r)
				x86.VFMADD213PS(shift.at(i), scale.inRegister(i), r)
				if residual {
					x86.VADDPS(g.value(res, offset, i), r, r)
				}
				x86.VMAXPS(r, floor, r) // a NaN in r stays one
				x86.VMOVUPS(r, g.value(y, offset, i))
			}
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
	sums, dy, y, x, means := param("sums"), param("dy"), param("y"), param("x"), param("mean")
	loadBoard(v).groups([]reg.GPVirtual{sums, dy, y, x, means}, func(g group) {
		sum, dot, mean := g.zeros(), g.zeros(), g.row(means, 0)
		g.cells(func(offset reg.GPVirtual) {
			for i := range g.size {
				grad := v.above(g.value(y, offset, i), g.value(dy, offset, i), floor)
				d := v.load(g.value(x, offset, i))
				x86.VSUBPS(mean.at(i), d, d)
				x86.VADDPS(grad, sum[i], sum[i])
				x86.VFMADD231PS(grad, d, dot[i])
			}
		})
		g.store(sum, sums, 0)
		g.store(dot, sums, 1)
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
	loadBoard(v).groups(pointers, func(g group) {
		mean, scale := g.row(coefficients, 0), g.row(coefficients, 1)
		shift, slope := g.row(coefficients, 2), g.row(coefficients, 3)
		g.cells(func(offset reg.GPVirtual) {
			for i := range g.size {
				grad := v.above(g.value(y, offset, i), g.value(dy, offset, i), floor)
				d := v.load(g.value(x, offset, i))
				x86.VSUBPS(mean.at(i), d, d)
				if residual {
					x86.VMOVUPS(grad, g.value(dres, offset, i))
				}
				x86.VFMADD213PS(shift.at(i), scale.inRegister(i), grad)
				x86.VFMADD231PS(slope.at(i), d, grad)
				x86.VMOVUPS(grad, g.value(dx, offset, i))
			}
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
