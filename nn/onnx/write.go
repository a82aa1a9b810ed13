package onnx

import (
	"encoding/binary"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// Enumerations of onnx.proto.
const (
	elemFloat32   = 1 // TensorProto.DataType.FLOAT
	attributeInt  = 2 // AttributeProto.AttributeType.INT
	attributeInts = 7 // AttributeProto.AttributeType.INTS
)

// batchSymbol is the dim_param of a batch dimension.
const batchSymbol = "N"

// Marshal returns the file's bytes.
func (m *Model) Marshal() []byte {
	size := 1 << 12
	for i := range m.Graph.Initializers {
		size += 4*len(m.Graph.Initializers[i].Data) + 256
	}
	b := make([]byte, 0, size)
	b = appendInt(b, 1, m.IRVersion)
	b = appendString(b, 2, m.Producer)
	b = appendString(b, 3, m.ProducerVersion)
	b = appendString(b, 6, m.Doc)
	b = appendMessage(b, 7, m.Graph.marshal())
	b = appendMessage(b, 8, appendInt(appendString(nil, 1, ""), 2, m.Opset))
	for _, p := range m.Metadata {
		b = appendMessage(b, 14, appendString(appendString(nil, 1, p.Key), 2, p.Value))
	}
	return b
}

func (g *Graph) marshal() []byte {
	var b []byte
	for i := range g.Nodes {
		b = appendMessage(b, 1, g.Nodes[i].marshal())
	}
	b = appendString(b, 2, g.Name)
	for i := range g.Initializers {
		b = appendMessage(b, 5, g.Initializers[i].marshal())
	}
	for _, v := range g.Inputs {
		b = appendMessage(b, 11, v.marshal())
	}
	for _, v := range g.Outputs {
		b = appendMessage(b, 12, v.marshal())
	}
	return b
}

func (n *Node) marshal() []byte {
	var b []byte
	for _, s := range n.Inputs {
		b = appendString(b, 1, s)
	}
	for _, s := range n.Outputs {
		b = appendString(b, 2, s)
	}
	b = appendString(b, 3, n.Name)
	b = appendString(b, 4, n.Op)
	for _, a := range n.Attributes {
		b = appendMessage(b, 5, a.marshal())
	}
	return b
}

func (a *Attribute) marshal() []byte {
	b := appendString(nil, 1, a.Name)
	if !a.List {
		return appendInt(appendInt(b, 3, a.Ints[0]), 20, attributeInt)
	}
	for _, v := range a.Ints {
		b = appendInt(b, 8, v)
	}
	return appendInt(b, 20, attributeInts)
}

func (t *Tensor) marshal() []byte {
	b := make([]byte, 0, 4*len(t.Data)+256)
	for _, d := range t.Dims {
		b = appendInt(b, 1, d)
	}
	b = appendInt(b, 2, elemFloat32)
	b = appendString(b, 8, t.Name)
	b = protowire.AppendTag(b, 9, protowire.BytesType)
	b = protowire.AppendVarint(b, uint64(4*len(t.Data)))
	for _, v := range t.Data {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	return b
}

func (v *Value) marshal() []byte {
	var shape []byte
	for _, d := range v.Dims {
		if d < 0 {
			shape = appendMessage(shape, 1, appendString(nil, 2, batchSymbol))
		} else {
			shape = appendMessage(shape, 1, appendInt(nil, 1, d))
		}
	}
	tensor := appendMessage(appendInt(nil, 1, elemFloat32), 2, shape)
	return appendMessage(appendString(nil, 1, v.Name), 2, appendMessage(nil, 1, tensor))
}

func appendInt(b []byte, field protowire.Number, v int64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(b, field, protowire.VarintType), uint64(v))
}

func appendString(b []byte, field protowire.Number, s string) []byte {
	return protowire.AppendString(protowire.AppendTag(b, field, protowire.BytesType), s)
}

func appendMessage(b []byte, field protowire.Number, m []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, field, protowire.BytesType), m)
}
