package kernel

// The transforms of winograd.go. Each applies the one-dimensional step to rows
// and then to columns, for all channels at a time. Between the two, element
// (y, x) lies in plane 5*x+y, as it does at the end.

// cellsOf returns n slices of one length, `channels`, at the given offsets.
func cellsOf(buf []float32, at int, columns []int, channels int) (cells [5][]float32) {
	for x, offset := range columns {
		cells[x] = buf[at+offset:][:channels]
	}
	return cells
}

// planesOf returns every step-th plane from the first one, as long as it has
// channels.
func planesOf(buf []float32, first, step, n, plane, channels int) (p [5][]float32) {
	for i := range n {
		p[i] = buf[(first+i*step)*plane:][:channels]
	}
	return p
}

// inputTransformGo computes B^T d B.
func inputTransformGo(dst, src []float32, patches []patch, plane, channels int) {
	for i := range patches {
		p := &patches[i]
		for y, row := range p.rows {
			inputStep(planesOf(dst, y, 5, 5, plane, channels), cellsOf(src, p.at+row, p.columns[:], channels))
		}
		for x := range 5 {
			column := planesOf(dst, 5*x, 1, 5, plane, channels)
			inputStep(column, column)
		}
		dst = dst[channels:]
	}
}

// inputStep computes B^T d; r may be d.
func inputStep(r, d [5][]float32) {
	d0, d1, d2, d3, d4 := d[0], d[1], d[2], d[3], d[4]
	n := len(d0)
	d1, d2, d3, d4 = d1[:n], d2[:n], d3[:n], d4[:n]
	r0, r1, r2, r3, r4 := r[0][:n], r[1][:n], r[2][:n], r[3][:n], r[4][:n]
	for i, v0 := range d0 {
		v1, v2, v3, v4 := d1[i], d2[i], d3[i], d4[i]
		odd := v3 - v1
		r0[i] = 2*(v0-v2) + odd
		r1[i] = odd - (v1 + v2)
		r2[i] = 3*(v1-v2) + odd
		r3[i] = odd
		r4[i] = (v4 - v2) - 2*odd
	}
}

// gradientTransformGo computes A y A^T.
func gradientTransformGo(dst, src []float32, tiles []tileCells, plane, channels int) {
	for i := range tiles {
		t := &tiles[i]
		for y, row := range t.rows {
			gradientStep(planesOf(dst, y, 5, 5, plane, channels), cellsOf(src, t.at+row, t.columns[:], channels))
		}
		for x := range 5 {
			column := planesOf(dst, 5*x, 1, 5, plane, channels)
			gradientStep(column, column)
		}
		dst = dst[channels:]
	}
}

// gradientStep computes A y; the first three of r may be y.
func gradientStep(r, y [5][]float32) {
	y0, y1, y2 := y[0], y[1], y[2]
	n := len(y0)
	y1, y2 = y1[:n], y2[:n]
	r0, r1, r2, r3, r4 := r[0][:n], r[1][:n], r[2][:n], r[3][:n], r[4][:n]
	for i, v0 := range y0 {
		v1, v2 := y1[i], y2[i]
		even := v0 + v2
		r0[i] = v0
		r1[i] = even + v1
		r2[i] = even - v1
		r3[i] = v0 + 2*v1 + 4*v2
		r4[i] = v2
	}
}

// outputTransformGo computes A^T m A, adds bias and residual, and applies floor.
func outputTransformGo(dst, src, bias, residual []float32, tiles []tileOutput, plane, channels int, floor float32) {
	for i := range tiles {
		t := &tiles[i]
		for x := range 5 {
			column := planesOf(src, 5*x, 1, 5, plane, channels)
			outputStep(column, column)
		}
		for y := range t.height {
			row := planesOf(src, y, 5, 5, plane, channels)
			cells := cellsOf(dst, t.at+t.rows[y], t.columns[:], channels)
			if residual == nil {
				outputRow(cells, row, bias, floor)
			} else {
				outputRowResidual(cells, row, bias, cellsOf(residual, t.at+t.rows[y], t.columns[:], channels), floor)
			}
		}
		src = src[channels:]
	}
}

// outputRow computes a row of cells: A^T m + bias, and at least floor. The last
// cells may be one and the same: it is written from the right to the left.
func outputRow(cells, m [5][]float32, bias []float32, floor float32) {
	m0, m1, m2, m3, m4 := m[0], m[1], m[2], m[3], m[4]
	n := len(m0)
	m1, m2, m3, m4, bias = m1[:n], m2[:n], m3[:n], m4[:n], bias[:n]
	c0, c1, c2 := cells[0][:n], cells[1][:n], cells[2][:n]
	for i, v0 := range m0 {
		v1, v2, v3, b := m1[i], m2[i], m3[i], bias[i]
		sum := v1 + v2
		r0 := v0 + sum + v3 + b
		r1 := (v1 - v2) + 2*v3 + b
		r2 := sum + 4*v3 + m4[i] + b
		c2[i] = max(r2, floor)
		c1[i] = max(r1, floor)
		c0[i] = max(r0, floor)
	}
}

// outputRowResidual is outputRow with a residual, which may be the cells.
func outputRowResidual(cells, m [5][]float32, bias []float32, residual [5][]float32, floor float32) {
	m0, m1, m2, m3, m4 := m[0], m[1], m[2], m[3], m[4]
	n := len(m0)
	m1, m2, m3, m4, bias = m1[:n], m2[:n], m3[:n], m4[:n], bias[:n]
	c0, c1, c2 := cells[0][:n], cells[1][:n], cells[2][:n]
	s0, s1, s2 := residual[0][:n], residual[1][:n], residual[2][:n]
	for i, v0 := range m0 {
		v1, v2, v3, b := m1[i], m2[i], m3[i], bias[i]
		sum := v1 + v2
		r0 := v0 + sum + v3 + b + s0[i]
		r1 := (v1 - v2) + 2*v3 + b + s1[i]
		r2 := sum + 4*v3 + m4[i] + b + s2[i]
		c2[i] = max(r2, floor)
		c1[i] = max(r1, floor)
		c0[i] = max(r0, floor)
	}
}

// outputStep computes A^T m; r may be m.
func outputStep(r, m [5][]float32) {
	m0, m1, m2, m3, m4 := m[0], m[1], m[2], m[3], m[4]
	n := len(m0)
	m1, m2, m3, m4 = m1[:n], m2[:n], m3[:n], m4[:n]
	r0, r1, r2 := r[0][:n], r[1][:n], r[2][:n]
	for i, v0 := range m0 {
		v1, v2, v3 := m1[i], m2[i], m3[i]
		sum := v1 + v2
		r0[i] = v0 + sum + v3
		r1[i] = (v1 - v2) + 2*v3
		r2[i] = sum + 4*v3 + m4[i]
	}
}

// weightTransformGo computes G w G^T.
func weightTransformGo(dst []float32, src *weightBlock, plane int) {
	for y := range 3 {
		row := [5][]float32{src[3*y][:], src[3*y+1][:], src[3*y+2][:]}
		weightStep(planesOf(dst, y, 5, 5, plane, 16), row)
	}
	for x := range 5 {
		column := planesOf(dst, 5*x, 1, 5, plane, 16)
		weightStep(column, column)
	}
}

// weightStep computes G w; the first three of r may be w.
func weightStep(r, w [5][]float32) {
	const sixth, third, twoThirds = 1. / 6, 1. / 3, 2. / 3
	in0, in1, in2 := w[0], w[1], w[2]
	n := len(in0)
	in1, in2 = in1[:n], in2[:n]
	r0, r1, r2, r3, r4 := r[0][:n], r[1][:n], r[2][:n], r[3][:n], r[4][:n]
	for i, w0 := range in0 {
		w1, w2 := in1[i], in2[i]
		even := w0 + w2
		r0[i] = 0.5 * w0
		r1[i] = -0.5 * (even + w1)
		r2[i] = sixth * (w1 - even)
		r3[i] = sixth*w0 + third*w1 + twoThirds*w2
		r4[i] = w2
	}
}

// weightGradientGo computes G^T u G.
func weightGradientGo(dst *weightBlock, src []float32, plane int) {
	for x := range 5 {
		column := planesOf(src, 5*x, 1, 5, plane, 16)
		weightGradientStep(column, column)
	}
	for y := range 3 {
		row := [5][]float32{dst[3*y][:], dst[3*y+1][:], dst[3*y+2][:]}
		weightGradientStep(row, planesOf(src, y, 5, 5, plane, 16))
	}
}

// weightGradientStep computes G^T u; the first three of r may be those of u.
func weightGradientStep(r, u [5][]float32) {
	const sixth = 1. / 6
	in0, in1, in2, in3, in4 := u[0], u[1], u[2], u[3], u[4]
	n := len(in0)
	in1, in2, in3, in4 = in1[:n], in2[:n], in3[:n], in4[:n]
	r0, r1, r2 := r[0][:n], r[1][:n], r[2][:n]
	for i, v := range in0 {
		u0, u1, u2, u3 := 0.5*v, 0.5*in1[i], sixth*in2[i], sixth*in3[i]
		r0[i] = u0 - u1 - u2 + u3
		r1[i] = u2 - u1 + 2*u3
		r2[i] = in4[i] - u1 - u2 + 4*u3
	}
}

// loadTapsGo gathers rows of 9 weights into a block.
func loadTapsGo(block *weightBlock, w []float32, stride int) {
	for lane := range panelWidth {
		for t, v := range (*[9]float32)(w[lane*stride:]) {
			block[t][lane] = v
		}
	}
}

// storeTapsGo scatters a block into rows of 9 weights, or adds it to them.
func storeTapsGo(w []float32, block *weightBlock, stride int, add bool) {
	for lane := range panelWidth {
		taps := (*[9]float32)(w[lane*stride:])
		for t := range taps {
			if add {
				taps[t] += block[t][lane]
			} else {
				taps[t] = block[t][lane]
			}
		}
	}
}
