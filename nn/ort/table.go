//go:build ort

package ort

import "github.com/ebitengine/purego"

// APIVersion is the version of the C API that is asked for: that of ONNX
// Runtime 1.13, which all later ones serve too.
const APIVersion = 13

// apiBase is OrtApiBase: what OrtGetApiBase returns.
type apiBase struct{ getAPI, getVersionString uintptr }

// tableSize is the number of functions at the start of OrtApi that this package
// looks at.
const tableSize = 101

// status is an OrtStatus*; 0 means success.
type status = uintptr

// table are the functions that are used, of struct OrtApi. Handles
// (OrtSession* and so on) are uintptr; an out parameter is a pointer to one.
type table struct {
	errorMessage        func(s status) string
	createEnv           func(logLevel int32, id string, out *uintptr) status
	createSession       func(env uintptr, model []byte, bytes uintptr, options uintptr, out *uintptr) status
	run                 func(session, options uintptr, inNames []*byte, in []uintptr, ins uintptr, outNames []*byte, outs uintptr, out []uintptr) status
	createOptions       func(out *uintptr) status
	setOptimization     func(options uintptr, level int32) status
	setIntraThreads     func(options uintptr, n int32) status
	setInterThreads     func(options uintptr, n int32) status
	createTensor        func(allocator uintptr, shape []int64, dims uintptr, element int32, out *uintptr) status
	tensorData          func(value uintptr, out **float32) status
	defaultAllocator    func(out *uintptr) status
	releaseStatus       func(s status)
	releaseSession      func(session uintptr)
	releaseValue        func(value uintptr)
	releaseSessionSetup func(options uintptr)
}

// newTable binds the functions by their index.
func newTable(functions *[tableSize]uintptr) *table {
	t := &table{}
	for index, f := range map[int]any{
		2:   &t.errorMessage,
		3:   &t.createEnv,
		8:   &t.createSession, // CreateSessionFromArray
		9:   &t.run,
		10:  &t.createOptions,
		23:  &t.setOptimization,
		24:  &t.setIntraThreads,
		25:  &t.setInterThreads,
		48:  &t.createTensor, // CreateTensorAsOrtValue
		51:  &t.tensorData,   // GetTensorMutableData
		78:  &t.defaultAllocator,
		93:  &t.releaseStatus,
		95:  &t.releaseSession,
		96:  &t.releaseValue,
		100: &t.releaseSessionSetup,
	} {
		purego.RegisterFunc(f, functions[index])
	}
	return t
}

// Values of enumerations in the C API.
const (
	logFatal     = 4  // ORT_LOGGING_LEVEL_FATAL: lesser errors come back as a status
	optimizeAll  = 99 // ORT_ENABLE_ALL
	elementFloat = 1  // ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT
)
