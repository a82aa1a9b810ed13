package kernel

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// convCase is a convolution with its data.
type convCase struct {
	s            Shape
	n, cin, cout int
	w            []float32
	src          []float32
	ep           Epilogue
}

func (c convCase) String() string {
	return fmt.Sprintf("%dx%d n=%d %d->%d bias=%t residual=%t relu=%t", c.s.W, c.s.H, c.n, c.cin, c.cout,
		c.ep.Bias != nil, c.ep.Residual != nil, c.ep.ReLU)
}

// newConvCase draws weights, input and epilogue.
func newConvCase(rng *rand.Rand, s Shape, n, cin, cout int) convCase {
	c := convCase{s: s, n: n, cin: cin, cout: cout, w: normals(rng, 9*cin*cout), src: randomBoards(rng, s, n, cin)}
	if rng.IntN(4) > 0 {
		c.ep.Bias = normals(rng, cout)
	}
	if rng.IntN(2) > 0 {
		c.ep.Residual = randomBoards(rng, s, n, cout)
	}
	c.ep.ReLU = rng.IntN(2) > 0
	return c
}

// convCases returns cases of every board size (of some, under the race detector):
// a sample of channels and batches, or all channels if the tests are exhaustive.
func convCases(rng *rand.Rand) []convCase {
	var cases []convCase
	for i, s := range allShapes() {
		if raceDetector && i%5 > 0 {
			continue
		}
		if !sweeping() {
			cases = append(cases, newConvCase(rng, s, 1+(i*i*7+5*i)%67, channels(rng), channels(rng)))
			continue
		}
		for cin := 16; cin <= 128; cin += 16 {
			for cout := 16; cout <= 128; cout += 16 {
				cases = append(cases, newConvCase(rng, s, 1+rng.IntN(67), cin, cout))
			}
		}
	}
	return cases
}

func TestForwardEqualsDefinition(t *testing.T) {
	eachImplementation(t, func(t *testing.T) {
		rng := newRand(1)
		for _, c := range convCases(rng) {
			checkForward(t, rng, c)
		}
	})
}

// checkForward compares a board or two with the definition, and all boards with
// what they are alone.
func checkForward(t *testing.T, rng *rand.Rand, c convCase) {
	t.Helper()
	conv := newConv(t, c.s, c.cin, c.cout, c.w)
	ws := NewWorkspace(c.s, max(c.cin, c.cout), 1+rng.IntN(3))
	dst := garbage(c.s, c.n, c.cout)
	conv.Forward(ws, dst, c.src, c.n, c.ep)
	checkHalo(t, c.s, c.n, c.cout, dst)

	src, w := double(c.src), double(c.w)
	for _, b := range []int{rng.IntN(c.n), c.n - 1} {
		want := referenceConv(c.s, src, w, b, c.cin, c.cout)
		referenceEpilogue(c.s, want, b, c.cout, c.ep)
		checkClose(t, fmt.Sprintf("%v board %d", c, b), cellsOfBoard(c.s, dst, b, c.cout), want)
	}

	alone := NewWorkspace(c.s, max(c.cin, c.cout), 1)
	one := Alloc(c.s.Len(1, c.cout))
	for b := range c.n {
		ep := c.ep
		ep.Residual = from(ep.Residual, c.s.Len(b, c.cout))
		conv.Forward(alone, one, c.src[c.s.Len(b, c.cin):], 1, ep)
		checkSame(t, fmt.Sprintf("%v board %d alone", c, b), one, dst[c.s.Len(b, c.cout):][:len(one)])
	}
}

func TestForwardInPlaceOfResidual(t *testing.T) {
	eachImplementation(t, func(t *testing.T) {
		rng := newRand(2)
		for _, s := range allShapes() {
			c := newConvCase(rng, s, 3, 16, 32)
			conv := newConv(t, s, c.cin, c.cout, c.w)
			ws := NewWorkspace(s, 32, 1)
			residual, want := randomBoards(rng, s, c.n, c.cout), Alloc(s.Len(c.n, c.cout))
			conv.Forward(ws, want, c.src, c.n, Epilogue{Residual: residual, ReLU: true})
			conv.Forward(ws, residual, c.src, c.n, Epilogue{Residual: residual, ReLU: true})
			checkSame(t, c.String(), residual, want)
		}
	})
}

func TestForwardKeepsNaN(t *testing.T) {
	eachImplementation(t, func(t *testing.T) {
		s := Shape{H: 4, W: 5}
		c := newConvCase(newRand(3), s, 1, 16, 16)
		c.src[s.Offset(0, 2, 2, 16)] = float32(math.NaN())
		conv, dst := newConv(t, s, 16, 16, c.w), Alloc(s.Len(1, 16))
		conv.Forward(NewWorkspace(s, 16, 1), dst, c.src, 1, Epilogue{ReLU: true})
		if v := dst[s.Offset(0, 2, 2, 16)]; !math.IsNaN(float64(v)) {
			t.Errorf("a NaN in the input became %v", v)
		}
	})
}

func TestForwardDoesNotDependOnWorkers(t *testing.T) {
	eachImplementation(t, func(t *testing.T) {
		c := newConvCase(newRand(4), Shape{H: 7, W: 8}, 41, 48, 80)
		conv := newConv(t, c.s, c.cin, c.cout, c.w)
		want := Alloc(c.s.Len(c.n, c.cout))
		conv.Forward(NewWorkspace(c.s, 80, 1), want, c.src, c.n, c.ep)
		for _, workers := range []int{2, 3, 8} {
			got := garbage(c.s, c.n, c.cout)
			conv.Forward(NewWorkspace(c.s, 80, workers), got, c.src, c.n, c.ep)
			checkSame(t, fmt.Sprintf("%d workers", workers), got, want)
		}
	})
}

func TestForwardDoesNotAllocate(t *testing.T) {
	eachImplementation(t, func(t *testing.T) {
		for _, workers := range []int{1, 2} {
			for _, n := range []int{1, 9} {
				c := newConvCase(newRand(5), Shape{H: 9, W: 9}, n, 16, 48)
				conv, ws, dst := newConv(t, c.s, c.cin, c.cout, c.w), NewWorkspace(c.s, 48, workers), Alloc(c.s.Len(n, 48))
				if got := testing.AllocsPerRun(10, func() { conv.Forward(ws, dst, c.src, n, c.ep) }); got > 0 {
					t.Errorf("%d workers, %d boards: %v allocations a call", workers, n, got)
				}
			}
		}
	})
}

func TestWorkspaceGrows(t *testing.T) {
	eachImplementation(t, func(t *testing.T) {
		small := NewWorkspace(Shape{H: 3, W: 3}, 16, 1)
		c := newConvCase(newRand(6), Shape{H: 9, W: 8}, 5, 64, 96)
		conv := newConv(t, c.s, c.cin, c.cout, c.w)
		got, want := Alloc(c.s.Len(c.n, c.cout)), Alloc(c.s.Len(c.n, c.cout))
		conv.Forward(NewWorkspace(c.s, 96, 1), want, c.src, c.n, Epilogue{})
		conv.Forward(small, got, c.src, c.n, Epilogue{})
		checkSame(t, "small workspace", got, want)
	})
}

func TestNewConvRefusesBadSizes(t *testing.T) {
	good := Shape{H: 9, W: 9}
	cases := []struct {
		name      string
		s         Shape
		cin, cout int
		want      error
	}{
		{"two rows", Shape{H: 2, W: 9}, 16, 16, ErrShape},
		{"ten columns", Shape{H: 9, W: 10}, 16, 16, ErrShape},
		{"no board", Shape{}, 16, 16, ErrShape},
		{"no channels", good, 0, 16, ErrChannels},
		{"negative channels", good, 16, -16, ErrChannels},
		{"half a line of channels", good, 16, 8, ErrChannels},
		{"odd channels", good, 33, 16, ErrChannels},
		{"good", good, 16, 48, nil},
	}
	for _, c := range cases {
		if _, err := NewConv(c.s, c.cin, c.cout); !errors.Is(err, c.want) {
			t.Errorf("%s: error %v, want %v", c.name, err, c.want)
		}
	}
}

func TestMultiplyAdds(t *testing.T) {
	cases := []struct {
		s            Shape
		n, cin, cout int
		want         int
	}{
		{Shape{H: 9, W: 9}, 1, 64, 64, 25 * 9 * 64 * 64},
		{Shape{H: 5, W: 5}, 3, 16, 32, 3 * 25 * 4 * 16 * 32},
		{Shape{H: 3, W: 7}, 1, 16, 16, 25 * 3 * 16 * 16},
	}
	for _, c := range cases {
		conv, err := NewConv(c.s, c.cin, c.cout)
		if err != nil {
			t.Fatal(err)
		}
		if got := conv.MultiplyAdds(c.n); got != c.want {
			t.Errorf("%v, %d boards, %d to %d channels: %d, want %d", c.s, c.n, c.cin, c.cout, got, c.want)
		}
	}
}

func FuzzForward(f *testing.F) {
	f.Add(uint64(1), byte(9), byte(9), byte(1), byte(1), byte(4))
	f.Add(uint64(2), byte(3), byte(3), byte(67), byte(2), byte(1))
	f.Add(uint64(3), byte(5), byte(8), byte(7), byte(3), byte(6))
	f.Fuzz(func(t *testing.T, seed uint64, h, w, n, cin, cout byte) {
		s := Shape{H: MinSide + int(h)%7, W: MinSide + int(w)%7}
		eachImplementation(t, func(t *testing.T) {
			rng := newRand(seed)
			checkForward(t, rng, newConvCase(rng, s, 1+int(n)%20, 16*(1+int(cin)%8), 16*(1+int(cout)%8)))
		})
	})
}
