//go:build !windows

package durable

import (
	"errors"
	"syscall"
)

// IsFull tells whether the error says that the disk, or the share of it that the user may have, is full.
func IsFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}
