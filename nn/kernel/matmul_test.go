package kernel

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// sizes returns products' sizes m, k, n: fixed ones at the edges of the tiles, and
// random ones.
func sizes(rng *rand.Rand) [][3]int {
	s := [][3]int{
		{1, 1, 1}, {1, 64, 32}, {64, 192, 64}, {67, 64, 3}, {9, 17, 33}, {18, 4, 16}, {10, 3, 48}, {8, 128, 12}, {40, 5000, 8},
	}
	random := 30
	if raceDetector {
		random = 5
	}
	for range random {
		s = append(s, [3]int{1 + rng.IntN(70), 1 + rng.IntN(130), 1 + rng.IntN(100)})
	}
	return s
}

func TestMatMulEqualsDefinition(t *testing.T) {
	eachImplementation(t, func(t *testing.T) {
		rng := newRand(31)
		ws := NewWorkspace(Shape{H: 3, W: 3}, 16, 2)
		for _, size := range sizes(rng) {
			checkProducts(t, rng, ws, size[0], size[1], size[2])
		}
	})
}

// checkProducts compares the three products of a random a[m][k] and b[k][n].
func checkProducts(t *testing.T, rng *rand.Rand, ws *Workspace, m, k, n int) {
	t.Helper()
	a, b, dst := normals(rng, m*k), normals(rng, k*n), normals(rng, m*n)
	want := referenceProduct(double(a), double(b), m, k, n)
	name := fmt.Sprintf("[%d][%d] times [%d][%d]", m, k, k, n)
	MatMul(ws, dst, a, b, m, k, n)
	checkClose(t, "MatMul "+name, dst, want)
	MatMulTA(ws, dst, transpose(a, m, k), b, m, k, n)
	checkClose(t, "MatMulTA "+name, dst, want)
	MatMulTB(ws, dst, a, transpose(b, k, n), m, k, n)
	checkClose(t, "MatMulTB "+name, dst, want)
	checkGuard(t, dst)
}

func TestMatMulDoesNotDependOnWorkersOrAllocate(t *testing.T) {
	eachImplementation(t, func(t *testing.T) {
		rng := newRand(32)
		const m, k, n = 133, 50, 37
		a, b := normals(rng, m*k), normals(rng, k*n)
		columns, rows := transpose(a, m, k), transpose(b, k, n)
		run := func(ws *Workspace, dst [3][]float32) {
			MatMul(ws, dst[0], a, b, m, k, n)
			MatMulTA(ws, dst[1], columns, b, m, k, n)
			MatMulTB(ws, dst[2], a, rows, m, k, n)
		}
		want := [3][]float32{Alloc(m * n), Alloc(m * n), Alloc(m * n)}
		run(NewWorkspace(Shape{H: 3, W: 3}, 16, 1), want)
		for _, workers := range []int{2, 5} {
			got := [3][]float32{Alloc(m * n), Alloc(m * n), Alloc(m * n)}
			ws := NewWorkspace(Shape{H: 3, W: 3}, 16, workers)
			run(ws, got)
			for i := range got {
				checkSame(t, fmt.Sprintf("product %d with %d workers", i, workers), got[i], want[i])
			}
			if allocations := testing.AllocsPerRun(5, func() { run(ws, got) }); allocations > 0 {
				t.Errorf("%d workers: %v allocations", workers, allocations)
			}
		}
	})
}

func FuzzMatMul(f *testing.F) {
	f.Add(uint64(1), uint16(1), uint16(1), uint16(1))
	f.Add(uint64(2), uint16(64), uint16(192), uint16(140))
	f.Add(uint64(3), uint16(17), uint16(9), uint16(33))
	f.Fuzz(func(t *testing.T, seed uint64, m, k, n uint16) {
		eachImplementation(t, func(t *testing.T) {
			ws := NewWorkspace(Shape{H: 3, W: 3}, 16, 2)
			checkProducts(t, newRand(seed), ws, 1+int(m)%200, 1+int(k)%300, 1+int(n)%150)
		})
	})
}
