//go:build !amd64

package kernel

// implementations returns what the processor supports, the best one first.
func implementations() []*implementation { return []*implementation{&portable} }
