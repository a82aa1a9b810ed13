//go:build !amd64

package solver

// minBytes sets each byte of dst to the lesser of dst's and src's. Both have the same length, a multiple of 16.
func minBytes(dst, src []byte) { minBytesPortable(dst, src) }
