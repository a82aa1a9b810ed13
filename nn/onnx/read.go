package onnx

import (
	"fmt"
)

// Unmarshal reads a file. The result shares no memory with b.
func Unmarshal(b []byte) (*Model, error) {
	if len(b) > MaxFileSize {
		return nil, fmt.Errorf("%w: %d bytes, at most %d", ErrTooLarge, len(b), MaxFileSize)
	}
	m, hasGraph := &Model{}, false
	err := eachField(b, 0, func(f field) (err error) {
		switch f.num {
		case 1:
			m.IRVersion, err = f.int()
		case 2:
			m.Producer, err = f.string()
		case 3:
			m.ProducerVersion, err = f.string()
		case 6:
			m.Doc, err = f.string()
		case 7:
			if hasGraph {
				return fmt.Errorf("%w: second graph at offset %d", ErrMalformed, f.at)
			}
			hasGraph = true
			err = m.Graph.unmarshal(f)
		case 8:
			err = m.readOpset(f)
		case 14:
			err = m.readProperty(f)
		case 20, 25:
			err = fmt.Errorf("%w: training information or functions at offset %d", ErrUnsupported, f.at)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if !hasGraph {
		return nil, fmt.Errorf("%w: no graph", ErrMalformed)
	}
	return m, nil
}

func (m *Model) readOpset(f field) error {
	b, err := f.message()
	if err != nil {
		return err
	}
	domain, version := "", int64(0)
	err = eachField(b, f.at, func(f field) (err error) {
		switch f.num {
		case 1:
			domain, err = f.string()
		case 2:
			version, err = f.int()
		}
		return err
	})
	if err != nil {
		return err
	}
	if domain != "" && domain != "ai.onnx" {
		return fmt.Errorf("%w: operator set %q", ErrUnsupported, domain)
	}
	m.Opset = version
	return nil
}

func (m *Model) readProperty(f field) error {
	b, err := f.message()
	if err != nil {
		return err
	}
	if err := f.room(len(m.Metadata), maxProperties, "metadata properties"); err != nil {
		return err
	}
	var p Property
	err = eachField(b, f.at, func(f field) (err error) {
		switch f.num {
		case 1:
			p.Key, err = f.string()
		case 2:
			p.Value, err = f.string()
		}
		return err
	})
	if err != nil {
		return err
	}
	if _, ok := m.Property(p.Key); ok {
		return fmt.Errorf("%w: metadata key %q is there twice", ErrMalformed, p.Key)
	}
	m.Metadata = append(m.Metadata, p)
	return nil
}

func (g *Graph) unmarshal(f field) error {
	b, err := f.message()
	if err != nil {
		return err
	}
	err = eachField(b, f.at, func(f field) (err error) {
		switch f.num {
		case 1:
			err = g.readNode(f)
		case 2:
			g.Name, err = f.string()
		case 5:
			err = g.readInitializer(f)
		case 11:
			g.Inputs, err = appendValue(g.Inputs, f)
		case 12:
			g.Outputs, err = appendValue(g.Outputs, f)
		case 14, 15:
			err = fmt.Errorf("%w: quantised or sparse tensor at offset %d", ErrUnsupported, f.at)
		}
		return err
	})
	if err != nil {
		return err
	}
	g.dropInitializedInputs()
	return nil
}

// dropInitializedInputs removes the inputs that are initializers: files of
// old IR versions list them twice.
func (g *Graph) dropInitializedInputs() {
	named := make(map[string]bool, len(g.Initializers))
	for i := range g.Initializers {
		named[g.Initializers[i].Name] = true
	}
	kept := g.Inputs[:0]
	for _, v := range g.Inputs {
		if !named[v.Name] {
			kept = append(kept, v)
		}
	}
	g.Inputs = kept
}
