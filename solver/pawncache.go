package solver

import "rampart/quoridor"

// pawnCache holds the values of the pawns' game without walls in stock, by set of walls. A slot holds the last set that fell into
// it.
type pawnCache struct {
	shape *shape
	solve func(a walls, best, dst [2][]code) error
	none  [2][]code // no walls to place
	keys  []walls
	used  []bool
	codes []code
}

func newPawnCache(s *shape, memory int64) *pawnCache {
	c := &pawnCache{shape: s}
	n := int64(1)
	for n*2*int64(2*s.pairs+17) <= memory {
		n *= 2
	}
	c.keys, c.used, c.codes = make([]walls, n), make([]bool, n), make([]code, n*2*int64(s.pairs))
	for side := range c.none {
		c.none[side] = make([]code, s.pairs)
		fill(c.none[side], codeIllegal)
	}
	if s.cells > wordCells {
		c.solve = func(a walls, best, dst [2][]code) error { return newPlainField(s, a).solve(best, dst) }
		return c
	}
	game := newPawnGame(s)
	c.solve = func(a walls, best, dst [2][]code) error {
		game.reset(s, a)
		return game.solve(best, dst)
	}
	return c
}

// value returns the value that the position would have if neither player had walls left.
func (c *pawnCache) value(p *quoridor.Position) Value {
	key := wallsOf(p)
	slot := int(key.hash() & uint64(len(c.keys)-1))
	pairs := c.shape.pairs
	block := c.codes[slot*2*pairs : (slot+1)*2*pairs]
	if !c.used[slot] || c.keys[slot] != key {
		if err := c.solve(key, c.none, [2][]code{block[:pairs], block[pairs:]}); err != nil {
			return Value{} // longer than a code can say: as good as a draw for any depth of search
		}
		c.used[slot], c.keys[slot] = true, key
	}
	return valueOf(block[p.Side()*pairs+c.shape.index(p)])
}
