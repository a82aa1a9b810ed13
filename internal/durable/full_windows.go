package durable

import (
	"errors"

	"golang.org/x/sys/windows"
)

// IsFull tells whether the error says that the disk is full.
func IsFull(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL)
}
