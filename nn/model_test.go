package nn

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"rampart/nn/onnx"
	"rampart/quoridor"
)

func TestModelRoundTrip(t *testing.T) {
	m := newModel(t, quoridor.MustBoard(4, 7, 5), tiny, 1)
	for _, text := range []string{"16x2x32", "16x2x32-detours", "16x2x32+reply", "16x2x32-detours+reply", "16x2x32+margin", "16x2x32+plies", "16x2x32+reply+margin+plies", "16x2x32-distance"} {
		cfg, err := ParseConfig(text)
		if err != nil {
			t.Fatal(err)
		}
		m := newModel(t, quoridor.MustBoard(4, 7, 5), cfg, 1)
		m.ConfigHash = strings.Repeat("ab", 32)
		b := m.Marshal()
		got, err := Unmarshal(b)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, m) { // the folded weights too, bit for bit
			t.Errorf("%s: read back %+v, wrote %+v", text, got.Meta, m.Meta)
		}
		if !bytes.Equal(got.Marshal(), b) || got.ID() != m.ID() {
			t.Errorf("%s: written again it is another file", text)
		}
	}
	other := newModel(t, quoridor.MustBoard(4, 7, 5), tiny, 2)
	if other.ID() == m.ID() || len(m.ID()) != 16 {
		t.Errorf("IDs %s and %s", m.ID(), other.ID())
	}
}

func TestLoad(t *testing.T) {
	m := newModel(t, board5, tiny, 1)
	path := filepath.Join(t.TempDir(), "model.onnx")
	if err := os.WriteFile(path, m.Marshal(), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := Load(path)
	if err != nil || got.ID() != m.ID() {
		t.Fatalf("Load: %v", err)
	}
	if err := os.WriteFile(path, []byte("not a model"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(path); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v", err)
	}
	if err := os.Truncate(path, 10<<30); err != nil { // sparse: takes no room
		t.Fatal(err)
	}
	if _, err := Load(path); !errors.Is(err, ErrFormat) {
		t.Errorf("10 GB: %v", err)
	}
	if _, err := Load(path + "x"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

// damaged returns files that differ from a sound one in a single thing, and the
// error that each must give.
func damaged(t testing.TB) map[string]struct {
	file []byte
	want error
} {
	m := newModel(t, board5, Config{Channels: 16, Blocks: 1, Hidden: 16}, 1)
	whole := m.Marshal()
	change := func(f func(f *onnx.Model)) []byte {
		file, err := onnx.Unmarshal(whole)
		if err != nil {
			t.Fatal(err)
		}
		if err := unseal(file); err != nil {
			t.Fatal(err)
		}
		f(file)
		seal(file)
		return file.Marshal()
	}
	set := func(f *onnx.Model, key, value string) {
		for i := range f.Metadata {
			if f.Metadata[i].Key == key {
				f.Metadata[i].Value = value
			}
		}
	}
	property := func(key, value string) []byte {
		return change(func(f *onnx.Model) { set(f, key, value) })
	}
	tensor := func(f func(t *onnx.Tensor)) []byte {
		return change(func(file *onnx.Model) { f(&file.Graph.Initializers[2]) })
	}
	node := func(f func(n *onnx.Node)) []byte {
		return change(func(file *onnx.Model) { f(&file.Graph.Nodes[3]) })
	}
	flip := bytes.Clone(whole)
	flip[len(flip)/2] ^= 0x10 // in a weight
	return map[string]struct {
		file []byte
		want error
	}{
		"empty":             {nil, ErrFormat},
		"truncated":         {whole[:len(whole)/2], ErrFormat},
		"last byte missing": {whole[:len(whole)-1], ErrFormat},
		"bit flipped":       {flip, ErrFormat},
		"other ONNX":        {change(func(f *onnx.Model) { f.Metadata = nil }), ErrFormat},
		"format":            {property(keyFormat, "3"), ErrIncompatible},
		"format 0":          {property(keyFormat, "0"), ErrIncompatible},
		"format of heads":   {property(keyFormat, "2"), ErrFormat},
		"heads":             {property(keyConfig, "16x1x16+plies"), ErrFormat},
		"heads in format 2": {change(func(f *onnx.Model) { f.Metadata[0].Value = "2"; set(f, keyConfig, "16x1x16+plies") }), ErrFormat},
		"feature set":       {property(keyFeatureSet, "7"), ErrIncompatible},
		"feature set 0":     {property(keyFeatureSet, "0"), ErrIncompatible},
		"detours without distances": {change(func(f *onnx.Model) {
			f.Metadata[0].Value = "2"
			set(f, keyConfig, "16x1x16-distance")
			set(f, keyFeatureSet, "2")
		}), ErrFormat},
		"action map":         {property(keyActionMap, "0"), ErrIncompatible},
		"checksum missing":   {bytes.Replace(whole, []byte(keyChecksum), []byte("rampart.sha512"), 1), ErrFormat},
		"board too narrow":   {property(keyBoard, "2x5"), ErrIncompatible},
		"board too large":    {property(keyBoard, "50x5"), ErrFormat},
		"board unreadable":   {property(keyBoard, "5x5x5"), ErrFormat},
		"other board":        {property(keyBoard, "5x6"), ErrFormat},
		"walls":              {property(keyWalls, "-1"), ErrFormat},
		"many walls":         {property(keyWalls, "99999999999"), ErrFormat},
		"steps":              {property(keySteps, "many"), ErrFormat},
		"huge steps":         {property(keySteps, strings.Repeat("9", 30)), ErrFormat},
		"parent":             {property(keyParent, "two\nlines"), ErrFormat},
		"long hash":          {property(keyConfigHash, strings.Repeat("a", 65)), ErrFormat},
		"network":            {property(keyConfig, "17x1"), ErrFormat},
		"huge network":       {property(keyConfig, "256x40x512"), ErrFormat},
		"endless network":    {property(keyConfig, "256x4000000000"), ErrFormat},
		"missing key":        {change(func(f *onnx.Model) { f.Metadata = f.Metadata[:5] }), ErrFormat},
		"NaN weight":         {tensor(func(t *onnx.Tensor) { t.Data[0] = float32(math.NaN()) }), ErrFormat},
		"infinite weight":    {tensor(func(t *onnx.Tensor) { t.Data[0] = float32(math.Inf(-1)) }), ErrFormat},
		"other shape":        {tensor(func(t *onnx.Tensor) { t.Dims = []int64{16, 16, 9, 1} }), ErrFormat},
		"ten gigabytes":      {tensor(func(t *onnx.Tensor) { t.Dims = []int64{2500, 1000, 1000, 1} }), ErrFormat},
		"tensor renamed":     {tensor(func(t *onnx.Tensor) { t.Name = "weights" }), ErrFormat},
		"tensor twice":       {change(func(f *onnx.Model) { f.Graph.Initializers[1] = f.Graph.Initializers[0] }), ErrFormat},
		"tensor missing":     {change(func(f *onnx.Model) { f.Graph.Initializers = f.Graph.Initializers[1:] }), ErrFormat},
		"unknown operator":   {node(func(n *onnx.Node) { n.Op = "Gemm" }), ErrFormat},
		"other input":        {node(func(n *onnx.Node) { n.Inputs[0] = "planes" }), ErrFormat},
		"other output":       {node(func(n *onnx.Node) { n.Outputs = append(n.Outputs, "more") }), ErrFormat},
		"other attribute":    {change(func(f *onnx.Model) { f.Graph.Nodes[0].Attributes[1].Ints[0] = 0 }), ErrFormat},
		"node missing":       {change(func(f *onnx.Model) { f.Graph.Nodes = f.Graph.Nodes[1:] }), ErrFormat},
		"input shape":        {change(func(f *onnx.Model) { f.Graph.Inputs[0].Dims[2] = 9 }), ErrFormat},
		"second output gone": {change(func(f *onnx.Model) { f.Graph.Outputs = f.Graph.Outputs[:1] }), ErrFormat},
		"selector": {change(func(f *onnx.Model) {
			f.Graph.Initializers[len(f.Graph.Initializers)-1].Data[0] = 1
		}), ErrFormat},
	}
}

func TestUnmarshalRefusesDamagedFiles(t *testing.T) {
	for name, c := range damaged(t) {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := Unmarshal(c.file)
			runtime.ReadMemStats(&after)
			if !errors.Is(err, c.want) {
				t.Fatalf("error %v, want %v", err, c.want)
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("error of more than one line: %q", err)
			}
			if grown := after.TotalAlloc - before.TotalAlloc; grown > 4<<20 {
				t.Errorf("allocated %d bytes to refuse %d", grown, len(c.file))
			}
		})
	}
}

// A network made for another feature set or action map is refused with both
// versions named.
func TestUnmarshalNamesBothVersions(t *testing.T) {
	for name, want := range map[string]string{
		"feature set": "it has feature set 7, this program 2",
		"action map":  "it has action map 0, this program 1",
		"format":      "it has format 3, this program 2",
	} {
		if _, err := Unmarshal(damaged(t)[name].file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func TestNewModelErrors(t *testing.T) {
	w := newWeights(t, tiny, 1)
	for name, meta := range map[string]Meta{
		"no board":     {},
		"narrow board": {Board: quoridor.MustBoard(2, 5, 1)},
		"steps":        {Board: board5, Steps: -1},
		"parent":       {Board: board5, Parent: "a b"},
		"config hash":  {Board: board5, ConfigHash: strings.Repeat("a", 100)},
	} {
		if _, err := NewModel(meta, w); !errors.Is(err, ErrFormat) && !errors.Is(err, ErrIncompatible) {
			t.Errorf("%s: %v", name, err)
		}
	}
	w.tensors[0].Data[0] = float32(math.NaN())
	if _, err := NewModel(Meta{Board: board5}, w); !errors.Is(err, ErrFormat) {
		t.Errorf("NaN: %v", err)
	}
}

// FuzzUnmarshal looks for panics and for models that are accepted but cannot be
// written and read again. Every file is also tried with its checksum made right.
func FuzzUnmarshal(f *testing.F) {
	for _, c := range damaged(f) {
		f.Add(c.file)
	}
	f.Add(newModel(f, quoridor.MustBoard(3, 3, 1), Config{Channels: 16, Blocks: 0, Hidden: 16}, 1).Marshal())
	f.Fuzz(func(t *testing.T, b []byte) {
		tryUnmarshal(t, b)
		if file, err := onnx.Unmarshal(b); err == nil {
			_ = unseal(file)
			seal(file)
			tryUnmarshal(t, file.Marshal())
		}
	})
}

func tryUnmarshal(t *testing.T, b []byte) {
	m, err := Unmarshal(b)
	if err != nil {
		if strings.Contains(err.Error(), "\n") {
			t.Errorf("error of more than one line: %q", err)
		}
		return
	}
	again, err := Unmarshal(m.Marshal())
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(again, m) {
		t.Error("read back it is another model")
	}
}
