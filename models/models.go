// Package models holds the networks that ship with the program. Each is an ONNX file with a card beside it that says how it was made and
// how strong it is; both are embedded in the binary. "rampart model publish" writes them from a run folder.
package models

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"rampart/nn"
	"rampart/quoridor"
)

// ErrUnknown is returned for a name that no shipped network has.
var ErrUnknown = errors.New("no such shipped network")

//go:embed *.onnx *.json
var files embed.FS

// Card says how a network was made and how strong it is.
type Card struct {
	Name       string          `json:"name"` // of the file, without its ending
	Board      string          `json:"board"`
	Network    string          `json:"network"` // channels x blocks
	Generation int             `json:"generation"`
	Games      int64           `json:"games"` // of self-play that it has seen
	Steps      int64           `json:"steps"` // of training
	Hours      float64         `json:"hours"` // that the run's stages took in all, on Workers goroutines
	Workers    int             `json:"workers"`
	Version    string          `json:"version"`   // of the program that made it
	Won        string          `json:"won"`       // the gate match that made it champion
	Yardstick  json.RawMessage `json:"yardstick"` // the run's final match and share of optimal moves
	Settings   string          `json:"settings"`  // run.toml
}

// Names lists the shipped networks.
func Names() []string {
	matches, err := fs.Glob(files, "*.onnx")
	if err != nil {
		panic(err) // the pattern is constant
	}
	for i := range matches {
		matches[i] = strings.TrimSuffix(matches[i], ".onnx")
	}
	return matches
}

// Load returns the shipped network with the name. The error wraps [ErrUnknown] if there is none.
func Load(name string) (*nn.Model, error) {
	b, err := files.ReadFile(name + ".onnx")
	if err != nil {
		return nil, fmt.Errorf("%w: %q; there are %s", ErrUnknown, name, strings.Join(Names(), ", "))
	}
	return nn.Unmarshal(b)
}

// LoadCard returns the card of the shipped network with the name.
func LoadCard(name string) (Card, error) {
	var c Card
	b, err := files.ReadFile(name + ".json")
	if err != nil {
		return c, fmt.Errorf("%w: %q; there are %s", ErrUnknown, name, strings.Join(Names(), ", "))
	}
	if err := json.Unmarshal(b, &c); err != nil {
		return c, fmt.Errorf("card %s: %w", path.Base(name), err)
	}
	return c, nil
}

// Name is the name that a network for the board ships under, as in "5x5-2".
func Name(b *quoridor.Board) string { return fmt.Sprintf("%dx%d-%d", b.W, b.H, b.Walls) }

// For returns the name of the shipped network for the board: the one with its walls, or else one of its size; "" if there is none.
func For(b *quoridor.Board) string {
	best := ""
	for _, name := range Names() {
		if name == Name(b) {
			return name
		}
		if strings.HasPrefix(name, fmt.Sprintf("%dx%d-", b.W, b.H)) {
			best = name
		}
	}
	return best
}
