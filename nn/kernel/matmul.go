package kernel

// roundUp returns n rounded up to a multiple of unit.
func roundUp(n, unit int) int { return (n + unit - 1) / unit * unit }

// packMatrix packs b[k][n] in panels (see pack.go), with columns of zeros up to a
// multiple of 16.
func packMatrix(packed, b []float32, k, n int) {
	width := roundUp(n, 16)
	for j := 0; j < width; j += 16 {
		valid := min(16, n-j)
		for i := range k {
			to := (*[16]float32)(packed[panelOffset(i, j, k):])
			copy(to[:], b[i*n+j:][:valid])
			clear(to[valid:])
		}
	}
}

// packTransposed packs the transpose of b[n][k] like packMatrix.
func packTransposed(packed, b []float32, k, n int) {
	width := roundUp(n, 16)
	for j := 0; j < width; j += 16 {
		for x := range 16 {
			if j+x >= n {
				for i := range k {
					packed[panelOffset(i, j+x, k)] = 0
				}
				continue
			}
			for i, v := range b[(j+x)*k:][:k] {
				packed[panelOffset(i, j+x, k)] = v
			}
		}
	}
}

// denseJob is a product of dense matrices in progress.
type denseJob struct {
	transposed bool // by columns of a
	dst, a, b  []float32
	m, k, n    int
	width      int // n rounded up
	block      int // rows of dst in a task
	kernels    *implementation
}

// MatMul computes dst[m][n] = a[m][k] * b[k][n]. All matrices are row-major, of
// any size from 1 up, and dst must not overlap the others.
func MatMul(ws *Workspace, dst, a, b []float32, m, k, n int) {
	ws.packed = grown(ws.packed, packedLen(k, roundUp(n, 16)))
	packMatrix(ws.packed, b[:k*n], k, n)
	ws.multiplyPacked(dst, a, m, k, n)
}

// MatMulTB computes dst[m][n] = a[m][k] * b[n][k]^T.
func MatMulTB(ws *Workspace, dst, a, b []float32, m, k, n int) {
	ws.packed = grown(ws.packed, packedLen(k, roundUp(n, 16)))
	packTransposed(ws.packed, b[:k*n], k, n)
	ws.multiplyPacked(dst, a, m, k, n)
}

// multiplyPacked multiplies a by the matrix in ws.packed, by blocks of rows.
func (ws *Workspace) multiplyPacked(dst, a []float32, m, k, n int) {
	const block = 32
	ws.dense = denseJob{
		dst: dst[:m*n], a: a[:m*k], b: ws.packed, m: m, k: k, n: n, width: roundUp(n, 16),
		block: block, kernels: current,
	}
	ws.run(&ws.dense, (m+block-1)/block)
	ws.dense = denseJob{}
}

// MatMulTA computes dst[m][n] = a[k][m]^T * b[k][n].
func MatMulTA(ws *Workspace, dst, a, b []float32, m, k, n int) {
	a, b = a[:k*m], b[:k*n]
	height, width := roundUp(m, 8), roundUp(n, 16)
	if height != m {
		ws.padded = grown(ws.padded, k*height)
		padColumns(ws.padded, a, k, m, height)
		a = ws.padded
	}
	if width != n {
		ws.packed = grown(ws.packed, k*width)
		padColumns(ws.packed, b, k, n, width)
		b = ws.packed
	}
	const block = 32
	ws.dense = denseJob{
		transposed: true, dst: dst[:m*n], a: a, b: b, m: m, k: k, n: n, width: width, block: block, kernels: current,
	}
	ws.run(&ws.dense, (m+block-1)/block)
	ws.dense = denseJob{}
}

// padColumns copies src[rows][n] to dst[rows][width].
func padColumns(dst, src []float32, rows, n, width int) {
	for r := range rows {
		row := dst[r*width:][:width]
		copy(row, src[r*n:][:n])
		clear(row[n:])
	}
}

func (j *denseJob) do(task int, w *worker) {
	first := task * j.block
	rows := min(j.block, j.m-first)
	product, direct := j.dst[first*j.n:], j.n == j.width && (!j.transposed || rows%8 == 0)
	if !direct {
		w.product = grown(w.product, j.block*j.width)
		product = w.product
	}
	if j.transposed {
		j.multiplyColumns(product, first, rows)
	} else {
		j.kernels.multiplyRows(product, j.width, j.a[first*j.k:], j.k, j.b, j.k, j.width, rows)
	}
	if direct {
		return
	}
	for r := range rows {
		copy(j.dst[(first+r)*j.n:][:j.n], product[r*j.width:])
	}
}

// multiplyColumns multiplies some columns of a by b, a span of rows at a time
// because calls of assembly must be short.
func (j *denseJob) multiplyColumns(product []float32, first, columns int) {
	const span = 1 << 11
	lda := roundUp(j.m, 8)
	columns = roundUp(columns, 8)
	for from := 0; from < j.k; from += span {
		k := min(span, j.k-from)
		a, b := j.a[from*lda+first:], j.b[from*j.width:]
		x := 0
		for ; x+32 <= j.width; x += 32 {
			j.kernels.transposed32(product[x:], a, b[x:], k, columns, lda, j.width, j.width, panelWidth, from > 0)
		}
		if x < j.width {
			j.kernels.transposed16(product[x:], a, b[x:], k, columns, lda, j.width, j.width, from > 0)
		}
	}
}
