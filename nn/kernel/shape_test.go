package kernel

import (
	"errors"
	"testing"
	"unsafe"
)

func TestAllocIsAlignedAndZero(t *testing.T) {
	for n := range 200 {
		x := Alloc(n)
		if len(x) != n || cap(x) != n {
			t.Fatalf("Alloc(%d) has length %d and capacity %d", n, len(x), cap(x))
		}
		if at := uintptr(unsafe.Pointer(unsafe.SliceData(x))); at%64 != 0 {
			t.Fatalf("Alloc(%d) starts at %#x", n, at)
		}
		for _, v := range x {
			if v != 0 {
				t.Fatalf("Alloc(%d) is not zero", n)
			}
		}
	}
}

// TestOffsetVisitsEveryCellOnce walks boards with their halos and expects every
// channel's index once and in order.
func TestOffsetVisitsEveryCellOnce(t *testing.T) {
	for _, s := range allShapes() {
		const n, c = 2, 16
		want := 0
		for b := range n {
			for y := -1; y <= s.H; y++ {
				for x := -1; x <= s.W; x++ {
					if got := s.Offset(b, y, x, c); got != want {
						t.Fatalf("%v: offset of board %d row %d column %d is %d, want %d", s, b, y, x, got, want)
					}
					want += c
				}
			}
		}
		if got := s.Len(n, c); got != want {
			t.Fatalf("%v: length %d, want %d", s, got, want)
		}
	}
}

func TestShapeValidate(t *testing.T) {
	for _, s := range allShapes() {
		if err := s.Validate(); err != nil {
			t.Error(err)
		}
	}
	for _, s := range []Shape{{2, 5}, {5, 2}, {10, 5}, {5, 10}, {0, 0}, {-3, 5}} {
		if err := s.Validate(); !errors.Is(err, ErrShape) {
			t.Errorf("%v: error %v", s, err)
		}
	}
}
