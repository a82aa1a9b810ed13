//go:build ort

package nn

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rampart/quoridor"
)

// ONNX Runtime, onnx-go and our kernels agree on the file, at several board sizes
// and batches.
func TestORTAgrees(t *testing.T) {
	for _, b := range []*quoridor.Board{
		quoridor.MustBoard(3, 3, 1), quoridor.MustBoard(5, 5, 2), quoridor.MustBoard(4, 7, 5), quoridor.MustBoard(9, 9, 10),
	} {
		t.Run(b.String(), func(t *testing.T) {
			m, worst := newModel(t, b, tiny, 1), 0.0
			native, runtime := open(t, "native", m), open(t, "ort", m)
			for _, n := range []int{1, 2, 7, 64, 65} {
				pos := positions(b, n, uint64(n))
				worst = max(worst, compare(t, "ort", evaluate(t, native, pos), evaluate(t, runtime, pos)))
			}
			pos := positions(b, 8, 8)
			worst = max(worst, compare(t, "ort and onnx-go", evaluate(t, open(t, "onnx", m), pos), evaluate(t, runtime, pos)))
			evaluate(t, open(t, "check-ort", m), pos)
			t.Logf("worst difference %.2g", worst)
		})
	}
}

func TestORTThreads(t *testing.T) {
	b := quoridor.MustBoard(9, 9, 10)
	m, pos := newModel(t, b, tiny, 1), positions(b, 16, 1)
	want := evaluate(t, open(t, "ort", m), pos)
	t.Setenv(EnvORTThreads, "2")
	compare(t, "2 threads", want, evaluate(t, open(t, "ort", m), pos))
}

func TestORTErrors(t *testing.T) {
	m := newModel(t, board5, tiny, 1)
	text := filepath.Join(t.TempDir(), "libonnxruntime.so")
	if err := os.WriteFile(text, []byte("not a library"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ variable, value, want string }{
		"no path":         {EnvORTLibrary, "", EnvORTLibrary},
		"no file":         {EnvORTLibrary, text + ".1", text + ".1"},
		"not a library":   {EnvORTLibrary, text, text},
		"no threads":      {EnvORTThreads, "0", EnvORTThreads},
		"threads in text": {EnvORTThreads, "two", EnvORTThreads},
		"provider":        {EnvORTProvider, "abacus", `"abacus", want cpu or cuda`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(c.variable, c.value)
			_, err := NewEvaluator("ort", m)
			if !errors.Is(err, ErrBackend) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %v, want one line with %s", err, c.want)
			}
		})
	}
}
