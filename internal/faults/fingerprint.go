package faults

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"rampart/data"
)

// Print is a hash for each file of a run that must not depend on how often it was cut off, by its path in the folder.
type Print map[string][32]byte

// Fingerprint hashes the files of a run folder: models, checkpoints, state and matches by their bytes, shards by their games, since it depends on the moments of
// stops how games are divided into blocks.
func Fingerprint(dir string) (Print, error) {
	p := Print{}
	for _, pattern := range []string{"games/*.rgz", "models/*.onnx", "checkpoint/*.ckpt", "champion.json", "champion.onnx", "matches.jsonl"} {
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			var content []byte
			if filepath.Ext(file) == data.Suffix {
				content, err = games(file)
			} else {
				content, err = os.ReadFile(file)
			}
			if err != nil {
				return nil, err
			}
			name, err := filepath.Rel(dir, file)
			if err != nil {
				return nil, err
			}
			p[filepath.ToSlash(name)] = sha256.Sum256(content)
		}
	}
	return p, nil
}

// games returns the games of a shard as text.
func games(path string) ([]byte, error) {
	reader, err := data.Open(path)
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	for g, err := range reader.All() {
		if err == nil {
			err = json.NewEncoder(&text).Encode(g)
		}
		if err != nil {
			return nil, errors.Join(err, reader.Close())
		}
	}
	return text.Bytes(), reader.Close()
}

// Differences lists the files that are not as wanted, sorted.
func (p Print) Differences(want Print) []string {
	var list []string
	for name, hash := range want {
		if got, ok := p[name]; !ok {
			list = append(list, name+" is missing")
		} else if got != hash {
			list = append(list, name+" differs")
		}
	}
	for name := range p {
		if _, ok := want[name]; !ok {
			list = append(list, fmt.Sprintf("%s is too many", name))
		}
	}
	slices.Sort(list)
	return list
}

// Without returns the fingerprint less the files named.
func (p Print) Without(names ...string) Print {
	rest := Print{}
	for name, hash := range p {
		if !slices.Contains(names, name) {
			rest[name] = hash
		}
	}
	return rest
}
