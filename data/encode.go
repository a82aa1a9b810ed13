package data

import (
	"encoding/binary"

	"rampart/quoridor"
)

// Bits of a game's first number.
const (
	gameOwnRules   = 1 << iota // its ply cap and rules follow; without it they are the shard's
	gameKnownFlags = gameOwnRules
)

// Codes of policies in streamHeads and streamTails. A policy is the list of the probabilities of all legal moves, ascending by move. Values
// that are small or of middling size keep their leading bits in the head byte, which compresses, and only the rest in the tail.
const (
	headMiddle = 0x80              // heads below are the probability itself, 1 to 127
	headLarge  = 0xC0              // heads from headMiddle below this: (P-128)/256, one tail byte
	baseMiddle = headMiddle        // P of the first middling value
	baseLarge  = 128 + (64 << 8)   // P of the first large one: two tail bytes
	maxRun     = 0xFF - headLarge  // heads above headLarge: a run of 1 to 63 moves without probability
	maxHeads   = quoridor.MaxMoves // of one policy
)

// gameEncoder appends games to streams. Some numbers are kept as differences to the game before in the block.
type gameEncoder struct {
	board      *quoridor.Board
	rules      quoridor.Rules
	out        streams
	generation uint32
	id         uint64
}

// startBlock begins a new block.
func (e *gameEncoder) startBlock() {
	e.out.reset()
	e.generation, e.id = 0, 0
}

// add checks the game and appends it. On an error nothing is changed.
func (e *gameEncoder) add(g *Game) error {
	replay, err := g.replay(e.board)
	if err != nil {
		return err
	}
	before := e.out.lengths()
	if err := e.addSearches(g, replay); err != nil {
		e.out.cutTo(before)
		return err
	}
	heads, tails := len(e.out[streamHeads])-before[streamHeads], len(e.out[streamTails])-before[streamTails]
	e.addScalars(g, heads, tails)
	e.out[streamSeeds] = binary.LittleEndian.AppendUint64(e.out[streamSeeds], g.Seed)
	for _, m := range g.Moves {
		e.out[streamMoves] = append(e.out[streamMoves], byte(m))
	}
	e.generation, e.id = g.Generation, g.ID
	return nil
}

func (e *gameEncoder) addScalars(g *Game, heads, tails int) {
	out := e.out[streamGames]
	number := func(v uint64) { out = binary.AppendUvarint(out, v) }
	own := g.Rules != e.rules
	if own {
		number(gameOwnRules)
		number(uint64(g.Rules.PlyCap))
		number(uint64(rulesByte(g.Rules)))
	} else {
		number(0)
	}
	number(zigzag(uint64(int64(int32(g.Generation - e.generation)))))
	number(zigzag(g.ID - e.id))
	number(uint64(g.Result))
	number(uint64(g.Opening))
	number(uint64(len(g.Moves)))
	number(uint64(len(g.Searches)))
	// Runs of plies that were not searched and that were, in turn.
	ply := 0
	for i := 0; i < len(g.Searches); {
		first := g.Searches[i].Ply
		n := 1
		for i+n < len(g.Searches) && g.Searches[i+n].Ply == first+n {
			n++
		}
		number(uint64(first - ply))
		number(uint64(n))
		ply = first + n
		i += n
	}
	number(uint64(heads))
	number(uint64(tails))
	e.out[streamGames] = out
}

// addSearches checks the searches and appends them up to the first that is wrong.
func (e *gameEncoder) addSearches(g *Game, replay *quoridor.Game) error {
	var visits uint32
	var expected int16 // the value that the search before makes us expect, seen from the other side
	return g.checkSearches(e.board, replay, func(s *Search, legal []quoridor.Move) {
		e.out[streamFlags] = append(e.out[streamFlags], byte(s.Flags))
		e.out[streamVisits] = binary.AppendUvarint(e.out[streamVisits], zigzag(uint64(int64(int32(s.Visits-visits)))))
		d := zigzag16(uint16(s.Value - expected))
		e.out[streamValueHigh] = append(e.out[streamValueHigh], byte(d>>8))
		e.out[streamValueLow] = append(e.out[streamValueLow], byte(d))
		e.addPolicy(s.Policy, legal)
		visits, expected = s.Visits, -s.Value
	})
}

// addPolicy appends a policy that has been checked against the legal moves.
func (e *gameEncoder) addPolicy(policy []Prob, legal []quoridor.Move) {
	heads, tails := e.out[streamHeads], e.out[streamTails]
	k, run := 0, 0
	for _, m := range legal {
		if k == len(policy) || policy[k].Move != m {
			run++
			continue
		}
		heads = appendRun(heads, run)
		run = 0
		heads, tails = appendProb(heads, tails, policy[k].P)
		k++
	}
	e.out[streamHeads], e.out[streamTails] = appendRun(heads, run), tails
}

// appendRun appends a run of n moves without probability.
func appendRun(heads []byte, n int) []byte {
	for ; n > maxRun; n -= maxRun {
		heads = append(heads, headLarge+maxRun)
	}
	if n > 0 {
		heads = append(heads, byte(headLarge+n))
	}
	return heads
}

func appendProb(heads, tails []byte, p uint16) (h, t []byte) {
	switch {
	case p < baseMiddle:
		return append(heads, byte(p)), tails
	case p < baseLarge:
		p -= baseMiddle
		return append(heads, headMiddle|byte(p>>8)), append(tails, byte(p))
	}
	p -= baseLarge
	return append(heads, headLarge), append(tails, byte(p>>8), byte(p))
}
