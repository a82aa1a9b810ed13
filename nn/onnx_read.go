package nn

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"rampart/nn/onnx"
	"rampart/quoridor"
)

// Unmarshal reads a model file. It is safe for files from strangers: memory is
// bounded by the size of b, and only a file with exactly the graph that
// [Model.Marshal] writes for its metadata is accepted. Errors are one line and
// wrap [ErrFormat], or [ErrIncompatible] if the file is sound but made for
// another version.
func Unmarshal(b []byte) (*Model, error) {
	f, err := onnx.Unmarshal(b)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	m := &Model{}
	if m.Meta, err = readMeta(f); err != nil {
		return nil, err
	}
	if err := m.checkGraph(f); err != nil {
		return nil, err
	}
	m.Net = &Folded{config: m.Config}
	return m, m.readTensors(f.Graph.Initializers)
}

func readMeta(f *onnx.Model) (Meta, error) {
	r := metaReader{file: f}
	if _, ok := f.Property(keyFormat); !ok {
		return Meta{}, fmt.Errorf("%w: not a Rampart network: no %q in its metadata", ErrFormat, keyFormat)
	}
	format := r.number(keyFormat)
	if format < 1 || format > FormatVersion {
		r.version(keyFormat, "format", FormatVersion)
	}
	if r.err == nil {
		r.fail(unseal(f))
	}
	features := r.number(keyFeatureSet)
	if features < 1 || features > FeatureSet {
		r.version(keyFeatureSet, "feature set", FeatureSet)
	}
	r.version(keyActionMap, "action map", ActionMap)
	m := Meta{
		Steps: r.number(keySteps), Games: r.number(keyGames), Generation: int(r.number(keyGeneration)),
		Parent: r.text(keyParent), ConfigHash: r.text(keyConfigHash),
	}
	m.Board = r.board()
	config, err := ParseConfig(r.text(keyConfig))
	if err != nil {
		r.fail(fmt.Errorf("%w: metadata %q: %w", ErrFormat, keyConfig, err))
	}
	if config.DetourPlanes = features > 1; config.DetourPlanes && config.NoDistance {
		r.fail(fmt.Errorf("%w: a %v network of feature set %d", ErrFormat, config, features))
	}
	if m.Config = config; config.Format() != format {
		r.fail(fmt.Errorf("%w: a %v network in a file of format %d", ErrFormat, config, format))
	}
	if r.err != nil {
		return Meta{}, r.err
	}
	return m, m.validate()
}

// metaReader reads the metadata and keeps the first error.
type metaReader struct {
	file *onnx.Model
	err  error
}

func (r *metaReader) fail(err error) {
	if r.err == nil && err != nil {
		r.err = err
	}
}

func (r *metaReader) text(key string) string {
	v, ok := r.file.Property(key)
	if !ok {
		r.fail(fmt.Errorf("%w: no %q in its metadata", ErrFormat, key))
	}
	return v
}

func (r *metaReader) number(key string) int64 {
	v := r.text(key)
	n, err := strconv.ParseInt(v, 10, 63)
	if err != nil || n < 0 {
		r.fail(fmt.Errorf("%w: metadata %q is %q, want a number", ErrFormat, key, v))
	}
	return n
}

func (r *metaReader) version(key, what string, want int64) {
	if have := r.number(key); have != want {
		r.fail(fmt.Errorf("%w: it has %s %d, this program %d", ErrIncompatible, what, have, want))
	}
}

func (r *metaReader) board() *quoridor.Board {
	var w, h int
	size := r.text(keyBoard)
	if n, err := fmt.Sscanf(size, "%dx%d", &w, &h); n != 2 || err != nil || size != fmt.Sprintf("%dx%d", w, h) {
		r.fail(fmt.Errorf("%w: metadata %q is %q, want columns x rows", ErrFormat, keyBoard, size))
		return nil
	}
	b, err := quoridor.NewBoard(w, h, int(min(r.number(keyWalls), 1<<20)))
	if err != nil {
		r.fail(fmt.Errorf("%w: %w", ErrFormat, err))
	}
	return b
}

// checkGraph compares the graph with the one that the metadata calls for.
func (m *Model) checkGraph(f *onnx.Model) error {
	want := m.layout()
	if len(f.Graph.Nodes) != len(want.Nodes) {
		return fmt.Errorf("%w: %d nodes, a %v network has %d", ErrFormat, len(f.Graph.Nodes), m.Config, len(want.Nodes))
	}
	for i, n := range want.Nodes {
		have := f.Graph.Nodes[i]
		if have.Op != n.Op {
			return fmt.Errorf("%w: unsupported operator %q at node %d, want %s", ErrFormat, have.Op, i, n.Op)
		}
		if !slices.Equal(have.Inputs, n.Inputs) || !slices.Equal(have.Outputs, n.Outputs) || !equalAttributes(have.Attributes, n.Attributes) {
			return fmt.Errorf("%w: node %d (%s %q) differs from a %v network's", ErrFormat, i, n.Op, n.Name, m.Config)
		}
	}
	if !reflect.DeepEqual(f.Graph.Inputs, want.Inputs) || !reflect.DeepEqual(f.Graph.Outputs, want.Outputs) {
		return fmt.Errorf("%w: its inputs and outputs are not those of %v", ErrFormat, m.Board)
	}
	return nil
}

func equalAttributes(a, b []onnx.Attribute) bool {
	return slices.EqualFunc(a, b, func(x, y onnx.Attribute) bool {
		return x.Name == y.Name && x.List == y.List && slices.Equal(x.Ints, y.Ints)
	})
}

func (m *Model) readTensors(initializers []onnx.Tensor) error {
	byName := make(map[string]onnx.Tensor, len(initializers))
	for _, t := range initializers {
		byName[t.Name] = t
	}
	params := m.Config.foldedParams()
	if len(byName) != len(initializers) || len(byName) != len(params)+len(selectors) {
		return fmt.Errorf("%w: %d tensors, a %v network has %d", ErrFormat, len(initializers), m.Config, len(params)+len(selectors))
	}
	for _, p := range params {
		if err := checkTensor(byName, p.Name, fileShape(p)); err != nil {
			return err
		}
	}
	m.Net.tensors = allocate(params)
	for i, p := range params {
		copy(m.Net.tensors[i].Data, byName[p.Name].Data)
	}
	for i, name := range selectors {
		want := m.selector(name, i)
		if err := checkTensor(byName, name, want.Dims); err != nil {
			return err
		}
		if !slices.Equal(byName[name].Data, want.Data) {
			return fmt.Errorf("%w: tensor %q does not select plane %d of %d cells", ErrFormat, name, i, m.Board.Cells())
		}
	}
	return nil
}

func checkTensor(byName map[string]onnx.Tensor, name string, want []int64) error {
	t, ok := byName[name]
	if !ok {
		return fmt.Errorf("%w: no tensor %q", ErrFormat, name)
	}
	if !slices.Equal(t.Dims, want) {
		return fmt.Errorf("%w: tensor %q is %v, want %v", ErrFormat, name, t.Dims, want)
	}
	return nil
}
