package bench

import "time"

// clock measures two times at once: that of the wall, and that of the processor, which does not run while other programs do. On a busy machine
// only rates by the second one can be compared.
type clock struct {
	wall time.Time
	cpu  time.Duration
}

func startClock() clock { return clock{time.Now(), CPUTime()} }

// rates returns n by the seconds of wall-clock time and of processor time (of all threads together); the second is 0 where it is not known.
func (c clock) rates(n int) (wall, cpu float64) {
	wall = float64(n) / time.Since(c.wall).Seconds()
	if used := CPUTime() - c.cpu; used > 0 {
		cpu = float64(n) / used.Seconds()
	}
	return wall, cpu
}
