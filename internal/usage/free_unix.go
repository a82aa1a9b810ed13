//go:build linux || darwin || freebsd

package usage

import "golang.org/x/sys/unix"

func free(path string) (int64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(path, &s); err != nil {
		return 0, err
	}
	return int64(s.Bavail) * int64(s.Bsize), nil
}
