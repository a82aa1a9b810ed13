package kernel

import (
	"errors"
	"fmt"
	"math"
	"testing"
)

// bytesCase is a convolution of bytes with all that goes in.
type bytesCase struct {
	s        Shape
	c, n     int
	w, bias  []float32
	unit     float32
	src      []uint8
	residual []float32
}

func newBytesCase(seed uint64, s Shape, c, n int) bytesCase {
	rng := newRand(seed)
	x := bytesCase{s: s, c: c, n: n, w: normals(rng, 9*c*c), bias: normals(rng, c), unit: 0.01, src: make([]uint8, s.Len(n, c)), residual: randomBoards(rng, s, n, c)}
	for b := range n {
		for y := range s.H {
			for i := range s.W * c {
				x.src[s.Offset(b, y, 0, c)+i] = uint8(rng.IntN(256))
			}
		}
	}
	return x
}

func (x bytesCase) conv(t *testing.T) *ConvBytes {
	t.Helper()
	c, err := NewConvBytes(x.s, x.c, x.w, x.bias, x.unit)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// The result is that of the definition in float64, on the weights rounded to 127
// steps a side.
func TestBytesEqualDefinition(t *testing.T) {
	eachImplementation(t, func(t *testing.T) {
		for i, s := range []Shape{{3, 3}, {5, 4}, {4, 7}, {9, 9}} {
			x := newBytesCase(uint64(i), s, 16+16*i, 2)
			got := Alloc(s.Len(x.n, x.c))
			x.conv(t).Forward(nil, got, x.src, x.residual, x.n, 1)
			checkHalo(t, s, x.n, x.c, got)
			rounded, values := double(x.w), make([]float64, len(x.src))
			for o := range x.c {
				row, most := rounded[9*x.c*o:][:9*x.c], 0.0
				for _, v := range row {
					most = max(most, math.Abs(v))
				}
				for j, v := range row {
					row[j] = math.RoundToEven(v/most*127) / 127 * most
				}
			}
			for j, v := range x.src {
				values[j] = float64(v) * float64(x.unit)
			}
			want := referenceConv(s, values, rounded, 1, x.c, x.c)
			cells := cellsOfBoard(s, x.residual, 1, x.c)
			for j := range want {
				want[j] = max(0, want[j]+float64(x.bias[j%x.c])+float64(cells[j]))
			}
			checkClose(t, fmt.Sprint(s), cellsOfBoard(s, got, 1, x.c), want)
		}
	})
}

// Every implementation gives the same bits, for every board and for numbers of
// channels that fill panels and that do not, in place and with any buffer left out.
func TestBytesAreTheSameEverywhere(t *testing.T) {
	type result struct {
		bytes, only []uint8
		floats      []float32
	}
	useImplementation(t, Implementation())
	for i, s := range allShapes() {
		x := newBytesCase(uint64(i), s, []int{16, 32, 48}[i%3], 1+i%3)
		size := s.Len(x.n, x.c)
		var want result
		for k, name := range []string{"portable", "avx2", "avx512"} {
			if Select(name) != nil {
				continue
			}
			got := result{make([]uint8, size+64), make([]uint8, size+64), Alloc(size)}
			copy(got.floats, x.residual)
			conv := x.conv(t)
			conv.Forward(got.bytes[:size], got.floats, x.src, got.floats, x.n, 7)
			conv.Forward(got.only[:size], nil, x.src, nil, x.n, 3)
			if k == 0 {
				want = got
				continue
			}
			checkSame(t, name, got.floats, want.floats)
			if string(got.bytes) != string(want.bytes) || string(got.only) != string(want.only) {
				t.Fatalf("%s on %v with %d channels: bytes differ", name, s, x.c)
			}
		}
	}
}

func TestQuantiseRoundsToEven(t *testing.T) {
	eachImplementation(t, func(t *testing.T) {
		src := Alloc(16)
		copy(src, []float32{-1, 0, 0.5, 1, 1.5, 2.5, 127.4, 254.5, 255, 300, 1e30, -1e30})
		dst := make([]uint8, 16)
		Quantise(dst, src, 1)
		if want := "\x00\x00\x00\x01\x02\x02\x7f\xfe\xff\xff\xff\x00\x00\x00\x00\x00"; string(dst) != want {
			t.Errorf("% x", dst)
		}
	})
}

func TestConvBytesErrors(t *testing.T) {
	if _, err := NewConvBytes(Shape{9, 9}, 24, nil, nil, 1); !errors.Is(err, ErrChannels) {
		t.Error(err)
	}
	if _, err := NewConvBytes(Shape{9, 10}, 32, nil, nil, 1); !errors.Is(err, ErrShape) {
		t.Error(err)
	}
}
