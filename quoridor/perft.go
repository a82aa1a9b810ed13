package quoridor

// Perft counts the move sequences of exactly the given length from the position. A finished game has no continuation.
func (b *Board) Perft(p Position, depth int) uint64 {
	if depth == 0 {
		return 1
	}
	if depth == 1 {
		return uint64(b.CountMoves(&p))
	}
	var buffer [MaxMoves]Move
	var n uint64
	for _, m := range b.Moves(buffer[:0], &p) {
		n += b.Perft(b.Play(p, m), depth-1)
	}
	return n
}
