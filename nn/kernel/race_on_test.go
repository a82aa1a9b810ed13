//go:build race

package kernel

// raceDetector reports that the race detector slows the tests down.
const raceDetector = true
