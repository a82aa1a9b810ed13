package solver

import "golang.org/x/sys/cpu"

//go:noescape
func minBytesAVX2(dst, src *byte, n int)

var hasAVX2 = cpu.X86.HasAVX2

// minBytes sets each byte of dst to the lesser of dst's and src's. Both have the same length, a multiple of 16.
func minBytes(dst, src []byte) {
	if !hasAVX2 {
		minBytesPortable(dst, src)
		return
	}
	src = src[:len(dst)]
	if len(dst) > 0 {
		minBytesAVX2(&dst[0], &src[0], len(dst))
	}
}
