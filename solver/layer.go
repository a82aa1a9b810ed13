package solver

// layer is the set of wall classes with the same number of walls, and, once worked out, their values. A class is a set of walls
// together with its images under the table's group, named by the least of them.
//
// The walls placed since the root came from the two players in different shares: split t of a layer means that player 0 placed
// first+t of them. A class has one block of values for each split; equal neighbours share one.
type layer struct {
	placed int // walls placed since the root
	first  int // least number of them that player 0 can have placed
	splits int

	keys   []walls
	slots  []uint32 // open addressing hash table of class numbers plus 1; length a power of two
	blocks []uint32 // block number of class c, split t at c*splits + t
	done   []bool   // batches of classes that are worked out
	arena  *arena   // nil if there are no values yet, or if they were given up
}

// begin makes the layer ready for values.
func (l *layer) begin(store *arena) {
	l.arena = store
	l.blocks = make([]uint32, len(l.keys)*l.splits)
	l.done = make([]bool, (len(l.keys)+batch-1)/batch)
}

// forget drops everything but the layer's place.
func (l *layer) forget() { *l = layer{placed: l.placed, first: l.first, splits: l.splits} }

// newLayer returns an empty layer below a root where the players have left walls.
func newLayer(placed int, left [2]int) *layer {
	l := &layer{placed: placed, first: max(0, placed-left[1])}
	l.splits = min(placed, left[0]) - l.first + 1
	l.slots = make([]uint32, 16)
	return l
}

func (a walls) hash() uint64 {
	x := (a.h ^ a.v*0x9E3779B97F4A7C15) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>29) * 0x94D049BB133111EB
	return x ^ x>>32
}

// find returns the number of the class, or -1.
func (l *layer) find(key walls) int {
	mask := uint64(len(l.slots) - 1)
	for at := key.hash() & mask; ; at = (at + 1) & mask {
		n := l.slots[at]
		if n == 0 {
			return -1
		}
		if l.keys[n-1] == key {
			return int(n - 1)
		}
	}
}

// add adds a class that is not there yet.
func (l *layer) add(key walls) {
	if (len(l.keys)+1)*2 > len(l.slots) {
		l.slots = make([]uint32, 2*len(l.slots))
		for i := range l.keys {
			l.insert(uint32(i))
		}
	}
	l.keys = append(l.keys, key)
	l.insert(uint32(len(l.keys) - 1))
}

func (l *layer) insert(class uint32) {
	mask := uint64(len(l.slots) - 1)
	at := l.keys[class].hash() & mask
	for l.slots[at] != 0 {
		at = (at + 1) & mask
	}
	l.slots[at] = class + 1
}

// overhead returns the bytes that the layer takes besides its values.
func (l *layer) overhead() int64 {
	return int64(16*cap(l.keys) + 4*len(l.slots) + 4*l.splits*len(l.keys))
}

// block returns the values of a class and split: first those with player 0 to move, then those with player 1 to move.
func (l *layer) block(class, split int) []code {
	return l.arena.block(l.blocks[class*l.splits+split])
}
