package main

import (
	"fmt"
	"strconv"

	x86 "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// product emits c[rows][w] = a[rows][k] * b[k][w] for a number of matrices that
// are aPlane, bPlane and cPlane apart, where w is `steps` times the given number
// of vectors, and b is packed in panels [k][16] that follow each other. Each
// register tile of up to `tall` rows stays in registers for the whole of k, and
// every element adds its k products in order, whatever the height of its tile: a
// row's result does not depend on the other rows.
//
// What is left when less than two tall tiles remain is cut into two tiles of
// about equal height, because a low tile cannot hide the latency of its
// additions.
func product(v isa, vectors, tall int) {
	v.function(fmt.Sprintf("product%d", vectors*v.lanes),
		"func(c, a, b *float32, k, lda, ldc, rows, steps, matrices, aPlane, bPlane, cPlane int)",
		"multiplies rows of a by packed panels of k rows.")
	p := productArgs{
		isa: v, vectors: vectors,
		b: x86.GP64(), k: param("k"), lda: stride("lda"), ldc: stride("ldc"),
		a: x86.GP64(), c: x86.GP64(), rows: x86.GP64(),
	}
	if vectors*v.lanes > 16 {
		p.panel = copyOf(p.k)
		x86.SHLQ(operand.Imm(6), p.panel)
	}
	stepsLeft := x86.AllocLocal(8)
	cStep := x86.AllocLocal(8)

	x86.Label("matrix")
	x86.MOVQ(argument("b"), p.b)
	x86.MOVQ(argument("c"), p.c)
	x86.MOVQ(p.c, cStep)
	x86.MOVQ(argument("steps"), p.rows)
	x86.MOVQ(p.rows, stepsLeft)

	x86.Label("step")
	x86.MOVQ(argument("a"), p.a)
	x86.MOVQ(argument("rows"), p.rows)

	x86.Label("next")
	p.dispatch(tall)
	for h := tall; h > 0; h-- {
		x86.Label(tileLabel(h))
		p.tile(h)
		x86.SUBQ(operand.Imm(uint64(h)), p.rows)
		x86.JNE(operand.LabelRef("next"))
		if h > 1 {
			x86.JMP(operand.LabelRef("done"))
		}
	}

	x86.Label("done")
	p.nextPanels()
	x86.MOVQ(cStep, p.c)
	x86.ADDQ(operand.Imm(uint64(vectors*v.bytes())), p.c)
	x86.MOVQ(p.c, cStep)
	x86.DECQ(stepsLeft)
	x86.JNE(operand.LabelRef("step"))

	for _, matrix := range []string{"a", "b", "c"} {
		plane := stride(matrix + "Plane")
		x86.ADDQ(plane, argument(matrix))
	}
	x86.DECQ(argument("matrices"))
	x86.JNE(operand.LabelRef("matrix"))
	finish()
}

// dispatch emits the jump to the tile for the rows that are left.
func (p productArgs) dispatch(tall int) {
	height := copyOf(p.rows)
	x86.CMPQ(p.rows, operand.Imm(uint64(2*tall)))
	x86.JGE(operand.LabelRef(tileLabel(tall)))
	x86.CMPQ(p.rows, operand.Imm(uint64(tall)))
	x86.JLE(operand.LabelRef("dispatch"))
	x86.INCQ(height)
	x86.SHRQ(operand.Imm(1), height)
	x86.Label("dispatch")
	for h := 1; h < tall; h++ {
		x86.CMPQ(height, operand.Imm(uint64(h)))
		x86.JEQ(operand.LabelRef(tileLabel(h)))
	}
}

// nextPanels moves b behind the panels of a step.
func (p productArgs) nextPanels() {
	if p.panel != nil {
		x86.LEAQ(at(p.b, p.panel, 2, 0), p.b)
		return
	}
	panel := copyOf(p.k)
	x86.SHLQ(operand.Imm(6), panel)
	x86.ADDQ(panel, p.b)
}

func tileLabel(height int) string { return "tile" + strconv.Itoa(height) }

// productArgs are the arguments of a product kernel while it runs. a, b, c and
// rows are those of the tile to come.
type productArgs struct {
	isa
	vectors                    int
	c, a, b, k, lda, ldc, rows reg.GPVirtual
	panel                      reg.GPVirtual // distance of the second panel from the first
}

// tile emits one register tile and moves a and c behind it.
func (p productArgs) tile(height int) {
	acc := make([][]vec, height)
	for i := range acc {
		acc[i] = make([]vec, p.vectors)
		for j := range acc[i] {
			acc[i][j] = p.zero()
		}
	}
	rows := p.rowPointers(height)
	b, k := copyOf(p.b), copyOf(p.k)
	name := tileLabel(height)

	const unroll = 4
	x86.SUBQ(operand.Imm(unroll), k)
	x86.JLT(operand.LabelRef(name + "rest"))
	x86.Label(name + "loop")
	for u := range unroll {
		p.step(acc, rows, b, u)
	}
	p.advance(rows, b, unroll)
	x86.SUBQ(operand.Imm(unroll), k)
	x86.JGE(operand.LabelRef(name + "loop"))

	x86.Label(name + "rest")
	x86.ADDQ(operand.Imm(unroll), k)
	x86.JEQ(operand.LabelRef(name + "store"))
	x86.Label(name + "single")
	p.step(acc, rows, b, 0)
	p.advance(rows, b, 1)
	x86.DECQ(k)
	x86.JNE(operand.LabelRef(name + "single"))

	x86.Label(name + "store")
	for i := range acc {
		for j, r := range acc[i] {
			x86.VMOVUPS(r, operand.Mem{Base: p.c, Disp: j * p.bytes()})
		}
		x86.ADDQ(p.ldc, p.c)
	}
	skip := x86.GP64()
	x86.IMUL3Q(operand.Imm(uint64(height)), p.lda, skip)
	x86.ADDQ(skip, p.a)
}

// rowPointers returns the address of every third row of a; base+lda and
// base+2*lda reach the rows between.
func (p productArgs) rowPointers(height int) []reg.GPVirtual {
	rows := []reg.GPVirtual{copyOf(p.a)}
	for 3*len(rows) < height {
		r := x86.GP64()
		x86.LEAQ(at(rows[len(rows)-1], p.lda, 2, 0), r)
		x86.ADDQ(p.lda, r)
		rows = append(rows, r)
	}
	return rows
}

// step adds the products of row u of the panel, counted from where b points. The
// registers that hold the panel are few on AVX2, so there the row's values are
// the ones that stay.
func (p productArgs) step(acc [][]vec, rows []reg.GPVirtual, b reg.GPVirtual, u int) {
	element := func(i int) operand.Mem { return at(rows[i/3], p.lda, i%3, 4*u) }
	weight := func(j int) operand.Mem {
		panel, within := j*p.lanes/16, j*p.lanes%16
		return at(b, p.panel, panel, 64*u+4*within)
	}
	if p.vectors > 2 {
		x := make([]vec, len(acc))
		for i := range x {
			x[i] = p.reg()
			x86.VBROADCASTSS(element(i), x[i])
		}
		for j := range p.vectors {
			w := p.load(weight(j))
			for i := range x {
				x86.VFMADD231PS(w, x[i], acc[i][j])
			}
		}
		return
	}
	w := make([]vec, p.vectors)
	for j := range w {
		w[j] = p.load(weight(j))
	}
	for i := range acc {
		x := p.reg()
		x86.VBROADCASTSS(element(i), x)
		for j := range w {
			x86.VFMADD231PS(w[j], x, acc[i][j])
		}
	}
}

func (p productArgs) advance(rows []reg.GPVirtual, b reg.GPVirtual, steps int) {
	for _, r := range rows {
		x86.ADDQ(operand.Imm(uint64(4*steps)), r)
	}
	x86.ADDQ(operand.U32(uint32(64*steps)), b)
}

// transposedProduct emits c[m][w] = a[k][m]^T * b[k][w], where w is the given
// number of vectors and m a multiple of the tile's height. Columns 16 to 31 of c
// lie `panel` floats behind the first 16. If add is not 0, the products are added
// to what c holds.
func transposedProduct(v isa, vectors, height int) {
	v.function(fmt.Sprintf("transposedProduct%d", vectors*v.lanes), "func(c, a, b *float32, k, m, lda, ldb, ldc, panel, add int)",
		"multiplies the columns of a by columns of b.")
	c, a0, b0 := param("c"), param("a"), param("b")
	k0, m := param("k"), param("m")
	lda, ldb, ldc, add := stride("lda"), stride("ldb"), stride("ldc"), param("add")
	var panel reg.GPVirtual
	if vectors*v.lanes > 16 {
		panel = stride("panel")
	}
	element := func(row reg.GPVirtual, j int) operand.Mem {
		return at(row, panel, j*v.lanes/16, 4*(j*v.lanes%16))
	}

	x86.Label("block")
	acc := make([][]vec, height)
	for i := range acc {
		acc[i] = make([]vec, vectors)
		for j := range acc[i] {
			acc[i][j] = v.zero()
		}
	}
	x86.TESTQ(add, add)
	x86.JEQ(operand.LabelRef("start"))
	from := copyOf(c)
	for i := range acc {
		for j := range acc[i] {
			x86.VMOVUPS(element(from, j), acc[i][j])
		}
		x86.ADDQ(ldc, from)
	}
	x86.Label("start")
	a, b, k := copyOf(a0), copyOf(b0), copyOf(k0)
	x86.Label("loop")
	w := make([]vec, vectors)
	for j := range w {
		w[j] = v.load(operand.Mem{Base: b, Disp: j * v.bytes()})
	}
	for i := range acc {
		x := v.reg()
		x86.VBROADCASTSS(operand.Mem{Base: a, Disp: 4 * i}, x)
		for j := range w {
			x86.VFMADD231PS(w[j], x, acc[i][j])
		}
	}
	x86.ADDQ(lda, a)
	x86.ADDQ(ldb, b)
	x86.DECQ(k)
	x86.JNE(operand.LabelRef("loop"))

	for i := range acc {
		for j := range acc[i] {
			x86.VMOVUPS(acc[i][j], element(c, j))
		}
		x86.ADDQ(ldc, c)
	}
	x86.ADDQ(operand.Imm(uint64(4*height)), a0)
	x86.SUBQ(operand.Imm(uint64(height)), m)
	x86.JNE(operand.LabelRef("block"))
	finish()
}
