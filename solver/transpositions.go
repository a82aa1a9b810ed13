package solver

import (
	"unsafe"

	"rampart/quoridor"
)

// transpositions is the search's memory: what is proved of a position, by the exact position or its mirror image, whichever comes
// first. Nothing is ever taken for something else. When a bucket is full, the entry that took the least depth goes.
type transpositions struct {
	entries []entry
	used    int
}

const bucket = 4

// entry is what is proved of a position: the side to move wins within winBy plies (0: not known), does not within noWinBy, loses
// within lossBy, does not within noLossBy.
type entry struct {
	position                         quoridor.Position
	winBy, noWinBy, lossBy, noLossBy uint8
	best                             quoridor.Move
	taken                            bool
}

func newTranspositions(memory int64) *transpositions {
	n := int64(bucket)
	for n*2*int64(unsafe.Sizeof(entry{})) <= memory {
		n *= 2
	}
	return &transpositions{entries: make([]entry, n)}
}

func (t *transpositions) fill() float64 { return float64(t.used) / float64(len(t.entries)) }

// found is an entry's content, the place that it came from, and how to turn its moves back.
type found struct {
	entry
	at       []entry
	board    *quoridor.Board
	mirrored bool
}

// find returns what is known of the position.
func (t *transpositions) find(b *quoridor.Board, p *quoridor.Position) found {
	key, mirrored := *p, false
	if image := b.Mirror(key); image.Compare(key) < 0 {
		key, mirrored = image, true
	}
	f := found{at: t.bucket(&key), board: b, mirrored: mirrored}
	f.position, f.best = key, quoridor.NoMove
	for i := range f.at {
		if f.at[i].taken && f.at[i].position == key {
			f.entry = f.at[i]
			break
		}
	}
	return f
}

// move returns the best move known, or NoMove.
func (f *found) move() quoridor.Move {
	if f.mirrored && f.best != quoridor.NoMove {
		return f.board.MirrorMove(f.best)
	}
	return f.best
}

func (f *found) wins(d int) (answer, known bool) {
	switch {
	case f.winBy > 0 && int(f.winBy) <= d:
		return true, true
	case int(f.noWinBy) >= d, f.lossBy > 0:
		return false, true
	}
	return false, false
}

func (f *found) loses(d int) (answer, known bool) {
	switch {
	case f.lossBy > 0 && int(f.lossBy) <= d:
		return true, true
	case int(f.noLossBy) >= d, f.winBy > 0:
		return false, true
	}
	return false, false
}

// store adds the answer for depth d (odd: does the side to move win, even: does it lose) to what is known.
func (t *transpositions) store(f *found, d int, yes bool, best quoridor.Move) {
	t.merge(f)
	switch {
	case d%2 == 1 && yes:
		f.winBy = sooner(f.winBy, d)
	case d%2 == 1:
		f.noWinBy = max(f.noWinBy, uint8(d))
	case yes:
		f.lossBy = sooner(f.lossBy, d)
	default:
		f.noLossBy = max(f.noLossBy, uint8(d))
	}
	f.best = best
	if f.mirrored && best != quoridor.NoMove {
		f.best = f.board.MirrorMove(best)
	}
	f.taken = true
	t.put(&f.entry)
}

// put stores the entry in its bucket: in its old place, in a free one, or in that of the entry that took the least depth.
func (t *transpositions) put(e *entry) {
	at := t.bucket(&e.position)
	place := &at[0]
	for i := range at {
		old := &at[i]
		if !old.taken || old.position == e.position {
			place = old
			break
		}
		if old.effort() < place.effort() {
			place = old
		}
	}
	if !place.taken {
		t.used++
	}
	*place = *e
}

// bucket returns the entries among which the position is looked for.
func (t *transpositions) bucket(p *quoridor.Position) []entry {
	first := int(p.Hash()&uint64(len(t.entries)/bucket-1)) * bucket
	return t.entries[first : first+bucket]
}

// sooner returns the lesser of a number of plies, 0 for none, and d.
func sooner(by uint8, d int) uint8 {
	if by == 0 || d < int(by) {
		return uint8(d)
	}
	return by
}

// merge takes over what was learned of the position since it was found.
func (t *transpositions) merge(f *found) {
	for i := range f.at {
		if e := &f.at[i]; e.taken && e.position == f.position {
			f.entry = *e
			return
		}
	}
}

func (e *entry) effort() uint8 { return max(e.winBy, e.noWinBy, e.lossBy, e.noLossBy) }
