package data

import (
	"encoding/binary"

	"rampart/quoridor"
)

// Row is one training example: a position and what is to be learnt about it. Every value is for the side to move.
type Row struct {
	Position  quoridor.Position
	Moves     []quoridor.Move // the moves of the policy target that have a probability, in no particular order
	Probs     []float32       // of Moves; they sum to 1 within rounding
	WDL       [3]float32      // result of the game: win, draw, loss; one of them is 1, or they are shares of Count games
	Value     float32         // root value of the search, -1 to 1
	PliesLeft float32         // plies from here to the end of the game

	Generation uint32 // the game that the row is from, the first one if there are several
	ID         uint64
	Ply        int
	Count      int  // rows that were averaged; 1 unless WindowConfig.MergeDuplicates
	Mirrored   bool // left and right are exchanged against the game
}

// Policy sets dst[i] to the probability of moves[i] in the row's policy target.
func (r *Row) Policy(moves []quoridor.Move, dst []float32) {
	var table [256]float32
	for i, m := range r.Moves {
		table[m] = r.Probs[i]
	}
	for i, m := range moves {
		dst[i] = table[m]
	}
}

// mirror exchanges left and right.
func (r *Row) mirror(b *quoridor.Board) {
	r.Position = b.Mirror(r.Position)
	for i, m := range r.Moves {
		r.Moves[i] = b.MirrorMove(m)
	}
	r.Mirrored = !r.Mirrored
}

// packedRow is a row in memory. It has no pointers, so that the garbage collector does not look at the window.
type packedRow struct {
	position  quoridor.Position
	policy    uint32 // where its policy begins in the chunk's policies
	game      uint32 // index in the chunk's games
	ply       uint16
	pliesLeft uint16
	value     int16
	outcome   int8  // 1, 0 or -1 for the side to move
	entries   uint8 // of the policy
}

// chunk is the part of the window that comes from one shard.
type chunk struct {
	first    int // number in the shard of the first game that is here
	trimmed  int // games from there that are no longer in the window
	games    []gameKey
	train    []packedRow
	held     []packedRow
	policies []byte // of each row its entries: move, probability as a number of variable length
}

// add appends the rows of a game.
func (c *chunk) add(b *quoridor.Board, g *Game, held bool) {
	c.games = append(c.games, g.key())
	rows := &c.train
	if held {
		rows = &c.held
	}
	p, ply := b.Start(), 0
	for i := range g.Searches {
		s := &g.Searches[i]
		for ; ply < s.Ply; ply++ {
			p = b.Play(p, g.Moves[ply])
		}
		if !s.Trains() {
			continue
		}
		*rows = append(*rows, packedRow{
			position:  p,
			policy:    uint32(len(c.policies)),
			game:      uint32(len(c.games) - 1),
			ply:       uint16(ply),
			pliesLeft: uint16(len(g.Moves) - ply),
			value:     s.Value,
			outcome:   int8(g.Outcome(ply)),
			entries:   uint8(len(s.Policy)),
		})
		for _, e := range s.Policy {
			c.policies = append(c.policies, byte(e.Move))
			c.policies = binary.AppendUvarint(c.policies, uint64(e.P))
		}
	}
}

// trim drops the games before the given number in the shard.
func (c *chunk) trim(first int) {
	n := first - c.first
	c.trimmed = max(c.trimmed, n) // games stays as it is, since rows refer to it by index
	drop := func(rows []packedRow) []packedRow {
		i := 0
		for i < len(rows) && int(rows[i].game) < n {
			i++
		}
		return rows[i:]
	}
	c.train, c.held = drop(c.train), drop(c.held)
}

// start returns the number in the shard of the first game that is in the window.
func (c *chunk) start() int { return c.first + c.trimmed }

// numGames returns the number of games that are in the window.
func (c *chunk) numGames() int { return len(c.games) - c.trimmed }

// unpack writes a row of the chunk to r and reuses its memory.
func (c *chunk) unpack(p *packedRow, r *Row) {
	g := c.games[p.game]
	*r = Row{
		Position:   p.position,
		Moves:      r.Moves[:0],
		Probs:      r.Probs[:0],
		WDL:        outcomeShares(int(p.outcome)),
		Value:      float32(p.value) / valueScale,
		PliesLeft:  float32(p.pliesLeft),
		Generation: g.generation,
		ID:         g.id,
		Ply:        int(p.ply),
		Count:      1,
	}
	in := c.policies[p.policy:]
	for range p.entries {
		v, n := binary.Uvarint(in[1:])
		r.Moves = append(r.Moves, quoridor.Move(in[0]))
		r.Probs = append(r.Probs, float32(v)/ProbSum)
		in = in[1+n:]
	}
}

// outcomeShares returns win, draw and loss for an outcome.
func outcomeShares(outcome int) [3]float32 {
	var wdl [3]float32
	wdl[1-outcome] = 1
	return wdl
}
