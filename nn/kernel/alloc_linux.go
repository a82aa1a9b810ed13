package kernel

import (
	"syscall"
	"unsafe"
)

// The advice of madvise(2), and the size of a large page on amd64, and on arm64
// with pages of 4 KiB.
const (
	madvHugePage = 14
	madvCollapse = 25 // from Linux 6.1 on
	largePage    = 2 << 20
)

// adviseLarge asks the system for large pages under s. They reach beyond s, into
// what else Go's heap has there. The system may refuse, which costs nothing but
// speed.
func adviseLarge(s []float32) {
	start := uintptr(unsafe.Pointer(unsafe.SliceData(s)))
	end := (start + uintptr(len(s))*4 + largePage - 1) &^ (largePage - 1)
	start &^= largePage - 1
	_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, start, end-start, madvHugePage)
	_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, start, end-start, madvCollapse)
}
