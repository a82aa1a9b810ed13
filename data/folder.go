package data

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Suffix is the end of the name of a sealed shard.
const Suffix = ".rgz"

// numberLen is the least number of digits in a shard's name.
const numberLen = 8

// Shard is a file of a folder of shards.
type Shard struct {
	Number int
	Path   string
	Open   bool // being written, or left open by a process that ended
}

// ShardPath returns the path of the sealed shard with the number in the folder: DIR/00000001.rgz.
func ShardPath(dir string, number int) string {
	return filepath.Join(dir, fmt.Sprintf("%0*d%s", numberLen, number, Suffix))
}

// Shards lists the shards of a folder, ascending by number, which is the order in which they were made. Other files are left aside; a
// folder that does not exist has none. Two files with one number give an error that wraps [ErrFolder].
func Shards(dir string) ([]Shard, error) {
	files, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var list []Shard
	for _, f := range files {
		if s, ok := parseShardName(f.Name()); ok && !f.IsDir() {
			s.Path = filepath.Join(dir, f.Name())
			list = append(list, s)
		}
	}
	slices.SortFunc(list, func(a, b Shard) int { return a.Number - b.Number })
	for i := 1; i < len(list); i++ {
		if list[i].Number == list[i-1].Number {
			return nil, fmt.Errorf("%w: %s and %s are both number %d; move one of them away", ErrFolder, list[i-1].Path, list[i].Path, list[i].Number)
		}
	}
	return list, nil
}

// parseShardName reads "00000001.rgz" or "00000001.rgz.open".
func parseShardName(name string) (Shard, bool) {
	sealed := strings.TrimSuffix(name, OpenSuffix)
	digits, ok := strings.CutSuffix(sealed, Suffix)
	if !ok || len(digits) < numberLen || strings.Trim(digits, "0123456789") != "" {
		return Shard{}, false
	}
	number, err := strconv.Atoi(digits)
	if err != nil || len(digits) != max(numberLen, len(strconv.Itoa(number))) {
		return Shard{}, false
	}
	return Shard{Number: number, Open: sealed != name}, true
}

// FindShards returns the paths of the shards that a person means by a path: a shard itself, a folder of shards, or a run folder. It returns
// an error that wraps [ErrFolder] if there is none.
func FindShards(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return []string{path}, nil
	}
	for _, dir := range []string{path, filepath.Join(path, "games")} {
		list, err := Shards(dir)
		if err != nil {
			return nil, err
		}
		var paths []string
		for _, s := range list {
			paths = append(paths, s.Path)
		}
		if len(paths) > 0 {
			return paths, nil
		}
	}
	return nil, fmt.Errorf("%w: no shard (00000001%s) in %s or in its folder games", ErrFolder, Suffix, path)
}
