//go:build !linux

package kernel

// adviseLarge does nothing here.
func adviseLarge([]float32) {}
