package kernel

// callSteps bounds the work of one call of a product kernel, in products of a row
// element by a vector of 16: assembly cannot be preempted, and has to return
// within about 100 microseconds.
const callSteps = 1 << 17

// multiplyPlanes multiplies each plane of v [rows][cin] by the plane of the packed
// weights.
func (k *implementation) multiplyPlanes(m, v, weights []float32, rows, cin, cout int) {
	size := productSize{
		k: cin, lda: cin, ldc: cout, rows: rows,
		aPlane: planeLen(rows, cin), bPlane: weightPlaneLen(cin, cout), cPlane: planeLen(rows, cout),
	}
	group := max(1, callSteps/(rows*cin*cout/panelWidth))
	for p := 0; p < planes; p += group {
		size.matrices = min(group, planes-p)
		k.multiplyPanels(m[p*size.cPlane:], v[p*size.aPlane:], weights[p*size.bPlane:], cout, size)
	}
}

// multiplyPanels multiplies by a packed matrix with the given number of columns, a
// multiple of 16: two panels at a time, and then the last.
func (k *implementation) multiplyPanels(c, a, b []float32, columns int, size productSize) {
	size.steps = columns / (2 * panelWidth)
	if size.steps > 0 {
		k.product32(c, a, b, size)
	}
	if done := size.steps * 2 * panelWidth; done < columns {
		size.steps = 1
		k.product16(c[done:], a, b[done*size.k:], size)
	}
}

// multiplyRows multiplies rows of a by a packed matrix, some rows at a time.
func (k *implementation) multiplyRows(c []float32, ldc int, a []float32, lda int, b []float32, depth, columns, rows int) {
	group := max(1, callSteps/(depth*columns/panelWidth))
	for r := 0; r < rows; r += group {
		n := min(group, rows-r)
		k.multiplyPanels(c[r*ldc:][:(n-1)*ldc+columns], a[r*lda:][:(n-1)*lda+depth], b, columns,
			productSize{k: depth, lda: lda, ldc: ldc, rows: n, matrices: 1})
	}
}
