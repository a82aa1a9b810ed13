package durable

import (
	"os"
	"path/filepath"
	"strings"
)

// LeftoverOf returns the name of the file that a temporary file of this package was to become, as "run.toml" for ".run.toml123"; ok is false
// if the name is not one that this package makes. Files that are written here must not have names that end in a digit.
func LeftoverOf(name string) (target string, ok bool) {
	rest, dot := strings.CutPrefix(name, ".")
	target = strings.TrimRight(rest, "0123456789")
	return target, dot && target != "" && target != rest && !strings.HasSuffix(target, ".")
}

// Sweep removes the temporary files in the folder that a kill left behind, those whose target the function owns, and returns their paths.
// Nobody may be writing in the folder. A folder that does not exist has none.
func Sweep(dir string, owns func(target string) bool) (swept []string, err error) {
	files, err := os.ReadDir(dir)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		if target, ok := LeftoverOf(f.Name()); !ok || !f.Type().IsRegular() || !owns(target) {
			continue
		}
		path := filepath.Join(dir, f.Name())
		if err := Remove(path); err != nil {
			return swept, err
		}
		swept = append(swept, path)
	}
	return swept, nil
}
