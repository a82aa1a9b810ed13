package kernel

import "errors"

var (
	// ErrShape is returned for a board with a side outside MinSide..MaxSide.
	ErrShape = errors.New("kernel: board size not supported")
	// ErrChannels is returned for a channel count that is not a positive
	// multiple of 16.
	ErrChannels = errors.New("kernel: channel count not supported")
	// ErrImplementation is returned for an implementation that is unknown, or
	// that the processor does not support.
	ErrImplementation = errors.New("kernel: implementation not available")
)
