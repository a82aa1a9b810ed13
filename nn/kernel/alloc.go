package kernel

import "unsafe"

// lineFloats is the number of float32 in a cache line, and in a ZMM register.
const lineFloats = 16

// Alloc returns n zeroed float32 that start on a 64-byte boundary.
func Alloc(n int) []float32 {
	s := make([]float32, n+lineFloats)
	skip := 0
	if r := int(uintptr(unsafe.Pointer(unsafe.SliceData(s))) & 63); r != 0 {
		skip = (64 - r) / 4
	}
	return s[skip : skip+n : skip+n]
}
