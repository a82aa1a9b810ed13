package kernel

// productGo computes c[rows][width] = a[rows][k] * b[k][width] in register tiles
// of 2 x 4, the largest for which the compiler keeps all sums in registers. Both
// tile heights add an element's products in the same order.
func productGo(c, a, b []float32, k, lda, ldc, rows, width int) {
	b = b[:k*width]
	r := 0
	for ; r+2 <= rows; r += 2 {
		a0, a1 := a[r*lda:][:k], a[(r+1)*lda:][:k]
		for j := 0; j < width; j += 4 {
			tile2x4((*[4]float32)(c[r*ldc+j:]), (*[4]float32)(c[(r+1)*ldc+j:]), a0, a1, b[j:], width)
		}
	}
	if r < rows {
		a0 := a[r*lda:][:k]
		for j := 0; j < width; j += 4 {
			tile1x4((*[4]float32)(c[r*ldc+j:]), a0, b[j:], width)
		}
	}
}

func tile2x4(c0, c1 *[4]float32, a0, a1, b []float32, width int) {
	var s00, s01, s02, s03, s10, s11, s12, s13 float32
	for len(a0) >= 4 && len(a1) >= 4 {
		w := (*[4]float32)(b)
		x, y := a0[0], a1[0]
		s00 += x * w[0]
		s10 += y * w[0]
		s01 += x * w[1]
		s11 += y * w[1]
		s02 += x * w[2]
		s12 += y * w[2]
		s03 += x * w[3]
		s13 += y * w[3]
		b = b[width:]
		w = (*[4]float32)(b)
		x, y = a0[1], a1[1]
		s00 += x * w[0]
		s10 += y * w[0]
		s01 += x * w[1]
		s11 += y * w[1]
		s02 += x * w[2]
		s12 += y * w[2]
		s03 += x * w[3]
		s13 += y * w[3]
		b = b[width:]
		w = (*[4]float32)(b)
		x, y = a0[2], a1[2]
		s00 += x * w[0]
		s10 += y * w[0]
		s01 += x * w[1]
		s11 += y * w[1]
		s02 += x * w[2]
		s12 += y * w[2]
		s03 += x * w[3]
		s13 += y * w[3]
		b = b[width:]
		w = (*[4]float32)(b)
		x, y = a0[3], a1[3]
		s00 += x * w[0]
		s10 += y * w[0]
		s01 += x * w[1]
		s11 += y * w[1]
		s02 += x * w[2]
		s12 += y * w[2]
		s03 += x * w[3]
		s13 += y * w[3]
		a0, a1 = a0[4:], a1[4:]
		if len(a0) == 0 {
			break
		}
		b = b[width:]
	}
	for i, x := range a0 {
		y := a1[i]
		w := (*[4]float32)(b[i*width:])
		s00 += x * w[0]
		s10 += y * w[0]
		s01 += x * w[1]
		s11 += y * w[1]
		s02 += x * w[2]
		s12 += y * w[2]
		s03 += x * w[3]
		s13 += y * w[3]
	}
	*c0 = [4]float32{s00, s01, s02, s03}
	*c1 = [4]float32{s10, s11, s12, s13}
}

func tile1x4(c0 *[4]float32, a0, b []float32, width int) {
	var s0, s1, s2, s3 float32
	for i, x := range a0 {
		w := (*[4]float32)(b[i*width:])
		s0 += x * w[0]
		s1 += x * w[1]
		s2 += x * w[2]
		s3 += x * w[3]
	}
	*c0 = [4]float32{s0, s1, s2, s3}
}

// transposedGo computes c[m][width] = a[k][m]^T * b[k][width], or adds it to c.
func transposedGo(c, a, b []float32, k, m, lda, ldb, ldc int, add bool, width int) {
	for i := 0; i < m; i += 2 {
		for j := 0; j < width; j += 4 {
			c0, c1 := (*[4]float32)(c[i*ldc+j:]), (*[4]float32)(c[(i+1)*ldc+j:])
			if !add {
				*c0, *c1 = [4]float32{}, [4]float32{}
			}
			s00, s01, s02, s03 := c0[0], c0[1], c0[2], c0[3]
			s10, s11, s12, s13 := c1[0], c1[1], c1[2], c1[3]
			for r := range k {
				v, w := (*[2]float32)(a[r*lda+i:]), (*[4]float32)(b[r*ldb+j:])
				x, y := v[0], v[1]
				s00 += x * w[0]
				s10 += y * w[0]
				s01 += x * w[1]
				s11 += y * w[1]
				s02 += x * w[2]
				s12 += y * w[2]
				s03 += x * w[3]
				s13 += y * w[3]
			}
			*c0 = [4]float32{s00, s01, s02, s03}
			*c1 = [4]float32{s10, s11, s12, s13}
		}
	}
}
