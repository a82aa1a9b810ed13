package nn

import "errors"

// Environment variables that the back end ort reads when an evaluator is made.
// The back end is there in programs that were built with the tag ort.
const (
	// EnvORTLibrary is the path of ONNX Runtime's shared library, as in
	// /opt/onnxruntime/lib/libonnxruntime.so.
	EnvORTLibrary = "RAMPART_ORT_LIBRARY"
	// EnvORTThreads is the number of threads that compute one batch; 1 if unset.
	EnvORTThreads = "RAMPART_ORT_THREADS"
	// EnvORTProvider is what computes: cpu (the default), or cuda with a library
	// built for it.
	EnvORTProvider = "RAMPART_ORT_PROVIDER"
)

// nameORT is the back end's name.
const nameORT = "ort"

// errWithoutORT says how to get the back end in a program that lacks it.
var errWithoutORT = errors.New(`this program was built without ONNX Runtime: build it with "go build -tags ort ./cmd/rampart" and set ` +
	EnvORTLibrary + " to the path of libonnxruntime")
