package data

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"rampart/quoridor"
)

// gameDecoder takes the games out of a block's content, one after the other.
type gameDecoder struct {
	header     *Header
	in         streams
	generation uint32
	id         uint64
	legal      legalMoves
}

// packedGame is a game taken out of the streams but not replayed: its scalars, and its part of each stream.
type packedGame struct {
	Game           // all but moves and searches
	plies          int
	searched       []int // the plies that were searched
	parts          streams
	policyEntryMax int // bound of the number of policy entries
}

// newGameDecoder begins with the first game of the content.
func newGameDecoder(h *Header, content []byte) (*gameDecoder, error) {
	in, err := splitContent(content)
	if err != nil {
		return nil, err
	}
	return &gameDecoder{header: h, in: in}, nil
}

// end returns an error if anything is left after the last game.
func (d *gameDecoder) end() error {
	for i, b := range d.in {
		if len(b) > 0 {
			return fmt.Errorf("%w: %d bytes left in stream %d after the last game", ErrFormat, len(b), i)
		}
	}
	return nil
}

// next takes the next game out of the streams. An error means that the rest of the block cannot be read.
func (d *gameDecoder) next() (*packedGame, error) {
	p := &packedGame{}
	var heads, tails int
	if err := d.scalars(p, &heads, &tails); err != nil {
		return nil, err
	}
	lengths := [numStreams]int{
		streamSeeds:     8,
		streamMoves:     p.plies,
		streamFlags:     len(p.searched),
		streamValueHigh: len(p.searched),
		streamValueLow:  len(p.searched),
		streamHeads:     heads,
		streamTails:     tails,
	}
	for i, n := range lengths {
		var err error
		if p.parts[i], err = d.in.bytes(i, n); err != nil {
			return nil, err
		}
	}
	visits := d.in[streamVisits]
	for range p.searched {
		if _, err := d.in.number(streamVisits, math.MaxUint64); err != nil {
			return nil, err
		}
	}
	p.parts[streamVisits] = visits[:len(visits)-len(d.in[streamVisits])]
	p.Seed = binary.LittleEndian.Uint64(p.parts[streamSeeds])
	p.policyEntryMax = heads
	d.generation, d.id = p.Generation, p.ID
	return p, nil
}

// numbers reads numbers of streamGames until the first error.
type numbers struct {
	in  *streams
	err error
}

func (n *numbers) next(limit uint64) uint64 {
	if n.err != nil {
		return 0
	}
	var v uint64
	v, n.err = n.in.number(streamGames, limit)
	return v
}

// scalars reads a game's part of streamGames.
func (d *gameDecoder) scalars(p *packedGame, heads, tails *int) error {
	n := numbers{in: &d.in}
	p.Rules = d.header.Rules
	if flags := n.next(gameKnownFlags); flags&gameOwnRules != 0 {
		p.Rules.PlyCap = int(n.next(MaxPlies))
		p.Rules.Repetition = n.next(rulesRepetition) != 0
	}
	p.Generation = d.generation + uint32(unzigzag(n.next(math.MaxUint32)))
	p.ID = d.id + unzigzag(n.next(math.MaxUint64))
	p.Result = quoridor.Result(n.next(uint64(quoridor.DrawRepetition)))
	p.Opening = int(n.next(MaxPlies))
	p.plies = int(n.next(MaxPlies))
	searches := int(n.next(uint64(p.plies)))
	if n.err != nil {
		return n.err
	}
	p.searched = make([]int, 0, searches)
	for ply := 0; len(p.searched) < searches && n.err == nil; {
		ply += int(n.next(uint64(p.plies - ply)))
		run := int(n.next(uint64(min(p.plies-ply, searches-len(p.searched)))))
		if run == 0 && n.err == nil {
			return fmt.Errorf("%w: empty run of searched plies", ErrFormat)
		}
		for range run {
			p.searched = append(p.searched, ply)
			ply++
		}
	}
	*heads = int(n.next(uint64(searches * maxHeads)))
	*tails = int(n.next(uint64(searches * maxHeads * 2)))
	return n.err
}

// unpack replays the game and returns it with its searches. The result shares no memory with the block.
func (d *gameDecoder) unpack(p *packedGame) (*Game, error) {
	g := p.Game
	g.Moves = make([]quoridor.Move, p.plies)
	for i, m := range p.parts[streamMoves] {
		g.Moves[i] = quoridor.Move(m)
	}
	replay, err := g.replay(d.header.Board)
	if err != nil {
		return nil, err
	}
	if len(p.searched) == 0 {
		return &g, p.leftOver()
	}
	g.Searches = make([]Search, len(p.searched))
	arena := make([]Prob, 0, p.policyEntryMax)
	var visits uint32
	var expected int16
	for i, ply := range p.searched {
		s := &g.Searches[i]
		s.Ply = ply
		s.Flags = Flags(p.parts[streamFlags][i])
		if s.Flags&^knownFlags != 0 {
			return nil, fmt.Errorf("%w: ply %d: unknown flags %#x", ErrGame, ply, uint8(s.Flags))
		}
		difference, err := p.parts.number(streamVisits, math.MaxUint32)
		if err != nil {
			return nil, err
		}
		s.Visits = visits + uint32(unzigzag(difference))
		s.Value = expected + int16(unzigzag16(uint16(p.parts[streamValueHigh][i])<<8|uint16(p.parts[streamValueLow][i])))
		if s.Value < -valueScale {
			return nil, fmt.Errorf("%w: ply %d: value out of range", ErrGame, ply)
		}
		position := replay.PositionAt(ply)
		start := len(arena)
		arena, err = p.policy(arena, d.legal.of(d.header.Board, &position))
		if err != nil {
			return nil, fmt.Errorf("ply %d: %w", ply, err)
		}
		s.Policy = arena[start:len(arena):len(arena)]
		visits, expected = s.Visits, -s.Value
	}
	return &g, p.leftOver()
}

// leftOver returns an error if the policies were shorter than the game's part of their streams.
func (p *packedGame) leftOver() error {
	if len(p.parts[streamHeads]) > 0 || len(p.parts[streamTails]) > 0 {
		return fmt.Errorf("%w: bytes left after the last policy", ErrPolicy)
	}
	return nil
}

var errPolicyEnds = errors.New("the policy is cut off")

// policy reads the next policy of the game and appends it to dst.
func (p *packedGame) policy(dst []Prob, legal []quoridor.Move) ([]Prob, error) {
	heads, tails := p.parts[streamHeads], p.parts[streamTails]
	sum := 0
	for i := 0; i < len(legal); {
		if len(heads) == 0 {
			return dst, fmt.Errorf("%w: %w", ErrPolicy, errPolicyEnds)
		}
		head := int(heads[0])
		heads = heads[1:]
		var prob int
		switch {
		case head == 0:
			return dst, fmt.Errorf("%w: probability 0 is written out", ErrPolicy)
		case head < headMiddle:
			prob = head
		case head < headLarge:
			if len(tails) < 1 {
				return dst, fmt.Errorf("%w: %w", ErrPolicy, errPolicyEnds)
			}
			prob = baseMiddle + (head-headMiddle)<<8 + int(tails[0])
			tails = tails[1:]
		case head == headLarge:
			if len(tails) < 2 {
				return dst, fmt.Errorf("%w: %w", ErrPolicy, errPolicyEnds)
			}
			prob = baseLarge + int(tails[0])<<8 + int(tails[1])
			tails = tails[2:]
		default:
			i += head - headLarge
			if i > len(legal) {
				return dst, fmt.Errorf("%w: it has more moves than are legal", ErrPolicy)
			}
			continue
		}
		if sum += prob; sum > ProbSum {
			return dst, fmt.Errorf("%w: probabilities sum to more than %d", ErrPolicy, ProbSum)
		}
		dst = append(dst, Prob{legal[i], uint16(prob)})
		i++
	}
	if sum != ProbSum {
		return dst, fmt.Errorf("%w: probabilities sum to %d, not %d", ErrPolicy, sum, ProbSum)
	}
	p.parts[streamHeads], p.parts[streamTails] = heads, tails
	return dst, nil
}
