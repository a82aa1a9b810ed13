package train

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func ignore(error) {}

// TestJournalDropsTheUndecided: what a cut-off stage wrote goes when the file is opened, wherever it stands, and nothing else.
func TestJournalDropsTheUndecided(t *testing.T) {
	path := filepath.Join(t.TempDir(), "metrics.jsonl")
	kept := "{\"event\":\"gate\",\"generation\":1}\n{\"event\":\"train\",\"generation\":2}\n"
	usage := string(markLine([]byte(`{"event":"usage","generation":2}`))) + "\n"
	for _, c := range []struct{ tail, want string }{
		{"", ""},
		{"{\"event\":\"gate\",\"generation\":2}\n", ""},
		{"{\"kind\":\"yardstick\",\"generation\":2}\n{\"event\":\"gate\",\"generation\":2}\n", ""},
		{"{\"kind\":\"yardstick\",\"generation\":2}\n" + usage, usage},
		{usage + "{\"kind\":\"yardstick\",\"generation\":2}\n", usage},
	} {
		if err := os.WriteFile(path, []byte(kept+c.tail), 0o644); err != nil {
			t.Fatal(err)
		}
		j, err := openJournal(path, func(kind string, generation int) bool {
			return kind != "train" && kind != "usage" && generation > 1
		}, ignore)
		if err != nil {
			t.Fatal(err)
		}
		if err := j.close(); err != nil {
			t.Fatal(err)
		}
		if got, _ := os.ReadFile(path); string(got) != kept+c.want {
			t.Errorf("%q is left of %q", got, kept+c.tail)
		}
	}
}

// TestJournalDamage: a line that was torn by a crash or altered goes to a file beside the journal, byte for byte, and is named; whole lines stay.
func TestJournalDamage(t *testing.T) {
	one := string(markLine([]byte(`{"n":1}`))) + "\n"
	two := string(markLine([]byte(`{"m":2}`))) + "\n"
	long := strings.Repeat("x", 1<<17)
	for _, c := range []struct{ before, want, aside string }{
		{"", "", ""},
		{"{\"a\":1}\n", "{\"a\":1}\n", ""},
		{"{\"a\":1}\n{\"b\":", "{\"a\":1}\n", "{\"b\":"},
		{"{\"a\"", "", "{\"a\""},
		{"{\"a\":1}\n" + long, "{\"a\":1}\n", long},
		{one + "\x00\x00\x00\n" + two, one + two, "\x00\x00\x00\n"},
		{one + strings.Replace(two, "2", "3", 1) + one, one + one, strings.Replace(two, "2", "3", 1)},
		{"[1]\n" + one, one, "[1]\n"},
		{one + two[:len(two)-1], one, two[:len(two)-1]},
	} {
		path := filepath.Join(t.TempDir(), "metrics.jsonl")
		if err := os.WriteFile(path, []byte(c.before), 0o644); err != nil {
			t.Fatal(err)
		}
		var warnings []string
		j, err := openJournal(path, nil, func(err error) { warnings = append(warnings, err.Error()) })
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(j.append(map[string]int{"n": 1}), j.close()); err != nil {
			t.Fatal(err)
		}
		if got, _ := os.ReadFile(path); string(got) != c.want+one {
			t.Errorf("%.40q becomes %.120q, want %q", c.before, got, c.want+one)
		}
		aside, err := os.ReadFile(path + asideSuffix)
		if c.aside == "" && (err == nil || len(warnings) > 0) || c.aside != "" && (string(aside) != c.aside+"\n" || len(warnings) != 1 || !strings.Contains(warnings[0], path)) {
			t.Errorf("%.40q: set aside %.60q, want %.60q; warnings %q", c.before, aside, c.aside, warnings)
		}
	}
}

// TestJournalEveryBit: a bit that flips anywhere in a journal is noticed, and costs no other line.
func TestJournalEveryBit(t *testing.T) {
	var lines []string
	for i := range 3 {
		lines = append(lines, string(markLine(fmt.Appendf(nil, `{"event":"train","generation":%d,"value":{"loss":1.25,"name":"a b"}}`, i)))+"\n")
	}
	text := []byte(strings.Join(lines, ""))
	for at := range text {
		for bit := range 8 {
			text[at] ^= 1 << bit
			good := 0
			rest := text
			for len(rest) > 0 {
				line, after, ended := strings.Cut(string(rest), "\n")
				if _, ok := checkLine([]byte(line)); ok && ended {
					good++
				}
				rest = []byte(after)
			}
			if good > 2 || good < 1 { // a line feed that flips takes two lines
				t.Fatalf("byte %d, bit %d: %d lines are good", at, bit, good)
			}
			text[at] ^= 1 << bit
		}
	}
}

func FuzzJournal(f *testing.F) {
	one := string(markLine([]byte(`{"event":"gate","generation":7}`))) + "\n"
	f.Add([]byte(one + one))
	f.Add([]byte(one + "{\"event\":\"train\",\"generation\":2}\n{\"ev"))
	f.Add([]byte("\n\n" + one))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, content []byte) {
		path := filepath.Join(dir, "metrics.jsonl")
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
		os.Remove(path + asideSuffix)
		drop := func(_ string, generation int) bool { return generation > 5 }
		open := func(warn func(error)) {
			j, err := openJournal(path, drop, warn)
			if err != nil {
				t.Fatal(err)
			}
			if err := j.close(); err != nil {
				t.Fatal(err)
			}
		}
		open(ignore)
		kept, _ := os.ReadFile(path)
		aside, _ := os.ReadFile(path + asideSuffix)
		if len(kept)+len(aside) > len(content)+1 {
			t.Fatalf("%d bytes become %d and %d", len(content), len(kept), len(aside))
		}
		open(func(err error) { t.Fatalf("a mended journal is damaged: %v", err) })
		if again, _ := os.ReadFile(path); string(again) != string(kept) {
			t.Fatal("mending twice changes more")
		}
	})
}
