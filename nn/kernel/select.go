package kernel

import (
	"fmt"
	"os"
	"strings"
)

// EnvImplementation is the environment variable that forces an implementation:
// "avx512", "avx2" or "portable".
const EnvImplementation = "RAMPART_KERNEL"

// errEnvironment is what is wrong with RAMPART_KERNEL's value, if anything.
// NewConv returns it, so that a program that was told to use an implementation
// does not quietly use another.
var errEnvironment = Select("")

// Select makes all later calls use the named implementation; "" means the one
// that RAMPART_KERNEL names, or else the best one that the processor supports.
// The error wraps [ErrImplementation]; the choice then stays as it was. Select
// must not run while other functions of this package do. Weights stay packed: all
// implementations share one layout.
func Select(name string) error {
	available := implementations()
	source := ""
	if name == "" {
		name = os.Getenv(EnvImplementation)
		source = " in the environment variable " + EnvImplementation
	}
	if name == "" {
		current = available[0]
		return nil
	}
	for _, impl := range available {
		if impl.name == name {
			current = impl
			return nil
		}
	}
	return fmt.Errorf("%w: %q%s, want one of %s", ErrImplementation, name, source, strings.Join(Implementations(), ", "))
}

// Implementation returns the name of the implementation in use.
func Implementation() string { return current.name }

// Implementations returns the names of those that the processor supports, the
// best one first.
func Implementations() []string {
	var names []string
	for _, impl := range implementations() {
		names = append(names, impl.name)
	}
	return names
}
