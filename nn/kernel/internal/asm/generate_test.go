package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestGeneratedFilesAreCurrent runs the generator as go generate does, in a copy
// of this folder, and expects the files of the package byte for byte.
func TestGeneratedFilesAreCurrent(t *testing.T) {
	root := t.TempDir()
	folder := filepath.Join(root, "internal", "asm")
	if err := os.CopyFS(folder, os.DirFS(".")); err != nil {
		t.Fatal(err)
	}
	generate := exec.Command("go", "run", ".", "-out", "../../kernels_amd64.s", "-stubs", "../../kernels_amd64.go", "-pkg", "kernel")
	generate.Dir = folder
	if out, err := generate.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, name := range []string{"kernels_amd64.s", "kernels_amd64.go"} {
		got, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join("..", "..", name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what the generator writes: run go generate in nn/kernel", name)
		}
	}
}
