package arena

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"

	"rampart/quoridor"
)

// Kind is a sort of player that can be named in text: "name", "name:option=value:option=value", or "name:ARGUMENT:option=value" for
// kinds that take an argument such as a file.
type Kind struct {
	Name    string // lower case
	Usage   string // how to write it, e.g. "alphabeta[:depth=N|:time=D]"
	Summary string // one line on how it plays

	// Parse reads the options through a, which keeps their errors, and returns the factory of [Opponent]. Its own errors wrap
	// [ErrPlayer].
	Parse func(a *Args) (func(b *quoridor.Board) (Player, error), error)
}

var registry struct {
	sync.Mutex
	kinds map[string]Kind
}

// Register adds a kind of player for [Parse]. It panics if the name is taken.
func Register(k Kind) {
	registry.Lock()
	defer registry.Unlock()
	if _, taken := registry.kinds[k.Name]; taken {
		panic("arena: a player named " + k.Name + " is already registered")
	}
	if registry.kinds == nil {
		registry.kinds = make(map[string]Kind)
	}
	registry.kinds[k.Name] = k
}

// Kinds returns all registered kinds, sorted by name.
func Kinds() []Kind {
	registry.Lock()
	defer registry.Unlock()
	list := make([]Kind, 0, len(registry.kinds))
	for _, k := range registry.kinds {
		list = append(list, k)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Name < list[j].Name })
	return list
}

// Parse reads the text form of a player, as in "racer" or "alphabeta:depth=4". Errors wrap [ErrPlayer] and say what was expected.
func Parse(text string) (Opponent, error) {
	name, rest, hasRest := strings.Cut(text, ":")
	registry.Lock()
	k, known := registry.kinds[strings.ToLower(name)]
	registry.Unlock()
	if !known {
		return Opponent{}, fmt.Errorf("%w: no player is called %q; there are %s", ErrPlayer, clip(name), strings.Join(kindNames(), ", "))
	}
	a, err := parseArgs(rest, hasRest)
	if err != nil {
		return Opponent{}, fmt.Errorf("%w %q: %v (usage: %s)", ErrPlayer, clip(text), err, k.Usage)
	}
	factory, err := k.Parse(a)
	if err := a.err(); err != nil {
		return Opponent{}, fmt.Errorf("%w %q: %v (usage: %s)", ErrPlayer, clip(text), err, k.Usage)
	}
	if err != nil {
		return Opponent{}, fmt.Errorf("%q: %w", clip(text), err)
	}
	return Opponent{Name: text, New: factory}, nil
}

// MustParse is [Parse] for text that is known to be good; it panics on an error.
func MustParse(text string) Opponent {
	o, err := Parse(text)
	if err != nil {
		panic(err)
	}
	return o
}

func kindNames() []string {
	var names []string
	for _, k := range Kinds() {
		names = append(names, k.Name)
	}
	return names
}

// Args are the argument and the options of a player's text form. Its methods return the default for a value that is absent or
// bad; the first bad value becomes [Parse]'s error, as does an option that no method asked for.
type Args struct {
	argument      string
	argumentTaken bool
	values        map[string]string
	asked         map[string]bool
	firstErr      error
}

// parseArgs splits "ARGUMENT:key=value:key=value". Options stand at the end; an argument may itself hold colons.
func parseArgs(text string, present bool) (*Args, error) {
	a := &Args{values: make(map[string]string), asked: make(map[string]bool)}
	if !present {
		return a, nil
	}
	parts := strings.Split(text, ":")
	for len(parts) > 0 {
		last := parts[len(parts)-1]
		key, value, isOption := strings.Cut(last, "=")
		if !isOption || !isOptionName(key) {
			break
		}
		if _, repeated := a.values[key]; repeated {
			return nil, fmt.Errorf("option %s is given twice", key)
		}
		a.values[key] = value
		parts = parts[:len(parts)-1]
	}
	a.argument = strings.Join(parts, ":")
	if len(parts) > 0 && a.argument == "" {
		return nil, fmt.Errorf("something must follow the colon")
	}
	return a, nil
}

func isOptionName(s string) bool {
	for _, r := range s {
		if (r < 'a' || r > 'z') && r != '-' {
			return false
		}
	}
	return s != ""
}

// Argument returns the text between the name and the options, e.g. a file; "" if there is none.
func (a *Args) Argument() string {
	a.argumentTaken = true
	return a.argument
}

// Has tells whether the option is given.
func (a *Args) Has(key string) bool {
	_, given := a.values[key]
	return given
}

// Int returns the option as a whole number from lo to hi.
func (a *Args) Int(key string, byDefault, lo, hi int) int {
	text, given := a.take(key)
	if !given {
		return byDefault
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < lo || n > hi {
		a.fail("%s=%s: must be a whole number from %d to %d", key, clip(text), lo, hi)
		return byDefault
	}
	return n
}

// Float returns the option as a number from lo to hi.
func (a *Args) Float(key string, byDefault, lo, hi float64) float64 {
	text, given := a.take(key)
	if !given {
		return byDefault
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !(x >= lo && x <= hi) {
		a.fail("%s=%s: must be a number from %g to %g", key, clip(text), lo, hi)
		return byDefault
	}
	return x
}

// Duration returns the option as a time greater than 0, as in "500ms" or "2s".
func (a *Args) Duration(key string, byDefault time.Duration) time.Duration {
	text, given := a.take(key)
	if !given {
		return byDefault
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		a.fail("%s=%s: must be a time such as 500ms or 2s", key, clip(text))
		return byDefault
	}
	return d
}

// String returns the option as text, which must be one of those allowed unless none are listed.
func (a *Args) String(key, byDefault string, allowed ...string) string {
	text, given := a.take(key)
	if !given {
		return byDefault
	}
	for _, s := range allowed {
		if s == text {
			return text
		}
	}
	if len(allowed) > 0 {
		a.fail("%s=%s: must be one of %s", key, clip(text), strings.Join(allowed, ", "))
		return byDefault
	}
	return text
}

// OneOf reports an error if more than one of the options is given.
func (a *Args) OneOf(keys ...string) {
	var given []string
	for _, key := range keys {
		if a.Has(key) {
			given = append(given, key)
		}
	}
	if len(given) > 1 {
		a.fail("%s exclude each other", strings.Join(given, " and "))
	}
}

func (a *Args) take(key string) (string, bool) {
	a.asked[key] = true
	text, given := a.values[key]
	return text, given
}

func (a *Args) fail(format string, args ...any) {
	if a.firstErr == nil {
		a.firstErr = fmt.Errorf(format, args...)
	}
}

// err returns the first error of the values, or one for what nobody asked for.
func (a *Args) err() error {
	if a.firstErr != nil {
		return a.firstErr
	}
	if a.argument != "" && !a.argumentTaken {
		return fmt.Errorf("%q is not an option (options are written key=value)", clip(a.argument))
	}
	keys := make([]string, 0, len(a.values))
	for key := range a.values {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	for _, key := range keys {
		if !a.asked[key] {
			return fmt.Errorf("there is no option %q", clip(key))
		}
	}
	return nil
}

// clip shortens text from outside for an error message.
func clip(text string) string {
	const most = 80
	if len(text) > most {
		return text[:most] + "..."
	}
	return text
}
