package solver

import (
	"errors"
	"fmt"
)

// Errors returned by this package, wrapped with what was wrong and what to do.
var (
	// ErrMemory is returned when the tables do not fit in the memory that was allowed.
	ErrMemory = errors.New("too little memory")
	// ErrBoard is returned for a position that lies on a board of another size than the solver's.
	ErrBoard = errors.New("position of another board")
	// ErrTooLong is returned when best play lasts longer than a table entry can say ([maxMoves] moves of the winner).
	ErrTooLong = errors.New("best play is too long for the table")
	// ErrCheckpoint is returned for a checkpoint that is damaged or belongs to something else.
	ErrCheckpoint = errors.New("bad checkpoint")
	// ErrSaved is returned together with the context's error when what was done so far is in the checkpoint.
	ErrSaved = errors.New("saved in the checkpoint")
	// ErrInconsistent is returned by the consistency pass for a value that does not follow from its successors.
	ErrInconsistent = errors.New("inconsistent table")
	// ErrUndecided is returned when a search ends at its limit of depth without a result.
	ErrUndecided = errors.New("not decided")
)

// SaveError says that the checkpoint could not be written; the file is as it was before. It comes together with the context's error if
// the computation was stopped.
type SaveError struct{ Err error }

// Error returns "write checkpoint: why".
func (e *SaveError) Error() string { return fmt.Sprintf("write checkpoint: %v", e.Err) }

// Unwrap returns the cause.
func (e *SaveError) Unwrap() error { return e.Err }
