package arena

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"

	"rampart/internal/lines"
)

// ugiProcess is a running program with its pipes.
type ugiProcess struct {
	command *exec.Cmd
	in      io.WriteCloser
	lines   <-chan lines.Line // of its output; closed at its end
	stop    context.CancelFunc
	errors  tail

	ending sync.Once
	exit   error
}

// mostUGILine bounds a line of a program.
const mostUGILine = 1 << 16

// quitTime is how long a program may take to end by itself.
const quitTime = 2 * time.Second

// startUGI starts a program.
func startUGI(words []string) (*ugiProcess, error) {
	ctx, stop := context.WithCancel(context.Background())
	p := &ugiProcess{command: exec.CommandContext(ctx, words[0], words[1:]...), stop: stop}
	p.command.Stderr = &p.errors
	p.command.WaitDelay = quitTime // if a child of the program keeps the pipes
	in, err := p.command.StdinPipe()
	if err != nil {
		stop()
		return nil, err
	}
	out, err := p.command.StdoutPipe()
	if err != nil {
		stop()
		return nil, err
	}
	if err := p.command.Start(); err != nil {
		stop()
		return nil, err
	}
	p.in, p.lines = in, lines.Channel(ctx, out, mostUGILine)
	return p, nil
}

// send writes a command. That the program is gone shows when its answer is read.
func (p *ugiProcess) send(format string, args ...any) {
	_, _ = fmt.Fprintf(p.in, format+"\n", args...)
}

// quit asks the program to end, and ends it if it does not.
func (p *ugiProcess) quit() {
	p.send("quit")
	p.in.Close()
	timer := time.AfterFunc(quitTime, p.stop)
	defer timer.Stop()
	for range p.lines { // until the output is closed
	}
	p.end()
}

// kill ends the program at once.
func (p *ugiProcess) kill() {
	p.stop()
	p.in.Close()
	p.end()
}

// end waits for a program that ends.
func (p *ugiProcess) end() {
	p.ending.Do(func() {
		p.exit = p.command.Wait()
		p.stop()
	})
}

// died says how a program ended that should not have.
func (p *ugiProcess) died() error {
	timer := time.AfterFunc(quitTime, p.stop) // one that has only closed its output
	defer timer.Stop()
	p.end()
	how := "exit status 0"
	if p.exit != nil {
		how = p.exit.Error()
	}
	if said := p.errors.lastLine(); said != "" {
		how += ": " + said
	}
	return fmt.Errorf("the program has ended (%s)", how)
}

// tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

// Write is part of [io.Writer].
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	if extra := len(t.text) - 1024; extra > 0 {
		t.text = append(t.text[:0], t.text[extra:]...)
	}
	return len(p), nil
}

func (t *tail) lastLine() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	list := strings.Split(strings.TrimSpace(string(t.text)), "\n")
	return clip(list[len(list)-1])
}
