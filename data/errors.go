package data

import (
	"errors"
	"fmt"
	"strings"

	"rampart/quoridor"
)

// Errors of the file format, met on reading.
var (
	ErrMagic     = errors.New("not a shard of game records")
	ErrVersion   = errors.New("unsupported shard version")
	ErrHeader    = errors.New("bad shard header")
	ErrTruncated = errors.New("cut off")
	ErrChecksum  = errors.New("bad checksum")
	ErrFormat    = errors.New("malformed")                    // the checksum is right but the content follows no rule of the format
	ErrLimit     = errors.New("beyond a limit of the format") // refused before anything is allocated for it
	ErrIndex     = errors.New("index and games disagree")     // each is whole by itself
	ErrDamaged   = errors.New("damaged in the middle")        // whole blocks follow the damage, so cutting it off would lose them
)

// Errors of a game's content, met on reading and writing.
var (
	ErrReplay    = errors.New("game does not replay")  // an illegal move, or not the result that the moves lead to
	ErrPolicy    = errors.New("bad policy")            // not a distribution over legal moves
	ErrGame      = errors.New("bad game record")       // any other field out of range
	ErrDuplicate = errors.New("game is there already") // the same generation and number
	ErrConflict  = errors.New("different games with one generation and number")
	ErrBoard     = errors.New("games of another board")    // where games of one board are needed
	ErrFolder    = errors.New("bad folder of shards")      // two files with one number, or nothing that is a shard
	ErrWindow    = errors.New("bad replay window setting") // see [WindowConfig.Validate]
)

// faults are the errors that say that a file or a game is bad.
var faults = []error{
	ErrMagic, ErrVersion, ErrHeader, ErrTruncated, ErrChecksum, ErrFormat, ErrLimit, ErrIndex, ErrDamaged,
	ErrReplay, ErrPolicy, ErrGame, ErrDuplicate, ErrConflict, ErrBoard, ErrFolder, ErrWindow,
}

// IsFault tells whether the error is one of the package's own: what was given is bad, as opposed to a disk that fails.
func IsFault(err error) bool {
	for _, fault := range faults {
		if errors.Is(err, fault) {
			return true
		}
	}
	return false
}

// Error says where in a shard something is wrong. It wraps one of the package's sentinel errors or what the operating system said.
type Error struct {
	Path   string
	Block  int   // number of the block in the shard, from 0; -1 if the fault is in no block
	Offset int64 // byte in the file at which the faulty part (block, index, header) starts; -1 if not known
	Game   int   // number of the game in the shard, from 0; -1 if the fault is not that of one game
	Err    error
}

// Error returns "PATH: block B at byte O, game G: what".
func (e *Error) Error() string {
	var where []string
	switch {
	case e.Block >= 0 && e.Offset >= 0:
		where = append(where, fmt.Sprintf("block %d at byte %d", e.Block, e.Offset))
	case e.Block >= 0:
		where = append(where, fmt.Sprintf("block %d", e.Block))
	case e.Offset >= 0:
		where = append(where, fmt.Sprintf("byte %d", e.Offset))
	}
	if e.Game >= 0 {
		where = append(where, fmt.Sprintf("game %d", e.Game))
	}
	if len(where) == 0 {
		return fmt.Sprintf("%s: %v", e.Path, e.Err)
	}
	return fmt.Sprintf("%s: %s: %v", e.Path, strings.Join(where, ", "), e.Err)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// boardError says that a shard is of another board than the rest.
func boardError(got, want *quoridor.Board) error {
	return fmt.Errorf("%w: %v, not %v", ErrBoard, got, want)
}

// fileError is an Error about a place that belongs to no block.
func fileError(path string, offset int64, err error) *Error {
	return &Error{Path: path, Block: -1, Offset: offset, Game: -1, Err: err}
}
