// Package ort runs ONNX files in Microsoft's ONNX Runtime, whose shared library
// it loads when it is first asked to, without cgo.
//
// All but this file is built with the tag ort only, so that the default program
// needs neither the library nor the loader (github.com/ebitengine/purego).
//
// The library has one C symbol that matters, OrtGetApiBase. It leads to a table
// of functions for a version of the API; functions are only ever added at its
// end. This package asks for version [APIVersion] and uses the indices in
// table.go, which are those of include/onnxruntime/core/session/
// onnxruntime_c_api.h in the runtime's repository.
//
// [Open] loads a library, once in the life of a process. A [Session] is a model
// made ready; a [Call] is a session with tensors of fixed shapes, which live in
// the runtime's memory and are seen by Go as slices.
//
// A Call is used by one goroutine at a time. Sessions may be used by many, each
// with Calls of its own. Sessions and Calls must be closed, Calls first: the
// garbage collector does not know of the runtime's memory.
package ort
