package kernel

import (
	"sync"
	"sync/atomic"
)

// Workspace is the scratch memory of one caller, and the number of goroutines
// that its calls may use. It must not be used by two calls at a time. It owns no
// goroutine between calls.
type Workspace struct {
	workers []worker
	next    atomic.Int64
	tasks   int64
	job     job
	running sync.WaitGroup

	// The jobs, and what they share, are kept here so that a call allocates
	// nothing.
	convolution convolution
	gradient    weightGradientJob
	normal      normJob
	dense       denseJob
	partial     []float32 // sums over parts of the boards
	totals      []float64
	zeros       []float32 // as bias
	packed      []float32 // operands of dense products
	padded      []float32
}

// worker is what belongs to one goroutine of a call.
type worker struct {
	start   func()
	v, m    []float32 // the transformed domain of a chunk of boards
	block   weightBlock
	product []float32 // a block of a dense product
}

// job is work in tasks that are independent of each other: they may run in any
// order and at the same time. What a task does must not depend on the worker.
type job interface {
	do(task int, w *worker)
}

// NewWorkspace returns a workspace for boards of shape s with at most
// maxChannels channels; it grows if it meets larger ones. The calls that get the
// workspace spread their work over the given number of goroutines, at least 1: a
// thread that searches evaluates with one, a trainer uses a few. The results do
// not depend on that number.
func NewWorkspace(s Shape, maxChannels, workers int) *Workspace {
	ws := &Workspace{workers: make([]worker, max(1, workers))}
	domain := domainLen(s, maxChannels)
	for i := range ws.workers {
		w := &ws.workers[i]
		w.v, w.m = Alloc(domain), Alloc(domain)
		w.start = func() {
			defer ws.running.Done()
			ws.work(w)
		}
	}
	ws.zeros = Alloc(maxChannels)
	return ws
}

// run does the job's tasks and returns when all are done.
func (ws *Workspace) run(j job, tasks int) {
	helpers := min(len(ws.workers), tasks) - 1
	ws.job, ws.tasks = j, int64(tasks)
	ws.next.Store(0)
	ws.running.Add(max(helpers, 0))
	for i := range helpers {
		go ws.workers[i+1].start()
	}
	ws.work(&ws.workers[0])
	ws.running.Wait()
	ws.job = nil
}

// work does the next task until there is none.
func (ws *Workspace) work(w *worker) {
	for {
		task := ws.next.Add(1) - 1
		if task >= ws.tasks {
			return
		}
		ws.job.do(int(task), w)
	}
}

// grown returns buf, or a zeroed buffer if buf is shorter than n.
func grown(buf []float32, n int) []float32 {
	if len(buf) < n {
		return Alloc(n)
	}
	return buf
}
