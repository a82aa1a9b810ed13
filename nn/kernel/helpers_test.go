package kernel

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"
)

// sweepVariable is the environment variable that, if set, makes the tests try
// every combination of sizes in place of a sample. That takes a quarter of an hour.
const sweepVariable = "RAMPART_KERNEL_SWEEP"

// sweeping reports whether the tests should be exhaustive.
func sweeping() bool { return os.Getenv(sweepVariable) != "" }

// tolerance is the largest error allowed, relative to the largest magnitude in
// the result.
const tolerance = 1e-5

// eachImplementation runs f as a subtest for every implementation that the
// processor supports, with that implementation selected.
func eachImplementation(t *testing.T, f func(t *testing.T)) {
	for _, name := range Implementations() {
		t.Run(name, func(t *testing.T) {
			useImplementation(t, name)
			f(t)
		})
	}
}

// useImplementation selects an implementation for the rest of the test.
func useImplementation(t testing.TB, name string) {
	t.Helper()
	before := Implementation()
	if err := Select(name); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := Select(before); err != nil {
			t.Error(err)
		}
	})
}

// allShapes returns every board size.
func allShapes() []Shape {
	var shapes []Shape
	for h := MinSide; h <= MaxSide; h++ {
		for w := MinSide; w <= MaxSide; w++ {
			shapes = append(shapes, Shape{H: h, W: w})
		}
	}
	return shapes
}

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)) }

// normals returns n numbers from the standard normal distribution.
func normals(rng *rand.Rand, n int) []float32 {
	x := guarded(n)
	for i := range x {
		x[i] = float32(rng.NormFloat64())
	}
	return x
}

// guarded returns n zeroed floats that are followed by NaNs, up to the slice's
// capacity: what reads them shows in its results, and checkGuard finds what has
// overwritten them.
func guarded(n int) []float32 {
	const guard = 256
	x := Alloc(n + guard)
	for i := range x[n:] {
		x[n+i] = float32(math.NaN())
	}
	return x[:n]
}

// checkGuard fails the test if something was written behind x.
func checkGuard(t *testing.T, x []float32) {
	t.Helper()
	for i, v := range x[len(x):cap(x)] {
		if v == v {
			t.Fatalf("%v was written %d floats behind a buffer of %d", v, i, len(x))
		}
	}
}

// randomBoards returns n boards of normally distributed cells with a zero halo.
func randomBoards(rng *rand.Rand, s Shape, n, c int) []float32 {
	x := guarded(s.Len(n, c))
	s.forCells(n, c, func(at int) {
		for i := range c {
			x[at+i] = float32(rng.NormFloat64())
		}
	})
	return x
}

// forCells calls f with the offset of every cell of n boards.
func (s Shape) forCells(n, c int, f func(at int)) {
	for b := range n {
		for y := range s.H {
			for x := range s.W {
				f(s.Offset(b, y, x, c))
			}
		}
	}
}

// garbage returns n boards whose cells are NaN and whose halo is zero: what is
// left of it shows what a function forgot to write, or used without writing.
func garbage(s Shape, n, c int) []float32 {
	x := guarded(s.Len(n, c))
	s.forCells(n, c, func(at int) {
		for i := range c {
			x[at+i] = float32(math.NaN())
		}
	})
	return x
}

// checkHalo fails the test if a halo is not zero, or if something was written
// behind the boards.
func checkHalo(t *testing.T, s Shape, n, c int, x []float32) {
	t.Helper()
	checkGuard(t, x)
	inside := make([]bool, len(x))
	s.forCells(n, c, func(at int) {
		for i := range c {
			inside[at+i] = true
		}
	})
	for i, v := range x {
		if !inside[i] && v != 0 {
			t.Fatalf("halo has %v at %d (board of %d floats)", v, i, s.Len(1, c))
		}
	}
}

// checkClose fails the test unless got equals want within the tolerance relative
// to the largest magnitude in want.
func checkClose(t *testing.T, what string, got []float32, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d values, want %d", what, len(got), len(want))
	}
	scale := 0.0
	for _, v := range want {
		scale = max(scale, math.Abs(v))
	}
	for i, v := range want {
		if d := math.Abs(float64(got[i]) - v); !(d <= tolerance*scale) {
			t.Fatalf("%s: value %d is %v, want %v (error %.2g of the largest magnitude %.3g)", what, i, got[i], v, d/scale, scale)
		}
	}
}

// checkSame fails the test unless both slices are equal bit for bit.
func checkSame(t *testing.T, what string, got, want []float32) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d values, want %d", what, len(got), len(want))
	}
	for i, v := range want {
		if math.Float32bits(got[i]) != math.Float32bits(v) {
			t.Fatalf("%s: value %d is %v, want exactly %v", what, i, got[i], v)
		}
	}
}

// channels draws a channel count: a multiple of 16 from 16 to 128.
func channels(rng *rand.Rand) int { return 16 * (1 + rng.IntN(8)) }

func double(x []float32) []float64 {
	d := make([]float64, len(x))
	for i, v := range x {
		d[i] = float64(v)
	}
	return d
}

func newConv(t testing.TB, s Shape, cin, cout int, w []float32) *Conv {
	t.Helper()
	c, err := NewConv(s, cin, cout)
	if err != nil {
		t.Fatal(err)
	}
	c.Pack(w)
	c.PackBackward(w)
	return c
}
