package onnx

import (
	"fmt"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
)

// field is one field of a protobuf message: a varint or a run of bytes.
type field struct {
	num   protowire.Number
	typ   protowire.Type
	value uint64 // of a varint
	bytes []byte // of a length-delimited field, shared with the file
	at    int    // offset of bytes, or of the field, in the file
}

// eachField calls visit for the fields of a message that starts at offset
// base of the file. Fields of fixed width are passed without a value: the
// subset has none.
func eachField(b []byte, base int, visit func(f field) error) error {
	for pos := 0; pos < len(b); {
		f := field{at: base + pos}
		var n int
		f.num, f.typ, n = protowire.ConsumeTag(b[pos:])
		if n < 0 {
			return fmt.Errorf("%w: broken field tag at offset %d", ErrMalformed, f.at)
		}
		pos += n
		switch f.typ {
		case protowire.VarintType:
			f.value, n = protowire.ConsumeVarint(b[pos:])
		case protowire.BytesType:
			if f.bytes, n = protowire.ConsumeBytes(b[pos:]); n >= 0 {
				f.at = base + pos + n - len(f.bytes)
			}
		case protowire.Fixed32Type:
			_, n = protowire.ConsumeFixed32(b[pos:])
		case protowire.Fixed64Type:
			_, n = protowire.ConsumeFixed64(b[pos:])
		default:
			return fmt.Errorf("%w: field %d at offset %d has wire type %d", ErrMalformed, f.num, f.at, f.typ)
		}
		if n < 0 {
			return fmt.Errorf("%w: field %d at offset %d is cut short", ErrMalformed, f.num, f.at)
		}
		pos += n
		if err := visit(f); err != nil {
			return err
		}
	}
	return nil
}

func (f field) int() (int64, error) {
	if f.typ != protowire.VarintType {
		return 0, fmt.Errorf("%w: field %d at offset %d should be an integer", ErrMalformed, f.num, f.at)
	}
	return int64(f.value), nil
}

func (f field) message() ([]byte, error) {
	if f.typ != protowire.BytesType {
		return nil, fmt.Errorf("%w: field %d at offset %d should be a message", ErrMalformed, f.num, f.at)
	}
	return f.bytes, nil
}

func (f field) string() (string, error) {
	b, err := f.message()
	if err != nil {
		return "", err
	}
	if len(b) > maxString {
		return "", fmt.Errorf("%w: text of %d bytes at offset %d, at most %d", ErrTooLarge, len(b), f.at, maxString)
	}
	if !utf8.Valid(b) {
		return "", fmt.Errorf("%w: text at offset %d is not UTF-8", ErrMalformed, f.at)
	}
	return string(b), nil
}

// ints appends a repeated integer field, packed or not.
func (f field) ints(dst []int64, limit int) ([]int64, error) {
	if f.typ == protowire.VarintType {
		dst = append(dst, int64(f.value))
	} else {
		b, err := f.message()
		if err != nil {
			return nil, err
		}
		for len(b) > 0 && len(dst) <= limit {
			v, n := protowire.ConsumeVarint(b)
			if n < 0 {
				return nil, fmt.Errorf("%w: broken list of integers at offset %d", ErrMalformed, f.at)
			}
			dst, b = append(dst, int64(v)), b[n:]
		}
	}
	if len(dst) > limit {
		return nil, fmt.Errorf("%w: more than %d integers at offset %d", ErrTooLarge, limit, f.at)
	}
	return dst, nil
}

// room reports an error when a list that has n elements may not grow.
func (f field) room(n, limit int, what string) error {
	if n >= limit {
		return fmt.Errorf("%w: more than %d %s at offset %d", ErrTooLarge, limit, what, f.at)
	}
	return nil
}
