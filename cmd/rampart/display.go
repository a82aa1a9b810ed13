package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"rampart/train"
)

// display shows a run's progress: on a terminal a line that is redrawn, elsewhere a line a minute; events get lines of their own.
type display struct {
	mu       sync.Mutex
	status   io.Writer // the line that is redrawn
	out      io.Writer // events
	terminal bool
	began    time.Time
	drawn    time.Time
	width    int

	first  int                    // generation in which this process began
	detail map[train.Stage]string // last word of each stage
}

// Intervals between two status lines.
const (
	terminalInterval = 200 * time.Millisecond
	plainInterval    = time.Minute
)

func newDisplay(status, out io.Writer) *display {
	d := &display{status: status, out: out, began: time.Now(), detail: make(map[train.Stage]string)}
	if f, ok := status.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		d.terminal = true
		if w, _, err := term.GetSize(int(f.Fd())); err == nil {
			d.width = w
		}
	}
	d.drawn = d.began
	return d
}

func (d *display) observer() train.Observer {
	return train.Observer{
		Progress: d.progress,
		Event:    func(text string) { d.line(text) },
		Warning:  func(err error) { d.line("warning: " + err.Error()) },
	}
}

// begin says what is about to happen.
func (d *display) begin(r *train.Run, stage train.Stage, generation int) {
	d.first = generation
	verb := "resuming"
	if r.New {
		verb = "starting"
	}
	if stage != train.StageDone {
		d.line(fmt.Sprintf("%s run %s: %s, network %s, %s of generation %d of %d", verb, r.Folder, r.Board, r.Config.Net, stage, generation, r.Config.Generations))
	}
}

// line prints a line above the status line.
func (d *display) line(text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.erase()
	fmt.Fprintf(d.out, "%s  %s\n", clock(time.Since(d.began)), text)
}

func (d *display) progress(p train.Progress) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.detail[p.Stage] = p.Detail
	interval := plainInterval
	if d.terminal {
		interval = terminalInterval
	}
	if time.Since(d.drawn) < interval {
		return
	}
	d.drawn = time.Now()
	text := d.statusLine(p)
	if !d.terminal {
		fmt.Fprintln(d.status, text)
		return
	}
	if d.width > 1 && len(text) >= d.width {
		text = text[:d.width-1]
	}
	d.erase()
	fmt.Fprint(d.status, text)
}

// statusLine is the stage's progress, then the last word of each stage, then the time left.
func (d *display) statusLine(p train.Progress) string {
	parts := []string{fmt.Sprintf("%s  generation %d/%d, %s %d/%d", clock(time.Since(d.began)), p.Generation, p.Generations, p.Stage, p.Done, p.Total)}
	for _, stage := range []train.Stage{train.StageSelfPlay, train.StageTrain, train.StageGate, train.StageFinal} {
		if d.detail[stage] != "" {
			parts = append(parts, d.detail[stage])
		}
	}
	if done := p.Generation - d.first; done > 0 {
		each := time.Since(d.began) / time.Duration(done)
		parts = append(parts, "about "+clock(each*time.Duration(max(0, p.Generations-p.Generation+1)))+" left")
	}
	return strings.Join(parts, " | ")
}

// end removes the status line.
func (d *display) end() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.erase()
}

func (d *display) erase() {
	if d.terminal {
		fmt.Fprint(d.status, "\r\x1b[K")
	}
}

// clock formats a duration as 1:02:03 or 2:03.
func clock(t time.Duration) string {
	s := int(t.Seconds())
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}
