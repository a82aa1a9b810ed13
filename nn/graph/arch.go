package graph

import (
	"fmt"

	"rampart/nn/kernel"
)

// Sizes that are the same for every network.
const (
	Planes      = 16 // input channels
	PawnActions = 12 // policy entries before the walls
	Outcomes    = 3  // win, draw, loss
)

// Epsilon is added to the variance by the batch norms.
const Epsilon = 1e-5

// Arch is the shape of a network on a board.
type Arch struct {
	H, W     int // rows and columns of the board
	Channels int // of the trunk, a multiple of 16
	Blocks   int // residual blocks
	Hidden   int // units of the hidden layer of the heads, a multiple of 16
	Heads    Heads
}

// Heads are the auxiliary heads that a network has: what training also asks it
// for, so that the trunk learns more from a game (Wu 2019). Play does without.
type Heads struct {
	Reply  bool // what the opponent answers, a policy in the mover's frame
	Margin bool // steps that the loser is from his goal at the end, positive if the mover wins
	Plies  bool // plies to the end of the game
}

// Cells returns the number of cells of the board.
func (a Arch) Cells() int { return a.H * a.W }

// Anchors returns the number of wall anchors of each orientation.
func (a Arch) Anchors() int { return (a.H - 1) * (a.W - 1) }

// Actions returns the length of a policy.
func (a Arch) Actions() int { return PawnActions + 2*a.Anchors() }

func (a Arch) shape() kernel.Shape { return kernel.Shape{H: a.H, W: a.W} }

// Kind says what a parameter is for.
type Kind uint8

// The kinds of parameters.
const (
	Weight    Kind = iota // learned, with weight decay
	Plain                 // learned, without: biases, and scales of batch norms
	Statistic             // running mean or variance of a batch norm, not learned
)

// Param describes one tensor of the network's parameters.
type Param struct {
	Name  string
	Shape []int
	Kind  Kind
}

// Len returns the number of elements.
func (p Param) Len() int {
	n := 1
	for _, d := range p.Shape {
		n *= d
	}
	return n
}

// DenseBias reports whether p is the bias of a dense layer.
func (p Param) DenseBias() bool {
	switch p.Name {
	case "hidden.bias", "pawn.bias", "wdl.bias", "reply_pawn.bias", "margin.bias", "plies.bias":
		return true
	}
	return false
}

// Params lists the parameters of a network in their fixed order, those of the
// auxiliary heads last. A convolution is [out][in][row][column], a dense layer
// [in][out]. The board does not matter.
func (a Arch) Params() []Param {
	var list []Param
	channels, hidden := a.Channels, a.Hidden
	norm := func(name string) {
		for _, part := range []struct {
			name string
			kind Kind
		}{{"scale", Plain}, {"bias", Plain}, {"mean", Statistic}, {"variance", Statistic}} {
			list = append(list, Param{name + "." + part.name, []int{channels}, part.kind})
		}
	}
	conv := func(name, normName string, in int) {
		list = append(list, Param{name, []int{channels, in, 3, 3}, Weight})
		norm(normName)
	}
	layer := func(name string, weight, bias []int) {
		list = append(list, Param{name + ".weight", weight, Weight}, Param{name + ".bias", bias, Plain})
	}
	conv("stem.conv", "stem.norm", Planes)
	for b := range a.Blocks {
		for i := 1; i <= 2; i++ {
			conv(fmt.Sprintf("block%02d.conv%d", b, i), fmt.Sprintf("block%02d.norm%d", b, i), channels)
		}
	}
	layer("wall", []int{2, channels, 2, 2}, []int{2})
	layer("hidden", []int{3 * channels, hidden}, []int{hidden})
	layer("pawn", []int{hidden, PawnActions}, []int{PawnActions})
	layer("wdl", []int{hidden, Outcomes}, []int{Outcomes})
	if a.Heads.Reply {
		layer("reply_wall", []int{2, channels, 2, 2}, []int{2})
		layer("reply_pawn", []int{hidden, PawnActions}, []int{PawnActions})
	}
	if a.Heads.Margin {
		layer("margin", []int{hidden, 1}, []int{1})
	}
	if a.Heads.Plies {
		layer("plies", []int{hidden, 1}, []int{1})
	}
	return list
}

// FoldedParams lists the parameters of a network whose batch norms are folded
// into the convolutions, which have a bias instead.
func (a Arch) FoldedParams() []Param {
	all, trunk := a.Params(), NormParams*(1+2*a.Blocks)
	var list []Param
	for _, p := range all[:trunk] {
		if len(p.Shape) == 4 {
			list = append(list, Param{p.Name + ".weight", p.Shape, Weight}, Param{p.Name + ".bias", []int{a.Channels}, Plain})
		}
	}
	return append(list, all[trunk:]...)
}

// NormParams is the number of parameters of a convolution with its batch norm.
const NormParams = 5
