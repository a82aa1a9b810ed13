package nn

import "errors"

// Errors of this package, wrapped with what is wrong and where.
var (
	// ErrConfig is returned for a network shape or an option outside its range.
	ErrConfig = errors.New("bad network configuration")
	// ErrFormat is returned for a model file that is damaged or is not one of
	// Rampart's networks, and for a saved state with values of the wrong number.
	ErrFormat = errors.New("bad model")
	// ErrIncompatible is returned for a sound model that does not fit: another
	// format version, feature set, action map, shape or board. Both versions
	// are named.
	ErrIncompatible = errors.New("incompatible model")
	// ErrBackend is returned for an unknown evaluator, or one that failed.
	ErrBackend = errors.New("evaluator")
	// ErrBatch is returned for training examples that make no sense.
	ErrBatch = errors.New("bad training batch")
	// ErrDiverged is returned when a loss or a gradient is NaN or infinite.
	ErrDiverged = errors.New("training diverged")
)
