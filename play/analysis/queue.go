package analysis

import (
	"container/heap"
	"context"
	"slices"
	"sync"
)

// job is one position of a query.
type job struct {
	*query
	turn int
	seq  int // of its arrival

	ctx    context.Context
	cancel context.CancelFunc
}

// matches tells whether a termination is about the job.
func (j *job) matches(all bool, id string, turns []int) bool {
	return (all || j.id == id) && (turns == nil || slices.Contains(turns, j.turn))
}

// jobs is a heap: the largest priority first, and among equals the first that came.
type jobs []*job

func (h jobs) Len() int { return len(h) }
func (h jobs) Less(i, j int) bool {
	return h[i].priority > h[j].priority || h[i].priority == h[j].priority && h[i].seq < h[j].seq
}
func (h jobs) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *jobs) Push(x any)   { *h = append(*h, x.(*job)) }
func (h *jobs) Pop() any {
	old := *h
	last := old[len(old)-1]
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	return last
}

// queue hands jobs to workers.
type queue struct {
	mu      sync.Mutex
	changed sync.Cond // jobs were added, or the queue is closed
	waiting jobs
	running []*job
	seq     int
	closed  bool
}

func newQueue() *queue {
	q := &queue{}
	q.changed.L = &q.mu
	return q
}

// add lets the jobs of a query wait, unless there are too many.
func (q *queue) add(ctx context.Context, query *query) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting)+len(query.turns) > MostPending {
		return false
	}
	for _, turn := range query.turns {
		j := &job{query: query, turn: turn, seq: q.seq}
		j.ctx, j.cancel = context.WithCancel(ctx)
		q.seq++
		heap.Push(&q.waiting, j)
	}
	q.changed.Broadcast()
	return true
}

// take waits for the next job; nil when there will be none. Jobs whose context has ended are dropped.
func (q *queue) take() *job {
	q.mu.Lock()
	defer q.mu.Unlock()
	for {
		for len(q.waiting) == 0 {
			if q.closed {
				return nil
			}
			q.changed.Wait()
		}
		j := heap.Pop(&q.waiting).(*job)
		if j.ctx.Err() != nil {
			continue
		}
		q.running = append(q.running, j)
		return j
	}
}

// done forgets a job that was taken.
func (q *queue) done(j *job) {
	j.cancel()
	q.mu.Lock()
	defer q.mu.Unlock()
	q.running = slices.DeleteFunc(q.running, func(r *job) bool { return r == j })
}

// terminate stops the running jobs that match, and returns the waiting ones, which leave the queue.
func (q *queue) terminate(all bool, id string, turns []int) []*job {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, j := range q.running {
		if j.matches(all, id, turns) {
			j.cancel()
		}
	}
	var out []*job
	q.waiting = slices.DeleteFunc(q.waiting, func(j *job) bool {
		if !j.matches(all, id, turns) {
			return false
		}
		out = append(out, j)
		j.cancel()
		return true
	})
	heap.Init(&q.waiting)
	slices.SortFunc(out, func(a, b *job) int { return a.seq - b.seq })
	return out
}

// close says that nothing more will be added. With drop, what waits is dropped.
func (q *queue) close(drop bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	if drop {
		for _, j := range q.waiting {
			j.cancel()
		}
		q.waiting = nil
	}
	q.changed.Broadcast()
}
