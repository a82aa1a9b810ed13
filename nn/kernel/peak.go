package kernel

import "time"

// PeakGFLOPS measures the rate, in billions of floating point operations a
// second, at which the implementation in use can multiply and add on one core: a
// multiply-add counts as two. It runs for about 50 milliseconds and returns the
// best of many short rounds, so that another process on the core disturbs it
// little.
func PeakGFLOPS() float64 {
	const (
		budget = 50 * time.Millisecond
		round  = 1 << 21 // multiply-adds, which take some 20 microseconds
	)
	best := 0.0
	for start := time.Now(); time.Since(start) < budget; {
		began := time.Now()
		n := current.multiplyAdd(round)
		best = max(best, 2*float64(n)/float64(time.Since(began).Nanoseconds()))
	}
	return best
}
