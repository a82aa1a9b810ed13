package main

import (
	"errors"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"rampart/nn"
)

// addORTFlag gives every command the flag that says where ONNX Runtime is. Help shows it in programs that can use it.
func addORTFlag(root *cobra.Command) {
	f := root.PersistentFlags()
	f.Func("ort-library", "path of libonnxruntime for --backend ort (default the environment variable "+nn.EnvORTLibrary+")", func(path string) error {
		if path == "" {
			return errors.New("it is empty")
		}
		return os.Setenv(nn.EnvORTLibrary, path)
	})
	f.Lookup("ort-library").Hidden = !slices.Contains(nn.Backends(), "ort")
}
