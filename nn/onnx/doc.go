// Package onnx writes and reads the small part of the ONNX file format that
// Rampart's networks use, with nothing but the protobuf wire encoding.
//
// A generated protobuf package for ONNX would clash at start with the one
// inside onnx-go (both register onnx.ModelProto), so this package has its own
// types and encodes them by hand. Field numbers are those of onnx.proto
// (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto).
//
// [Model] is the whole file: a [Graph] of [Node] values, float32 [Tensor]
// weights, typed inputs and outputs, and the metadata properties.
// [Model.Marshal] gives the bytes, the same bytes for the same model.
//
// [Unmarshal] is made for files from strangers. It never panics, never
// allocates more than a small multiple of the file's own size (a claimed size
// is compared with the bytes that are there before anything is allocated),
// refuses NaN and infinite weights, and answers everything outside the subset
// (external data, subgraphs, other element types, sparse tensors) with
// [ErrUnsupported] instead of ignoring it. What a graph means is the caller's
// business: this package does not run it.
package onnx

import "errors"

// Errors of [Unmarshal]. Each is wrapped with the place in the file.
var (
	// ErrMalformed is returned when the bytes are not an ONNX protobuf:
	// truncated, corrupted, or with a tensor whose bytes and shape disagree.
	ErrMalformed = errors.New("malformed ONNX file")
	// ErrTooLarge is returned when a count or a size exceeds what this
	// package reads.
	ErrTooLarge = errors.New("ONNX file too large")
	// ErrUnsupported is returned for valid ONNX outside the subset.
	ErrUnsupported = errors.New("unsupported ONNX feature")
	// ErrNotFinite is returned when a weight is NaN or infinite.
	ErrNotFinite = errors.New("weight is not finite")
)

// Limits of [Unmarshal]. The largest network that Rampart can be configured
// for stays far below them.
const (
	MaxFileSize   = 256 << 20 // bytes
	maxNodes      = 4096
	maxTensors    = 4096
	maxValues     = maxTensors + 64 // inputs (old files list the initializers too), and outputs
	maxProperties = 64
	maxAttributes = 16 // of a node
	maxEdges      = 16 // inputs, and outputs, of a node
	maxDims       = 8
	maxInts       = 16 // of an attribute
	maxString     = 4096
)
