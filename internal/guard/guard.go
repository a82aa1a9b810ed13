// Package guard turns a panic in a goroutine into an error, so that one bad game or step stops its stage with a reason instead of the whole
// process without one.
package guard

import (
	"fmt"
	"runtime/debug"
)

// Panic is the error that a panic became.
type Panic struct {
	Value any
	Stack []byte // of the goroutine that panicked
}

// Error returns the panic's value in one line, without the stack.
func (p *Panic) Error() string { return fmt.Sprintf("panic: %v", p.Value) }

// Unwrap returns the panic's value if it is an error.
func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// Run calls f and returns its error, or a *[Panic] if f panicked.
func Run(f func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &Panic{value, debug.Stack()}
		}
	}()
	return f()
}

// Func returns f guarded as by [Run], for errgroup.Group.Go.
func Func(f func() error) func() error {
	return func() error { return Run(f) }
}
