package data

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math"

	"rampart/quoridor"
)

// Limits and layout of the index; see FORMAT.md.
const (
	MaxShardGames = 1 << 20  // a writer refuses more games in one shard, a reader too
	maxIndexRaw   = 32 << 20 // bytes of the index before compression; enough for MaxShardGames
	indexMagic    = "RGIX"
	indexHeader   = 20 // bytes before the payload
	trailerMagic  = "RGZEND\r\n"
	trailerLen    = 32
)

// Entry is what the index tells about a game without reading it.
type Entry struct {
	Generation uint32
	ID         uint64
	Plies      int
	Searches   int
	Rows       int // training rows: searches without FlagNoTrain
	Result     quoridor.Result
}

// key returns the game's identity.
func (e *Entry) key() gameKey { return gameKey{e.Generation, e.ID} }

// gameKey is the identity of a game in its run.
type gameKey struct {
	generation uint32
	id         uint64
}

func (k gameKey) String() string { return fmt.Sprintf("%d of generation %d", k.id, k.generation) }

// entry returns the game's index entry.
func (g *Game) entry() Entry {
	return Entry{g.Generation, g.ID, len(g.Moves), len(g.Searches), g.Rows(), g.Result}
}

// blockPlace says where a block is.
type blockPlace struct {
	offset int64
	size   int64 // with its header
	first  int   // number of its first game
	games  int
}

// index is the table of contents of a sealed shard.
type index struct {
	header  headerInfo
	blocks  []blockPlace
	entries []Entry
}

// end returns the offset after the last block, at which the index begins.
func (x *index) end() int64 {
	if len(x.blocks) == 0 {
		return int64(len(x.header.raw))
	}
	last := x.blocks[len(x.blocks)-1]
	return last.offset + last.size
}

// marshal returns the index section and the trailer.
func (x *index) marshal() []byte {
	content := x.content()
	out := []byte(indexMagic)
	out = binary.LittleEndian.AppendUint32(out, x.header.id)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(content)))
	out = append(out, make([]byte, 8)...)
	out = encoder().EncodeAll(content, out)
	binary.LittleEndian.PutUint32(out[12:], uint32(len(out)-indexHeader))
	binary.LittleEndian.PutUint32(out[16:], blockChecksum(out[:16], out[indexHeader:]))

	trailer := len(out)
	out = binary.LittleEndian.AppendUint64(out, uint64(x.end()))
	out = binary.LittleEndian.AppendUint32(out, uint32(len(x.blocks)))
	out = binary.LittleEndian.AppendUint32(out, uint32(len(x.entries)))
	out = binary.LittleEndian.AppendUint32(out, x.header.id)
	out = binary.LittleEndian.AppendUint32(out, crc32.Checksum(out[trailer:], castagnoli))
	return append(out, trailerMagic...)
}

// content returns the index before compression.
func (x *index) content() []byte {
	out := binary.LittleEndian.AppendUint16(nil, uint16(len(x.header.raw)))
	out = append(out, x.header.raw...)
	for _, b := range x.blocks {
		out = binary.AppendUvarint(out, uint64(b.games))
		out = binary.AppendUvarint(out, uint64(b.size))
	}
	var last gameKey
	for i := range x.entries {
		e := &x.entries[i]
		out = binary.AppendUvarint(out, zigzag(uint64(int64(int32(e.Generation-last.generation)))))
		out = binary.AppendUvarint(out, zigzag(e.ID-last.id))
		out = binary.AppendUvarint(out, uint64(e.Plies))
		out = binary.AppendUvarint(out, uint64(e.Searches))
		out = binary.AppendUvarint(out, uint64(e.Rows))
		out = append(out, byte(e.Result))
		last = e.key()
	}
	return out
}

// trailer is the end of a sealed shard.
type trailer struct {
	index         int64 // offset of the index
	blocks, games int
	shard         uint32
}

// readTrailer reads the last bytes of a file.
func readTrailer(r io.ReaderAt, size int64) (trailer, error) {
	if size < trailerLen {
		return trailer{}, fmt.Errorf("%w: the file has no end mark; it was not sealed or is not whole", ErrTruncated)
	}
	var in [trailerLen]byte
	if err := readFull(r, in[:], size-trailerLen); err != nil {
		return trailer{}, err
	}
	if string(in[24:]) != trailerMagic {
		return trailer{}, fmt.Errorf("%w: the file has no end mark; it was not sealed or is not whole", ErrTruncated)
	}
	if crc32.Checksum(in[:20], castagnoli) != binary.LittleEndian.Uint32(in[20:]) {
		return trailer{}, fmt.Errorf("%w of the trailer", ErrChecksum)
	}
	le := binary.LittleEndian
	at, blocks, games := le.Uint64(in[:]), le.Uint32(in[8:]), le.Uint32(in[12:])
	switch {
	case at > uint64(size-trailerLen):
		return trailer{}, fmt.Errorf("%w: the index is said to be at byte %d of a file of %d", ErrFormat, at, size)
	case games > MaxShardGames || blocks > games:
		return trailer{}, fmt.Errorf("%w: %d games in %d blocks, at most %d", ErrLimit, games, blocks, MaxShardGames)
	}
	return trailer{int64(at), int(blocks), int(games), le.Uint32(in[16:])}, nil
}

// readIndex reads the trailer and the index of a sealed shard. It relies on nothing else in the file.
func readIndex(r io.ReaderAt, size int64) (*index, error) {
	t, err := readTrailer(r, size)
	if err != nil {
		return nil, err
	}
	length := size - trailerLen - t.index
	if length < indexHeader {
		return nil, fmt.Errorf("%w: %d bytes for the index", ErrFormat, length)
	}
	var head [indexHeader]byte
	if err := readFull(r, head[:], t.index); err != nil {
		return nil, err
	}
	raw, payload := binary.LittleEndian.Uint32(head[8:]), binary.LittleEndian.Uint32(head[12:])
	switch {
	case string(head[:4]) != indexMagic || binary.LittleEndian.Uint32(head[4:]) != t.shard:
		return nil, fmt.Errorf("%w: no index of this shard where the trailer says", ErrFormat)
	case int64(payload) != length-indexHeader:
		return nil, fmt.Errorf("%w: index of %d bytes, there is room for %d", ErrFormat, payload, length-indexHeader)
	case raw > maxIndexRaw || int64(payload) > int64(maxPayload(int(raw))):
		return nil, fmt.Errorf("%w: index of %d bytes, %d compressed, at most %d", ErrLimit, raw, payload, maxIndexRaw)
	}
	compressed := make([]byte, payload)
	if err := readFull(r, compressed, t.index+indexHeader); err != nil {
		return nil, err
	}
	if blockChecksum(head[:16], compressed) != binary.LittleEndian.Uint32(head[16:]) {
		return nil, fmt.Errorf("%w of the index", ErrChecksum)
	}
	content, err := decompress(newDecoder(maxIndexRaw), nil, compressed, int(raw))
	if err != nil {
		return nil, err
	}
	return parseIndex(content, t)
}

// indexParser consumes the index until the first error.
type indexParser struct {
	in  []byte
	err error
}

func (p *indexParser) number(limit uint64) uint64 {
	v, n := binary.Uvarint(p.in)
	if p.err == nil && (n <= 0 || v > limit) {
		p.err = fmt.Errorf("%w: bad number in the index, %d bytes before its end", ErrFormat, len(p.in))
	}
	if p.err != nil {
		return 0
	}
	p.in = p.in[n:]
	return v
}

// parseIndex reads the content of the index.
func parseIndex(in []byte, t trailer) (*index, error) {
	if len(in) < 2 || len(in)-2 < int(binary.LittleEndian.Uint16(in)) {
		return nil, fmt.Errorf("%w: the index ends in its copy of the header", ErrFormat)
	}
	n := int(binary.LittleEndian.Uint16(in))
	header, err := parseHeader(in[2 : 2+n])
	switch {
	case err != nil:
		return nil, fmt.Errorf("copy of the header in the index: %w", err)
	case len(header.raw) != n || header.id != t.shard:
		return nil, fmt.Errorf("%w: the index's copy of the header is another's", ErrFormat)
	}
	p := indexParser{in: in[2+n:]}
	x := &index{header: header}
	if err := x.parseBlocks(&p, t); err != nil {
		return nil, err
	}
	const minEntry = 6
	if len(p.in) < t.games*minEntry {
		return nil, fmt.Errorf("%w: %d bytes of index for %d games", ErrFormat, len(p.in), t.games)
	}
	x.parseEntries(&p, t.games)
	if p.err == nil && len(p.in) > 0 {
		return nil, fmt.Errorf("%w: %d bytes after the index", ErrFormat, len(p.in))
	}
	return x, p.err
}

func (x *index) parseBlocks(p *indexParser, t trailer) error {
	offset, first := int64(len(x.header.raw)), 0
	for range t.blocks {
		b := blockPlace{offset: offset, first: first}
		b.games = int(p.number(BlockGames))
		b.size = int64(p.number(uint64(blockHeader + maxPayload(maxBlockRaw))))
		switch {
		case p.err != nil:
			return p.err
		case b.games == 0 || b.size < blockHeader:
			return fmt.Errorf("%w: a block of %d games in %d bytes in the index", ErrFormat, b.games, b.size)
		}
		offset += b.size
		first += b.games
		x.blocks = append(x.blocks, b)
	}
	if offset != t.index || first != t.games {
		return fmt.Errorf("%w: blocks with %d games up to byte %d, the trailer says %d games and byte %d", ErrFormat, first, offset, t.games, t.index)
	}
	return nil
}

func (x *index) parseEntries(p *indexParser, games int) {
	var last gameKey
	x.entries = make([]Entry, 0, games)
	for range games {
		var e Entry
		e.Generation = last.generation + uint32(unzigzag(p.number(math.MaxUint32)))
		e.ID = last.id + unzigzag(p.number(math.MaxUint64))
		e.Plies = int(p.number(MaxPlies))
		e.Searches = int(p.number(uint64(e.Plies)))
		e.Rows = int(p.number(uint64(e.Searches)))
		e.Result = quoridor.Result(p.number(uint64(quoridor.DrawRepetition)))
		if p.err != nil {
			return
		}
		last = e.key()
		x.entries = append(x.entries, e)
	}
}
