package train

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"rampart/data"
	"rampart/internal/durable"
)

// asideSuffix is added to the name of a file that is damaged, when it is moved out of the way.
const asideSuffix = ".damaged"

// setAside gives a damaged file another name, one that no file has, and returns that.
func setAside(path string) (string, error) {
	aside := path + asideSuffix
	for n := 2; exists(aside); n++ {
		aside = fmt.Sprintf("%s%s-%d", path, asideSuffix, n)
	}
	return aside, durable.Rename(path, aside)
}

var (
	openShardName  = regexp.MustCompile(`^\d{8,}\` + data.Suffix + `\` + data.OpenSuffix + `$`)
	modelName      = regexp.MustCompile(`^\d{8,}\.onnx$`)
	checkpointName = regexp.MustCompile(`^\d{8,}\.ckpt$`)
)

// sweep removes the temporary files that a process that was killed left in the folder, and tells about it. The lock must be held.
func (r *Run) sweep() error {
	f := r.Folder
	rootFiles := map[string]bool{}
	for _, path := range []string{f.configPath(), f.usedConfigPath(), f.championPath(), f.previousPath(), f.bestPath(), f.manifestPath(), f.metricsPath(), f.matchesPath(), f.stacksPath()} {
		rootFiles[filepath.Base(path)] = true
	}
	var swept []string
	var errs []error
	for dir, owns := range map[string]func(string) bool{
		string(f):         func(name string) bool { return rootFiles[name] },
		f.gamesDir():      openShardName.MatchString,
		f.modelsDir():     modelName.MatchString,
		f.checkpointDir(): checkpointName.MatchString,
	} {
		names, err := durable.Sweep(dir, owns)
		swept, errs = append(swept, names...), append(errs, err)
	}
	if len(swept) > 0 {
		r.warn(fmt.Errorf("removed what a stop left half-written: %s", strings.Join(swept, ", ")))
	}
	return errors.Join(errs...)
}
