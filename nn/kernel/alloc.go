package kernel

import "unsafe"

// lineFloats is the number of float32 in a cache line, and in a ZMM register.
const lineFloats = 16

// Alloc returns n zeroed float32 that start on a 64-byte boundary. It asks the
// system to keep long ones in large pages, so that a walk through transformed
// weights misses the address cache less often.
func Alloc(n int) []float32 {
	s := make([]float32, n+lineFloats)
	skip := 0
	if r := int(uintptr(unsafe.Pointer(unsafe.SliceData(s))) & 63); r != 0 {
		skip = (64 - r) / 4
	}
	s = s[skip : skip+n : skip+n]
	if n >= largeFloats {
		adviseLarge(s)
	}
	return s
}

// largeFloats is the length from which large pages are worth a system call.
const largeFloats = 64 << 10
