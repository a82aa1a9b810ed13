package play

import "rampart/quoridor"

// View is all that there is to show of a node's position: front ends need no rules.
type View struct {
	Node       *Node
	PawnMoves  []quoridor.Move
	WallMoves  []quoridor.Move
	Illegal    []IllegalWall // every wall of the board that is not in WallMoves
	Paths      [2][]quoridor.Cell
	Repetition int // how often the position has been on the board
	PliesLeft  int // until the cap, -1 without one
	Result     Outcome
}

// IllegalWall is a wall that may not be placed.
type IllegalWall struct {
	Wall   quoridor.Move
	Reason quoridor.Reason
	Player int             // the first player whom the wall would cut off, or -1
	Cells  []quoridor.Cell // what he could still reach
}

// View describes the position of a node. Nothing may be played where the game is over.
func (g *Game) View(id NodeID) (*View, error) {
	n, err := g.Node(id)
	if err != nil {
		return nil, err
	}
	b, p := g.setup.Board, n.Position
	v := &View{Node: n, Repetition: g.Repetition(id), PliesLeft: -1, Result: g.Result(id)}
	if g.setup.Rules.PlyCap > 0 {
		v.PliesLeft = max(0, g.setup.Rules.PlyCap-n.Ply)
	}
	for player := range 2 {
		v.Paths[player] = b.Path(&p, player)
	}
	if !v.Result.Over {
		v.PawnMoves = b.PawnMoves(nil, &p)
	}
	for y := range b.H - 1 {
		for x := range b.W - 1 {
			for _, m := range [2]quoridor.Move{quoridor.HWall(x, y), quoridor.VWall(x, y)} {
				v.addWall(b, &p, m)
			}
		}
	}
	return v, nil
}

func (v *View) addWall(b *quoridor.Board, p *quoridor.Position, m quoridor.Move) {
	reason := b.WhyIllegal(p, m)
	if v.Result.Over {
		reason = quoridor.GameOver
	}
	w := IllegalWall{Wall: m, Reason: reason, Player: -1}
	switch reason {
	case quoridor.Legal:
		v.WallMoves = append(v.WallMoves, m)
		return
	case quoridor.CutsOff0, quoridor.CutsOff1:
		w.Player = int(reason - quoridor.CutsOff0)
		after := b.Play(*p, m)
		w.Cells = b.Reachable(&after, w.Player)
	}
	v.Illegal = append(v.Illegal, w)
}
