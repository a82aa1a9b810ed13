package kernel

// eachCell calls f with the offset of every cell of the board.
func (b boardLoop) eachCell(f func(at int)) {
	for y := range b.h {
		for x := range b.w {
			f(y*b.row + x*b.pixel)
		}
	}
}

func channelSumsGo(sums, x []float32, b boardLoop) {
	sums = sums[:b.channels]
	clear(sums)
	b.eachCell(func(at int) {
		for i, v := range x[at:][:len(sums)] {
			sums[i] += v
		}
	})
}

// channelDeviationsGo computes sums[0][c], the sum of x-mean, and sums[1][c], the
// sum of its squares.
func channelDeviationsGo(sums, x, mean []float32, b boardLoop) {
	c := b.channels
	sum, squares, mean := sums[:c], sums[c:][:c], mean[:c]
	clear(sums[:2*c])
	b.eachCell(func(at int) {
		cell := x[at:][:c]
		for i, m := range mean {
			d := cell[i] - m
			sum[i] += d
			squares[i] += d * d
		}
	})
}

// normaliseGo computes y = max(floor, (x-mean)*scale + shift [+ residual]), where
// coefficients is [3][channels]: mean, scale, shift.
func normaliseGo(y, x, coefficients, residual []float32, b boardLoop, floor float32) {
	c := b.channels
	mean, scale, shift := coefficients[:c], coefficients[c:][:c], coefficients[2*c:][:c]
	b.eachCell(func(at int) {
		out, in, res := y[at:][:c], x[at:][:c], from(residual, at)
		for i, m := range mean {
			v := (in[i]-m)*scale[i] + shift[i]
			if res != nil {
				v += res[i]
			}
			if v < floor {
				v = floor
			}
			out[i] = v
		}
	})
}

// normGradientSumsGo computes sums[0][c], the sum of g, and sums[1][c], the sum
// of g*(x-mean), where g is dy wherever y > floor, and 0 elsewhere.
func normGradientSumsGo(sums, dy, y, x, mean []float32, b boardLoop, floor float32) {
	c := b.channels
	sum, dot := sums[:c], sums[c:][:c]
	clear(sums[:2*c])
	b.eachCell(func(at int) {
		grad, out, in := dy[at:][:c], y[at:][:c], x[at:][:c]
		for i, d := range grad {
			if out[i] > floor {
				sum[i] += d
				dot[i] += d * (in[i] - mean[i])
			}
		}
	})
}

// normGradientGo computes dx = scale*g + slope*(x-mean) + shift, and dres = g
// unless dres is nil, with g as in normGradientSumsGo. coefficients is
// [4][channels]: mean, scale, shift, slope.
func normGradientGo(dx, dres, dy, y, x, coefficients []float32, b boardLoop, floor float32) {
	c := b.channels
	mean, scale := coefficients[:c], coefficients[c:][:c]
	shift, slope := coefficients[2*c:][:c], coefficients[3*c:][:c]
	b.eachCell(func(at int) {
		grad, out, in, to := dy[at:][:c], y[at:][:c], x[at:][:c], dx[at:][:c]
		res := from(dres, at)
		for i, g := range grad {
			if !(out[i] > floor) {
				g = 0
			}
			if res != nil {
				res[i] = g
			}
			to[i] = scale[i]*g + slope[i]*(in[i]-mean[i]) + shift[i]
		}
	})
}
