package kernel

import "math"

// boardLoop is what the passes of batch normalisation run over: h rows of w
// cells. Neighbouring cells are pixel floats apart, and neighbouring rows row
// floats.
type boardLoop struct{ h, w, pixel, row, channels int }

// normPhase is what the tasks of a normJob do. A task is a board.
type normPhase int

const (
	sumCells normPhase = iota
	applyNorm
	sumGradients
	applyGradient
)

// normJob is BNForward or BNBackward in progress.
type normJob struct {
	phase   normPhase
	loop    boardLoop
	boards  int
	board   int // floats of a board
	first   int // offset of its first cell
	kernels *implementation

	y, x, residual, dx, dres, dy []float32

	mean         []float32 // [channels]
	boardMeans   []float32 // [board][channels], rounded
	sums         []float32 // [board][2][channels]: see channelDeviations and normGradientSums
	coefficients []float32 // see normalise and normGradient
	floor        float32
}

// startNorm prepares the workspace's normJob for n boards of c channels.
func (ws *Workspace) startNorm(s Shape, n, c int, relu bool) *normJob {
	ws.partial = grown(ws.partial, (3*n+4)*c)
	if len(ws.totals) < 2*c {
		ws.totals = make([]float64, 2*c)
	}
	clear(ws.totals[:2*c])
	floor := float32(math.Inf(-1))
	if relu {
		floor = 0
	}
	ws.normal = normJob{
		loop:   boardLoop{h: s.H, w: s.W, pixel: c, row: (s.W + 2) * c, channels: c},
		boards: n, board: s.Len(1, c), first: s.Offset(0, 0, 0, c), kernels: current, floor: floor,
		sums: ws.partial[:2*n*c], boardMeans: ws.partial[2*n*c : 3*n*c],
		coefficients: ws.partial[3*n*c:][:4*c],
	}
	return &ws.normal
}

func (j *normJob) do(b int, _ *worker) {
	c, k := j.loop.channels, j.kernels
	if j.phase == sumCells || j.phase == sumGradients {
		// From the last board to the first: what was written last is in the cache,
		// and so is what the next pass starts with.
		b = j.boards - 1 - b
	}
	at := b*j.board + j.first
	switch j.phase {
	case sumCells:
		means := j.boardMeans[b*c:][:c]
		k.channelSums(means, j.x[at:], j.loop)
		cells := float32(j.loop.h * j.loop.w)
		for i := range means {
			means[i] /= cells
		}
		k.channelDeviations(j.sums[2*b*c:], j.x[at:], means, j.loop)
	case applyNorm:
		k.normalise(j.y[at:], j.x[at:], j.coefficients, from(j.residual, at), j.loop, j.floor)
	case sumGradients:
		k.normGradientSums(j.sums[2*b*c:], j.dy[at:], j.y[at:], j.x[at:], j.mean, j.loop, j.floor)
	case applyGradient:
		k.normGradient(j.dx[at:], from(j.dres, at), j.dy[at:], j.y[at:], j.x[at:], j.coefficients, j.loop, j.floor)
	}
}

// from returns buf[at:], or nil if buf is nil.
func from[T any](buf []T, at int) []T {
	if buf == nil {
		return nil
	}
	return buf[at:]
}

// addRows adds the rows of a matrix [..][len(total)] to total, in order.
func addRows(total []float64, rows []float32) {
	for ; len(rows) >= len(total); rows = rows[len(total):] {
		for i, v := range rows[:len(total)] {
			total[i] += float64(v)
		}
	}
}

// BNForward normalises each of the c channels of x over the cells of n boards
// (Ioffe and Szegedy 2015):
//
//	y = gamma*(x-mean)*invStd + beta [+ residual], then ReLU if relu is set
//
// It fills mean, invStd = 1/sqrt(variance+eps) and the biased variance, c values
// each. residual may be nil; y may be x or residual.
//
// A board's cells are added in float32 about the board's own mean, and boards are
// combined in float64 (Chan, Golub and LeVeque 1979), so that a large mean costs
// no precision.
func BNForward(ws *Workspace, s Shape, n, c int, y, x, gamma, beta, residual []float32, relu bool, mean, invStd, variance []float32, eps float32) {
	j := ws.startNorm(s, n, c, relu)
	j.y, j.x = y[:s.Len(n, c)], x[:s.Len(n, c)]
	if residual != nil {
		j.residual = residual[:s.Len(n, c)]
	}
	j.phase = sumCells
	ws.run(j, n)

	center, deviation := ws.totals[:c], ws.totals[c:2*c]
	j.combineBoards(center, deviation, n)
	count := float64(n * s.Cells())
	scale, shift := j.coefficients[c:2*c], j.coefficients[2*c:3*c]
	for i, m := range center {
		v := deviation[i] / count
		mean[i], variance[i] = float32(m), float32(v)
		invStd[i] = float32(1 / math.Sqrt(v+float64(eps)))
		scale[i], shift[i] = gamma[i]*invStd[i], beta[i]
	}
	copy(j.coefficients, mean[:c])

	j.phase = applyNorm
	ws.run(j, n)
	ws.normal = normJob{}
}

// combineBoards computes the mean of each channel over all boards, and the sum of
// the squared distances from it.
func (j *normJob) combineBoards(center, deviation []float64, n int) {
	c := len(center)
	cells := float64(j.loop.h * j.loop.w)
	for b := range n {
		sums := j.sums[2*b*c:][:c]
		for i, m := range j.boardMeans[b*c:][:c] {
			center[i] += float64(m) + float64(sums[i])/cells
		}
	}
	for i := range center {
		center[i] /= float64(n)
	}
	for b := range n {
		sums, squares := j.sums[2*b*c:][:c], j.sums[(2*b+1)*c:][:c]
		for i, m := range j.boardMeans[b*c:][:c] {
			d := float64(m) - center[i]
			deviation[i] += float64(squares[i]) + d*(2*float64(sums[i])+cells*d)
		}
	}
}

// BNBackward is the gradient of BNForward: from dy, the gradient by y, it
// computes dx, dgamma and dbeta, and dres, the gradient by the residual, which
// may be nil. If relu is set, dy counts only where y > 0. x, gamma, mean and
// invStd are those of BNForward; y is needed only if relu is set. One of dx and
// dres may be dy.
func BNBackward(ws *Workspace, s Shape, n, c int, dx, dres, dgamma, dbeta, dy, y, x, gamma, mean, invStd []float32, relu bool) {
	j := ws.startNorm(s, n, c, relu)
	if !relu {
		y = x
	}
	size := s.Len(n, c)
	j.dx, j.dy, j.y, j.x, j.mean = dx[:size], dy[:size], y[:size], x[:size], mean[:c]
	if dres != nil {
		j.dres = dres[:size]
	}
	j.phase = sumGradients
	ws.run(j, n)

	totals := ws.totals[:2*c]
	addRows(totals, j.sums)
	count := float64(n * s.Cells())
	scale, shift, slope := j.coefficients[c:2*c], j.coefficients[2*c:3*c], j.coefficients[3*c:4*c]
	for i, inv := range invStd[:c] {
		sum, dot := totals[i], totals[c+i]*float64(inv)
		dgamma[i], dbeta[i] = float32(dot), float32(sum)
		a := float64(gamma[i]) * float64(inv)
		scale[i], shift[i], slope[i] = float32(a), float32(-a*sum/count), float32(-a*float64(inv)*dot/count)
	}
	copy(j.coefficients, mean[:c])

	j.phase = applyGradient
	ws.run(j, n)
	ws.normal = normJob{}
}
