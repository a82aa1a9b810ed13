package main

import (
	"strconv"

	x86 "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// planes addresses the 25 planes of the transformed domain: the element in row y
// and column x is plane 5*x+y. Between its two halves, a transform keeps element
// (y, x) in a register where there are 32 of them; on AVX2 it keeps it in plane
// 5*x+y, which every kernel here may overwrite.
type planes struct {
	isa
	base, stride, stride3, stride5 reg.GPVirtual
	kept                           map[[2]int]vec
}

func (v isa) planes(base, stride reg.GPVirtual) *planes {
	p := &planes{isa: v, base: base, stride: stride, stride3: x86.GP64(), stride5: x86.GP64(), kept: map[[2]int]vec{}}
	x86.LEAQ(at(stride, stride, 2, 0), p.stride3)
	x86.LEAQ(at(stride, stride, 4, 0), p.stride5)
	return p
}

// inColumn is the address of plane y of the column that starts at base.
func (p *planes) inColumn(base reg.GPVirtual, y int) operand.Mem {
	if y == 3 {
		return at(base, p.stride3, 1, 0)
	}
	return at(base, p.stride, y, 0)
}

// columns calls f for each column x with a register that holds its address.
func (p *planes) columns(f func(x int, base reg.GPVirtual)) {
	base := copyOf(p.base)
	for x := range 5 {
		f(x, base)
		if x < 4 {
			x86.ADDQ(p.stride5, base)
		}
	}
}

// putRow keeps row y, of five elements.
func (p *planes) putRow(y int, row []vec) {
	if p.registers == 32 {
		for x, r := range row {
			p.kept[[2]int{y, x}] = r
		}
		return
	}
	to := p.rowAddress(y)
	for x, r := range row {
		x86.VMOVUPS(r, operand.Mem{Base: to})
		if x < 4 {
			x86.ADDQ(p.stride5, to)
		}
	}
}

// row returns row y, of five elements.
func (p *planes) row(y int) []vec {
	row := make([]vec, 5)
	if p.registers == 32 {
		for x := range row {
			row[x] = p.kept[[2]int{y, x}]
		}
		return row
	}
	from := p.rowAddress(y)
	for x := range row {
		row[x] = p.load(operand.Mem{Base: from})
		if x < 4 {
			x86.ADDQ(p.stride5, from)
		}
	}
	return row
}

func (p *planes) rowAddress(y int) reg.GPVirtual {
	r := x86.GP64()
	x86.LEAQ(p.inColumn(p.base, y), r)
	return r
}

// putColumn keeps column x, at address base, and column returns its first n
// elements.
func (p *planes) putColumn(x int, base reg.GPVirtual, column []vec) {
	for y, r := range column {
		if p.registers == 32 {
			p.kept[[2]int{y, x}] = r
		} else {
			x86.VMOVUPS(r, p.inColumn(base, y))
		}
	}
}

func (p *planes) column(x int, base reg.GPVirtual, n int) []vec {
	column := make([]vec, n)
	for y := range column {
		if p.registers == 32 {
			column[y] = p.kept[[2]int{y, x}]
		} else {
			column[y] = p.load(p.inColumn(base, y))
		}
	}
	return column
}

// intoPlanes emits a transform of n x n elements into the planes. loadRow loads
// row y.
func (p *planes) intoPlanes(n int, k constants, s step, loadRow func(y int) []vec) {
	for y := range n {
		p.putRow(y, s(k, loadRow(y)))
	}
	p.columns(func(x int, base reg.GPVirtual) {
		for y, r := range s(k, p.column(x, base, n)) {
			x86.VMOVUPS(r, p.inColumn(base, y))
		}
	})
}

// columnsIntoRows emits the first half of a transform of the planes into 3x3
// elements: row y of what it keeps is what the second half starts from.
func (p *planes) columnsIntoRows(k constants, s step) {
	p.columns(func(x int, base reg.GPVirtual) {
		var column []vec
		for y := range 5 {
			column = append(column, p.load(p.inColumn(base, y)))
		}
		p.putColumn(x, base, s(k, column))
	})
}

// eachVector emits a loop over the channels: body handles one vector of them, and
// then the pointers move on to the next. It uses up vectors.
func eachVector(v isa, vectors reg.GPVirtual, pointers []reg.GPVirtual, body func()) {
	x86.Label("vector")
	body()
	for _, p := range pointers {
		x86.ADDQ(operand.Imm(uint64(v.bytes())), p)
	}
	x86.DECQ(vectors)
	x86.JNE(operand.LabelRef("vector"))
}

// square is the layout in memory of n x n cells, which a kernel reads from a
// table of integers: the offset of the first cell, the offsets from there of the
// n rows and the offsets of the n columns, in floats. Row and column 0 have the
// offset 0.
type square struct {
	table   reg.GPVirtual
	columns []reg.GPVirtual
}

// load keeps the columns' offsets in registers.
func loadSquare(table reg.GPVirtual, n int) square {
	s := square{table: table, columns: make([]reg.GPVirtual, n)}
	for x := 1; x < n; x++ {
		s.columns[x] = x86.GP64()
		x86.MOVQ(operand.Mem{Base: table, Disp: 8 * (1 + n + x)}, s.columns[x])
	}
	return s
}

// firstCell returns the address of the first cell in a buffer.
func (s square) firstCell(buffer string) reg.GPVirtual {
	base, at0 := x86.GP64(), x86.GP64()
	x86.MOVQ(argument(buffer), base)
	x86.MOVQ(operand.Mem{Base: s.table}, at0)
	x86.LEAQ(at(base, at0, 4, 0), base)
	return base
}

// row returns the address of row y of the square whose first cell is at base.
func (s square) row(base reg.GPVirtual, y int) reg.GPVirtual {
	if y == 0 {
		return base
	}
	r := x86.GP64()
	x86.MOVQ(operand.Mem{Base: s.table, Disp: 8 * (1 + y)}, r)
	x86.LEAQ(at(base, r, 4, 0), r)
	return r
}

// cell returns the address of column x in the row at the given address.
func (s square) cell(row reg.GPVirtual, x int) operand.Mem {
	if x == 0 {
		return operand.Mem{Base: row}
	}
	return at(row, s.columns[x], 4, 0)
}

// eachSquare emits a loop over count tables of the given number of integers.
func eachSquare(table reg.GPVirtual, integers int, body func()) {
	x86.Label("square")
	body()
	x86.ADDQ(operand.Imm(uint64(8*integers)), table)
	x86.DECQ(argument("count"))
	x86.JNE(operand.LabelRef("square"))
}

// squaresIntoPlanes emits a kernel that transforms squares of n x n cells, each
// into the next row of the planes.
func squaresIntoPlanes(v isa, name, doc string, n int, k func() constants, s step) {
	v.function(name, "func(dst, src *float32, squares *int, count, plane, vectors int)", doc)
	numbers := k()
	dst, table := param("dst"), param("squares")
	p := v.planes(dst, stride("plane"))
	eachSquare(table, 1+2*n, func() {
		square := loadSquare(table, n)
		src, vectors := square.firstCell("src"), param("vectors")
		eachVector(v, vectors, []reg.GPVirtual{dst, src}, func() {
			p.intoPlanes(n, numbers, s, func(y int) []vec {
				address := square.row(src, y)
				row := make([]vec, n)
				for x := range row {
					row[x] = v.load(square.cell(address, x))
				}
				return row
			})
		})
	})
	finish()
}

// inputTransform emits B^T d B of patches of 5x5 cells.
func inputTransform(v isa) {
	squaresIntoPlanes(v, "inputTransform", "transforms the 5x5 cells under each tile into 25 planes.",
		5, func() constants { return v.constants(2, 3) }, inputStep)
}

// gradientTransform emits A y A^T of tiles of 3x3 cells.
func gradientTransform(v isa) {
	squaresIntoPlanes(v, "gradientTransform", "transforms the gradient by each tile of 3x3 cells into 25 planes.",
		3, func() constants { return v.constants(2, 4) }, gradientStep)
}

// outputTransform emits A^T m A with the epilogue: bias, residual and the lower
// bound of ReLU. A tile's table ends with the number of its rows that lie on the
// board. Rows beyond are skipped. A column beyond shares the address of the last
// one on the board, which is stored after it.
func outputTransform(v isa, residual bool) {
	name, signature := "outputTransform", "func(dst, src, bias *float32, squares *int, count, plane, vectors int, floor float32)"
	doc := "transforms 25 planes, which it overwrites, into tiles of 3x3 cells."
	if residual {
		name, signature = "outputTransformResidual", "func(dst, src, bias, residual *float32, squares *int, count, plane, vectors int, floor float32)"
		doc = "is outputTransform" + v.suffix + " with a residual that is added."
	}
	v.function(name, signature, doc)
	k := v.constants(2, 4)
	floor := v.spread("floor")
	src, table := param("src"), param("squares")
	p := v.planes(src, stride("plane"))
	const integers = 1 + 3 + 3 + 1
	height := operand.Mem{Base: table, Disp: 8 * (integers - 1)}

	eachSquare(table, integers, func() {
		tile := loadSquare(table, 3)
		dst, bias, vectors := tile.firstCell("dst"), param("bias"), param("vectors")
		pointers := []reg.GPVirtual{dst, src, bias}
		var res reg.GPVirtual
		if residual {
			res = tile.firstCell("residual")
			pointers = append(pointers, res)
		}
		eachVector(v, vectors, pointers, func() {
			p.columnsIntoRows(k, outputStep)
			for y := 2; y >= 0; y-- {
				skip := "above" + strconv.Itoa(y)
				if y > 0 {
					x86.CMPQ(height, operand.Imm(uint64(y)))
					x86.JLE(operand.LabelRef(skip))
				}
				row := outputStep(k, p.row(y))
				b := v.load(operand.Mem{Base: bias})
				for _, r := range row {
					x86.VADDPS(b, r, r)
				}
				if residual {
					address := tile.row(res, y)
					for x, r := range row {
						x86.VADDPS(tile.cell(address, x), r, r)
					}
				}
				address := tile.row(dst, y)
				for x := 2; x >= 0; x-- {
					x86.VMAXPS(row[x], floor, row[x]) // a NaN in row[x] stays one
					x86.VMOVUPS(row[x], tile.cell(address, x))
				}
				if y > 0 {
					x86.Label(skip)
				}
			}
		})
	})
	finish()
}

// weightTransform emits G w G^T of blocks of weights [9][16].
func weightTransform(v isa) {
	v.function("weightTransform", "func(dst, src *float32, plane int)",
		"transforms the 3x3 weights of 16 channels, src[9][16], into 25 planes.")
	k := v.constants(half, -half, sixth, third, twoThirds)
	dst, src := param("dst"), param("src")
	p := v.planes(dst, stride("plane"))
	vectors := x86.GP64()
	x86.MOVQ(operand.U32(uint32(16/v.lanes)), vectors)
	eachVector(v, vectors, []reg.GPVirtual{dst, src}, func() {
		p.intoPlanes(3, k, weightStep, func(y int) []vec {
			row := make([]vec, 3)
			for x := range row {
				row[x] = v.load(operand.Mem{Base: src, Disp: 64 * (3*y + x)})
			}
			return row
		})
	})
	finish()
}

// weightGradient emits G^T u G into blocks of weights [9][16].
func weightGradient(v isa) {
	v.function("weightGradient", "func(dst, src *float32, plane int)",
		"transforms 25 planes of 16 channels, which it overwrites, into the gradient by the 3x3 weights, dst[9][16].")
	k := v.constants(half, -half, sixth, third, twoThirds)
	dst, src := param("dst"), param("src")
	p := v.planes(src, stride("plane"))
	vectors := x86.GP64()
	x86.MOVQ(operand.U32(uint32(16/v.lanes)), vectors)
	eachVector(v, vectors, []reg.GPVirtual{dst, src}, func() {
		p.columnsIntoRows(k, weightGradientStep)
		for y := range 3 {
			for x, r := range weightGradientStep(k, p.row(y)) {
				x86.VMOVUPS(r, operand.Mem{Base: dst, Disp: 64 * (3*y + x)})
			}
		}
	})
	finish()
}
