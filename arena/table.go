package arena

import "rampart/quoridor"

// table is a transposition table. An entry holds its whole position, so that two positions are never confused. A position has
// two places: one keeps the deepest search, the other the latest.
type table struct {
	entries []entry
	mask    uint64
	game    uint16 // entries of other games are unused
}

// entry is what a search has found about a position.
type entry struct {
	position quoridor.Position
	score    int16
	depth    int8
	bound    bound
	move     quoridor.Move
	game     uint16
}

// bound says how an entry's score relates to the true one.
type bound uint8

const (
	exact bound = iota
	atLeast
	atMost
)

const entryBytes = 32

func newTable(mib int) table {
	n := uint64(2)
	for n*2*entryBytes <= uint64(mib)<<20 {
		n *= 2
	}
	return table{entries: make([]entry, n), mask: n - 1, game: 1}
}

// newGame forgets all entries. Game numbers come round after 2^16 games, when the table is cleared.
func (t *table) newGame() {
	if t.game++; t.game == 0 {
		clear(t.entries)
		t.game = 1
	}
}

// places returns the entries where the position may stand.
func (t *table) places(p *quoridor.Position) *[2]entry {
	return (*[2]entry)(t.entries[p.Hash()&t.mask&^1:])
}

// probe returns the entry of the position, or nil.
func (t *table) probe(p *quoridor.Position) *entry {
	for i := range t.places(p) {
		if e := &t.places(p)[i]; e.game == t.game && e.position == *p {
			return e
		}
	}
	return nil
}

// store keeps the result of a search with the window (alpha, beta).
func (t *table) store(p *quoridor.Position, m quoridor.Move, score, depth, ply, alpha, beta int) {
	e := entry{position: *p, score: int16(relative(score, ply)), depth: int8(depth), bound: exact, move: m, game: t.game}
	if score <= alpha {
		e.bound = atMost
	} else if score >= beta {
		e.bound = atLeast
	}
	places := t.places(p)
	if deepest := &places[0]; deepest.game != t.game || deepest.position == *p || deepest.depth <= e.depth {
		if deepest.game == t.game && deepest.position != *p {
			places[1] = *deepest
		}
		*deepest = e
		return
	}
	places[1] = e
}

// cutoff returns the entry's score if it decides a search of the given depth and window.
func (e *entry) cutoff(alpha, beta, depth, ply int) (int, bool) {
	if int(e.depth) < depth {
		return 0, false
	}
	score := absolute(int(e.score), ply)
	switch {
	case e.bound == exact, e.bound == atLeast && score >= beta, e.bound == atMost && score <= alpha:
		return score, true
	}
	return 0, false
}

// relative turns the score of a win, which counts plies from the root, into one that counts from the position; absolute is its
// inverse.
func relative(score, ply int) int {
	switch {
	case score >= surelyWon:
		return score + ply
	case score <= -surelyWon:
		return score - ply
	}
	return score
}

func absolute(score, ply int) int {
	switch {
	case score >= surelyWon:
		return score - ply
	case score <= -surelyWon:
		return score + ply
	}
	return score
}
