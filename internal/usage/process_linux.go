package usage

import (
	"fmt"
	"os"
)

// resident reads the second number of /proc/self/statm, in pages.
func resident() int64 {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return -1
	}
	var all, pages int64
	if _, err := fmt.Sscan(string(text), &all, &pages); err != nil {
		return -1
	}
	return pages * int64(os.Getpagesize())
}

func openFiles() int {
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return -1
	}
	return len(list) - 1 // less the one that reads the folder
}
