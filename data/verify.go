package data

// Summary is what Verify read of a shard.
type Summary struct {
	Path     string
	Header   Header // without a board if no header could be read
	Sealed   bool   // it ends, or should end, with an index
	Bytes    int64
	Blocks   int
	Games    int // good ones, as the rest
	Plies    int
	Searches int
	Rows     int
	Faults   int
}

// Verify reads everything in a shard, sealed or open, and calls fault for each thing that is wrong, in the order of the file: checksums,
// lengths and limits, games that do not replay, policies and values out of range, games that are there twice, an index that disagrees.
// It goes on after each fault as far as it can, and changes nothing. The error is only for a file that cannot be read
// at all; the shard is good if no fault was reported.
func Verify(path string, fault func(*Error)) (Summary, error) {
	s := Summary{Path: path}
	w, err := walkFile(path, func(e *Error) { s.Faults++; fault(e) }, func(_ *Header, g *Game) error {
		s.Games++
		s.Plies += len(g.Moves)
		s.Searches += len(g.Searches)
		s.Rows += g.Rows()
		return nil
	})
	if w != nil {
		s.Header, s.Sealed, s.Bytes, s.Blocks = w.header.Header, w.sealed, w.size, w.blocks
	}
	return s, err
}
