package kernel

// The boards of BackwardWeights are divided into groups, each of which adds up
// its gradient on its own, and the groups' gradients are added in order. The
// division depends on the number of boards only, and so does the result.

const (
	// minGroup is the least number of boards in a group, save the only one.
	minGroup = 8
	// fewGroups is how many groups of at least minGroup boards are enough.
	fewGroups = 4
	// fullGroup is the number of boards in a group if that makes more groups.
	fullGroup = 16
	// maxGroups bounds the memory that the groups' gradients take.
	maxGroups = 16
)

// groupCount returns the number of groups of n boards.
func groupCount(n int) int {
	return max(1, min(fewGroups, n/minGroup), min(maxGroups, n/fullGroup))
}

// weightGradientJob is BackwardWeights in progress.
type weightGradientJob struct {
	conv      *Conv
	dw, x, dy []float32
	n, groups int
	chunk     int
	sums      []float32 // [groups] gradients by the transformed weights
	kernels   *implementation
	phase     gradientPhase
	add       bool // to what dw holds
}

// gradientPhase is what a job's tasks do.
type gradientPhase int

const (
	addBoards  gradientPhase = iota // a task is a group
	addGroups                       // a task is a plane
	backToTaps                      // a task is 16 output channels
)

// BackwardWeights computes dw, the gradient by the weights in ONNX order
// [cout][cin][3][3], from the convolution's input x and the gradient dy by its
// output before bias, residual and ReLU. It overwrites dw.
func (c *Conv) BackwardWeights(ws *Workspace, dw, x, dy []float32, n int) {
	c.backwardWeights(ws, dw, x, dy, n, false)
}

// AddBackwardWeights is BackwardWeights, but adds to what dw holds.
func (c *Conv) AddBackwardWeights(ws *Workspace, dw, x, dy []float32, n int) {
	c.backwardWeights(ws, dw, x, dy, n, true)
}

func (c *Conv) backwardWeights(ws *Workspace, dw, x, dy []float32, n int, add bool) {
	groups := groupCount(n)
	ws.partial = grown(ws.partial, groups*c.gradientLen())
	ws.gradient = weightGradientJob{
		conv: c, n: n, groups: groups, chunk: chunkBoards(c.in.tiles()), sums: ws.partial, kernels: current, add: add,
		dw: dw[:9*c.cin*c.cout], x: x[:c.shape.Len(n, c.cin)], dy: dy[:c.shape.Len(n, c.cout)],
	}
	ws.gradient.phase = addBoards
	ws.run(&ws.gradient, groups)
	if groups > 1 {
		ws.gradient.phase = addGroups
		ws.run(&ws.gradient, planes)
	}
	ws.gradient.phase = backToTaps
	ws.run(&ws.gradient, c.cout/16)
	ws.gradient = weightGradientJob{}
}

// gradientLen is the length of a gradient by the transformed weights, which has
// the layout of the packed weights.
func (c *Conv) gradientLen() int { return planes * weightPlaneLen(c.cin, c.cout) }

func (j *weightGradientJob) do(task int, w *worker) {
	switch j.phase {
	case addBoards:
		j.addGroup(task, w)
	case addGroups:
		j.addPlane(task)
	case backToTaps:
		j.writeTaps(16*task, w)
	}
}

// addGroup adds up the gradient of one group of boards, a chunk at a time.
func (j *weightGradientJob) addGroup(group int, w *worker) {
	first, end := group*j.n/j.groups, (group+1)*j.n/j.groups
	c, tiles := j.conv, j.conv.in.tiles()
	sum := j.sums[group*c.gradientLen():][:c.gradientLen()]
	domain := planes * planeLen(j.chunk*tiles, max(c.cin, c.cout))
	w.v, w.m = grown(w.v, domain), grown(w.m, domain)
	for b := first; b < end; b += j.chunk {
		boards := min(j.chunk, end-b)
		rows := boards * tiles
		vPlane, mPlane := planeLen(rows, c.cin), planeLen(rows, c.cout)
		c.in.transformInputs(j.kernels, w.v, j.x, b, boards, vPlane)
		c.out.transformGradients(j.kernels, w.m, j.dy, b, boards, mPlane)
		for p := range planes {
			to := sum[p*weightPlaneLen(c.cin, c.cout):]
			j.kernels.multiplyTransposed(to, w.v[p*vPlane:], w.m[p*mPlane:], rows, c.cin, c.cout, b > first)
		}
	}
}

// transformGradients transforms all tiles of some boards of dy into m, a row for
// each tile.
func (t *tiling) transformGradients(k *implementation, m, dy []float32, first, boards, plane int) {
	for b := range boards {
		k.gradientTransform(m[b*t.tiles()*t.channels:], dy[(first+b)*t.board:], t.cells, plane, t.channels)
	}
}

// multiplyTransposed computes a[rows][m]^T * b[rows][n], packed in panels.
func (k *implementation) multiplyTransposed(c, a, b []float32, rows, m, n int, add bool) {
	j := 0
	for ; j+32 <= n; j += 32 {
		k.transposed32(c[j*m:], a, b[j:], rows, m, m, n, panelWidth, m*panelWidth, add)
	}
	if j < n {
		k.transposed16(c[j*m:], a, b[j:], rows, m, m, n, panelWidth, add)
	}
}

// addPlane adds a plane of all groups to that of the first, in order.
func (j *weightGradientJob) addPlane(plane int) {
	n := j.conv.cin * j.conv.cout
	at := plane * weightPlaneLen(j.conv.cin, j.conv.cout)
	for g := 1; g < j.groups; g++ {
		j.kernels.addTo(j.sums[at:at+n], j.sums[g*j.conv.gradientLen()+at:][:n])
	}
}

// writeTaps transforms the gradient for 16 output channels back to the weights.
func (j *weightGradientJob) writeTaps(o int, w *worker) {
	c := j.conv
	for i := range c.cin {
		j.kernels.weightGradient(&w.block, j.sums[panelOffset(i, o, c.cin):], weightPlaneLen(c.cin, c.cout))
		j.kernels.storeTaps(j.dw[(o*c.cin+i)*9:], &w.block, 9*c.cin, j.add)
	}
}
