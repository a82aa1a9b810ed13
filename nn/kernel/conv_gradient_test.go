package kernel

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func TestBackwardDataEqualsDefinition(t *testing.T) {
	eachImplementation(t, func(t *testing.T) {
		rng := newRand(11)
		for _, c := range convCases(rng) {
			conv := newConv(t, c.s, c.cin, c.cout, c.w)
			dy, dx := randomBoards(rng, c.s, c.n, c.cout), garbage(c.s, c.n, c.cin)
			conv.BackwardData(NewWorkspace(c.s, 128, 2), dx, dy, c.n)
			checkHalo(t, c.s, c.n, c.cin, dx)
			b := rng.IntN(c.n)
			want := referenceConv(c.s, double(dy), turned(double(c.w), c.cin, c.cout), b, c.cout, c.cin)
			checkClose(t, fmt.Sprintf("%v board %d", c, b), cellsOfBoard(c.s, dx, b, c.cin), want)
		}
	})
}

// The sum is rounded once, after the gradient, so it is exact.
func TestAddBackwardDataAdds(t *testing.T) {
	eachImplementation(t, func(t *testing.T) {
		rng := newRand(16)
		for _, c := range convCases(rng) {
			conv := newConv(t, c.s, c.cin, c.cout, c.w)
			ws := NewWorkspace(c.s, 128, 2)
			dy, dx := randomBoards(rng, c.s, c.n, c.cout), Alloc(c.s.Len(c.n, c.cin))
			conv.BackwardData(ws, dx, dy, c.n)
			got := randomBoards(rng, c.s, c.n, c.cin)
			for i, v := range got {
				dx[i] += v
			}
			conv.AddBackwardData(ws, got, dy, c.n)
			checkHalo(t, c.s, c.n, c.cin, got)
			checkSame(t, c.String(), got, dx)
		}
	})
}

func TestBackwardWeightsEqualsDefinition(t *testing.T) {
	eachImplementation(t, func(t *testing.T) {
		rng := newRand(12)
		for _, c := range convCases(rng) {
			checkBackwardWeights(t, rng, c)
		}
	})
}

// checkBackwardWeights compares the gradient of some pairs of channels with the
// definition.
func checkBackwardWeights(t *testing.T, rng *rand.Rand, c convCase) {
	t.Helper()
	conv := newConv(t, c.s, c.cin, c.cout, c.w)
	dy, dw := randomBoards(rng, c.s, c.n, c.cout), guarded(len(c.w))
	conv.BackwardWeights(NewWorkspace(c.s, 128, 2), dw, c.src, dy, c.n)
	checkGuard(t, dw)
	x, d := double(c.src), double(dy)
	var got []float32
	var want []float64
	for range 12 {
		i, o := rng.IntN(c.cin), rng.IntN(c.cout)
		got = append(got, dw[(o*c.cin+i)*9:][:9]...)
		want = append(want, referenceWeightGradient(c.s, x, d, c.n, c.cin, c.cout, i, o)...)
	}
	checkClose(t, c.String(), got, want)
}

func TestAddBackwardWeightsAdds(t *testing.T) {
	eachImplementation(t, func(t *testing.T) {
		rng := newRand(17)
		for _, c := range convCases(rng) {
			conv, ws := newConv(t, c.s, c.cin, c.cout, c.w), NewWorkspace(c.s, 128, 2)
			dy, want, got := randomBoards(rng, c.s, c.n, c.cout), Alloc(len(c.w)), guarded(len(c.w))
			conv.BackwardWeights(ws, want, c.src, dy, c.n)
			for i := range want {
				got[i] = rng.Float32()
				want[i] += got[i]
			}
			conv.AddBackwardWeights(ws, got, c.src, dy, c.n)
			checkGuard(t, got)
			checkSame(t, c.String(), got, want)
		}
	})
}

func TestBackwardWeightsDoesNotDependOnWorkers(t *testing.T) {
	eachImplementation(t, func(t *testing.T) {
		for _, n := range []int{1, 7, 8, 33, 64, 131} {
			rng := newRand(13)
			c := newConvCase(rng, Shape{H: 5, W: 6}, n, 32, 48)
			conv, dy := newConv(t, c.s, c.cin, c.cout, c.w), randomBoards(rng, c.s, c.n, c.cout)
			want := Alloc(len(c.w))
			conv.BackwardWeights(NewWorkspace(c.s, 48, 1), want, c.src, dy, n)
			for _, workers := range []int{2, 3, 8} {
				got := Alloc(len(c.w))
				conv.BackwardWeights(NewWorkspace(c.s, 48, workers), got, c.src, dy, n)
				checkSame(t, fmt.Sprintf("%d boards, %d workers", n, workers), got, want)
			}
		}
	})
}

func TestBackwardDoesNotAllocate(t *testing.T) {
	eachImplementation(t, func(t *testing.T) {
		rng := newRand(14)
		c := newConvCase(rng, Shape{H: 6, W: 9}, 17, 16, 48)
		conv, dy := newConv(t, c.s, c.cin, c.cout, c.w), randomBoards(rng, c.s, c.n, c.cout)
		dw, dx := Alloc(len(c.w)), Alloc(len(c.src))
		for _, workers := range []int{1, 2} {
			ws := NewWorkspace(c.s, 48, workers)
			allocations := testing.AllocsPerRun(5, func() {
				conv.BackwardWeights(ws, dw, c.src, dy, c.n)
				conv.BackwardData(ws, dx, dy, c.n)
				conv.Pack(c.w)
				conv.PackBackward(c.w)
			})
			if allocations > 0 {
				t.Errorf("%d workers: %v allocations", workers, allocations)
			}
		}
	})
}

// TestConvGradientsAgainstDifferences compares both gradients of a loss, the
// scalar product of the output with random numbers, with its central differences.
func TestConvGradientsAgainstDifferences(t *testing.T) {
	eachImplementation(t, func(t *testing.T) {
		rng := newRand(15)
		for _, s := range []Shape{{3, 3}, {4, 7}, {9, 9}} {
			const n, cin, cout = 2, 16, 32
			c := newConvCase(rng, s, n, cin, cout)
			conv, dy := newConv(t, s, cin, cout, c.w), randomBoards(rng, s, n, cout)
			dw, dx := Alloc(len(c.w)), Alloc(len(c.src))
			ws := NewWorkspace(s, cout, 2)
			conv.BackwardWeights(ws, dw, c.src, dy, n)
			conv.BackwardData(ws, dx, dy, n)

			x, w := double(c.src), double(c.w)
			loss := func() (sum float64) {
				for b := range n {
					r := cellsOfBoard(s, dy, b, cout)
					for i, v := range referenceConv(s, x, w, b, cin, cout) {
						sum += v * float64(r[i])
					}
				}
				return sum
			}
			checkDifferences(t, rng, "weights of "+c.String(), loss, w, dw, func() int { return rng.IntN(len(w)) })
			checkDifferences(t, rng, "input of "+c.String(), loss, x, dx, func() int {
				return s.Offset(rng.IntN(n), rng.IntN(s.H), rng.IntN(s.W), cin) + rng.IntN(cin)
			})
		}
	})
}

// checkDifferences compares some elements of a gradient, drawn by pick, with
// central differences of loss by the parameters.
func checkDifferences(t *testing.T, rng *rand.Rand, what string, loss func() float64, parameters []float64, gradient []float32, pick func() int) {
	t.Helper()
	const step = 1e-4
	var got []float32
	var want []float64
	for range 8 {
		i := pick()
		before := parameters[i]
		parameters[i] = before + step
		up := loss()
		parameters[i] = before - step
		down := loss()
		parameters[i] = before
		got, want = append(got, gradient[i]), append(want, (up-down)/(2*step))
	}
	checkClose(t, what, got, want)
}

func FuzzBackwardWeights(f *testing.F) {
	f.Add(uint64(1), byte(9), byte(9), byte(1), byte(1), byte(4))
	f.Add(uint64(2), byte(3), byte(3), byte(67), byte(2), byte(1))
	f.Add(uint64(3), byte(5), byte(8), byte(7), byte(3), byte(6))
	f.Fuzz(func(t *testing.T, seed uint64, h, w, n, cin, cout byte) {
		s := Shape{H: MinSide + int(h)%7, W: MinSide + int(w)%7}
		eachImplementation(t, func(t *testing.T) {
			rng := newRand(seed)
			checkBackwardWeights(t, rng, newConvCase(rng, s, 1+int(n)%67, 16*(1+int(cin)%8), 16*(1+int(cout)%8)))
		})
	})
}
