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
// then the pointers move on to the next.
func eachVector(v isa, vectors reg.GPVirtual, pointers []reg.GPVirtual, body func()) {
	x86.Label("vector")
	body()
	for _, p := range pointers {
		x86.ADDQ(operand.Imm(uint64(v.bytes())), p)
	}
	x86.DECQ(vectors)
	x86.JNE(operand.LabelRef("vector"))
}

// patch is the layout in memory of a square of cells: the offsets, in floats, of
// its n rows and of its n columns from the first cell.
type patch struct {
	at      reg.GPVirtual
	columns []reg.GPVirtual // column 0 has offset 0
}

// loadPatch keeps the columns' offsets in registers. The table starts at `at` and
// has n row offsets, of which the first is 0, and then n column offsets.
func loadPatch(table reg.GPVirtual, n int) patch {
	p := patch{at: table, columns: make([]reg.GPVirtual, n)}
	for x := 1; x < n; x++ {
		p.columns[x] = x86.GP64()
		x86.MOVQ(operand.Mem{Base: table, Disp: 8 * (n + x)}, p.columns[x])
	}
	return p
}

// rowAddress returns the address of row y of the patch at base.
func (p patch) rowAddress(base reg.GPVirtual, y int) reg.GPVirtual {
	if y == 0 {
		return base
	}
	r := x86.GP64()
	x86.MOVQ(operand.Mem{Base: p.at, Disp: 8 * y}, r)
	x86.LEAQ(at(base, r, 4, 0), r)
	return r
}

// cell returns the address of column x in the row at the given address.
func (p patch) cell(row reg.GPVirtual, x int) operand.Mem {
	if x == 0 {
		return operand.Mem{Base: row}
	}
	return at(row, p.columns[x], 4, 0)
}

// squareIntoPlanes emits a kernel that transforms a square of n x n cells.
func squareIntoPlanes(v isa, n int, k constants, s step) {
	dst, src, table := param("dst"), param("src"), param("square")
	p := v.planes(dst, stride("plane"))
	vectors := param("vectors")
	square := loadPatch(table, n)
	eachVector(v, vectors, []reg.GPVirtual{dst, src}, func() {
		p.intoPlanes(n, k, s, func(y int) []vec {
			address := square.rowAddress(src, y)
			row := make([]vec, n)
			for x := range row {
				row[x] = v.load(square.cell(address, x))
			}
			return row
		})
	})
	finish()
}

const squareSignature = "func(dst, src *float32, square *int, plane, vectors int)"

// inputTransform emits B^T d B of a patch of 5x5 cells.
func inputTransform(v isa) {
	v.function("inputTransform", squareSignature, "transforms the 5x5 cells under a tile into 25 planes.")
	squareIntoPlanes(v, 5, v.constants(2, 3), inputStep)
}

// gradientTransform emits A y A^T of a tile of 3x3 cells.
func gradientTransform(v isa) {
	v.function("gradientTransform", squareSignature, "transforms the gradient by a tile of 3x3 cells into 25 planes.")
	squareIntoPlanes(v, 3, v.constants(2, 4), gradientStep)
}

// outputTransform emits A^T m A with the epilogue: bias, residual and the lower
// bound of ReLU. The tile's table starts with the number of rows that lie on the
// board. Rows beyond are skipped. A column beyond shares the address of the last
// one on the board, which is stored after it.
func outputTransform(v isa, residual bool) {
	name, signature := "outputTransform", "func(dst, src, bias *float32, tile *int, plane, vectors int, floor float32)"
	doc := "transforms 25 planes, which it overwrites, into a tile of 3x3 cells."
	if residual {
		name, signature = "outputTransformResidual", "func(dst, src, bias, residual *float32, tile *int, plane, vectors int, floor float32)"
		doc = "is outputTransform" + v.suffix + " with a residual that is added."
	}
	v.function(name, signature, doc)
	k := v.constants(2, 4)
	floor := v.spread("floor")
	dst, src, bias, table := param("dst"), param("src"), param("bias"), param("tile")
	pointers := []reg.GPVirtual{dst, src, bias}
	var res reg.GPVirtual
	if residual {
		res = param("residual")
		pointers = append(pointers, res)
	}
	p := v.planes(src, stride("plane"))
	vectors := param("vectors")
	rows := table
	square := x86.GP64()
	x86.LEAQ(operand.Mem{Base: table, Disp: 8}, square)
	tile := loadPatch(square, 3)

	eachVector(v, vectors, pointers, func() {
		p.columnsIntoRows(k, outputStep)
		for y := 2; y >= 0; y-- {
			skip := "above" + strconv.Itoa(y)
			if y > 0 {
				x86.CMPQ(operand.Mem{Base: rows}, operand.Imm(uint64(y)))
				x86.JLE(operand.LabelRef(skip))
			}
			row := outputStep(k, p.row(y))
			b := v.load(operand.Mem{Base: bias})
			for _, r := range row {
				x86.VADDPS(b, r, r)
			}
			if residual {
				address := tile.rowAddress(res, y)
				for x, r := range row {
					x86.VADDPS(tile.cell(address, x), r, r)
				}
			}
			address := tile.rowAddress(dst, y)
			for x := 2; x >= 0; x-- {
				x86.VMAXPS(row[x], floor, row[x]) // a NaN in row[x] stays one
				x86.VMOVUPS(row[x], tile.cell(address, x))
			}
			if y > 0 {
				x86.Label(skip)
			}
		}
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
