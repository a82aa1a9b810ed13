package data

import (
	"encoding/binary"
	"fmt"
	"io"
	"strings"
)

// npyType is an element type of NumPy.
type npyType struct {
	descr string
	size  int // bytes
}

var (
	npyUint8   = npyType{"|u1", 1}
	npyUint16  = npyType{"<u2", 2}
	npyUint64  = npyType{"<u8", 8}
	npyFloat32 = npyType{"<f4", 4}
)

// writeNPYHeader writes the beginning of an array file, format version 1.0 (numpy.lib.format): the elements follow in C order.
func writeNPYHeader(w io.Writer, t npyType, shape []int) error {
	dims := make([]string, len(shape))
	for i, n := range shape {
		dims[i] = fmt.Sprint(n)
	}
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s,), }", t.descr, strings.Join(dims, ", "))
	const prefix = 10
	padding := (64 - (prefix+len(text)+1)%64) % 64 // so that the elements are aligned
	text += strings.Repeat(" ", padding) + "\n"
	out := append([]byte("\x93NUMPY\x01\x00"), 0, 0)
	binary.LittleEndian.PutUint16(out[8:], uint16(len(text)))
	_, err := w.Write(append(out, text...))
	return err
}
