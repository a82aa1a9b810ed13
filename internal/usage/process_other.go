//go:build !linux

package usage

func resident() int64 { return -1 }

func openFiles() int { return -1 }
