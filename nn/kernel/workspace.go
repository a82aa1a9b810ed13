package kernel

// Workspace is the scratch memory of one caller. It must not be used by two
// calls at a time.
type Workspace struct {
	shape   Shape
	workers int
}

// NewWorkspace returns a workspace for boards of shape s with at most
// maxChannels channels. A call that gets the workspace spreads its work over
// the given number of goroutines (at least 1): searching threads evaluate with
// one each, a trainer uses a few. The results do not depend on the number.
func NewWorkspace(s Shape, maxChannels, workers int) *Workspace {
	return &Workspace{shape: s, workers: max(1, workers)}
}
