package selfplay

import (
	"math/rand/v2"

	"rampart/data"
)

// decision watches the root values of a game and tells when it counts as decided.
type decision struct {
	cfg     *Config
	leader  int // whom the last values favour
	plies   int // for so many in a row
	reached bool
}

// see takes the root value of the search of a ply, for the side to move.
func (d *decision) see(ply int, value float64) {
	leader := ply & 1 // player 0 moves at even plies
	if value < 0 {
		value, leader = -value, 1-leader
	}
	switch {
	case d.reached:
		return
	case d.cfg.ResignValue == 0 || value < d.cfg.ResignValue:
		d.plies = 0
		return
	case d.plies > 0 && leader != d.leader:
		d.plies = 0
	}
	d.leader = leader
	d.plies++
	d.reached = d.plies >= d.cfg.ResignPlies
}

// playedOn tells whether the game with the seed is one of those in which nothing changes when it is decided.
func (c Config) playedOn(seed uint64) bool {
	return rand.New(rand.NewPCG(seed, 0x7265736967)).Float64() < c.ResignPlayedOn
}

// Resignations counts games that counted as decided before their end, and how many of them turned. Those that were played on tell how
// often a resignation would be wrong (AlphaGo Zero wanted less than 5 %).
type Resignations struct {
	Games         int `json:"games"`   // all games
	Decided       int `json:"decided"` // of them
	Wrong         int `json:"wrong"`   // of the decided: the player given up did not lose
	PlayedOn      int `json:"played_on"`
	PlayedOnWrong int `json:"played_on_wrong"`
}

// Add counts a game that was played with the settings. It needs nothing but the game's record.
func (r *Resignations) Add(c Config, g *data.Game) {
	r.Games++
	d := decision{cfg: &c}
	for i := range g.Searches {
		d.see(g.Searches[i].Ply, g.Searches[i].RootValue())
	}
	if !d.reached {
		return
	}
	wrong := 0
	if g.Result.Winner() != d.leader {
		wrong = 1
	}
	r.Decided++
	r.Wrong += wrong
	if c.playedOn(g.Seed) {
		r.PlayedOn++
		r.PlayedOnWrong += wrong
	}
}

// FalsePositives returns the share of the decided games that turned, among those played on to see it; 0 if there were none.
func (r Resignations) FalsePositives() float64 {
	return float64(r.PlayedOnWrong) / float64(max(1, r.PlayedOn))
}
