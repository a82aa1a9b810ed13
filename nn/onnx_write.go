package nn

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"

	"rampart/nn/graph"
	"rampart/nn/onnx"
)

// Keys of the metadata.
const (
	keyFormat     = "rampart.format"
	keyBoard      = "rampart.board"
	keyWalls      = "rampart.walls"
	keyFeatureSet = "rampart.feature_set"
	keyActionMap  = "rampart.action_map"
	keyConfig     = "rampart.network"
	keySteps      = "rampart.steps"
	keyGames      = "rampart.games"
	keyGeneration = "rampart.generation"
	keyParent     = "rampart.parent"
	keyConfigHash = "rampart.config_sha256"
	keyChecksum   = "rampart.sha256"
)

// Marshal returns the model as an ONNX file: input planes [N,16,H,W] (row 0 is
// the mover's home row; rampart.feature_set in the metadata tells which planes),
// outputs policy [N,A] and wdl [N,3], both logits, A being the action map of the
// board, then those of the auxiliary heads that the network has: reply [N,A],
// logits of the opponent's answer in the mover's frame; margin [N,1], see [ScaleMargin]; plies [N,1], see [ScalePlies]. A network
// without distance planes wants them zero. It uses operators of opset 13 that ONNX
// Runtime and onnx-go both run. The same model gives the same bytes.
func (m *Model) Marshal() []byte {
	f := m.file()
	seal(f)
	return f.Marshal()
}

// ID returns 16 hex digits that name the model: the start of the checksum in its
// file.
func (m *Model) ID() string { return checksum(m.file())[:16] }

// checksum returns the SHA-256 of a file without its checksum.
func checksum(f *onnx.Model) string {
	sum := sha256.Sum256(f.Marshal())
	return hex.EncodeToString(sum[:])
}

// seal adds the checksum, as the last property.
func seal(f *onnx.Model) {
	f.Metadata = append(f.Metadata, onnx.Property{Key: keyChecksum, Value: checksum(f)})
}

// unseal removes the checksum and checks it.
func unseal(f *onnx.Model) error {
	i := slices.IndexFunc(f.Metadata, func(p onnx.Property) bool { return p.Key == keyChecksum })
	if i < 0 {
		return fmt.Errorf("%w: no checksum", ErrFormat)
	}
	want := f.Metadata[i].Value
	f.Metadata = slices.Delete(f.Metadata, i, i+1)
	if checksum(f) != want {
		return fmt.Errorf("%w: its checksum does not match its content", ErrFormat)
	}
	return nil
}

func (m *Model) file() *onnx.Model {
	f := &onnx.Model{
		IRVersion: 7, Opset: 13, Producer: "rampart", ProducerVersion: strconv.FormatInt(m.Config.Format(), 10),
		Doc:   fmt.Sprintf("Quoridor network %v for %v", m.Config, m.Board),
		Graph: m.layout(),
	}
	for _, t := range m.Net.tensors {
		f.Graph.Initializers = append(f.Graph.Initializers, onnx.Tensor{Name: t.Name, Dims: fileShape(t.Param), Data: t.Data})
	}
	for i, name := range selectors {
		f.Graph.Initializers = append(f.Graph.Initializers, m.selector(name, i))
	}
	for _, p := range []struct {
		key   string
		value any
	}{
		{keyFormat, m.Config.Format()},
		{keyBoard, fmt.Sprintf("%dx%d", m.Board.W, m.Board.H)},
		{keyWalls, m.Board.Walls},
		{keyFeatureSet, m.Config.FeatureSet()},
		{keyActionMap, ActionMap},
		{keyConfig, m.Config},
		{keySteps, m.Steps},
		{keyGames, m.Games},
		{keyGeneration, m.Generation},
		{keyParent, m.Parent},
		{keyConfigHash, m.ConfigHash},
	} {
		f.Metadata = append(f.Metadata, onnx.Property{Key: p.key, Value: fmt.Sprint(p.value)})
	}
	return f
}

// fileShape returns the dimensions of a tensor in the file. The bias of a dense
// layer is [1][outputs]: onnx-go guesses the axis of a vector, and guesses wrong
// when the batch is as large as the vector.
func fileShape(p graph.Param) []int64 {
	var d []int64
	if p.DenseBias() {
		d = append(d, 1)
	}
	for _, v := range p.Shape {
		d = append(d, int64(v))
	}
	return d
}

// selectors are the 1x1 convolutions that copy a pawn's plane to every channel.
var selectors = [2]string{"own_pawn.select", "opponent_pawn.select"}

// selector copies a plane times the number of cells, so that the mean over the
// cells of its product with the trunk is the trunk at the pawn's cell.
func (m *Model) selector(name string, plane int) onnx.Tensor {
	c := m.Config.Channels
	t := onnx.Tensor{Name: name, Dims: []int64{int64(c), NumPlanes, 1, 1}, Data: make([]float32, c*NumPlanes)}
	for ch := range c {
		t.Data[ch*NumPlanes+plane] = float32(m.Board.Cells())
	}
	return t
}

// layout returns the graph without its weights.
func (m *Model) layout() onnx.Graph {
	l := &layout{}
	x := l.conv("stem.conv", 3, "planes", "stem.conv.weight", "stem.conv.bias")
	x = l.add("Relu", "stem", nil, x)
	for b := range m.Config.Blocks {
		block := fmt.Sprintf("block%02d", b)
		y := l.conv(block+".conv1", 3, x, block+".conv1.weight", block+".conv1.bias")
		y = l.add("Relu", block+".relu1", nil, y)
		y = l.conv(block+".conv2", 3, y, block+".conv2.weight", block+".conv2.bias")
		y = l.add("Add", block+".sum", nil, y, x)
		x = l.add("Relu", block, nil, y)
	}
	walls := l.conv("wall.conv", 2, x, "wall.weight", "wall.bias")
	walls = l.add("Flatten", "wall", axis1, walls)
	summary := l.add("Concat", "summary", axis1, l.mean("mean", x), l.pawn(0, "own_pawn", x), l.pawn(1, "opponent_pawn", x))
	hidden := l.add("Relu", "hidden", nil, l.dense("hidden", "hidden.sum", summary))
	l.dense("wdl", "wdl", hidden)
	l.add("Concat", "policy", axis1, l.dense("pawn", "pawn", hidden), walls)
	actions := int64(m.Board.NumActions())
	outputs := []onnx.Value{{Name: "policy", Dims: []int64{-1, actions}}, {Name: "wdl", Dims: []int64{-1, graph.Outcomes}}}
	heads := m.Config.arch(m.Board.H, m.Board.W).Heads
	if heads.Reply {
		walls := l.add("Flatten", "reply_wall", axis1, l.conv("reply_wall.conv", 2, x, "reply_wall.weight", "reply_wall.bias"))
		l.add("Concat", "reply", axis1, l.dense("reply_pawn", "reply_pawn", hidden), walls)
		outputs = append(outputs, onnx.Value{Name: "reply", Dims: []int64{-1, actions}})
	}
	if heads.Margin {
		outputs = append(outputs, onnx.Value{Name: l.dense("margin", "margin", hidden), Dims: []int64{-1, 1}})
	}
	if heads.Plies {
		outputs = append(outputs, onnx.Value{Name: l.dense("plies", "plies", hidden), Dims: []int64{-1, 1}})
	}
	return onnx.Graph{
		Name: "rampart", Nodes: l.nodes, Outputs: outputs,
		Inputs: []onnx.Value{{Name: "planes", Dims: []int64{-1, NumPlanes, int64(m.Board.H), int64(m.Board.W)}}},
	}
}

var axis1 = []onnx.Attribute{onnx.Int("axis", 1)}

// layout collects nodes; each is named after its one output.
type layout struct{ nodes []onnx.Node }

func (l *layout) add(op, name string, attributes []onnx.Attribute, in ...string) string {
	l.nodes = append(l.nodes, onnx.Node{Op: op, Name: name, Inputs: in, Outputs: []string{name}, Attributes: attributes})
	return name
}

// conv adds a convolution: 3x3 and 1x1 keep the board's size, 2x2 does not pad.
func (l *layout) conv(name string, size int64, in ...string) string {
	pad := (size - 1) / 2
	return l.add("Conv", name, []onnx.Attribute{
		onnx.Ints("kernel_shape", size, size),
		onnx.Ints("pads", pad, pad, pad, pad),
		onnx.Ints("strides", 1, 1),
	}, in...)
}

// dense adds x times name.weight plus name.bias; its output is called out.
func (l *layout) dense(name, out, x string) string {
	y := l.add("MatMul", name+".product", nil, x, name+".weight")
	return l.add("Add", out, nil, y, name+".bias")
}

// mean adds the mean over the cells, [N,C].
func (l *layout) mean(name, x string) string {
	return l.add("Flatten", name, axis1, l.add("GlobalAveragePool", name+".pool", nil, x))
}

// pawn adds the trunk x at a pawn's cell, [N,C].
func (l *layout) pawn(plane int, name, x string) string {
	selected := l.conv(name+".plane", 1, "planes", selectors[plane])
	return l.mean(name, l.add("Mul", name+".product", nil, x, selected))
}
