package onnx

// Model is an ONNX file (ModelProto).
type Model struct {
	IRVersion       int64
	Opset           int64 // version of the default operator set
	Producer        string
	ProducerVersion string
	Doc             string
	Graph           Graph
	Metadata        []Property // metadata_props, in file order
}

// Property is a key with its value in the file's metadata.
type Property struct{ Key, Value string }

// Property returns the value of a metadata key and whether the file has it.
func (m *Model) Property(key string) (string, bool) {
	for _, p := range m.Metadata {
		if p.Key == key {
			return p.Value, true
		}
	}
	return "", false
}

// Graph is the computation (GraphProto): nodes in topological order.
type Graph struct {
	Name         string
	Nodes        []Node
	Initializers []Tensor
	Inputs       []Value // without the initializers
	Outputs      []Value
}

// Node applies an operator of the default domain (NodeProto).
type Node struct {
	Op, Name        string
	Inputs, Outputs []string
	Attributes      []Attribute
}

// Attribute is a named parameter of a node: one integer or a list of them.
type Attribute struct {
	Name string
	Ints []int64
	List bool // INTS; otherwise INT, and Ints has one element
}

// Int makes an attribute of one integer.
func Int(name string, v int64) Attribute {
	return Attribute{Name: name, Ints: []int64{v}}
}

// Ints makes an attribute of a list of integers.
func Ints(name string, v ...int64) Attribute {
	return Attribute{Name: name, Ints: v, List: true}
}

// Tensor is a constant of the graph (TensorProto of float32 with raw data),
// row-major.
type Tensor struct {
	Name string
	Dims []int64
	Data []float32
}

// Value is a float32 input or output (ValueInfoProto). A dimension of -1 is
// the batch, written as the symbol N.
type Value struct {
	Name string
	Dims []int64
}
