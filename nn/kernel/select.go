package kernel

import (
	"fmt"
	"os"
)

// EnvImplementation is the environment variable that forces an implementation:
// "avx512", "avx2" or "portable".
const EnvImplementation = "RAMPART_KERNEL"

// Select makes all later calls use the named implementation; "" means the one
// that RAMPART_KERNEL names, or else the best one the processor supports. The
// error wraps ErrImplementation, and then the choice stays as it was. Select
// must not run while other functions of this package do.
func Select(name string) error {
	if name == "" {
		name = os.Getenv(EnvImplementation)
	}
	if name != "" && name != "portable" {
		return fmt.Errorf("%w: %q; available: portable", ErrImplementation, name)
	}
	return nil
}

// Implementation returns the name of the implementation in use.
func Implementation() string { return "portable" }
