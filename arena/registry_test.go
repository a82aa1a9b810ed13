package arena

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func TestParseRefusesBadPlayers(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", "no player is called"},
		{"nobody", "there are"},
		{"racer:", "something must follow"},
		{"racer:fast", "not an option"},
		{"racer:speed=9", "no option \"speed\""},
		{strings.Repeat("x", 1000), "..."},
	} {
		_, err := Parse(test.text)
		if !errors.Is(err, ErrPlayer) || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("Parse(%q): %v, want %q in it", clip(test.text), err, test.want)
		}
	}
}

func TestArgs(t *testing.T) {
	parse := func(text string) *Args {
		a, err := parseArgs(text, true)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	a := parse(`C:\a=b\net.onnx:sims=32:time=2s:mode=fast`)
	if got := a.Argument(); got != `C:\a=b\net.onnx` {
		t.Errorf("argument %q", got)
	}
	if a.Int("sims", 1, 1, 100) != 32 || a.Int("other", 7, 1, 100) != 7 || a.Duration("time", 0) != 2*time.Second ||
		a.String("mode", "slow", "slow", "fast") != "fast" || !a.Has("sims") || a.Has("other") || a.err() != nil {
		t.Errorf("%+v", a)
	}
	for text, ask := range map[string]func(*Args){
		"n=0":      func(a *Args) { a.Int("n", 5, 1, 9) },
		"n=ten":    func(a *Args) { a.Int("n", 5, 1, 9) },
		"n=":       func(a *Args) { a.Int("n", 5, 1, 9) },
		"t=5":      func(a *Args) { a.Duration("t", time.Second) },
		"t=-1s":    func(a *Args) { a.Duration("t", time.Second) },
		"m=none":   func(a *Args) { a.String("m", "x", "x", "y") },
		"n=1:t=1s": func(a *Args) { a.Int("n", 5, 1, 9); a.Duration("t", 0); a.OneOf("n", "t") },
		"file":     func(*Args) {},
		"z=1":      func(*Args) {},
	} {
		a := parse(text)
		ask(a)
		if a.err() == nil {
			t.Errorf("%q passes", text)
		}
	}
	if _, err := parseArgs("n=1:n=2", true); err == nil {
		t.Error("an option given twice passes")
	}
}

func TestEveryKindIsDocumented(t *testing.T) {
	for _, k := range Kinds() {
		if !strings.HasPrefix(k.Usage, k.Name) || k.Summary == "" || k.Name != strings.ToLower(k.Name) {
			t.Errorf("%+v", k)
		}
	}
}

func TestRegisterRefusesARepeatedName(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a second racer was registered")
		}
	}()
	Register(Kind{Name: "racer"})
}

// FuzzParse feeds text to the player parser. It must answer with a player or an ErrPlayer.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"racer", "alphabeta:depth=4", "alphabeta:time=1s", "rollout:n=100", "net:a:b:sims=3", "racer::", "=:=", "RACER"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		o, err := Parse(text)
		if err != nil {
			if !errors.Is(err, ErrPlayer) {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		if o.Name != text || o.New == nil {
			t.Errorf("%q: %+v", text, o)
		}
	})
}
