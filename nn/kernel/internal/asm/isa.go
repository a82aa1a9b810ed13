package main

import (
	"math"

	x86 "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
	instructions "github.com/mmcloughlin/avo/x86"
)

// isa is an instruction set with vector registers of one width.
type isa struct {
	suffix    string // of the kernels' names
	lanes     int    // float32 in a register
	registers int
}

var (
	avx512 = isa{suffix: "AVX512", lanes: 16, registers: 32}
	avx2   = isa{suffix: "AVX2", lanes: 8, registers: 16}
)

// vec is a vector register.
type vec = reg.VecVirtual

// bytes returns the size of a register.
func (v isa) bytes() int { return 4 * v.lanes }

// tallRows returns the number of rows of the register tile for a panel of the
// given number of vectors: as many as fit with the panel's and the row's own
// registers, and few enough that their addresses fit the general registers.
func (v isa) tallRows(vectors int) int {
	if v == avx512 {
		return 9
	}
	return 12 / vectors
}

func (v isa) reg() vec {
	if v == avx512 {
		return x86.ZMM()
	}
	return x86.YMM()
}

// zero returns a register of zeros. avo does not know that the long form of the
// exclusive or does not depend on its operands, and has to be told so that it
// does not keep the register since the start of the kernel.
func (v isa) zero() vec {
	r := v.reg()
	if v == avx2 {
		x86.VXORPS(r, r, r)
		return r
	}
	clear, err := instructions.VPXORQ(r, r, r)
	if err != nil {
		panic(err)
	}
	clear.CancellingInputs = true
	x86.Instruction(clear)
	return r
}

// load returns a register with the vector at m.
func (v isa) load(m operand.Op) vec {
	r := v.reg()
	x86.VMOVUPS(m, r)
	return r
}

// constant returns a register that holds c in every lane.
func (v isa) constant(c float32) vec {
	t, x, r := x86.GP32(), x86.XMM(), v.reg()
	x86.MOVL(operand.U32(math.Float32bits(c)), t)
	x86.VMOVD(t, x)
	x86.VBROADCASTSS(x, r)
	return r
}

// spread returns a register that holds the float parameter in every lane.
func (v isa) spread(param string) vec {
	r := v.reg()
	x86.VBROADCASTSS(argument(param), r)
	return r
}

// function starts a kernel: name gets the instruction set's suffix.
func (v isa) function(name, signature, doc string) {
	x86.TEXT(name+v.suffix, x86.NOSPLIT, signature)
	x86.Pragma("noescape")
	x86.Doc(name + v.suffix + " " + doc)
}

// finish ends a kernel.
func finish() {
	x86.VZEROUPPER()
	x86.RET()
}

// param loads an integer or pointer parameter.
func param(name string) reg.GPVirtual {
	r := x86.GP64()
	x86.Load(x86.Param(name), r)
	return r
}

// argument returns a parameter's place on the stack. The kernel may change it
// there, which saves a register for what only the outer loops need.
func argument(name string) operand.Mem {
	a, err := x86.Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return a.Addr
}

// stride loads a parameter that counts floats and returns it in bytes.
func stride(name string) reg.GPVirtual {
	r := param(name)
	x86.SHLQ(operand.Imm(2), r)
	return r
}

// at returns the memory operand base + index*scale + disp.
func at(base reg.Register, index reg.Register, scale, disp int) operand.Mem {
	m := operand.Mem{Base: base, Disp: disp}
	if index != nil && scale != 0 {
		m.Index, m.Scale = index, uint8(scale)
	}
	return m
}

// copyOf returns a new register with r's value.
func copyOf(r reg.GPVirtual) reg.GPVirtual {
	c := x86.GP64()
	x86.MOVQ(r, c)
	return c
}
