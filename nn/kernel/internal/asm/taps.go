package main

import (
	x86 "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// taps is the number of weights of a 3x3 convolution for a pair of channels.
const taps = 9

// loadTaps emits the transposition of the weights of 16 pairs of channels, each
// nine numbers in a row, into a block [9][16]. AVX-512 only.
func loadTaps(v isa) {
	v.function("loadTaps", "func(block, w *float32, stride int)",
		"gathers rows of 9 weights, stride apart, into block[9][16].")
	block, w, skip, nine := param("block"), param("w"), stride("stride"), nineLanes()
	rows := make([]vec, 16)
	for i := range rows {
		rows[i] = v.reg()
		x86.VMOVUPS_Z(operand.Mem{Base: w}, nine, rows[i])
		x86.ADDQ(skip, w)
	}
	for t, r := range transpose(v, rows)[:taps] {
		x86.VMOVUPS(r(), operand.Mem{Base: block, Disp: 64 * t})
	}
	finish()
}

// storeTaps emits the transposition of a block [9][16] into rows of nine numbers;
// if add is not 0, they are added to what is there. AVX-512 only.
func storeTaps(v isa) {
	v.function("storeTaps", "func(w, block *float32, stride, add int)",
		"scatters block[9][16] into rows of 9 weights, stride apart, or adds it to them.")
	w, block, skip, nine := param("w"), param("block"), stride("stride"), nineLanes()
	rows := make([]vec, 16)
	for t := range taps {
		rows[t] = v.load(operand.Mem{Base: block, Disp: 64 * t})
	}
	rows[taps] = v.zero()
	for t := taps + 1; t < 16; t++ {
		rows[t] = rows[taps]
	}
	columns := transpose(v, rows)
	registers := make([]vec, 16)
	for i, column := range columns {
		registers[i] = column()
	}
	x86.CMPQ(param("add"), operand.Imm(0))
	x86.JEQ(operand.LabelRef("store"))
	from := copyOf(w)
	for _, r := range registers {
		old := v.reg()
		x86.VMOVUPS_Z(operand.Mem{Base: from}, nine, old)
		x86.VADDPS(old, r, r)
		x86.ADDQ(skip, from)
	}
	x86.Label("store")
	for _, r := range registers {
		x86.VMOVUPS(r, nine, operand.Mem{Base: w})
		x86.ADDQ(skip, w)
	}
	finish()
}

// nineLanes returns the mask of a row of taps.
func nineLanes() reg.OpmaskVirtual {
	bits, mask := x86.GP32(), x86.K()
	x86.MOVL(operand.U32(1<<taps-1), bits)
	x86.KMOVW(bits, mask)
	return mask
}

// transpose returns the columns of 16 rows of 16 numbers; a column's last step is
// emitted when it is asked for, so that those not needed cost little.
func transpose(v isa, rows []vec) []func() vec {
	var fours [4][4]vec // of four rows: the columns 4l+j in lane l
	for g := range fours {
		a, b, c, d := rows[4*g], rows[4*g+1], rows[4*g+2], rows[4*g+3]
		ab, AB, cd, CD := v.reg(), v.reg(), v.reg(), v.reg()
		x86.VUNPCKLPS(b, a, ab)
		x86.VUNPCKHPS(b, a, AB)
		x86.VUNPCKLPS(d, c, cd)
		x86.VUNPCKHPS(d, c, CD)
		for j, pair := range [2][2]vec{{ab, cd}, {AB, CD}} {
			fours[g][2*j], fours[g][2*j+1] = v.reg(), v.reg()
			x86.VUNPCKLPD(pair[1], pair[0], fours[g][2*j])
			x86.VUNPCKHPD(pair[1], pair[0], fours[g][2*j+1])
		}
	}
	const even, odd = 0x88, 0xdd // lanes 0 and 2, 1 and 3, of both operands
	lanes := func(which uint8, a, b vec) vec {
		r := v.reg()
		x86.VSHUFF32X4(operand.Imm(uint64(which)), b, a, r)
		return r
	}
	columns := make([]func() vec, 16)
	for j := range 4 {
		for half, which := range []uint8{even, odd} {
			first, second := lanes(which, fours[0][j], fours[1][j]), lanes(which, fours[2][j], fours[3][j])
			columns[4*half+j] = func() vec { return lanes(even, first, second) }
			columns[4*half+j+8] = func() vec { return lanes(odd, first, second) }
		}
	}
	return columns
}
