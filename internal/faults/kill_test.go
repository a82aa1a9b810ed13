package faults

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rampart/data"
	"rampart/train"
)

// moment draws the time after which a process is killed: any in the time that it takes, and sometimes after it.
func moment(random interface{ Float64() float64 }, takes time.Duration) time.Duration {
	return time.Millisecond + time.Duration(random.Float64()*1.1*float64(takes))
}

// TestKilledLoop kills "rampart run" at random moments and resumes it, again and again: nothing that was acknowledged is lost, and each run ends as
// an unbroken one.
func TestKilledLoop(t *testing.T) {
	ref := unbrokenRun(t)
	random := newRandom(1)
	want := (*kills + 1) / 3
	for done, runs := 0, 0; done < want; runs++ {
		dir := filepath.Join(fastDir(t), "run")
		var before immutable
		for here := 0; ; {
			limit := moment(random, ref.took/2)
			if here >= 12 || done >= want { // let it come to its end
				limit = 0
			}
			r := command(t, limit, append([]string{"run", "--dir", dir}, settings...)...)
			what := fmt.Sprintf("run %d, kill %d after %v", runs, here, limit)
			before.check(t, what, dir)
			if !r.killed {
				if r.code != 0 {
					t.Fatalf("%s: exit code %d:\n%s", what, r.code, r.out)
				}
				break
			}
			here++
			done++
		}
		same(t, fmt.Sprintf("run %d", runs), dir)
		if t.Failed() {
			return
		}
	}
	t.Logf("%d kills", want)
}

// TestKilledStages does the same with the commands for each stage, so that each is hit.
func TestKilledStages(t *testing.T) {
	unbrokenRun(t)
	random := newRandom(2)
	want := (*kills + 1) / 3
	hits, took := map[train.Stage]int{}, map[train.Stage]time.Duration{}
	for done, runs := 0, 0; done < want; runs++ {
		dir := fastDir(t)
		start(t, dir)
		var before immutable
		for {
			s, err := train.Folder(dir).ReadStatus()
			if err != nil {
				t.Fatal(err)
			}
			if s.Stage == train.StageDone {
				break
			}
			args := []string{string(s.Stage), "--dir", dir, "--workers", "2"}
			if s.Stage == train.StageFinal {
				args[0] = "run"
			}
			limit := time.Duration(0)
			if takes := took[s.Stage]; takes > 0 && done < want && random.IntN(3) > 0 {
				limit = moment(random, takes)
			}
			r := command(t, limit, args...)
			what := fmt.Sprintf("run %d, %s of generation %d, killed after %v", runs, s.Stage, s.Generation, limit)
			before.check(t, what, dir)
			switch {
			case r.killed:
				hits[s.Stage]++
				done++
			case r.code != 0:
				t.Fatalf("%s: exit code %d:\n%s", what, r.code, r.out)
			default:
				took[s.Stage] = r.took
			}
		}
		same(t, fmt.Sprintf("run %d", runs), dir)
		if t.Failed() {
			return
		}
	}
	t.Logf("%d kills: %v", want, hits)
}

// TestKilledTools kills the commands that read a run and write files: the run stays as it is, what they write is whole or not there under its name, and
// the same command succeeds afterwards.
func TestKilledTools(t *testing.T) {
	root := fastDir(t)
	dir := filepath.Join(root, "run")
	must(t, append([]string{"run", "--dir", dir}, settings...)...)
	shard := data.ShardPath(filepath.Join(dir, "games"), 1)
	random := newRandom(3)
	tools := []struct {
		name string
		args func(out string) []string
		out  string // what it makes, in a folder of its own
	}{
		{"publish", func(out string) []string {
			return []string{"model", "publish", dir, "--out", filepath.Dir(out)}
		}, "3x3-1.onnx"},
		{"recover", func(out string) []string { return []string{"data", "recover", shard, "--output", out} }, "saved.rgz"},
		{"merge", func(out string) []string {
			return []string{"data", "merge", dir, "--output", out}
		}, "merged.rgz"},
		{"export npz", func(out string) []string {
			return []string{"data", "export", dir, "--format", "npz", "--output", out}
		}, "rows.npz"},
		{"export jsonl", func(out string) []string {
			return []string{"data", "export", dir, "--format", "jsonl", "--output", out}
		}, "games.jsonl"},
	}
	want := max(len(tools), *kills-2*((*kills+1)/3))
	takes := map[string]time.Duration{}
	whole := map[string]string{}
	hits := map[string]int{}
	for _, tool := range tools {
		out := filepath.Join(root, tool.name, tool.out)
		if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
			t.Fatal(err)
		}
		r := command(t, 0, tool.args(out)...)
		if r.code != 0 {
			t.Fatalf("%s: %s", tool.name, r.out)
		}
		takes[tool.name], whole[tool.name] = r.took, read(t, out)
	}
	for done, tries := 0, 0; done < want && tries < 20*want; tries++ {
		tool := tools[tries%len(tools)]
		folder := filepath.Join(root, fmt.Sprintf("try %d", tries))
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(folder, tool.out)
		limit := moment(random, takes[tool.name])
		if !command(t, limit, tool.args(out)...).killed {
			continue
		}
		done++
		hits[tool.name]++
		if _, err := os.Stat(out); err == nil && read(t, out) != whole[tool.name] {
			t.Errorf("%s, killed after %v, left a part of a file under the name of the whole", tool.name, limit)
		}
		r := command(t, 0, tool.args(out)...)
		if r.code != 0 { // what is there is named, and goes at the user's word
			files, err := os.ReadDir(folder)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range files {
				if strings.Contains(r.out, f.Name()) {
					if err := os.Remove(filepath.Join(folder, f.Name())); err != nil {
						t.Fatal(err)
					}
				}
			}
			r = command(t, 0, tool.args(out)...)
		}
		if r.code != 0 || read(t, out) != whole[tool.name] {
			t.Errorf("%s, killed after %v, does not succeed afterwards: %s", tool.name, limit, r.out)
		}
		if err := os.RemoveAll(folder); err != nil {
			t.Fatal(err)
		}
	}
	same(t, "the run that the tools read", dir)
	t.Logf("kills: %v", hits)
}

func read(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
