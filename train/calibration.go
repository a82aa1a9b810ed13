package train

import "math"

// calibrationBins is the number of equal parts of 0 to 1 that predictions are sorted into.
const calibrationBins = 10

// calibration compares what a network expected of games with what came of them. Both are points for the side to move: 1 for a win, 1/2 for
// a draw.
type calibration struct {
	bins [calibrationBins]struct{ rows, expected, actual float64 }
}

// add counts a row.
func (c *calibration) add(expected, actual float64) {
	b := &c.bins[min(calibrationBins-1, int(expected*calibrationBins))]
	b.rows++
	b.expected += expected
	b.actual += actual
}

// err returns the expected calibration error (Guo et al. 2017, On calibration of modern neural networks): how far the mean result of the
// rows in a bin is from the mean that was expected, on average over the rows. 0 is perfect.
func (c *calibration) err() float64 {
	rows, sum := 0.0, 0.0
	for _, b := range c.bins {
		rows += b.rows
		sum += math.Abs(b.expected - b.actual)
	}
	if rows == 0 {
		return 0
	}
	return sum / rows
}

// points returns the points that probabilities of win, draw and loss promise.
func points(wdl [3]float32) float64 { return float64(wdl[0]) + float64(wdl[1])/2 }
