package onnx

import (
	"bytes"
	"errors"
	"math"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

// sample is a small model with everything that the subset has.
func sample() *Model {
	return &Model{
		IRVersion: 7, Opset: 13, Producer: "test", ProducerVersion: "1", Doc: "two nodes",
		Graph: Graph{
			Name: "g",
			Nodes: []Node{
				{
					Op: "Conv", Name: "conv", Inputs: []string{"x", "w", "b"}, Outputs: []string{"y"},
					Attributes: []Attribute{Ints("kernel_shape", 3, 3), Ints("pads", 1, 1, 1, 1)},
				},
				{Op: "Flatten", Name: "flat", Inputs: []string{"y"}, Outputs: []string{"z"}, Attributes: []Attribute{Int("axis", 1)}},
			},
			Initializers: []Tensor{
				{Name: "w", Dims: []int64{1, 2, 1, 2}, Data: []float32{1, -2, 3.5, float32(math.Copysign(0, -1))}},
				{Name: "b", Dims: []int64{1}, Data: []float32{math.SmallestNonzeroFloat32}},
			},
			Inputs:  []Value{{Name: "x", Dims: []int64{-1, 2, 5, 5}}},
			Outputs: []Value{{Name: "z", Dims: []int64{-1, 25}}},
		},
		Metadata: []Property{{"key", "value"}, {"empty", ""}},
	}
}

func TestRoundTrip(t *testing.T) {
	m := sample()
	b := m.Marshal()
	got, err := Unmarshal(b)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, m) {
		t.Errorf("read back\n%+v, wrote\n%+v", got, m)
	}
	if !bytes.Equal(got.Marshal(), b) {
		t.Error("the second Marshal gives other bytes")
	}
	if v, ok := got.Property("key"); !ok || v != "value" {
		t.Errorf("Property(key) = %q, %v", v, ok)
	}
	if _, ok := got.Property("none"); ok {
		t.Error("Property(none) is there")
	}
}

func TestUnmarshalSharesNothing(t *testing.T) {
	b := sample().Marshal()
	got, err := Unmarshal(b)
	if err != nil {
		t.Fatal(err)
	}
	clear(b)
	if !reflect.DeepEqual(got, sample()) {
		t.Error("the model changed with the buffer that it was read from")
	}
}

// graphOf wraps the bytes of a graph's fields into a file.
func graphOf(fields []byte) []byte { return appendMessage(nil, 7, fields) }

// initializer makes a graph with one hand-made tensor.
func initializer(dims []int64, elem int64, raw []byte) []byte {
	var b []byte
	for _, d := range dims {
		b = appendInt(b, 1, d)
	}
	b = appendString(appendInt(b, 2, elem), 8, "w")
	return graphOf(appendMessage(nil, 5, appendMessage(b, 9, raw)))
}

func hostile() map[string]struct {
	file []byte
	want error
} {
	attribute := func(fields []byte) []byte {
		return graphOf(appendMessage(nil, 1, appendMessage(nil, 5, fields)))
	}
	many := func(n int, field protowire.Number) []byte {
		var b []byte
		for range n {
			b = appendMessage(b, field, nil)
		}
		return b
	}
	group := protowire.AppendTag(nil, 7, protowire.StartGroupType)
	return map[string]struct {
		file []byte
		want error
	}{
		"empty":                {nil, ErrMalformed},
		"text":                 {[]byte("this is not a model"), ErrMalformed},
		"group":                {group, ErrMalformed},
		"graph is an integer":  {appendInt(nil, 7, 1), ErrMalformed},
		"version is text":      {appendString(nil, 1, "7"), ErrMalformed},
		"two graphs":           {append(graphOf(nil), graphOf(nil)...), ErrMalformed},
		"not UTF-8":            {appendString(nil, 2, "\xff\xfe"), ErrMalformed},
		"huge text":            {appendString(nil, 2, strings.Repeat("x", maxString+1)), ErrTooLarge},
		"functions":            {appendMessage(nil, 25, nil), ErrUnsupported},
		"foreign operator set": {appendMessage(nil, 8, appendString(nil, 1, "com.example")), ErrUnsupported},
		"too many nodes":       {graphOf(many(maxNodes+1, 1)), ErrTooLarge},
		"too many properties":  {many(maxProperties+1, 14), ErrMalformed}, // the second empty key is a repeated one
		"too many edges":       {graphOf(appendMessage(nil, 1, many(maxEdges+1, 1))), ErrTooLarge},
		"too many attributes":  {graphOf(appendMessage(nil, 1, bytes.Repeat(appendMessage(nil, 5, appendInt(nil, 20, 2)), maxAttributes+1))), ErrTooLarge},
		"foreign operator":     {graphOf(appendMessage(nil, 1, appendString(nil, 7, "com.example"))), ErrUnsupported},
		"subgraph":             {attribute(appendInt(appendMessage(nil, 6, nil), 20, 5)), ErrUnsupported},
		"attribute type":       {attribute(appendInt(nil, 20, 1)), ErrUnsupported},
		"too many integers":    {attribute(appendMessage(nil, 8, make([]byte, 1000))), ErrTooLarge},
		"broken integers":      {attribute(appendMessage(nil, 8, []byte{0x80})), ErrMalformed},
		"sparse":               {graphOf(appendMessage(nil, 15, nil)), ErrUnsupported},
		"input of integers": {
			graphOf(appendMessage(nil, 11, appendMessage(nil, 2, appendMessage(nil, 1, appendInt(nil, 1, 7))))), ErrUnsupported,
		},
		"input is a sequence": {graphOf(appendMessage(nil, 11, appendMessage(nil, 2, appendMessage(nil, 4, nil)))), ErrUnsupported},
		"ten gigabytes":       {initializer([]int64{2500, 1000, 1000}, 1, make([]byte, 16)), ErrTooLarge},
		"overflowing shape":   {initializer([]int64{1 << 31, 1 << 31, 4}, 1, nil), ErrTooLarge},
		"negative dimension":  {initializer([]int64{-1}, 1, make([]byte, 4)), ErrTooLarge},
		"empty dimension":     {initializer([]int64{0}, 1, nil), ErrTooLarge},
		"many dimensions":     {initializer(make([]int64, maxDims+1), 1, nil), ErrTooLarge},
		"short data":          {initializer([]int64{4}, 1, make([]byte, 12)), ErrMalformed},
		"long data":           {initializer([]int64{4}, 1, make([]byte, 20)), ErrMalformed},
		"doubles":             {initializer([]int64{1}, 11, make([]byte, 8)), ErrUnsupported},
		"NaN":                 {initializer([]int64{1}, 1, []byte{0, 0, 0xc0, 0x7f}), ErrNotFinite},
		"infinite":            {initializer([]int64{1}, 1, []byte{0, 0, 0x80, 0xff}), ErrNotFinite},
		"data elsewhere":      {graphOf(appendMessage(nil, 5, appendInt(nil, 14, 1))), ErrUnsupported},
		"float_data":          {graphOf(appendMessage(nil, 5, appendMessage(nil, 4, make([]byte, 4)))), ErrUnsupported},
		"claimed length": {
			protowire.AppendVarint(protowire.AppendTag(nil, 7, protowire.BytesType), 10<<30), ErrMalformed,
		},
	}
}

func TestUnmarshalRefusesHostileFiles(t *testing.T) {
	for name, c := range hostile() {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			m, err := Unmarshal(c.file)
			runtime.ReadMemStats(&after)
			if !errors.Is(err, c.want) || m != nil {
				t.Fatalf("Unmarshal = %v, %v; want %v", m, err, c.want)
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("error of more than one line: %q", err)
			}
			if grown := after.TotalAlloc - before.TotalAlloc; grown > 8<<20 {
				t.Errorf("allocated %d bytes to refuse a file of %d", grown, len(c.file))
			}
		})
	}
}

func TestUnmarshalTruncated(t *testing.T) {
	b := sample().Marshal()
	for n := range b {
		if m, err := Unmarshal(b[:n]); err == nil && reflect.DeepEqual(m, sample()) {
			t.Fatalf("the first %d of %d bytes give the whole model", n, len(b))
		}
	}
}

func TestOldFilesListInitializersAsInputs(t *testing.T) {
	m := sample()
	m.Graph.Inputs = append(m.Graph.Inputs, Value{Name: "w", Dims: []int64{1, 2, 1, 2}})
	got, err := Unmarshal(m.Marshal())
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got.Graph.Inputs, sample().Graph.Inputs) {
		t.Errorf("inputs %v", got.Graph.Inputs)
	}
}

// FuzzUnmarshal looks for panics, for weights that are not finite and for
// models that do not survive being written again.
func FuzzUnmarshal(f *testing.F) {
	f.Add(sample().Marshal())
	for _, c := range hostile() {
		if len(c.file) < 1<<12 {
			f.Add(c.file)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := Unmarshal(b)
		if err != nil {
			return
		}
		for _, w := range m.Graph.Initializers {
			for i, v := range w.Data {
				if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
					t.Fatalf("%s[%d] = %v", w.Name, i, v)
				}
			}
		}
		again, err := Unmarshal(m.Marshal())
		if err != nil {
			t.Fatalf("written again: %v", err)
		}
		if !bytes.Equal(again.Marshal(), m.Marshal()) {
			t.Fatal("written again it is another model")
		}
	})
}
