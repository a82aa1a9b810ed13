package data

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// Limits of blocks; see FORMAT.md.
const (
	BlockGames   = 64      // a block is written when it has this many games
	blockTarget  = 4 << 20 // or this many bytes before compression
	maxBlockRaw  = 8 << 20 // a reader refuses more
	blockMagic   = "RGBK"
	blockHeader  = 32 // bytes before the payload
	minZstdFrame = 4  // the magic number alone; keeps claims of nothing out
)

// maxPayload bounds what zstd makes of raw bytes that it cannot compress.
func maxPayload(raw int) int { return raw + raw/128 + 64 }

// blockInfo is what a block's header says.
type blockInfo struct {
	sequence int // number of the block in the shard, from 0
	first    int // number of its first game in the shard
	games    int
	raw      int // bytes of its content
	payload  int // bytes of its content compressed
	crc      uint32
}

// size returns the number of bytes of the whole block in the file.
func (b *blockInfo) size() int64 { return blockHeader + int64(b.payload) }

// appendBlock appends a block with the content to dst.
func appendBlock(dst []byte, shard uint32, b blockInfo, content []byte) []byte {
	start := len(dst)
	dst = append(dst, blockMagic...)
	dst = binary.LittleEndian.AppendUint32(dst, shard)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(b.sequence))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(b.first))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(b.games))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(content)))
	dst = append(dst, make([]byte, 8)...) // length of the payload and checksum, below
	dst = encoder().EncodeAll(content, dst)
	binary.LittleEndian.PutUint32(dst[start+24:], uint32(len(dst)-start-blockHeader))
	binary.LittleEndian.PutUint32(dst[start+28:], blockChecksum(dst[start:start+28], dst[start+blockHeader:]))
	return dst
}

// blockChecksum is the CRC32C over a block's header, without the checksum itself, and its payload.
func blockChecksum(header, payload []byte) uint32 {
	return crc32.Update(crc32.Checksum(header, castagnoli), castagnoli, payload)
}

// parseBlockHeader reads a block's header and checks the limits.
func parseBlockHeader(in []byte, shard uint32) (blockInfo, error) {
	if string(in[:4]) != blockMagic {
		return blockInfo{}, fmt.Errorf("%w: no block begins here", ErrFormat)
	}
	if got := binary.LittleEndian.Uint32(in[4:]); got != shard {
		return blockInfo{}, fmt.Errorf("%w: the block belongs to shard %08x, this is %08x", ErrFormat, got, shard)
	}
	le := binary.LittleEndian
	sequence, first, games := le.Uint32(in[8:]), le.Uint32(in[12:]), le.Uint32(in[16:])
	raw, payload := le.Uint32(in[20:]), le.Uint32(in[24:])
	switch {
	case games < 1 || games > BlockGames:
		return blockInfo{}, fmt.Errorf("%w: %d games in a block, must be 1 to %d", ErrLimit, games, BlockGames)
	case sequence >= MaxShardGames || first > MaxShardGames-games:
		return blockInfo{}, fmt.Errorf("%w: block %d with games from %d, a shard has at most %d", ErrLimit, sequence, first, MaxShardGames)
	case raw > maxBlockRaw:
		return blockInfo{}, fmt.Errorf("%w: %d bytes of content, at most %d", ErrLimit, raw, maxBlockRaw)
	case payload < minZstdFrame || payload > uint32(maxPayload(int(raw))):
		return blockInfo{}, fmt.Errorf("%w: %d bytes compressed for %d bytes of content", ErrLimit, payload, raw)
	}
	return blockInfo{int(sequence), int(first), int(games), int(raw), int(payload), le.Uint32(in[28:])}, nil
}

// blockReader reads blocks and reuses its memory.
type blockReader struct {
	file    io.ReaderAt
	shard   uint32
	payload []byte
	raw     []byte
	zstd    *zstd.Decoder
}

func newBlockReader(file io.ReaderAt, shard uint32) *blockReader {
	return &blockReader{file: file, shard: shard, zstd: newDecoder(maxBlockRaw)}
}

// read reads the block at offset and checks its checksum. Bytes from end on are not touched. The content stays in the reader, compressed,
// until the next read. With an error comes what the block's header says, if that could be read.
func (r *blockReader) read(offset, end int64) (blockInfo, error) {
	var head [blockHeader]byte
	if end-offset < blockHeader {
		return blockInfo{}, fmt.Errorf("%w: %d bytes, a block begins with %d", ErrTruncated, end-offset, blockHeader)
	}
	if err := readFull(r.file, head[:], offset); err != nil {
		return blockInfo{}, err
	}
	b, err := parseBlockHeader(head[:], r.shard)
	if err != nil {
		return blockInfo{}, err
	}
	if b.size() > end-offset {
		return b, fmt.Errorf("%w: the block has %d bytes, only %d are there", ErrTruncated, b.size(), end-offset)
	}
	r.payload = grow(r.payload, b.payload)
	if err := readFull(r.file, r.payload, offset+blockHeader); err != nil {
		return b, err
	}
	if blockChecksum(head[:28], r.payload) != b.crc {
		return b, fmt.Errorf("%w of the block", ErrChecksum)
	}
	return b, nil
}

// content decompresses the block read last. The bytes are valid until the next call.
func (r *blockReader) content(b blockInfo) ([]byte, error) {
	var err error
	r.raw, err = decompress(r.zstd, r.raw, r.payload, b.raw)
	return r.raw, err
}

// encoder returns the encoder of blocks and indexes, one for all writers: making one costs more than a block of a small board. A fixed level
// makes equal bytes for equal content. Coding every literal by its frequency is what gains here, long searches for matches are not:
// 2 to 4 % fewer bytes for two to four times the time.
var encoder = sync.OnceValue(func() *zstd.Encoder {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithAllLitEntropyCompression(true),
		zstd.WithEncoderCRC(false), zstd.WithSingleSegment(true))
	if err != nil {
		panic(err) // the options are constants
	}
	return enc
})

// newDecoder returns a decoder that refuses to make more than limit bytes.
func newDecoder(limit uint64) *zstd.Decoder {
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(limit), zstd.WithDecoderMaxWindow(limit), zstd.WithDecodeAllCapLimit(true))
	if err != nil {
		panic(err) // the options are constants
	}
	return dec
}

// decompress returns the one frame in payload decompressed, which must be exactly size bytes, in dst's memory if it fits.
func decompress(dec *zstd.Decoder, dst, payload []byte, size int) ([]byte, error) {
	var head zstd.Header
	if err := head.Decode(payload); err != nil {
		return dst, fmt.Errorf("%w: zstd: %w", ErrFormat, err)
	}
	if head.Skippable || !head.HasFCS || head.FrameContentSize != uint64(size) {
		return dst, fmt.Errorf("%w: the zstd frame does not hold %d bytes", ErrFormat, size)
	}
	out, err := dec.DecodeAll(payload, grow(dst, size)[:0])
	if err != nil {
		return dst, fmt.Errorf("%w: zstd: %w", ErrFormat, err)
	}
	if len(out) != size {
		return dst, fmt.Errorf("%w: the zstd frame holds %d bytes, not %d", ErrFormat, len(out), size)
	}
	return out, nil
}

// grow returns a slice of n bytes, in b's memory if it is large enough. The content is undefined.
func grow(b []byte, n int) []byte {
	if cap(b) < n {
		return make([]byte, n)
	}
	return b[:n]
}

// readFull fills buffer from offset. A file that has become shorter meanwhile is cut off.
func readFull(r io.ReaderAt, buffer []byte, offset int64) error {
	n, err := r.ReadAt(buffer, offset)
	if n == len(buffer) {
		return nil
	}
	if err == io.EOF || err == nil {
		return fmt.Errorf("%w: %d bytes at byte %d, %d were expected", ErrTruncated, n, offset, len(buffer))
	}
	return err
}
