package web

import (
	"context"
	"sync"
)

// pool hands out the slots in which searches run. Those who wait are served in the order in which they came.
type pool struct {
	mu    sync.Mutex
	free  int
	most  int             // who may wait
	queue []chan struct{} // closed when its slot is free
}

func newPool(slots, most int) *pool { return &pool{free: slots, most: most} }

// full tells whether nobody else may wait.
func (p *pool) full() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.free == 0 && len(p.queue) >= p.most
}

// contested tells whether somebody waits.
func (p *pool) contested() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.queue) > 0
}

// acquire takes a slot, or waits for one until ctx ends. It returns errBusy if too many wait. waiting is called if it has to wait.
func (p *pool) acquire(ctx context.Context, waiting func()) error {
	p.mu.Lock()
	if p.free > 0 {
		p.free--
		p.mu.Unlock()
		return nil
	}
	if len(p.queue) >= p.most {
		p.mu.Unlock()
		return errBusy
	}
	ticket := make(chan struct{})
	p.queue = append(p.queue, ticket)
	p.mu.Unlock()
	if waiting != nil {
		waiting()
	}
	select {
	case <-ticket:
		return nil
	case <-ctx.Done():
		p.leave(ticket)
		return ctx.Err()
	}
}

// leave gives up a ticket, and the slot that came with it if it was called meanwhile.
func (p *pool) leave(ticket chan struct{}) {
	p.mu.Lock()
	for i, t := range p.queue {
		if t == ticket {
			p.queue = append(p.queue[:i], p.queue[i+1:]...)
			p.mu.Unlock()
			return
		}
	}
	p.mu.Unlock()
	p.release()
}

// release gives a slot back.
func (p *pool) release() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.queue) == 0 {
		p.free++
		return
	}
	close(p.queue[0])
	p.queue = p.queue[1:]
}
