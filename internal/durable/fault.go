package durable

import "sync/atomic"

// Op names an operation that changes what is on disk.
type Op string

// The operations that [SetFault] sees.
const (
	OpOpen   Op = "open" // of a file to write to, or making one
	OpWrite  Op = "write"
	OpSync   Op = "sync"
	OpCut    Op = "truncate"
	OpRename Op = "rename"
	OpRemove Op = "remove"
	OpMkdir  Op = "mkdir"
)

var fault atomic.Pointer[func(Op, string) error]

// SetFault makes every change of the disk by this package ask the function first, and fail with its error if it returns one; a write that
// fails has written half. It is for tests: a full, failing or write-protected disk without one. The function that it returns takes it back.
func SetFault(f func(op Op, path string) error) (restore func()) {
	before := fault.Swap(&f)
	return func() { fault.Store(before) }
}

// check asks the function of [SetFault].
func check(op Op, path string) error {
	if f := fault.Load(); f != nil && *f != nil {
		return (*f)(op, path)
	}
	return nil
}
