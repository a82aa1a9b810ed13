package onnx

import (
	"encoding/binary"
	"fmt"
	"math"
)

func (g *Graph) readInitializer(f field) error {
	b, err := f.message()
	if err != nil {
		return err
	}
	if err := f.room(len(g.Initializers), maxTensors, "initializers"); err != nil {
		return err
	}
	var (
		t    Tensor
		elem int64
		raw  []byte
	)
	err = eachField(b, f.at, func(f field) (err error) {
		switch f.num {
		case 1:
			t.Dims, err = f.ints(t.Dims, maxDims)
		case 2:
			elem, err = f.int()
		case 8:
			t.Name, err = f.string()
		case 9:
			if raw != nil {
				return fmt.Errorf("%w: second raw_data at offset %d", ErrMalformed, f.at)
			}
			raw, err = f.message()
		case 3, 4, 5, 6, 7, 10, 11, 13:
			err = fmt.Errorf("%w: tensor data outside raw_data at offset %d", ErrUnsupported, f.at)
		case 14:
			var location int64
			if location, err = f.int(); err == nil && location != 0 {
				err = fmt.Errorf("%w: tensor data in another file", ErrUnsupported)
			}
		}
		return err
	})
	if err == nil && elem != elemFloat32 {
		err = fmt.Errorf("%w: element type %d", ErrUnsupported, elem)
	}
	if err == nil {
		t.Data, err = decodeFloats(t.Dims, raw)
	}
	if err != nil {
		return fmt.Errorf("initializer %d (%q): %w", len(g.Initializers), t.Name, err)
	}
	g.Initializers = append(g.Initializers, t)
	return nil
}

// exponent masks the bits that are all set in a NaN or infinite float32.
const exponent = 0x7f800000

// decodeFloats checks a shape against the bytes that are there, then decodes.
func decodeFloats(dims []int64, raw []byte) ([]float32, error) {
	count := int64(1)
	for _, d := range dims {
		if d <= 0 || d > MaxFileSize || count*d > MaxFileSize {
			return nil, fmt.Errorf("%w: shape %v", ErrTooLarge, dims)
		}
		count *= d
	}
	if int64(len(raw)) != 4*count {
		return nil, fmt.Errorf("%w: shape %v needs %d bytes, the file has %d", ErrMalformed, dims, 4*count, len(raw))
	}
	data := make([]float32, count)
	for i := range data {
		bits := binary.LittleEndian.Uint32(raw[4*i:])
		data[i] = math.Float32frombits(bits)
		if bits&exponent == exponent {
			return nil, fmt.Errorf("%w: element %d is %v", ErrNotFinite, i, data[i])
		}
	}
	return data, nil
}
