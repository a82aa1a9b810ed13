package web

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"rampart/play"
)

// examples returns the JSON objects of the code blocks of API.md.
func examples(t *testing.T) []map[string]any {
	t.Helper()
	text, err := os.ReadFile("API.md")
	if err != nil {
		t.Fatal(err)
	}
	var list []map[string]any
	for i, block := range strings.Split(string(text), "```") {
		block, isJSON := strings.CutPrefix(block, "json\n")
		if i%2 == 0 || !isJSON {
			continue
		}
		for d := json.NewDecoder(strings.NewReader(block)); d.More(); {
			var m map[string]any
			if err := d.Decode(&m); err != nil {
				t.Fatalf("%v in\n%s", err, block)
			}
			list = append(list, m)
		}
	}
	return list
}

// has tells whether the object has all the keys.
func has(m map[string]any, keys ...string) bool {
	for _, k := range keys {
		if _, ok := m[k]; !ok {
			return false
		}
	}
	return true
}

// fieldsOf lists the JSON fields of a message type.
func fieldsOf(t reflect.Type) map[string]reflect.Type {
	out := map[string]reflect.Type{}
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			for name, kind := range fieldsOf(f.Type) {
				out[name] = kind
			}
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		out[name] = f.Type
	}
	return out
}

// compare checks that an example and a message type have the same fields, all the way down.
func compare(t *testing.T, path string, example any, kind reflect.Type) {
	t.Helper()
	for kind.Kind() == reflect.Pointer {
		kind = kind.Elem()
	}
	switch example := example.(type) {
	case map[string]any:
		switch kind.Kind() {
		case reflect.Map:
			for name, v := range example {
				compare(t, path+"."+name, v, kind.Elem())
			}
		case reflect.Struct:
			fields := fieldsOf(kind)
			for name, v := range example {
				if fields[name] == nil {
					t.Errorf("API.md shows %s.%s, which %s does not have", path, name, kind)
					continue
				}
				compare(t, path+"."+name, v, fields[name])
			}
			if len(example) == 0 {
				return // shown elsewhere
			}
			for name := range fields {
				if _, shown := example[name]; !shown && !optional[path+"."+name] {
					t.Errorf("%s has %q, which API.md does not show at %s", kind, name, path)
				}
			}
		default:
			t.Errorf("API.md shows an object at %s, it is a %s", path, kind)
		}
	case []any:
		if kind.Kind() != reflect.Slice && kind.Kind() != reflect.Array {
			t.Errorf("API.md shows a list at %s, it is a %s", path, kind)
			return
		}
		for i, v := range example {
			if i == len(example)-1 { // the fullest one
				compare(t, path+"[]", v, kind.Elem())
			}
		}
	}
}

// optional are the fields that an example may leave out.
var optional = map[string]bool{
	"state.setup.clock.left": true, "create.text": true, "create.head": true, "create.share": true, "create.run": true,
	"view.illegal.c3v.player": true, "view.illegal.c3v.cells": true, "view.illegal.b3h.player": true, "view.illegal.b3h.cells": true,
	"shards.shards[].error": true,
}

// TestContract: the messages of API.md have the fields of the messages that are sent, no more and no fewer.
func TestContract(t *testing.T) {
	found := map[string]int{}
	for _, m := range examples(t) {
		for name, c := range map[string]struct {
			keys []string
			kind any
		}{
			"state":    {[]string{"nodes", "line", "setup"}, stateMessage{}},
			"view":     {[]string{"pawnMoves", "wallMoves"}, viewMessage{}},
			"analysis": {[]string{"wdl"}, analysisMessage{}},
			"evals":    {[]string{"nodes", "review", "seq"}, evalsMessage{}},
			"create":   {[]string{"moves", "plyCap", "go"}, createBody{}},
			"levels": {[]string{"levels"}, struct {
				Levels  []levelMessage `json:"levels"`
				Model   string         `json:"model"`
				Trained bool           `json:"trained"`
			}{}},
			"shards": {[]string{"shards"}, struct {
				Shards []shardMessage `json:"shards"`
				Of     int            `json:"of"`
			}{}},
			"games": {[]string{"games", "of"}, struct {
				Games []gameMessage `json:"games"`
				Of    int           `json:"of"`
			}{}},
		} {
			if !has(m, c.keys...) || name == "evals" && has(m, "setup") {
				continue
			}
			found[name]++
			compare(t, name, m, reflect.TypeOf(c.kind))
		}
	}
	for _, name := range []string{"state", "view", "analysis", "evals", "create", "levels", "shards", "games"} {
		if found[name] != 1 {
			t.Errorf("API.md shows %d examples of %s", found[name], name)
		}
	}
	text, err := os.ReadFile("API.md")
	if err != nil {
		t.Fatal(err)
	}
	for name, a := range actions {
		row := "`" + name + "`"
		if a.versioned {
			row += " *"
		}
		if !strings.Contains(string(text), row) {
			t.Errorf("API.md does not have the action %s", row)
		}
	}
}

// TestInfoAndLevels: what is offered is what is taken.
func TestInfoAndLevels(t *testing.T) {
	s := start(t, Options{}, nil)
	var info struct {
		Models  []modelMessage
		Players []struct {
			Spec    string
			Largest int
		}
	}
	_, data := s.do("GET", "/api/info", "", nil)
	if err := json.Unmarshal(data, &info); err != nil || len(info.Models) < 2 || len(info.Players) < 8 {
		t.Fatalf("%s %v", data, err)
	}
	var levels struct{ Levels []levelMessage }
	_, data = s.do("GET", "/api/levels?board=5x5&walls=2", "", nil)
	if err := json.Unmarshal(data, &levels); err != nil || len(levels.Levels) != len(play.Levels()) {
		t.Fatalf("%s %v", data, err)
	}
	var specs []string
	for _, p := range info.Players {
		specs = append(specs, p.Spec)
	}
	for _, l := range levels.Levels {
		specs = append(specs, l.Spec)
	}
	for _, m := range info.Models {
		specs = append(specs, "level:1:model="+m.Name)
	}
	for _, spec := range specs {
		s.create(fields{"board": "5x5", "walls": 2, "players": []string{"person", spec}})
	}
}
