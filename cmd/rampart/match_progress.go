package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"

	"rampart/arena"
)

// matchProgress shows how a match stands: in place on a terminal, else a line a minute.
type matchProgress struct {
	out      io.Writer
	terminal bool
	prefix   string // which match of several
	pairs    int    // at most
	began    time.Time
	drawn    time.Time
}

func newMatchProgress(out io.Writer, pairs int) *matchProgress {
	file, isFile := out.(*os.File)
	return &matchProgress{
		out: out, pairs: pairs, began: time.Now(), drawn: time.Now(),
		terminal: isFile && term.IsTerminal(int(file.Fd())),
	}
}

// pair shows the result so far if the last time was long enough ago.
func (p *matchProgress) pair(r *arena.MatchResult) {
	interval := plainInterval
	if p.terminal {
		interval = terminalInterval
	}
	if time.Since(p.drawn) < interval {
		return
	}
	p.drawn = time.Now()
	done := r.Pairs.Count()
	left := time.Since(p.began) / time.Duration(done) * time.Duration(p.pairs-done)
	line := fmt.Sprintf("%s%d of %d pairs, %s, Elo %s, at most %s left", p.prefix, done, p.pairs, r.Total(), r.Elo(), clock(left))
	if r.SPRT != nil {
		line += fmt.Sprintf(", LLR %.2f", r.LLR)
	}
	if p.terminal {
		fmt.Fprintf(p.out, "\r%s\x1b[K", line)
	} else {
		fmt.Fprintln(p.out, line)
	}
}

// next begins another match.
func (p *matchProgress) next(prefix string) {
	p.prefix, p.began = prefix, time.Now()
}

// end removes the line in place.
func (p *matchProgress) end() {
	if p.terminal {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}
