package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

// TestStoppedAblation: whoever stops an ablation is told how it goes on.
func TestStoppedAblation(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out bytes.Buffer
	root := newRootCommand()
	root.SetOut(&out)
	root.SetArgs([]string{"ablate", "--dir", t.TempDir(), "--board", "3x3", "--walls", "1", "--net", "16x1", "--generations", "1", "--b", "games=2"})
	if err := root.ExecuteContext(ctx); err != nil || !strings.Contains(out.String(), "stopped; nothing but the games in flight is lost. Go on with the same command") {
		t.Errorf("error %v, output %q", err, out.String())
	}
}
