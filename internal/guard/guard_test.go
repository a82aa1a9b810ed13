package guard

import (
	"errors"
	"io"
	"strings"
	"testing"
)

func TestRun(t *testing.T) {
	if err := Run(func() error { return io.EOF }); err != io.EOF {
		t.Errorf("error %v", err)
	}
	var none map[string]int
	err := Func(func() error { none["x"] = 1; return nil })()
	var p *Panic
	if !errors.As(err, &p) || !strings.Contains(err.Error(), "nil map") || !strings.Contains(string(p.Stack), "TestRun") || strings.Contains(err.Error(), "\n") {
		t.Errorf("error %v", err)
	}
	if err := Run(func() error { panic(io.ErrUnexpectedEOF) }); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("error %v", err)
	}
}
