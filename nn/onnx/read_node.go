package onnx

import "fmt"

func (g *Graph) readNode(f field) error {
	b, err := f.message()
	if err != nil {
		return err
	}
	if err := f.room(len(g.Nodes), maxNodes, "nodes"); err != nil {
		return err
	}
	var n Node
	err = eachField(b, f.at, func(f field) (err error) {
		switch f.num {
		case 1:
			n.Inputs, err = appendEdge(n.Inputs, f)
		case 2:
			n.Outputs, err = appendEdge(n.Outputs, f)
		case 3:
			n.Name, err = f.string()
		case 4:
			n.Op, err = f.string()
		case 5:
			err = n.readAttribute(f)
		case 7:
			var domain string
			if domain, err = f.string(); err == nil && domain != "" && domain != "ai.onnx" {
				err = fmt.Errorf("%w: operator domain %q", ErrUnsupported, domain)
			}
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("node %d (%q): %w", len(g.Nodes), n.Name, err)
	}
	g.Nodes = append(g.Nodes, n)
	return nil
}

func appendEdge(edges []string, f field) ([]string, error) {
	if err := f.room(len(edges), maxEdges, "inputs or outputs of a node"); err != nil {
		return nil, err
	}
	s, err := f.string()
	return append(edges, s), err
}

func (n *Node) readAttribute(f field) error {
	b, err := f.message()
	if err != nil {
		return err
	}
	if err := f.room(len(n.Attributes), maxAttributes, "attributes"); err != nil {
		return err
	}
	var (
		a    Attribute
		kind int64
		one  int64
	)
	err = eachField(b, f.at, func(f field) (err error) {
		switch f.num {
		case 1:
			a.Name, err = f.string()
		case 3:
			one, err = f.int()
		case 8:
			a.Ints, err = f.ints(a.Ints, maxInts)
		case 20:
			kind, err = f.int()
		case 2, 4, 5, 6, 7, 9, 10, 11, 14, 15, 21, 22, 23:
			err = fmt.Errorf("%w: attribute that is not an integer at offset %d", ErrUnsupported, f.at)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("attribute %q: %w", a.Name, err)
	}
	switch kind {
	case attributeInt:
		a.Ints = []int64{one}
	case attributeInts:
		a.List = true
	default:
		return fmt.Errorf("attribute %q: %w: type %d", a.Name, ErrUnsupported, kind)
	}
	n.Attributes = append(n.Attributes, a)
	return nil
}

func appendValue(values []Value, f field) ([]Value, error) {
	b, err := f.message()
	if err != nil {
		return nil, err
	}
	if err := f.room(len(values), maxValues, "inputs or outputs"); err != nil {
		return nil, err
	}
	var v Value
	err = eachField(b, f.at, func(f field) (err error) {
		switch f.num {
		case 1:
			v.Name, err = f.string()
		case 2:
			err = v.readType(f)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("value %q: %w", v.Name, err)
	}
	return append(values, v), nil
}

// readType reads a TypeProto, which must be a float32 tensor.
func (v *Value) readType(f field) error {
	b, err := f.message()
	if err != nil {
		return err
	}
	return eachField(b, f.at, func(f field) error {
		if f.num != 1 {
			return fmt.Errorf("%w: type that is not a tensor at offset %d", ErrUnsupported, f.at)
		}
		b, err := f.message()
		if err != nil {
			return err
		}
		return eachField(b, f.at, func(f field) error {
			switch f.num {
			case 1:
				elem, err := f.int()
				if err == nil && elem != elemFloat32 {
					err = fmt.Errorf("%w: element type %d", ErrUnsupported, elem)
				}
				return err
			case 2:
				return v.readShape(f)
			}
			return nil
		})
	})
}

func (v *Value) readShape(f field) error {
	b, err := f.message()
	if err != nil {
		return err
	}
	return eachField(b, f.at, func(f field) error {
		if f.num != 1 {
			return nil
		}
		if err := f.room(len(v.Dims), maxDims, "dimensions"); err != nil {
			return err
		}
		b, err := f.message()
		if err != nil {
			return err
		}
		dim := int64(-1)
		err = eachField(b, f.at, func(f field) (err error) {
			if f.num == 1 {
				if dim, err = f.int(); err == nil && dim < 0 {
					err = fmt.Errorf("%w: dimension %d", ErrMalformed, dim)
				}
			}
			return err
		})
		v.Dims = append(v.Dims, dim)
		return err
	})
}
