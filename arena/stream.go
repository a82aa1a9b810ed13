package arena

import "math/rand/v2"

// stream derives a seed from a seed and the coordinates of what is to be random. Different coordinates give unrelated seeds.
func stream(seed uint64, coordinates ...uint64) uint64 {
	for _, c := range coordinates {
		seed = mix(seed ^ mix(c))
	}
	return seed
}

// mix is the finaliser of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
func mix(x uint64) uint64 {
	x += 0x9E3779B97F4A7C15
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

// newRand returns the random source of a stream.
func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, mix(seed))) }

// pick returns one of the moves, all equally likely. There must be at least one.
func pick[T any](r *rand.Rand, of []T) T { return of[r.IntN(len(of))] }
