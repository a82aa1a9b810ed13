package solver

import "encoding/binary"

// stride rounds the number of pairs up to whole vectors.
const vector = 16

// minBytesPortable sets each byte of dst to the lesser of dst's and src's. Both have the same length, a multiple of 8.
func minBytesPortable(dst, src []byte) {
	for len(dst) >= 8 && len(src) >= 8 {
		a, b := binary.LittleEndian.Uint64(dst), binary.LittleEndian.Uint64(src)
		binary.LittleEndian.PutUint64(dst, minEach(a, b))
		dst, src = dst[8:], src[8:]
	}
}

// minEach returns the lesser of each pair of bytes. The top bit of each byte of less tells whether a's is the lesser
// (H. S. Warren, Hacker's Delight, section 2-18: subtraction of bytes in a word).
func minEach(a, b uint64) uint64 {
	const top = 0x8080808080808080
	diff := (a | top) - b&^top // top bit clear: the low 7 bits of a are less than those of b
	less := (^a&b | ^(a^b)&^diff) & top
	mask := less >> 7 * 255
	return b ^ (a^b)&mask
}
