package web

import (
	"time"

	"rampart/play"
	"rampart/quoridor"
)

// The messages of API.md. Moves and squares are text.

type playerMessage struct {
	Spec   string `json:"spec"`
	Name   string `json:"name"`
	Engine bool   `json:"engine"`
}

type clockSetup struct {
	Base      int64   `json:"base"`
	Increment int64   `json:"increment"`
	Left      []int64 `json:"left,omitempty"`
}

type setupMessage struct {
	Board      string           `json:"board"`
	Walls      int              `json:"walls"`
	Start      string           `json:"start"`
	PlyCap     int              `json:"plyCap"`
	Repetition bool             `json:"repetition"`
	Players    [2]playerMessage `json:"players"`
	Clock      *clockSetup      `json:"clock"`
}

type evalMessage struct {
	Win0   float64 `json:"win0"`
	Visits int     `json:"visits"`
}

type nodeMessage struct {
	ID       play.NodeID   `json:"id"`
	Parent   play.NodeID   `json:"parent"`
	Ply      int           `json:"ply"`
	Side     *int          `json:"side,omitempty"`
	Move     string        `json:"move,omitempty"`
	Children []play.NodeID `json:"children"`
	evaluation
}

// evaluation is what is known of a node's position and move.
type evaluation struct {
	Eval *evalMessage `json:"eval,omitempty"`
	Loss *float64     `json:"loss,omitempty"`
	Mark play.Mark    `json:"mark,omitempty"`
}

type nodeEvaluation struct {
	ID play.NodeID `json:"id"`
	evaluation
}

type resultMessage struct {
	Winner int         `json:"winner"`
	Reason play.Reason `json:"reason"`
	Text   string      `json:"text"`
}

type illegalMessage struct {
	Code   string   `json:"code"`
	Text   string   `json:"text"`
	Player *int     `json:"player,omitempty"`
	Cells  []string `json:"cells,omitempty"`
}

type recordMessage struct {
	Value  float64            `json:"value"`
	Visits int                `json:"visits"`
	Policy map[string]float64 `json:"policy"`
	Fast   bool               `json:"fast"`
}

type viewMessage struct {
	Node       play.NodeID               `json:"node"`
	Ply        int                       `json:"ply"`
	Position   string                    `json:"position"`
	Side       int                       `json:"side"`
	Pawns      [2]string                 `json:"pawns"`
	Walls      []string                  `json:"walls"`
	Left       [2]int                    `json:"left"`
	PawnMoves  []string                  `json:"pawnMoves"`
	WallMoves  []string                  `json:"wallMoves"`
	Illegal    map[string]illegalMessage `json:"illegal"`
	Paths      [2][]string               `json:"paths"`
	Lengths    [2]int                    `json:"lengths"`
	Repetition int                       `json:"repetition"`
	PliesLeft  int                       `json:"pliesLeft"`
	Result     *resultMessage            `json:"result"`
	Record     *recordMessage            `json:"record,omitempty"`
}

type turnMessage struct {
	Side     int    `json:"side"`
	Engine   bool   `json:"engine"`
	Thinking bool   `json:"thinking"`
	Error    string `json:"error"`
}

type clockMessage struct {
	Left    [2]int64 `json:"left"`
	Running int      `json:"running"`
}

type analysisSwitch struct {
	On      bool `json:"on"`
	Allowed bool `json:"allowed"`
}

type reviewMessage struct {
	Running bool `json:"running"`
	Done    int  `json:"done"`
	Of      int  `json:"of"`
}

type stateMessage struct {
	ID        string         `json:"id"`
	Version   int            `json:"version"`
	Seq       int            `json:"seq"`
	Setup     setupMessage   `json:"setup"`
	Nodes     []nodeMessage  `json:"nodes"`
	Line      []play.NodeID  `json:"line"`
	Cursor    play.NodeID    `json:"cursor"`
	Head      play.NodeID    `json:"head"`
	HeadMoves []string       `json:"headMoves"`
	View      viewMessage    `json:"view"`
	Turn      turnMessage    `json:"turn"`
	Result    *resultMessage `json:"result"`
	Clock     *clockMessage  `json:"clock"`
	Hints     bool           `json:"hints"`
	Analysis  analysisSwitch `json:"analysis"`
	Review    reviewMessage  `json:"review"`
	Text      string         `json:"text"`
	Share     string         `json:"share"`
	Title     string         `json:"title"`
}

type candidateMessage struct {
	Move    string   `json:"move"`
	Visits  int      `json:"visits"`
	Share   float64  `json:"share"`
	WinRate float64  `json:"winrate"`
	Prior   float64  `json:"prior"`
	PV      []string `json:"pv"`
}

type analysisMessage struct {
	Node    play.NodeID        `json:"node"`
	Side    int                `json:"side"`
	Running bool               `json:"running"`
	Waiting bool               `json:"waiting"`
	Visits  int                `json:"visits"`
	Time    int64              `json:"time"`
	Engine  string             `json:"engine"`
	Trained bool               `json:"trained"`
	WDL     [3]float64         `json:"wdl"`
	WinRate float64            `json:"winrate"`
	Moves   []candidateMessage `json:"moves"`
	Policy  map[string]float64 `json:"policy"`
	Exact   *exactMessage      `json:"exact"`
	Error   string             `json:"error"`
}

type evalsMessage struct {
	Seq    int              `json:"seq"`
	Nodes  []nodeEvaluation `json:"nodes"`
	Review reviewMessage    `json:"review"`
}

// texts spells moves or squares out. The result is never nil, so that it becomes a list in JSON.
func texts[T interface{ String() string }](list []T) []string {
	out := make([]string, len(list))
	for i, m := range list {
		out[i] = m.String()
	}
	return out
}

func resultOf(o play.Outcome) *resultMessage {
	if !o.Over {
		return nil
	}
	return &resultMessage{Winner: o.Winner, Reason: o.Reason, Text: o.String()}
}

var illegalCodes = map[quoridor.Reason]string{
	quoridor.GameOver: "over", quoridor.NoWallsLeft: "nowalls", quoridor.Crosses: "crosses", quoridor.Overlaps: "overlaps",
	quoridor.CutsOff0: "cutoff", quoridor.CutsOff1: "cutoff",
}

func viewOf(g *play.Game, id play.NodeID, evaluations bool) (viewMessage, error) {
	v, err := g.View(id)
	if err != nil {
		return viewMessage{}, err
	}
	b, p := g.Setup().Board, v.Node.Position
	out := viewMessage{
		Node: id, Ply: v.Node.Ply, Position: b.Format(p), Side: p.Side(), Walls: texts(p.Walls()),
		PawnMoves: texts(v.PawnMoves), WallMoves: texts(v.WallMoves), Illegal: make(map[string]illegalMessage, len(v.Illegal)),
		Repetition: v.Repetition, PliesLeft: v.PliesLeft, Result: resultOf(v.Result),
	}
	for player := range 2 {
		out.Pawns[player], out.Left[player] = p.Pawn(player).String(), p.WallsLeft(player)
		out.Paths[player], out.Lengths[player] = texts(v.Paths[player]), len(v.Paths[player])-1
	}
	for _, w := range v.Illegal {
		m := illegalMessage{Code: illegalCodes[w.Reason], Text: w.Reason.String()}
		if w.Player >= 0 {
			m.Player, m.Cells = &w.Player, texts(w.Cells)
		}
		out.Illegal[w.Wall.String()] = m
	}
	if r := v.Node.Record; r != nil && evaluations {
		out.Record = &recordMessage{Value: r.Value, Visits: r.Visits, Policy: make(map[string]float64, len(r.Policy)), Fast: r.Fast}
		for _, m := range r.Policy {
			out.Record.Policy[m.Move.String()] = m.Share
		}
	}
	return out, nil
}

// evaluationOf returns what is known of a node.
func evaluationOf(g *play.Game, id play.NodeID) (e evaluation) {
	if known := g.EvalAt(id); known != nil {
		e.Eval = &evalMessage{Win0: known.WinRate, Visits: known.Visits}
	}
	if loss, known := g.Loss(id); known {
		e.Loss, e.Mark = &loss, play.MarkOf(loss)
	}
	return e
}

func nodesOf(g *play.Game, evaluations bool) []nodeMessage {
	nodes := g.Nodes()
	out := make([]nodeMessage, len(nodes))
	for i, n := range nodes {
		m := nodeMessage{ID: n.ID, Parent: n.Parent, Ply: n.Ply, Children: n.Children}
		if n.Children == nil {
			m.Children = []play.NodeID{}
		}
		if n.Parent >= 0 {
			side := 1 - n.Position.Side()
			m.Side, m.Move = &side, n.Move.String()
		}
		if evaluations {
			m.evaluation = evaluationOf(g, n.ID)
		}
		out[i] = m
	}
	return out
}

func milliseconds(d [2]time.Duration) [2]int64 {
	return [2]int64{d[0].Milliseconds(), d[1].Milliseconds()}
}

func setupOf(s *play.Setup) setupMessage {
	out := setupMessage{
		Board: sizeOf(s.Board), Walls: s.Board.Walls, Start: s.Board.Format(s.Start), PlyCap: s.Rules.PlyCap, Repetition: s.Rules.Repetition,
	}
	for seat := range 2 {
		out.Players[seat] = playerMessage{Spec: s.Players[seat], Name: s.Name(seat), Engine: s.IsEngine(seat)}
	}
	if s.Clock.On() {
		out.Clock = &clockSetup{Base: s.Clock.Base.Milliseconds(), Increment: s.Clock.Increment.Milliseconds()}
	}
	return out
}

// analysisOf puts a report into a message.
func (m *analysisMessage) report(r *play.Report) {
	m.Visits, m.Time, m.WDL, m.WinRate = r.Visits, r.Elapsed.Milliseconds(), r.WDL, r.WinRate
	m.Moves, m.Policy = []candidateMessage{}, make(map[string]float64)
	for i, c := range r.Moves {
		if i < play.MostLines && (c.Visits > 0 || i == 0) {
			m.Moves = append(m.Moves, candidateMessage{c.Move.String(), c.Visits, c.Share, c.WinRate, c.Prior, texts(c.Line)})
		}
		if c.Prior >= 0.001 {
			m.Policy[c.Move.String()] = c.Prior
		}
	}
}
