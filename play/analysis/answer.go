package analysis

import (
	"slices"

	"rampart/play"
	"rampart/quoridor"
	"rampart/solver"
)

// Answer is what the server says of one position of a query.
type Answer struct {
	ID             string             `json:"id"`
	TurnNumber     int                `json:"turnNumber"`
	IsDuringSearch bool               `json:"isDuringSearch"`
	NoResults      bool               `json:"noResults,omitempty"` // the query was terminated before the search began
	RootInfo       *RootInfo          `json:"rootInfo,omitempty"`
	MoveInfos      []MoveInfo         `json:"moveInfos,omitempty"` // best first; empty if the game is over
	Policy         map[string]float64 `json:"policy,omitempty"`    // the network's first thought of each legal move
}

// RootInfo is about the position.
type RootInfo struct {
	Position      string     `json:"position"`
	CurrentPlayer int        `json:"currentPlayer"`
	Winrate       float64    `json:"winrate"`
	RawWinrate    float64    `json:"rawWinrate"` // before any search
	Utility       float64    `json:"utility"`    // -1 to 1
	WDL           [3]float64 `json:"wdl"`
	Visits        int        `json:"visits"`
	Exact         *ExactInfo `json:"exact,omitempty"`
	Result        string     `json:"result,omitempty"` // in words, if the game is over
}

// MoveInfo is about one move.
type MoveInfo struct {
	Move     string     `json:"move"`
	Order    int        `json:"order"` // 0 for the choice
	Visits   int        `json:"visits"`
	Winrate  float64    `json:"winrate"`
	LCB      float64    `json:"lcb"` // end of the 95 % interval that is worse for the mover
	Utility  float64    `json:"utility"`
	Prior    float64    `json:"prior"`
	PV       []string   `json:"pv"`
	PVVisits []int      `json:"pvVisits,omitempty"`
	Exact    *ExactInfo `json:"exact,omitempty"`
}

// ExactInfo is the value of best play.
type ExactInfo struct {
	Outcome string `json:"outcome"` // win, draw or loss
	Plies   int    `json:"plies"`   // to the end; 0 for a draw
}

// view turns values for the side to move into those of a report.
type view struct{ turned bool }

func (v view) rate(x float64) float64 {
	if v.turned {
		return 1 - x
	}
	return x
}

func (v view) exact(value solver.Value) *ExactInfo {
	outcome := value.Outcome
	if v.turned {
		outcome = -outcome
	}
	return &ExactInfo{outcome.String(), value.Plies}
}

// answer puts an opinion into the words of the protocol.
func (c *Config) answer(g *quoridor.Game, o *Opinion, policy, pvVisits bool) *Answer {
	p := g.Position()
	v := view{c.Player0 && p.Side() == 1}
	root := &RootInfo{Position: g.Board.Format(p), CurrentPlayer: p.Side()}
	a := &Answer{RootInfo: root}
	if o.Result != quoridor.Undecided {
		root.Result = o.Result.String()
		score := o.Result.Score(p.Side())
		root.setRates(v, score, score, finalWDL(score))
		return a
	}
	r := o.Report
	root.setRates(v, r.WinRate, r.Raw, r.WDL)
	root.Visits = r.Visits
	if o.Exact != nil {
		root.Exact = v.exact(o.Exact.Value)
	}
	for _, m := range choiceFirst(r) {
		info := MoveInfo{
			Move: m.Move.String(), Order: len(a.MoveInfos), Visits: m.Visits, Prior: m.Prior, PV: names(m.Line),
			Winrate: v.rate(m.WinRate), LCB: v.rate(m.Low), Utility: 2*v.rate(m.WinRate) - 1,
		}
		if len(info.PV) == 0 {
			info.PV = []string{info.Move}
		}
		if pvVisits {
			if info.PVVisits = m.LineVisits; len(m.Line) == 0 {
				info.PVVisits = []int{m.Visits}
			}
		}
		if o.Exact != nil {
			info.Exact = v.exact(o.Exact.Moves[m.Move])
		}
		a.MoveInfos = append(a.MoveInfos, info)
	}
	if policy {
		a.Policy = make(map[string]float64, len(r.Moves))
		for _, m := range r.Moves {
			a.Policy[m.Move.String()] = m.Prior
		}
	}
	return a
}

func (r *RootInfo) setRates(v view, winrate, raw float64, wdl [3]float64) {
	if v.turned {
		wdl[0], wdl[2] = wdl[2], wdl[0]
	}
	r.Winrate, r.RawWinrate, r.WDL = v.rate(winrate), v.rate(raw), wdl
	r.Utility = 2*r.Winrate - 1
}

func finalWDL(score float64) [3]float64 {
	switch score {
	case 1:
		return [3]float64{1, 0, 0}
	case 0:
		return [3]float64{0, 0, 1}
	}
	return [3]float64{0, 1, 0}
}

// choiceFirst returns the moves that the engine looked at, its choice first. An engine that only chooses has looked at its choice.
func choiceFirst(r *play.Report) []play.Candidate {
	if !r.Judged {
		return []play.Candidate{{Move: r.Move, Line: []quoridor.Move{r.Move}}}
	}
	seen := slices.DeleteFunc(slices.Clone(r.Moves), func(m play.Candidate) bool { return m.Visits == 0 && m.Share == 0 && m.Move != r.Move })
	if i := slices.IndexFunc(seen, func(m play.Candidate) bool { return m.Move == r.Move }); i > 0 {
		choice := seen[i]
		copy(seen[1:i+1], seen[:i])
		seen[0] = choice
	}
	return seen
}

func names(moves []quoridor.Move) []string {
	list := make([]string, len(moves))
	for i, m := range moves {
		list[i] = m.String()
	}
	return list
}
