package kernel

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// normCase is a batch normalisation with its data.
type normCase struct {
	s           Shape
	n, c        int
	x           []float32
	gamma, beta []float32
	residual    []float32
	relu        bool
	dy          []float32
}

const normEpsilon = 1e-5

func (c normCase) String() string {
	return fmt.Sprintf("%dx%d n=%d channels=%d residual=%t relu=%t", c.s.W, c.s.H, c.n, c.c, c.residual != nil, c.relu)
}

// newNormCase draws boards whose channels have means and spreads of their own.
func newNormCase(rng *rand.Rand, s Shape, n, channels int) normCase {
	c := normCase{s: s, n: n, c: channels, x: randomBoards(rng, s, n, channels), gamma: normals(rng, channels), beta: normals(rng, channels)}
	for i := range channels {
		mean, spread := float32(2*rng.NormFloat64()), float32(0.5+rng.Float64())
		s.forCells(n, channels, func(at int) { c.x[at+i] = mean + spread*c.x[at+i] })
	}
	if rng.IntN(2) > 0 {
		c.residual = randomBoards(rng, s, n, channels)
	}
	c.relu = rng.IntN(2) > 0
	c.dy = randomBoards(rng, s, n, channels)
	return c
}

func normCases(rng *rand.Rand) []normCase {
	var cases []normCase
	for i, s := range allShapes() {
		if raceDetector && i%5 > 0 {
			continue
		}
		cases = append(cases, newNormCase(rng, s, 1+(3*i*i+i)%67, channels(rng)))
	}
	return cases
}

// normResult is what the two functions return.
type normResult struct {
	y, mean, invStd, variance []float32
	dx, dres, dgamma, dbeta   []float32
}

// run runs forward and backward.
func (c normCase) run(ws *Workspace) normResult {
	r := normResult{y: garbage(c.s, c.n, c.c), dx: garbage(c.s, c.n, c.c), mean: guarded(c.c), invStd: guarded(c.c), variance: guarded(c.c), dgamma: guarded(c.c), dbeta: guarded(c.c)}
	if c.residual != nil {
		r.dres = garbage(c.s, c.n, c.c)
	}
	c.forward(ws, r)
	c.backward(ws, r)
	return r
}

func (c normCase) forward(ws *Workspace, r normResult) {
	BNForward(ws, c.s, c.n, c.c, r.y, c.x, c.gamma, c.beta, c.residual, c.relu, r.mean, r.invStd, r.variance, normEpsilon)
}

func (c normCase) backward(ws *Workspace, r normResult) {
	BNBackward(ws, c.s, c.n, c.c, r.dx, r.dres, r.dgamma, r.dbeta, c.dy, r.y, c.x, c.gamma, r.mean, r.invStd, c.relu)
}

func (c normCase) reference() referenceNorm {
	var residual []float64
	if c.residual != nil {
		residual = double(c.residual)
	}
	return newReferenceNorm(c.s, c.n, c.c, double(c.x), double(c.gamma), double(c.beta), residual, c.relu, normEpsilon)
}

func TestBNForwardEqualsDefinition(t *testing.T) {
	eachImplementation(t, func(t *testing.T) {
		for _, c := range normCases(newRand(21)) {
			got, want := c.run(NewWorkspace(c.s, c.c, 2)), c.reference()
			checkHalo(t, c.s, c.n, c.c, got.y)
			checkClose(t, "y of "+c.String(), got.y, want.y)
			checkClose(t, "mean of "+c.String(), got.mean, want.mean)
			checkClose(t, "variance of "+c.String(), got.variance, want.variance)
			checkClose(t, "invStd of "+c.String(), got.invStd, want.invStd)
		}
	})
}

// TestBNForwardWithLargeMean would fail if the variance were computed as the
// difference of the mean square and the squared mean.
func TestBNForwardWithLargeMean(t *testing.T) {
	eachImplementation(t, func(t *testing.T) {
		s := Shape{H: 5, W: 5}
		c := newNormCase(newRand(22), s, 8, 16)
		s.forCells(c.n, c.c, func(at int) {
			for i := range c.c {
				c.x[at+i] += 1000
			}
		})
		got, want := c.run(NewWorkspace(s, c.c, 1)), c.reference()
		checkClose(t, "variance", got.variance, want.variance)
	})
}

func TestBNBackwardEqualsDefinition(t *testing.T) {
	eachImplementation(t, func(t *testing.T) {
		for _, c := range normCases(newRand(23)) {
			got := c.run(NewWorkspace(c.s, c.c, 2))
			want := c.referenceGradient(got.y)
			checkHalo(t, c.s, c.n, c.c, got.dx)
			checkClose(t, "dx of "+c.String(), got.dx, want.dx)
			checkClose(t, "dgamma of "+c.String(), got.dgamma, want.dgamma)
			checkClose(t, "dbeta of "+c.String(), got.dbeta, want.dbeta)
			if c.residual != nil {
				checkClose(t, "dres of "+c.String(), got.dres, want.dres)
			}
		}
	})
}

type referenceNormGradient struct{ dx, dres, dgamma, dbeta []float64 }

// referenceGradient is the gradient by its definition. Which elements pass the
// ReLU is taken from y, since rounding may decide about those next to zero.
func (c normCase) referenceGradient(y []float32) referenceNormGradient {
	r := c.reference()
	g := referenceNormGradient{make([]float64, len(c.x)), make([]float64, len(c.x)), make([]float64, c.c), make([]float64, c.c)}
	count := float64(c.n * c.s.Cells())
	for i := range c.c {
		normal := func(at int) float64 { return (float64(c.x[at+i]) - r.mean[i]) * r.invStd[i] }
		c.s.forCells(c.n, c.c, func(at int) {
			if !c.relu || y[at+i] > 0 {
				g.dres[at+i] = float64(c.dy[at+i])
			}
			g.dbeta[i] += g.dres[at+i]
			g.dgamma[i] += g.dres[at+i] * normal(at)
		})
		c.s.forCells(c.n, c.c, func(at int) {
			g.dx[at+i] = float64(c.gamma[i]) * r.invStd[i] * (g.dres[at+i] - g.dbeta[i]/count - normal(at)*g.dgamma[i]/count)
		})
	}
	return g
}

func TestBNGradientsAgainstDifferences(t *testing.T) {
	eachImplementation(t, func(t *testing.T) {
		rng := newRand(24)
		for _, s := range []Shape{{3, 4}, {5, 5}} {
			c := newNormCase(rng, s, 3, 16)
			c.relu = false // its corner has no derivative
			got := c.run(NewWorkspace(s, c.c, 1))
			x, gamma, beta := double(c.x), double(c.gamma), double(c.beta)
			loss := func() (sum float64) {
				for i, v := range newReferenceNorm(s, c.n, c.c, x, gamma, beta, nil, false, normEpsilon).y {
					sum += v * float64(c.dy[i])
				}
				return sum
			}
			channel := func() int { return rng.IntN(c.c) }
			checkDifferences(t, rng, "gamma", loss, gamma, got.dgamma, channel)
			checkDifferences(t, rng, "beta", loss, beta, got.dbeta, channel)
			checkDifferences(t, rng, "x", loss, x, got.dx, func() int {
				return s.Offset(rng.IntN(c.n), rng.IntN(s.H), rng.IntN(s.W), c.c) + channel()
			})
		}
	})
}

func TestBNInPlace(t *testing.T) {
	eachImplementation(t, func(t *testing.T) {
		c := newNormCase(newRand(25), Shape{H: 4, W: 6}, 5, 32)
		c.relu, c.residual = true, randomBoards(newRand(26), c.s, c.n, c.c)
		ws := NewWorkspace(c.s, c.c, 2)
		want := c.run(ws)

		over := c
		over.residual = append(Alloc(0), c.residual...)
		got := want
		got.y = over.residual
		over.forward(ws, got)
		checkSame(t, "y in place of the residual", got.y, want.y)

		over = c
		over.dy = append(Alloc(0), c.dy...)
		got = want
		got.dres, got.dx = over.dy, garbage(c.s, c.n, c.c)
		over.backward(ws, got)
		checkSame(t, "dres in place of dy", got.dres, want.dres)
		checkSame(t, "dx with dres in place of dy", got.dx, want.dx)

		over.dy = append(Alloc(0), c.dy...)
		got.dres, got.dx = garbage(c.s, c.n, c.c), over.dy
		over.backward(ws, got)
		checkSame(t, "dx in place of dy", got.dx, want.dx)
		checkSame(t, "dres with dx in place of dy", got.dres, want.dres)
	})
}

func TestBNDoesNotDependOnWorkersOrAllocate(t *testing.T) {
	eachImplementation(t, func(t *testing.T) {
		c := newNormCase(newRand(27), Shape{H: 6, W: 5}, 23, 48)
		want := c.run(NewWorkspace(c.s, c.c, 1))
		for _, workers := range []int{2, 3, 8} {
			ws := NewWorkspace(c.s, c.c, workers)
			got := c.run(ws)
			checkSame(t, "y", got.y, want.y)
			checkSame(t, "dx", got.dx, want.dx)
			checkSame(t, "dgamma", got.dgamma, want.dgamma)
			checkSame(t, "mean", got.mean, want.mean)
			allocations := testing.AllocsPerRun(5, func() {
				c.forward(ws, got)
				c.backward(ws, got)
			})
			if allocations > 0 {
				t.Errorf("%d workers: %v allocations", workers, allocations)
			}
		}
	})
}
