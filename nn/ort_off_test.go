//go:build !ort

package nn

import (
	"errors"
	"strings"
	"testing"
)

// Choosing ort in a program without it says how to build one with it, in a line.
func TestWithoutORT(t *testing.T) {
	m := newModel(t, board5, tiny, 1)
	for _, name := range []string{"ort", "check-ort"} {
		_, err := NewEvaluator(name, m)
		if !errors.Is(err, ErrBackend) || !strings.Contains(err.Error(), "go build -tags ort ./cmd/rampart") || strings.Contains(err.Error(), "\n") {
			t.Errorf("error %v", err)
		}
	}
}
