package main

import (
	"fmt"

	x86 "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// convolveBytes emits one row of cells of a 3x3 convolution of bytes, for `steps`
// times the given number of vectors of output channels: unsigned activations src
// [..][cells][channels], and signed weights in panels [3][deep][16][4] of 16
// output channels, where deep is the number of groups of four bytes in three
// neighbouring cells. src is the cell to the upper left of the first, and its rows
// are `row` bytes apart. The sums are scaled, and get bias, residual and ReLU; they are
// stored as floats, as bytes after a multiplication by inverse, or both: a nil
// pointer leaves that out. It needs VNNI.
func convolveBytes(v isa, vectors int) {
	const tallest, unroll = 9, 4
	v.function(fmt.Sprintf("convolveBytes%d", vectors*v.lanes), "func(bytes *uint8, floats, residual *float32, src *uint8, weights *int8, scale, bias *float32, "+
		"inverse float32, width, channels, deep, row, steps int)", "computes a row of cells of a 3x3 convolution of bytes.")
	channels, deep, panel, b := param("channels"), param("deep"), param("deep"), param("weights")
	x86.IMUL3Q(operand.U32(3*64), panel, panel)
	done := x86.AllocLocal(8) // channels
	x86.MOVQ(operand.U32(0), done)

	x86.Label("step")
	width := param("width")
	for h := 3; h < tallest; h++ {
		x86.CMPQ(width, operand.Imm(uint64(h)))
		x86.JEQ(operand.LabelRef(tileLabel(h)))
	}
	for h := tallest; h >= 3; h-- {
		name := tileLabel(h)
		x86.Label(name)
		t := bytesTile{isa: v, name: name, channels: channels, acc: make([][]vec, h)}
		for i := range t.acc {
			for range vectors {
				t.acc[i] = append(t.acc[i], v.zero())
			}
		}
		a, w := param("src"), copyOf(b)
		rowsLeft := x86.AllocLocal(8)
		x86.MOVQ(operand.U32(3), rowsLeft)
		x86.Label(name + "row")
		cells := productArgs{a: a, lda: channels}.rowPointers(h)
		k := copyOf(deep)
		x86.Label(name + "loop")
		for u := range unroll {
			t.step(cells, w, panel, u)
		}
		for _, r := range cells {
			x86.ADDQ(operand.Imm(4*unroll), r)
		}
		x86.ADDQ(operand.U32(64*unroll), w)
		x86.SUBQ(operand.Imm(unroll), k)
		x86.JNE(operand.LabelRef(name + "loop"))
		x86.ADDQ(argument("row"), a)
		x86.DECQ(rowsLeft)
		x86.JNE(operand.LabelRef(name + "row"))
		t.store(done)
		if h > 3 {
			x86.JMP(operand.LabelRef("next"))
		}
	}

	x86.Label("next")
	for range vectors {
		x86.ADDQ(panel, b)
	}
	x86.ADDQ(operand.Imm(uint64(vectors*v.lanes)), done)
	x86.DECQ(argument("steps"))
	x86.JNE(operand.LabelRef("step"))
	finish()
}

// bytesTile is a register tile of cells and vectors of channels.
type bytesTile struct {
	isa
	name     string
	channels reg.GPVirtual
	acc      [][]vec
}

// step adds the products of the u-th group of four bytes.
func (t bytesTile) step(cells []reg.GPVirtual, w, panel reg.GPVirtual, u int) {
	weights := make([]vec, len(t.acc[0]))
	for j := range weights {
		weights[j] = t.load(at(w, panel, j, 64*u))
	}
	for i, sums := range t.acc {
		x := t.reg()
		x86.VPBROADCASTD(at(cells[i/3], t.channels, i%3, 4*u), x)
		for j, sum := range sums {
			x86.VPDPBUSD(weights[j], x, sum)
		}
	}
}

// store emits the epilogue. done is the number of channels that are done.
func (t bytesTile) store(done operand.Mem) {
	from, scale, bias := x86.GP64(), param("scale"), param("bias")
	x86.MOVQ(done, from)
	t.each(func(i, j int) {
		if i == 0 {
			scale, bias := t.load(at(scale, from, 4, 64*j)), t.load(at(bias, from, 4, 64*j))
			for _, sums := range t.acc {
				x86.VCVTDQ2PS(sums[j], sums[j])
				x86.VMULPS(scale, sums[j], sums[j]) // no fused multiply-add: Go has to compute the same
				x86.VADDPS(bias, sums[j], sums[j])
			}
		}
	})
	t.buffer("residual", from, 4, func(p reg.GPVirtual, sum vec, j int) {
		x86.VADDPS(operand.Mem{Base: p, Disp: 64 * j}, sum, sum)
	})
	zero := t.zero()
	t.each(func(i, j int) { x86.VMAXPS(t.acc[i][j], zero, t.acc[i][j]) })
	t.buffer("floats", from, 4, func(p reg.GPVirtual, sum vec, j int) {
		x86.VMOVUPS(sum, operand.Mem{Base: p, Disp: 64 * j})
	})
	inverse := t.spread("inverse")
	t.buffer("bytes", from, 1, func(p reg.GPVirtual, sum vec, j int) {
		t.round(inverse, sum)
		x86.VPMOVUSDB(sum, operand.Mem{Base: p, Disp: 16 * j})
	})
}

func (t bytesTile) each(body func(i, j int)) {
	for i := range t.acc {
		for j := range t.acc[i] {
			body(i, j)
		}
	}
}

// buffer emits body for each vector, with the address of its cell's first one in
// the buffer of elements of the given size; nothing happens if that is nil.
func (t bytesTile) buffer(name string, from reg.GPVirtual, size int, body func(p reg.GPVirtual, sum vec, j int)) {
	p, cell := param(name), copyOf(t.channels)
	x86.TESTQ(p, p)
	x86.JEQ(operand.LabelRef(t.name + name))
	x86.LEAQ(at(p, from, size, 0), p)
	x86.IMUL3Q(operand.Imm(uint64(size)), cell, cell)
	t.each(func(i, j int) {
		body(p, t.acc[i][j], j)
		if j == len(t.acc[i])-1 {
			x86.ADDQ(cell, p)
		}
	})
	x86.Label(t.name + name)
}

// round emits the rounding of r times inverse to integers.
func (v isa) round(inverse, r vec) {
	x86.VMULPS(inverse, r, r)
	x86.VCVTPS2DQ(r, r)
}

// quantise emits the rounding of floats, times inverse, to unsigned bytes.
func quantise(v isa) {
	v.function("quantise", "func(dst *uint8, src *float32, inverse float32, vectors int)", "rounds floats times inverse to unsigned bytes.")
	dst, src, inverse, zero, n := param("dst"), param("src"), v.spread("inverse"), v.zero(), param("vectors")
	x86.Label("next")
	r := v.load(operand.Mem{Base: src})
	x86.VMAXPS(r, zero, r)
	v.round(inverse, r)
	x86.VPMOVUSDB(r, operand.Mem{Base: dst})
	x86.ADDQ(operand.Imm(64), src)
	x86.ADDQ(operand.Imm(16), dst)
	x86.DECQ(n)
	x86.JNE(operand.LabelRef("next"))
	finish()
}
