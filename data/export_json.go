package data

import (
	"bufio"
	"encoding/json"
	"io"
	"strconv"

	"rampart/quoridor"
)

// jsonGame is a game as a line of JSON. Decimals have five places, which is enough to find the fixed-point numbers again.
type jsonGame struct {
	Board      string       `json:"board"`
	Walls      int          `json:"walls"`
	PlyCap     int          `json:"ply_cap"`
	Repetition bool         `json:"repetition"`
	Model      string       `json:"model"`
	Generation uint32       `json:"generation"`
	ID         uint64       `json:"id,string"` // a string, as many readers hold numbers to 53 bits
	Seed       uint64       `json:"seed,string"`
	Opening    int          `json:"opening"`
	Result     string       `json:"result"`
	Moves      []string     `json:"moves"`
	Searches   []jsonSearch `json:"searches"`
}

type jsonSearch struct {
	Ply    int                `json:"ply"`
	Visits uint32             `json:"visits"`
	Value  decimal            `json:"value"`
	Flags  []string           `json:"flags,omitempty"`
	Policy map[string]decimal `json:"policy"`
}

// decimal is a number with five decimal places.
type decimal float64

func (d decimal) MarshalJSON() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(d), 'f', 5, 64), nil
}

// resultNames are the results in exports.
var resultNames = map[quoridor.Result]string{
	quoridor.Win0: "win0", quoridor.Win1: "win1", quoridor.DrawCap: "draw-cap", quoridor.DrawRepetition: "draw-repetition",
}

// Names returns the names of the flags that are set: fast, no-train, and weight=W unless the weight is 1.
func (f Flags) Names() []string {
	var names []string
	if f&FlagFast != 0 {
		names = append(names, "fast")
	}
	if f&FlagNoTrain != 0 {
		names = append(names, "no-train")
	}
	if w := f.Weight(); w != 1 {
		names = append(names, "weight="+strconv.FormatFloat(float64(w), 'f', -1, 32))
	}
	return names
}

// ExportJSON writes the games of the shards as JSON, one line a game, and returns their number. Keys: board (columns x rows), walls (of each
// player at the start), ply_cap (0 for none), repetition, model, generation, id, seed, opening (plies without a search at the
// start), result (win0, win1, draw-cap, draw-repetition), moves; and searches with ply (0 for the first move), visits, value (of the root, -1 to 1
// for the side to move), flags (fast, no-train) and policy (probability by move).
func ExportJSON(w io.Writer, paths []string) (games int, err error) {
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	err = visitAll(paths, func(h *Header, g *Game) error {
		games++
		return enc.Encode(newJSONGame(h, g))
	})
	if err != nil {
		return games, err
	}
	return games, out.Flush()
}

func newJSONGame(h *Header, g *Game) *jsonGame {
	j := &jsonGame{
		Board: strconv.Itoa(h.Board.W) + "x" + strconv.Itoa(h.Board.H), Walls: h.Board.Walls,
		PlyCap: g.Rules.PlyCap, Repetition: g.Rules.Repetition,
		Model: h.Model, Generation: g.Generation, ID: g.ID, Seed: g.Seed,
		Opening: g.Opening, Result: resultNames[g.Result],
		Moves:    make([]string, len(g.Moves)),
		Searches: make([]jsonSearch, len(g.Searches)),
	}
	for i, m := range g.Moves {
		j.Moves[i] = m.String()
	}
	for i := range g.Searches {
		s := &g.Searches[i]
		policy := make(map[string]decimal, len(s.Policy))
		for _, e := range s.Policy {
			policy[e.Move.String()] = decimal(float64(e.P) / ProbSum)
		}
		j.Searches[i] = jsonSearch{s.Ply, s.Visits, decimal(s.RootValue()), s.Flags.Names(), policy}
	}
	return j
}
