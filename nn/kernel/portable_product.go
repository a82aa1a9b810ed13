package kernel

func product32Go(c, a, b []float32, s productSize) {
	s.steps *= 2
	product16Go(c, a, b, s)
}

func product16Go(c, a, b []float32, s productSize) {
	for i := range s.matrices {
		for j := range s.steps {
			multiplyPanelGo(c[i*s.cPlane+j*panelWidth:], a[i*s.aPlane:], b[i*s.bPlane+j*panelWidth*s.k:], s)
		}
	}
}

// multiplyPanelGo computes c[rows][16] = a[rows][k] * b[k][16] in register tiles
// of 2 x 4, the largest for which the compiler keeps all sums in registers. Both
// tile heights add an element's products in the same order.
func multiplyPanelGo(c, a, b []float32, s productSize) {
	size := panelWidth * s.k
	r := 0
	for ; r+2 <= s.rows; r += 2 {
		a0, a1 := a[r*s.lda:][:s.k], a[(r+1)*s.lda:][:s.k]
		c0, c1 := (*[panelWidth]float32)(c[r*s.ldc:]), (*[panelWidth]float32)(c[(r+1)*s.ldc:])
		for j := 0; j < panelWidth; j += 4 {
			tile2x4((*[4]float32)(c0[j:]), (*[4]float32)(c1[j:]), a0, a1, b[j:][:size])
		}
	}
	if r < s.rows {
		a0, c0 := a[r*s.lda:][:s.k], (*[panelWidth]float32)(c[r*s.ldc:])
		for j := 0; j < panelWidth; j += 4 {
			tile1x4((*[4]float32)(c0[j:]), a0, b[j:][:size])
		}
	}
}

// span4 is the part of a panel that four columns of four rows span.
const span4 = 3*panelWidth + 4

// tile2x4 is written out for four steps at a time: in a shorter loop the compiler
// delays the additions and runs out of registers.
func tile2x4(c0, c1 *[4]float32, a0, a1, b []float32) {
	var s00, s01, s02, s03, s10, s11, s12, s13 float32
	for len(a0) >= 4 && len(a1) >= 4 && len(b) >= 4*panelWidth {
		w := (*[span4]float32)(b)
		x, y := a0[0], a1[0]
		s00 += x * w[0]
		s10 += y * w[0]
		s01 += x * w[1]
		s11 += y * w[1]
		s02 += x * w[2]
		s12 += y * w[2]
		s03 += x * w[3]
		s13 += y * w[3]
		x, y = a0[1], a1[1]
		s00 += x * w[panelWidth]
		s10 += y * w[panelWidth]
		s01 += x * w[panelWidth+1]
		s11 += y * w[panelWidth+1]
		s02 += x * w[panelWidth+2]
		s12 += y * w[panelWidth+2]
		s03 += x * w[panelWidth+3]
		s13 += y * w[panelWidth+3]
		x, y = a0[2], a1[2]
		s00 += x * w[2*panelWidth]
		s10 += y * w[2*panelWidth]
		s01 += x * w[2*panelWidth+1]
		s11 += y * w[2*panelWidth+1]
		s02 += x * w[2*panelWidth+2]
		s12 += y * w[2*panelWidth+2]
		s03 += x * w[2*panelWidth+3]
		s13 += y * w[2*panelWidth+3]
		x, y = a0[3], a1[3]
		s00 += x * w[3*panelWidth]
		s10 += y * w[3*panelWidth]
		s01 += x * w[3*panelWidth+1]
		s11 += y * w[3*panelWidth+1]
		s02 += x * w[3*panelWidth+2]
		s12 += y * w[3*panelWidth+2]
		s03 += x * w[3*panelWidth+3]
		s13 += y * w[3*panelWidth+3]
		a0, a1 = a0[4:], a1[4:]
		b = b[4*panelWidth:]
	}
	for i, x := range a0 {
		y, w := a1[i], (*[4]float32)(b[i*panelWidth:])
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

func tile1x4(c0 *[4]float32, a0, b []float32) {
	var s0, s1, s2, s3 float32
	for len(a0) >= 4 && len(b) >= 4*panelWidth {
		w := (*[span4]float32)(b)
		x := a0[0]
		s0 += x * w[0]
		s1 += x * w[1]
		s2 += x * w[2]
		s3 += x * w[3]
		x = a0[1]
		s0 += x * w[panelWidth]
		s1 += x * w[panelWidth+1]
		s2 += x * w[panelWidth+2]
		s3 += x * w[panelWidth+3]
		x = a0[2]
		s0 += x * w[2*panelWidth]
		s1 += x * w[2*panelWidth+1]
		s2 += x * w[2*panelWidth+2]
		s3 += x * w[2*panelWidth+3]
		x = a0[3]
		s0 += x * w[3*panelWidth]
		s1 += x * w[3*panelWidth+1]
		s2 += x * w[3*panelWidth+2]
		s3 += x * w[3*panelWidth+3]
		a0 = a0[4:]
		b = b[4*panelWidth:]
	}
	for i, x := range a0 {
		w := (*[4]float32)(b[i*panelWidth:])
		s0 += x * w[0]
		s1 += x * w[1]
		s2 += x * w[2]
		s3 += x * w[3]
	}
	*c0 = [4]float32{s0, s1, s2, s3}
}

func transposed32Go(c, a, b []float32, k, m, lda, ldb, ldc, panel int, add bool) {
	transposed16Go(c, a, b, k, m, lda, ldb, ldc, add)
	transposed16Go(c[panel:], a, b[panelWidth:], k, m, lda, ldb, ldc, add)
}

// transposed16Go computes c[m][16] = a[k][m]^T * b[k][16], or adds it to c.
func transposed16Go(c, a, b []float32, k, m, lda, ldb, ldc int, add bool) {
	for i := 0; i < m; i += 2 {
		c0, c1 := (*[panelWidth]float32)(c[i*ldc:]), (*[panelWidth]float32)(c[(i+1)*ldc:])
		if !add {
			clear(c0[:])
			clear(c1[:])
		}
		for j := 0; j < panelWidth; j += 4 {
			transposed2x4((*[4]float32)(c0[j:]), (*[4]float32)(c1[j:]), a[i:], b[j:], k, lda, ldb)
		}
	}
}

// transposed2x4 is written out for four steps at a time, like tile2x4.
func transposed2x4(c0, c1 *[4]float32, a, b []float32, k, lda, ldb int) {
	s00, s01, s02, s03 := c0[0], c0[1], c0[2], c0[3]
	s10, s11, s12, s13 := c1[0], c1[1], c1[2], c1[3]
	r := 0
	for ; r+4 <= k; r += 4 {
		at, bt := a[r*lda:], b[r*ldb:]
		v, w := (*[2]float32)(at), (*[4]float32)(bt)
		x, y := v[0], v[1]
		s00 += x * w[0]
		s10 += y * w[0]
		s01 += x * w[1]
		s11 += y * w[1]
		s02 += x * w[2]
		s12 += y * w[2]
		s03 += x * w[3]
		s13 += y * w[3]
		at, bt = at[lda:], bt[ldb:]
		v, w = (*[2]float32)(at), (*[4]float32)(bt)
		x, y = v[0], v[1]
		s00 += x * w[0]
		s10 += y * w[0]
		s01 += x * w[1]
		s11 += y * w[1]
		s02 += x * w[2]
		s12 += y * w[2]
		s03 += x * w[3]
		s13 += y * w[3]
		at, bt = at[lda:], bt[ldb:]
		v, w = (*[2]float32)(at), (*[4]float32)(bt)
		x, y = v[0], v[1]
		s00 += x * w[0]
		s10 += y * w[0]
		s01 += x * w[1]
		s11 += y * w[1]
		s02 += x * w[2]
		s12 += y * w[2]
		s03 += x * w[3]
		s13 += y * w[3]
		at, bt = at[lda:], bt[ldb:]
		v, w = (*[2]float32)(at), (*[4]float32)(bt)
		x, y = v[0], v[1]
		s00 += x * w[0]
		s10 += y * w[0]
		s01 += x * w[1]
		s11 += y * w[1]
		s02 += x * w[2]
		s12 += y * w[2]
		s03 += x * w[3]
		s13 += y * w[3]
	}
	for ; r < k; r++ {
		v, w := (*[2]float32)(a[r*lda:]), (*[4]float32)(b[r*ldb:])
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
