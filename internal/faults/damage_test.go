package faults

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rampart/train"
)

// A damage spoils a file.
type damage struct {
	name  string
	spoil func(r *rand.Rand, content []byte) []byte // nil removes the file
}

var damages = []damage{
	{"a flipped bit", func(r *rand.Rand, c []byte) []byte {
		c[r.IntN(len(c))] ^= 1 << r.IntN(8)
		return c
	}},
	{"a cut", func(r *rand.Rand, c []byte) []byte { return c[:r.IntN(len(c))] }},
	{"nothing left in it", func(*rand.Rand, []byte) []byte { return nil }},
	{"a page of zeros", func(r *rand.Rand, c []byte) []byte {
		at := r.IntN(len(c))
		clear(c[at:min(len(c), at+4096)])
		return c
	}},
}

// A target is a kind of file in a run folder, with what is to come of damage to it.
type target struct {
	path  string
	named string   // what the program must say; "" for the name of the file, "-" if it need not notice
	loses []string // files of the finished run that may differ then
	lossy bool     // the run goes on without what was in the file, so it may end otherwise
}

// midway makes a run that stands before the training of its third generation, or in the middle of that one's self-play.
func midway(t *testing.T, open bool) string {
	t.Helper()
	dir := fastDir(t)
	start(t, dir)
	for {
		s, err := train.Folder(dir).ReadStatus()
		if err != nil {
			t.Fatal(err)
		}
		if s.Generation == 3 && (s.Stage == train.StageTrain || open && s.Stage == train.StageSelfPlay) {
			break
		}
		must(t, string(s.Stage), "--dir", dir, "--workers", "2")
	}
	if open {
		killInSelfPlay(t, dir)
	}
	return dir
}

// killInSelfPlay kills self-play of the third generation when some of its games are on disk.
func killInSelfPlay(t *testing.T, dir string) {
	t.Helper()
	path := filepath.Join(dir, "games", "00000003.rgz")
	aside := fastDir(t)
	for limit := 10 * time.Millisecond; ; limit += limit / 5 {
		if err := os.RemoveAll(aside); err != nil {
			t.Fatal(err)
		}
		copyDir(t, aside, dir)
		r := command(t, limit, "selfplay", "--dir", aside, "--workers", "2")
		info, err := os.Stat(filepath.Join(aside, "games", "00000003.rgz.open"))
		if r.killed && err == nil && info.Size() > 1000 {
			break
		}
		if !r.killed {
			limit = 10 * time.Millisecond
		}
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	copyDir(t, dir, aside)
	if _, err := os.Stat(path); err == nil {
		t.Fatal("the shard is sealed")
	}
}

// TestDamage spoils each kind of file of a run that stands in the middle: the program names it, goes on, and ends as an unbroken run wherever what was
// lost can be made again.
func TestDamage(t *testing.T) {
	random := newRandom(4)
	closed, open := midway(t, false), midway(t, true)
	for _, target := range []target{
		{path: "games/00000003.rgz"},
		{path: "games/00000003.rgz.open"},
		{path: "games/00000001.rgz", lossy: true},
		{path: "models/00000002.onnx"},
		{path: "models/00000000.onnx", named: "-", loses: []string{"models/00000000.onnx"}},
		{path: "checkpoint/00000002.ckpt"},
		{path: "checkpoint/00000001.ckpt", named: "-", loses: []string{"checkpoint/00000001.ckpt"}},
		{path: "champion.json"},
		{path: "champion.previous.json", named: "-"},
		{path: "champion.onnx", named: "-"},
		{path: "matches.jsonl", loses: []string{"matches.jsonl"}},
		{path: "metrics.jsonl", loses: []string{"matches.jsonl"}}, // the ladder is rated from it
		{path: "run.toml"},
		{path: "run.toml.used", named: "run.toml"},
		{path: "MANIFEST.txt", named: "-"},
		{path: "lock", named: "-"},
		{path: ".champion.json12345"},
		{path: "games/.00000004.rgz.open99"},
	} {
		some := damages
		if !*all {
			i := random.IntN(len(damages))
			some = damages[i : i+1]
		}
		for _, d := range some {
			from := closed
			if strings.HasSuffix(target.path, ".open") {
				from = open
			}
			spoil(t, random, from, target, d)
		}
	}
}

// spoil damages a file in a copy of the run and finishes it.
func spoil(t *testing.T, random *rand.Rand, from string, target target, d damage) {
	t.Helper()
	dir := filepath.Join(fastDir(t), "run")
	copyDir(t, dir, from)
	path := filepath.Join(dir, filepath.FromSlash(target.path))
	content, err := os.ReadFile(path)
	if os.IsNotExist(err) { // a leftover
		content, err = []byte("half of a file"), nil
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(content) == 0 { // the lock
		content = []byte("x")
	}
	before := string(content)
	spoiled := d.spoil(random, content)
	what := fmt.Sprintf("%s with %s", target.path, d.name)
	if err := os.WriteFile(path, spoiled, 0o644); err != nil {
		t.Fatal(err)
	}
	r := command(t, 0, "run", "--dir", dir, "--workers", "2")
	if target.path == "run.toml" {
		settingsDamage(t, what, dir, r)
		return
	}
	if r.code != 0 {
		t.Errorf("%s: exit code %d:\n%s", what, r.code, r.out)
		return
	}
	want := target.named
	if want == "" {
		want = filepath.Base(target.path)
	}
	silent := want == "-" || string(spoiled) == before || endsWell(target.path, before, spoiled)
	if !silent && !strings.Contains(r.out, want) {
		t.Errorf("%s is not named:\n%s", what, r.out)
	}
	if !target.lossy {
		same(t, what, dir, target.loses...)
	}
}

// endsWell tells whether a journal was cut at the end of a line, which nobody can see.
func endsWell(path, before string, spoiled []byte) bool {
	return strings.HasSuffix(path, ".jsonl") && len(spoiled) < len(before) && (len(spoiled) == 0 || spoiled[len(spoiled)-1] == '\n')
}

// settingsDamage: run.toml is what people edit, so what is wrong with it is refused or told, and the settings of the last start stand in run.toml.used.
func settingsDamage(t *testing.T, what, dir string, r result) {
	t.Helper()
	if r.code == 0 {
		if !strings.Contains(r.out, "run.toml is not what the last start used") {
			t.Errorf("%s is not told:\n%s", what, r.out)
		}
		return
	}
	if r.code != 2 || !strings.Contains(r.out, "run.toml.used") || strings.Count(r.out, "\n") > 1 {
		t.Errorf("%s: exit code %d:\n%s", what, r.code, r.out)
		return
	}
	if err := os.Rename(filepath.Join(dir, "run.toml.used"), filepath.Join(dir, "run.toml")); err != nil {
		t.Fatal(err)
	}
	must(t, "run", "--dir", dir, "--workers", "2")
	same(t, what, dir)
}

// TestMissing takes files away one at a time: the program says which is missing and goes on, or says what to do.
func TestMissing(t *testing.T) {
	from := midway(t, false)
	for _, target := range []target{
		{path: "games/00000001.rgz", lossy: true},
		{path: "games/00000003.rgz", named: "-"}, // that generation is played again
		{path: "models/00000002.onnx"},
		{path: "checkpoint/00000002.ckpt", named: "is done again"},
		{path: "champion.json"},
		{path: "champion.previous.json", named: "-"},
		{path: "champion.onnx", named: "-"},
		{path: "matches.jsonl", named: "-", loses: []string{"matches.jsonl"}},
		{path: "metrics.jsonl", named: "-", loses: []string{"matches.jsonl"}},
		{path: "MANIFEST.txt", named: "-"},
		{path: "lock", named: "-"},
	} {
		dir := filepath.Join(fastDir(t), "run")
		copyDir(t, dir, from)
		if err := os.Remove(filepath.Join(dir, filepath.FromSlash(target.path))); err != nil {
			t.Fatal(err)
		}
		want := target.named
		if want == "" {
			want = filepath.Base(target.path)
		}
		out := must(t, "run", "--dir", dir, "--workers", "2")
		if want != "-" && !strings.Contains(out, want) {
			t.Errorf("%s is missing and not named:\n%s", target.path, out)
		}
		if !target.lossy {
			same(t, target.path+" missing", dir, target.loses...)
		}
	}
	dir := filepath.Join(fastDir(t), "run")
	copyDir(t, dir, from)
	if err := os.Remove(filepath.Join(dir, "run.toml")); err != nil {
		t.Fatal(err)
	}
	if r := command(t, 0, "run", "--dir", dir); r.code != 2 || !strings.Contains(r.out, "run.toml.used") {
		t.Errorf("run.toml missing: exit code %d: %s", r.code, r.out)
	}
}

// TestVerifyFindsDamage: "rampart data verify" finds every bit that flips in the files of a run that it answers for, and changes nothing.
func TestVerifyFindsDamage(t *testing.T) {
	dir := midway(t, false)
	must(t, "data", "verify", dir)
	random := newRandom(5)
	for _, name := range []string{
		"games/00000002.rgz", "models/00000001.onnx", "checkpoint/00000001.ckpt", "checkpoint/00000002.ckpt", "champion.json", "champion.previous.json", "champion.onnx",
		"matches.jsonl", "metrics.jsonl",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		whole := read(t, path)
		for range 3 {
			spoiled := damages[0].spoil(random, []byte(whole))
			if err := os.WriteFile(path, spoiled, 0o644); err != nil {
				t.Fatal(err)
			}
			r := command(t, 0, "data", "verify", dir)
			if r.code != 2 || !strings.Contains(r.out, filepath.Base(name)) {
				t.Errorf("%s: exit code %d:\n%s", name, r.code, r.out)
			}
			if read(t, path) != string(spoiled) {
				t.Errorf("%s was changed", name)
			}
		}
		if err := os.WriteFile(path, []byte(whole), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	must(t, "data", "verify", dir)
}
