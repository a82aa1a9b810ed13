package data

// distinctCounter counts different hashes in bounded memory: exactly up to its limit, then by adaptive sampling (Wegman; Flajolet 1990, On
// adaptive sampling): of the hashes only those that end in a growing number of zero bits are kept, and the count is scaled.
type distinctCounter struct {
	seen map[uint64]struct{}
	bits uint // hashes kept end in this many zero bits
}

// distinctLimit is the number of hashes kept; the relative error beyond it is about 1/sqrt(distinctLimit), a thousandth.
const distinctLimit = 1 << 20

func (d *distinctCounter) add(hash uint64) {
	if hash&(1<<d.bits-1) != 0 {
		return
	}
	if d.seen == nil {
		d.seen = map[uint64]struct{}{}
	}
	d.seen[hash] = struct{}{}
	for len(d.seen) > distinctLimit {
		d.bits++
		for h := range d.seen {
			if h&(1<<d.bits-1) != 0 {
				delete(d.seen, h)
			}
		}
	}
}

// count returns the number of different hashes added, exactly if d.bits is 0.
func (d *distinctCounter) count() int { return len(d.seen) << d.bits }
