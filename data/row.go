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
	Margin    float32         // steps that the loser was from his goal at the end, positive if the side to move won; 0 for a draw
	Weight    float32         // in the loss, normally 1 (see [Flags.Weight])

	// The policy target of the next ply: what the opponent answered to the move played. Empty if that was not searched.
	Reply      []quoridor.Move
	ReplyProbs []float32 // of Reply; they sum to 1 within rounding

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
	for _, moves := range [][]quoridor.Move{r.Moves, r.Reply} {
		for i, m := range moves {
			moves[i] = b.MirrorMove(m)
		}
	}
	r.Mirrored = !r.Mirrored
}

// packedRow is a row in memory. It has no pointers, so that the garbage collector does not look at the window.
type packedRow struct {
	position  quoridor.Position
	policy    uint32 // where its policy begins in the chunk's policies
	reply     uint32 // the same for the next ply's, if it has entries
	game      uint32 // index in the chunk's games
	ply       uint16
	pliesLeft uint16
	value     int16
	outcome   int8  // 1, 0 or -1 for the side to move
	margin    int8  // see Row
	weight    Flags // holds the row's weight
	entries   uint8 // of the policy
	replies   uint8 // entries of the reply
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
	margin := finalMargin(b, g)
	p, ply, last := b.Start(), 0, -1 // last is the ply of the row before, the last in rows
	for i := range g.Searches {
		s := &g.Searches[i]
		for ; ply < s.Ply; ply++ {
			p = b.Play(p, g.Moves[ply])
		}
		replies := last >= 0 && last == ply-1
		if !replies && !s.Trains() {
			continue
		}
		at := c.addPolicy(s.Policy)
		if replies {
			before := &(*rows)[len(*rows)-1]
			before.reply, before.replies = at, uint8(len(s.Policy))
		}
		last = -1
		if !s.Trains() {
			continue
		}
		last = ply
		outcome := g.Outcome(ply)
		*rows = append(*rows, packedRow{
			position:  p,
			policy:    at,
			game:      uint32(len(c.games) - 1),
			ply:       uint16(ply),
			pliesLeft: uint16(len(g.Moves) - ply),
			value:     s.Value,
			outcome:   int8(outcome),
			margin:    int8(outcome * margin),
			weight:    s.Flags,
			entries:   uint8(len(s.Policy)),
		})
	}
}

// addPolicy appends a policy and returns where it begins.
func (c *chunk) addPolicy(policy []Prob) uint32 {
	at := uint32(len(c.policies))
	for _, e := range policy {
		c.policies = append(c.policies, byte(e.Move))
		c.policies = binary.AppendUvarint(c.policies, uint64(e.P))
	}
	return at
}

// finalMargin returns how many steps the loser was from his goal when the game ended; 0 for a draw.
func finalMargin(b *quoridor.Board, g *Game) int {
	winner := g.Result.Winner()
	if winner < 0 {
		return 0
	}
	p := b.Start()
	for _, m := range g.Moves {
		p = b.Play(p, m)
	}
	return b.Distance(&p, 1-winner)
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
		Reply:      r.Reply[:0],
		ReplyProbs: r.ReplyProbs[:0],
		WDL:        outcomeShares(int(p.outcome)),
		Value:      float32(p.value) / valueScale,
		PliesLeft:  float32(p.pliesLeft),
		Margin:     float32(p.margin),
		Weight:     p.weight.Weight(),
		Generation: g.generation,
		ID:         g.id,
		Ply:        int(p.ply),
		Count:      1,
	}
	r.Moves, r.Probs = appendPolicy(r.Moves, r.Probs, c.policies[p.policy:], p.entries)
	r.Reply, r.ReplyProbs = appendPolicy(r.Reply, r.ReplyProbs, c.policies[p.reply:], p.replies)
}

// appendPolicy unpacks the first entries of in.
func appendPolicy(moves []quoridor.Move, probs []float32, in []byte, entries uint8) ([]quoridor.Move, []float32) {
	for range entries {
		v, n := binary.Uvarint(in[1:])
		moves, probs = append(moves, quoridor.Move(in[0])), append(probs, float32(v)/ProbSum)
		in = in[1+n:]
	}
	return moves, probs
}

// outcomeShares returns win, draw and loss for an outcome.
func outcomeShares(outcome int) [3]float32 {
	var wdl [3]float32
	wdl[1-outcome] = 1
	return wdl
}
