package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"rampart/nn"
	"rampart/nn/onnx"
	"rampart/quoridor"
)

// TestModelScripts runs the command lines in testdata/model, each beside a sound model, sound.onnx, and files that are damaged.
func TestModelScripts(t *testing.T) {
	files := hostileModels(t)
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "model"),
		Setup: func(e *testscript.Env) error {
			for name, content := range files {
				if err := os.WriteFile(filepath.Join(e.WorkDir, name), content, 0o644); err != nil {
					return err
				}
			}
			return os.Truncate(filepath.Join(e.WorkDir, "huge.onnx"), 10<<30) // sparse: takes no room
		},
		Condition: func(name string) (bool, error) {
			if name != "ort" {
				return false, fmt.Errorf("unknown condition %q", name)
			}
			return slices.Contains(nn.Backends(), "ort"), nil
		},
	})
}

// hostileModels returns a sound model and files that each differ from it in one thing.
func hostileModels(t *testing.T) map[string][]byte {
	m, err := randomModel(quoridor.MustBoard(5, 5, 2), "16x1", 1)
	if err != nil {
		t.Fatal(err)
	}
	sound := m.Marshal()
	change := func(f func(m *onnx.Model)) []byte {
		file, err := onnx.Unmarshal(sound)
		if err != nil {
			t.Fatal(err)
		}
		f(file)
		seal(t, file)
		return file.Marshal()
	}
	return map[string][]byte{
		"sound.onnx":     sound,
		"truncated.onnx": sound[:len(sound)/2],
		"flipped.onnx":   append(append(bytes.Clone(sound[:len(sound)/2]), sound[len(sound)/2]^0x10), sound[len(sound)/2+1:]...),
		"nan.onnx":       change(func(m *onnx.Model) { m.Graph.Initializers[0].Data[7] = float32(math.NaN()) }),
		"shape.onnx":     change(func(m *onnx.Model) { m.Graph.Initializers[0].Dims = []int64{16, 16, 9, 1} }),
		"board.onnx":     change(func(m *onnx.Model) { m.Graph.Inputs[0].Dims[2] = 9 }),
		"operator.onnx":  change(func(m *onnx.Model) { m.Graph.Nodes[1].Op = "LeakyRelu" }),
		"claimed.onnx":   change(func(m *onnx.Model) { m.Graph.Initializers[0].Dims = []int64{2500, 1000, 1000} }),
		"length.onnx":    binary.AppendUvarint([]byte{7<<3 | 2}, 10<<30), // a graph of 10 GB
		"other.onnx":     change(func(m *onnx.Model) { m.Metadata = m.Metadata[:0] }),
		"newer.onnx":     change(func(m *onnx.Model) { m.Metadata[0].Value = "3" }),
		"text.onnx":      []byte("not a model\n"),
		"empty.onnx":     nil,
		"huge.onnx":      nil,
	}
}

// seal makes the checksum of a changed file right: the SHA-256 of the file without it.
func seal(t *testing.T, m *onnx.Model) {
	t.Helper()
	const key = "rampart.sha256"
	m.Metadata = slices.DeleteFunc(m.Metadata, func(p onnx.Property) bool { return p.Key == key })
	sum := sha256.Sum256(m.Marshal())
	m.Metadata = append(m.Metadata, onnx.Property{Key: key, Value: hex.EncodeToString(sum[:])})
}

// TestModelExitCodes: every command that reads a model refuses each damaged one as bad input, in one line that names the file.
func TestModelExitCodes(t *testing.T) {
	dir := t.TempDir()
	for name, content := range hostileModels(t) {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
		if name == "sound.onnx" {
			continue
		}
		for _, args := range [][]string{
			{"model", "info", path},
			{"model", "check", path},
			{"model", "convert", path, path + ".new"},
			{"play", "--model", path},
		} {
			root := newRootCommand()
			root.SetArgs(args)
			root.SetOut(io.Discard)
			root.SetErr(io.Discard)
			err := root.Execute()
			if err == nil || exitCode(err) != exitBadInput || !strings.Contains(err.Error(), name) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v: error %v: want one line, exit code %d", args, err, exitBadInput)
			}
		}
		if _, err := os.Stat(path + ".new"); err == nil {
			t.Errorf("%s was converted", name)
		}
	}
}
