package data

import (
	"encoding/binary"
	"fmt"
)

// The content of a block is cut into streams, each with one kind of number of all its games, because numbers of a kind compress
// best among themselves. FORMAT.md describes each.
const (
	streamGames     = iota // the scalars of each game
	streamSeeds            // 8 bytes a game
	streamMoves            // 1 byte a ply
	streamFlags            // 1 byte a search
	streamVisits           // 1 number a search
	streamValueHigh        // 1 byte a search
	streamValueLow         // 1 byte a search
	streamHeads            // policies: the first byte of each probability, and runs of moves without one
	streamTails            // policies: the other bytes of the probabilities
	numStreams
)

// directoryLen is the length of the lengths of the streams, which come first in a block's content.
const directoryLen = 4 * numStreams

// streams are the streams of one block: those being filled by a writer, or what a reader has not consumed yet.
type streams [numStreams][]byte

// size returns the length of the content that they make.
func (s *streams) size() int {
	n := directoryLen
	for _, b := range s {
		n += len(b)
	}
	return n
}

// appendTo appends the content to dst.
func (s *streams) appendTo(dst []byte) []byte {
	for _, b := range s {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(len(b)))
	}
	for _, b := range s {
		dst = append(dst, b...)
	}
	return dst
}

// reset empties the streams and keeps their memory.
func (s *streams) reset() {
	for i := range s {
		s[i] = s[i][:0]
	}
}

// lengths returns the length of each stream.
func (s *streams) lengths() (n [numStreams]int) {
	for i := range s {
		n[i] = len(s[i])
	}
	return n
}

// cutTo takes back what was appended since lengths.
func (s *streams) cutTo(n [numStreams]int) {
	for i := range s {
		s[i] = s[i][:n[i]]
	}
}

// splitContent cuts a block's content into its streams, which share its memory.
func splitContent(content []byte) (streams, error) {
	var s streams
	if len(content) < directoryLen {
		return s, fmt.Errorf("%w: %d bytes of content, the lengths of the streams alone are %d", ErrFormat, len(content), directoryLen)
	}
	rest := content[directoryLen:]
	for i := range s {
		n := uint64(binary.LittleEndian.Uint32(content[4*i:]))
		if n > uint64(len(rest)) {
			return s, fmt.Errorf("%w: stream %d claims %d bytes, %d are left", ErrFormat, i, n, len(rest))
		}
		s[i], rest = rest[:n:n], rest[n:]
	}
	if len(rest) > 0 {
		return s, fmt.Errorf("%w: %d bytes after the last stream", ErrFormat, len(rest))
	}
	return s, nil
}

// bytes consumes n bytes of a stream.
func (s *streams) bytes(stream, n int) ([]byte, error) {
	if n > len(s[stream]) {
		return nil, fmt.Errorf("%w: stream %d ends %d bytes early", ErrFormat, stream, n-len(s[stream]))
	}
	b := s[stream][:n:n]
	s[stream] = s[stream][n:]
	return b, nil
}

// number consumes an unsigned number of at most limit.
func (s *streams) number(stream int, limit uint64) (uint64, error) {
	v, n := binary.Uvarint(s[stream])
	if n <= 0 {
		return 0, fmt.Errorf("%w: stream %d ends in a number", ErrFormat, stream)
	}
	if v > limit {
		return 0, fmt.Errorf("%w: number %d in stream %d, at most %d", ErrLimit, v, stream, limit)
	}
	s[stream] = s[stream][n:]
	return v, nil
}

// zigzag maps differences to unsigned numbers, small ones to small ones: 0, -1, 1, -2 become 0, 1, 2, 3. Differences wrap around, so every
// pair of 64-bit numbers has one.
func zigzag(d uint64) uint64 { return d<<1 ^ -(d >> 63) }

// unzigzag is the inverse of zigzag.
func unzigzag(u uint64) uint64 { return u>>1 ^ -(u & 1) }

// zigzag16 and unzigzag16 are the same for 16 bits.
func zigzag16(d uint16) uint16   { return d<<1 ^ -(d >> 15) }
func unzigzag16(u uint16) uint16 { return u>>1 ^ -(u & 1) }
