package kernel

import "testing"

func TestNewConvRefusesBadSizes(t *testing.T) {
	for _, s := range []Shape{{2, 9}, {9, 10}, {0, 0}} {
		if _, err := NewConv(s, 16, 16); err == nil {
			t.Errorf("shape %v accepted", s)
		}
	}
	for _, c := range []int{0, -16, 8, 33} {
		if _, err := NewConv(Shape{9, 9}, 16, c); err == nil {
			t.Errorf("%d channels accepted", c)
		}
	}
}
