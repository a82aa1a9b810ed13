package data

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"

	"rampart/quoridor"
)

// Version is the version of the shard format that is written, and the only one that is read.
const Version = 1

// magic opens every shard. Its first byte is no text, and its line ends show a transfer that converted them (after PNG's).
const magic = "\x89RGZ\r\n\x1a\n"

// maxModel is the greatest length of a model's name.
const maxModel = 255

// Layout of the header; see FORMAT.md.
const (
	headerPrefix = 12 // magic, version, length: the same in every version
	headerFixed  = 53 // up to the model's name
	maxHeader    = headerFixed + maxModel + 4
)

// rulesRepetition is the bit of the rules byte for a draw by repetition.
const rulesRepetition = 1

// castagnoli is the table of CRC32C.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Header says what the games of a shard have in common.
type Header struct {
	Board  *quoridor.Board
	Rules  quoridor.Rules // the rule set of the run; each game carries its own, which may differ
	Model  string         // name of the network that played, "" if there was none or more than one
	Config [32]byte       // SHA-256 of the settings that the games were made with, zero if there is none or more than one
}

// check returns an error that wraps ErrHeader for a header that cannot be written.
func (h *Header) check() error {
	switch {
	case h.Board == nil:
		return fmt.Errorf("%w: no board", ErrHeader)
	case h.Rules.PlyCap < 0 || h.Rules.PlyCap > MaxPlies:
		return fmt.Errorf("%w: ply cap %d, must be 0 to %d", ErrHeader, h.Rules.PlyCap, MaxPlies)
	case len(h.Model) > maxModel:
		return fmt.Errorf("%w: the model's name has %d bytes, at most %d", ErrHeader, len(h.Model), maxModel)
	}
	return nil
}

// marshal returns the header's bytes. Their checksum, the last four, is the shard's id.
func (h *Header) marshal() []byte {
	out := []byte(magic)
	out = binary.LittleEndian.AppendUint16(out, Version)
	out = binary.LittleEndian.AppendUint16(out, uint16(headerFixed+len(h.Model)+4))
	out = append(out, byte(h.Board.W), byte(h.Board.H), byte(h.Board.Walls), rulesByte(h.Rules))
	out = binary.LittleEndian.AppendUint32(out, uint32(h.Rules.PlyCap))
	out = append(out, h.Config[:]...)
	out = append(out, byte(len(h.Model)))
	out = append(out, h.Model...)
	return binary.LittleEndian.AppendUint32(out, crc32.Checksum(out, castagnoli))
}

func rulesByte(r quoridor.Rules) byte {
	if r.Repetition {
		return rulesRepetition
	}
	return 0
}

// headerInfo is a header with what its bytes say about the file.
type headerInfo struct {
	Header
	raw []byte // the bytes
	id  uint32 // the checksum, which ties blocks and index to the shard
}

func newHeaderInfo(h Header) headerInfo {
	raw := h.marshal()
	return headerInfo{h, raw, binary.LittleEndian.Uint32(raw[len(raw)-4:])}
}

// readHeader reads the header at the start of a file of the given size. The error is a sentinel with details, without a place.
func readHeader(r io.ReaderAt, size int64) (headerInfo, error) {
	buffer := make([]byte, min(size, maxHeader))
	if _, err := r.ReadAt(buffer, 0); err != nil && err != io.EOF {
		return headerInfo{}, err
	}
	return parseHeader(buffer)
}

// parseHeader reads the header that begins in; more may follow it.
func parseHeader(in []byte) (headerInfo, error) {
	if len(in) < len(magic) {
		if bytes.HasPrefix([]byte(magic), in) {
			return headerInfo{}, fmt.Errorf("%w in the header, after %d bytes", ErrTruncated, len(in))
		}
		return headerInfo{}, fmt.Errorf("%w: %d bytes", ErrMagic, len(in))
	}
	if string(in[:len(magic)]) != magic {
		return headerInfo{}, fmt.Errorf("%w: it begins with %q", ErrMagic, in[:len(magic)])
	}
	if len(in) < headerPrefix {
		return headerInfo{}, fmt.Errorf("%w in the header, after %d bytes", ErrTruncated, len(in))
	}
	if v := binary.LittleEndian.Uint16(in[8:]); v != Version {
		return headerInfo{}, fmt.Errorf("%w %d; this program reads version %d only", ErrVersion, v, Version)
	}
	length := int(binary.LittleEndian.Uint16(in[10:]))
	if length < headerFixed+4 || length > maxHeader {
		return headerInfo{}, fmt.Errorf("%w: length %d, must be %d to %d", ErrHeader, length, headerFixed+4, maxHeader)
	}
	if len(in) < length {
		return headerInfo{}, fmt.Errorf("%w in the header, after %d of %d bytes", ErrTruncated, len(in), length)
	}
	in = in[:length]
	id := binary.LittleEndian.Uint32(in[length-4:])
	if crc32.Checksum(in[:length-4], castagnoli) != id {
		return headerInfo{}, fmt.Errorf("%w of the header", ErrChecksum)
	}
	h, err := parseHeaderFields(in[headerPrefix : length-4])
	return headerInfo{h, bytes.Clone(in), id}, err
}

// parseHeaderFields reads what lies between the header's length and its checksum.
func parseHeaderFields(in []byte) (Header, error) {
	board, err := quoridor.NewBoard(int(in[0]), int(in[1]), int(in[2]))
	if err != nil {
		return Header{}, fmt.Errorf("%w: %w", ErrHeader, err)
	}
	if in[3]&^rulesRepetition != 0 {
		return Header{}, fmt.Errorf("%w: unknown rules %#x", ErrHeader, in[3])
	}
	plyCap := binary.LittleEndian.Uint32(in[4:])
	if plyCap > MaxPlies {
		return Header{}, fmt.Errorf("%w: ply cap %d, must be 0 to %d", ErrHeader, plyCap, MaxPlies)
	}
	const modelAt = headerFixed - headerPrefix
	if int(in[modelAt-1]) != len(in)-modelAt {
		return Header{}, fmt.Errorf("%w: the model's name has %d bytes, there is room for %d", ErrHeader, in[modelAt-1], len(in)-modelAt)
	}
	return Header{
		Board:  board,
		Rules:  quoridor.Rules{PlyCap: int(plyCap), Repetition: in[3] == rulesRepetition},
		Model:  string(in[modelAt:]),
		Config: [32]byte(in[8:40]),
	}, nil
}
