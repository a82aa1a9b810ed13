package nn

import "strings"

// Size is a network size with a name.
type Size struct {
	Name   string
	Config Config
	Use    string // what it is meant for
}

// SizeTable is a list of sizes, smallest first.
type SizeTable []Size

// Sizes are the named sizes. What they cost and how strong they get stands in
// docs/sizes.md.
var Sizes = SizeTable{
	{"nano", size(16, 2), "tests and boards up to 4x4"},
	{"micro", size(16, 4), "small boards, fastest play"},
	{"tiny", size(32, 4), "5x5, and a first network for larger boards"},
	{"small", size(48, 5), "7x7"},
	{"medium", size(64, 6), "9x9 on a few cores"},
	{"large", size(80, 8), "9x9, long runs"},
	{"huge", size(96, 10), "9x9 with many cores or a graphics card"},
}

func size(channels, blocks int) Config {
	return Config{Channels: channels, Blocks: blocks, Hidden: defaultHidden, DetourPlanes: true}
}

// named returns the size with the name.
func (t SizeTable) named(name string) (Config, bool) {
	for _, s := range t {
		if s.Name == name {
			return s.Config, true
		}
	}
	return Config{}, false
}

// names lists the names.
func (t SizeTable) names() string {
	var list []string
	for _, s := range t {
		list = append(list, s.Name)
	}
	return strings.Join(list, ", ")
}
