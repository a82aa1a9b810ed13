package kernel

// MatMul computes dst[m][n] = a[m][k] * b[k][n]; all matrices are row-major.
func MatMul(ws *Workspace, dst, a, b []float32, m, k, n int) {
	for i := range m {
		row := dst[i*n:][:n]
		clear(row)
		for p, v := range a[i*k:][:k] {
			for j, w := range b[p*n:][:n] {
				row[j] += v * w
			}
		}
	}
}

// MatMulTA computes dst[m][n] = a[k][m]^T * b[k][n].
func MatMulTA(ws *Workspace, dst, a, b []float32, m, k, n int) {
	clear(dst[:m*n])
	for p := range k {
		for i, v := range a[p*m:][:m] {
			row := dst[i*n:][:n]
			for j, w := range b[p*n:][:n] {
				row[j] += v * w
			}
		}
	}
}

// MatMulTB computes dst[m][n] = a[m][k] * b[n][k]^T.
func MatMulTB(ws *Workspace, dst, a, b []float32, m, k, n int) {
	for i := range m {
		for j := range n {
			var s float32
			w := b[j*k:][:k]
			for p, v := range a[i*k:][:k] {
				s += v * w[p]
			}
			dst[i*n+j] = s
		}
	}
}
